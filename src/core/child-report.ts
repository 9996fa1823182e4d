/** What a child session reports to its parent, in the commit that made it true. */
import type { Session, SessionEvent } from "../protocol/session.ts";
import { askSlices, type World } from "./decision.ts";
import type { ChildReport } from "./effect.ts";

/** Greater than any stamp of a session that still exists. */
const GONE_STAMP = Number.MAX_SAFE_INTEGER;

type After = { session: Session | undefined; events: readonly SessionEvent[] };

/** A session rests when its turn has ended and no session below it, at any depth, still works for it. */
export function reportToParent(before: Session | undefined, { session, events }: After, world: World): ChildReport[] {
  if (before?.parentId === undefined) return [];
  const report = {
    kind: "report-to-parent",
    parentId: before.parentId,
    turnId: null,
    message: "",
    ...settledIn(session),
  } as const;
  if (session === undefined) return [{ ...report, stamp: GONE_STAMP, outcome: "gone" }];
  const stamp = Math.max(stampOf(session), (before.reported ?? stampOf(before)) + 1);
  if (!isResting(session, world)) {
    // a session of an earlier version may have reported rest while something below it worked, so each new turn counts
    const isNews = before.turn.status === "idle" && (session.turn.status !== "idle" || isResting(before, world));
    return isNews ? [{ ...report, stamp, outcome: "running" }] : [];
  }
  // whoever stopped it waits to hear that it rests, also when it did already
  if (isResting(before, world) && !events.some((event) => event.type === "session.stopped")) return [];
  return [{ ...report, stamp, ...endIn(events) }];
}

function endIn(events: readonly SessionEvent[]): Pick<ChildReport, "outcome"> & Partial<ChildReport> {
  const ended = events.findLast((event) => event.type === "turn.finished");
  if (ended?.type !== "turn.finished") return { outcome: "aborted" };
  const { turnId, outcome, message } = ended;
  return { turnId, outcome, message };
}

const settledIn = (session: Session | undefined): Pick<ChildReport, "order"> =>
  session?.ordered === undefined ? {} : { order: session.ordered };

const isResting = (session: Session, world: World): boolean =>
  session.turn.status === "idle" &&
  !askSlices(session, world, (slice, state) => slice.describe?.awaits?.(state) ?? false).some(Boolean);

/** Grows with the session's turns; the stamp of a report is also greater than that of the report before it. */
const stampOf = ({ epoch, turn }: Session): number => epoch * 2 + { running: 0, idle: 1, requested: 2 }[turn.status];
