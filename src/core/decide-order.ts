/**
 * Orders of the session above: each has a number, and a session settles them in that order, because the rows that carry
 * them may arrive in any order and more than once.
 *
 *   order n:  n ≤ ordered: settled before (taken up, or called off by a stop) · n = ordered + 1: taken up · later: waits
 *   stop n:   n > ordered: everything up to n is called off, the queues are emptied, the turn ends
 */
import { asIs, noticeOf } from "../protocol/localized/localized-text.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { CommandOf, Session } from "../protocol/session.ts";
import { byPerson, isFromAbove } from "./held/attendance.ts";
import { authorOf, type Decision, type Draft, facts } from "./decision.ts";
import type { Context } from "./slice.ts";

export type OrderState =
  | { status: "settled" }
  | { status: "early"; refusal: Refused }
  | { status: "next"; order?: number };

export function orderOf(session: Session, { order }: CommandOf<"message.send">, context: Context): OrderState {
  if (order === undefined || !isFromAbove(session, context)) return { status: "next" };
  const { ordered = 0 } = session;
  if (order <= ordered) return { status: "settled" };
  return order === ordered + 1 ? { status: "next", order } : { status: "early", refusal: EARLY };
}

const EARLY: Refused = {
  refused: { ...refuse("SESSION_BUSY", "An earlier order to this session is still on its way.").refused, retry: true },
};

/** A stopped session begins again by a new order of the session above, or because a person writes or decides in it. */
export function takenUp({ stopped }: Session, { order }: { order?: number }, context: Context): Draft[] {
  if (order !== undefined) return [{ type: "session.ordered", order }];
  return stopped === true && byPerson(context) ? [{ type: "session.ordered" }] : [];
}

export function stopSession(session: Session, { order }: CommandOf<"session.stop">, context: Context): Decision {
  if (context.actor.kind !== "system")
    return refuse("PERMISSION_DENIED", "A session is stopped for good by the gateway alone; turn.abort ends its turn.");
  const isSettled = order === undefined ? session.stopped === true : order <= (session.ordered ?? 0);
  if (isSettled) return facts();
  return facts(
    ...dropped(session),
    { type: "session.stopped", ...(order === undefined ? {} : { order }) },
    ...turnEnd(session, context),
  );
}

/** What people wrote was acknowledged, so they are told that nobody takes it up. */
function dropped({ inbox }: Session): Draft[] {
  if (inbox.length === 0) return [];
  const text = `The session above stopped this one. Messages that waited and are not taken up: ${inbox.length}.`;
  return [{ type: "entry.appended", entry: { kind: "notice", ...noticeOf(asIs(text)) } }];
}

function turnEnd({ turn }: Session, context: Context): Draft[] {
  if (turn.status === "idle") return [];
  if (turn.status === "running") return turn.aborting ? [] : [{ type: "turn.aborting", by: authorOf(context) }];
  return [{ type: "turn.finished", turnId: turn.turnId, outcome: "aborted", message: "" }];
}
