/** Tells whether a commit changes the rows of a session's timers. */
import type { SessionEvent } from "../protocol/session.ts";

/** Only then are the timer rows of the session written again. */
export const changesTimers = (events: readonly SessionEvent[]): boolean =>
  events.some(({ type }) => TOUCHING.has(type));

const TOUCHING: ReadonlySet<SessionEvent["type"]> = new Set([
  "timer.set",
  "timer.cleared",
  "session.created",
  "session.reset",
  "session.deleted",
]);
