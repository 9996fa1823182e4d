/** How callers end, and what happens to the calls that they leave open: claimed ones become unknown. */
import type { CallerRef, CellCaller, OpenCall, SessionCaller } from "../../protocol/calls/caller.ts";
import type { CallerEnding } from "../../protocol/calls/caller-events.ts";
import { INJECTION_PRIORITIES } from "../../protocol/injection.ts";
import { noticeOf, localized } from "../../protocol/localized/localized-text.ts";
import type { Session, Timer } from "../../protocol/session.ts";
import type { Decision, Draft, World } from "../decision.ts";
import { queueInjection } from "../injections.ts";
import type { CallOutcome } from "./decide-call.ts";

/**
 * One timer for all callers of a session. It may fire early and is then set again, because renewing a lease does not
 * move it.
 */
export const CALLERS_TIMER = "callers";
/** No plugin may have a slice of this name: cleaning up that slice would remove the timer too. */
export const CALLERS_OWNER = "callers";

export const refOf = ({ id, kind }: SessionCaller): CallerRef => ({ id, kind });

/** When to check whether this caller is still alive. */
export function deadlineOf({ life }: SessionCaller): number {
  if (life.status === "suspended") return life.keptUntilMs;
  return life.status === "settling" ? Math.min(life.leaseUntilMs, life.keptUntilMs) : life.leaseUntilMs;
}

export function closedByCaller(caller: SessionCaller, call: OpenCall, { status, content }: CallOutcome): Draft[] {
  const { callId, tool } = call;
  const under = caller.kind === "cell" ? { parentCallId: caller.parent.callId } : {};
  const by = refOf(caller);
  return [
    { type: "entry.appended", entry: { kind: "call-result", caller: by, ...under, callId, tool, status, content } },
    { type: "call.closed", callId, tool, status, caller: by },
  ];
}

const CAUSES: Readonly<Record<CallerEnding, string>> = {
  closed: "Its caller left",
  expired: "Its caller was lost",
  "parent-closed": "The call around it ended",
  reset: "The session was reset",
  deleted: "The session was deleted",
};
const NOT_STARTED = "Not run: its caller ended before this call.";

/** The end of every open call of a caller, because nobody will report on them any more. `notices` are for people. */
export function abandoned(caller: SessionCaller, ending: CallerEnding): { closings: Draft[]; notices: Draft[] } {
  const content = `${CAUSES[ending]} while this call ran. Whether it took effect is unknown and it was not run again: look before you repeat it.`;
  return {
    closings: caller.calls.flatMap((call) =>
      closedByCaller(
        caller,
        call,
        call.claimed ? { status: "unknown", content } : { status: "skipped", content: NOT_STARTED },
      ),
    ),
    notices: caller.calls
      .filter((call) => call.claimed)
      .map(({ tool }) => ({
        type: "entry.appended",
        entry: {
          kind: "notice",
          ...noticeOf(ending === "reset" ? localized("unknownReset", { tool }) : localized("unknownCaller", { tool })),
        },
      })),
  };
}

export function ended(caller: SessionCaller, ending: CallerEnding): { closings: Draft[]; notices: Draft[] } {
  const { closings, notices } = abandoned(caller, ending);
  return { closings: [...closings, { type: "caller.closed", caller: refOf(caller), ending }], notices };
}

/** Closing a call of the turn also ends the cell that runs in it, unless that cell is suspended. */
export function endCellsIn(session: Session, callId: string): Draft[] {
  if (session.callers === undefined) return [];
  return session.callers
    .filter((caller) => caller.kind === "cell" && caller.life.status === "running" && caller.parent.callId === callId)
    .flatMap((cell) => {
      const { closings, notices } = ended(cell, "parent-closed");
      return [...closings, ...notices];
    });
}

/** Sets or clears the timer for these callers. */
export function timerFor(session: Pick<Session, "timers">, callers: readonly SessionCaller[]): Draft[] {
  const set = session.timers.find((timer) => timer.key === CALLERS_TIMER);
  if (callers.length === 0) return set === undefined ? [] : [{ type: "timer.cleared", key: CALLERS_TIMER }];
  const atMs = Math.min(...callers.map(deadlineOf));
  if (set !== undefined && set.atMs <= atMs) return [];
  return [{ type: "timer.set", timer: { key: CALLERS_TIMER, atMs, slice: CALLERS_OWNER, command: {} } }];
}

/** The timer fired: callers without a sign of life are closed, and the calls that they had claimed become unknown. */
export function expireCallers(session: Session, timer: Timer, { context }: World): Decision {
  const { nowMs } = context;
  const callers = session.callers ?? [];
  const due = callers.filter((caller) => deadlineOf(caller) <= nowMs);
  const events: Draft[] = [{ type: "timer.cleared", key: timer.key }];
  const left = callers.flatMap((caller) => (due.includes(caller) ? kept(caller, nowMs) : [caller]));
  for (const caller of due) {
    const isKept = left.some(({ id }) => id === caller.id);
    const { closings, notices } = isKept ? abandoned(caller, "expired") : ended(caller, "expired");
    events.push(...closings, ...notices);
  }
  events.push(...lostCallNotice(session, due, nowMs));
  return { events: [...events, ...timerFor({ timers: [] }, left)], reply: null };
}

/** A suspended cell whose holder died can still be resumed elsewhere. */
function kept(caller: SessionCaller, nowMs: number): CellCaller[] {
  if (caller.kind !== "cell" || caller.life.status !== "settling" || caller.life.keptUntilMs <= nowMs) return [];
  return [{ ...caller, calls: [], life: { status: "suspended", keptUntilMs: caller.life.keptUntilMs } }];
}

/** The agent reads this with its next input, because nobody else can answer its call. */
function lostCallNotice(session: Session, due: readonly SessionCaller[], nowMs: number): Draft[] {
  const lost = due.flatMap(({ calls }) => calls.filter((call) => call.claimed));
  const [first] = lost;
  if (first === undefined) return [];
  const tools = [...new Set(lost.map(({ tool }) => tool))].join(", ");
  return queueInjection(session.injections, {
    id: `caller:${first.callId}`,
    kind: "caller_lost",
    text: `[CALLER_LOST]\nA caller of this session was lost while calls of it ran (${tools}). Whether they took effect is unknown and they were not run again: look before you repeat them.\n[/CALLER_LOST]`,
    priority: INJECTION_PRIORITIES.subagent_return,
    createdAtMs: nowMs,
  });
}
