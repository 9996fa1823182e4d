/** Values on their way between a plugin and the wire. */
import type { Json, JsonObject } from "../../../protocol/json.ts";
import type { CleanupReason } from "../../api/extension.ts";
import { type GuestFunction, jsonOf } from "./desk.ts";

/** The gateway checked the value before sending it, so it has the type that the api declares. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- see above
export const checkedValue = <Value>(value: Json | undefined): Value => value as unknown as Value;

export const refusedToGuests =
  (what: string): (() => never) =>
  () => {
    throw new Error(`${what} is for bundled and trusted plugins; this one is ordinary.`);
  };

type Cleanup = (reason: CleanupReason, sessionKey: string) => void | Promise<void>;

export const cleanupFunction =
  (cleanup: Cleanup): GuestFunction =>
  (args) => {
    const { reason, sessionKey } = checkedValue<{ reason: CleanupReason; sessionKey: string }>(args);
    return cleanup(reason, sessionKey);
  };

/** A zod schema describes itself, whichever copy of zod it comes from. */
export function schemaOf(schema: object, what: string): JsonObject {
  if (!("toJSONSchema" in schema) || typeof schema.toJSONSchema !== "function")
    throw new Error(`The schema of ${what} is none of zod 4.`);
  try {
    return checkedValue(jsonOf(schema.toJSONSchema({ io: "input", unrepresentable: "any" })));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The schema of ${what} cannot be written as JSON Schema: ${reason}`, { cause });
  }
}
