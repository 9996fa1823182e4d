/** Collects what the slices report at a heartbeat. */
import type { Session } from "../protocol/session.ts";
import { askSlices } from "./decision.ts";
import type { SliceRegistry } from "./slice.ts";

type Asked = { slices: SliceRegistry; settings: Readonly<Record<string, unknown>>; nowMs: number };

export function askHeartbeats(session: Session, { slices, settings, nowMs }: Asked): string[] {
  const context = { nowMs, actor: { kind: "system" as const, reason: "heartbeat" }, fresh: [], settings };
  return askSlices(
    session,
    { context, slices },
    (slice, state, at) => slice.describe?.heartbeat?.(state, at) ?? [],
  ).flat();
}
