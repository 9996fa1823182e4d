import type { Session, SessionEvent } from "../protocol/session.ts";
import type { ChildReport } from "./effect.ts";

/** Newer than anything that a living session can say. */
const GONE_STAMP = Number.MAX_SAFE_INTEGER;

/** A session below another one tells it, in the commit itself, when it comes to rest, works again, or is gone. */
export function reportToParent(
  before: Session | undefined,
  { session, events }: { session: Session | undefined; events: readonly SessionEvent[] },
): ChildReport[] {
  if (before?.parentId === undefined) return [];
  const report = { kind: "report-to-parent", parentId: before.parentId, turnId: null, message: "" } as const;
  if (session === undefined) return [{ ...report, stamp: GONE_STAMP, outcome: "gone" }];
  const rests = session.turn.status === "idle";
  if (rests === (before.turn.status === "idle")) return [];
  const stamp = stampOf(session);
  if (!rests) return [{ ...report, stamp, outcome: "running" }];
  const ended = events.findLast((event) => event.type === "turn.finished");
  if (ended?.type !== "turn.finished") return [{ ...report, stamp, outcome: "aborted" }];
  const { turnId, outcome, message } = ended;
  return [{ ...report, stamp, turnId, outcome, message }];
}

/** Grows with everything that a session does: asked for, running and at rest again follow each other. */
const stampOf = ({ epoch, turn }: Session): number => epoch * 2 + { running: 0, idle: 1, requested: 2 }[turn.status];
