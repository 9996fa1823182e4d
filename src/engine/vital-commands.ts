/** Sorts commands by when they are still accepted: on a nearly full disk, and while the gateway stops. */
import type { SliceRegistry } from "../core/slice.ts";
import type { SessionCommand } from "../protocol/session.ts";

/** Commands that only make things safer or record what has happened: taken even when the disk is nearly full. */
export function isVital(command: SessionCommand, slices: SliceRegistry): boolean {
  switch (command.type) {
    case "turn.abort":
    case "turn.finish":
    case "call.finish":
    case "call.refuse":
    case "caller.close":
    case "timer.fire":
    case "session.delete":
    case "session.stop":
      return true;
    case "slice.apply":
      return slices.get(command.slice)?.describe?.vital?.(command.command) ?? false;
    default:
      return false;
  }
}

/** New work, which a stopping gateway refuses; running work may still record its end. */
export function startsWork(command: SessionCommand): boolean {
  return STARTING.has(command.type);
}

const STARTING: ReadonlySet<string> = new Set<SessionCommand["type"]>([
  "session.create",
  "message.send",
  "turn.start",
  "call.claim",
  "caller.open",
  "caller.resume",
  "call.open",
]);
