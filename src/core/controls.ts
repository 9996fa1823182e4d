/** What surfaces need to know to offer the controls of a session's slices under the present settings. */
import type { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import type { SliceRegistry } from "./slice.ts";

type Described = { slices: SliceRegistry; settings: Readonly<Record<string, unknown>> };

/** By the name of the slice; empty where none has any. */
export function controlsIn(session: Session, { slices, settings }: Described): Record<string, JsonObject> {
  const described = [...slices.values()].flatMap(({ name, describe, initial }) => {
    const controls = describe?.controls?.(session.slices[name] ?? initial, { session, settings: settings[name] });
    return controls === undefined ? [] : [[name, controls] as const];
  });
  return Object.fromEntries(described);
}
