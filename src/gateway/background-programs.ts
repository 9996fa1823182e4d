/**
 * What runs in a session, and the gate. A call or a program in the background that was started while it was allowed is
 * ended in the moment in which nothing may change in its session any more: by whatever was started before either (I01, I16).
 *
 *   commit ─┬─ session deleted, reset ──▶ programs ended and forgotten
 *           └─ any other ────────────────▶ looked at: plan mode, a hold, a plan that ended, here or above
 *   revocation, settings, time of a standing plan ─▶ looked at
 *   start  ──▶ looked at once more: the right may have ended between the permit and the start
 *
 *   right lost ─▶ ended at once; of programs the agent reads why and people see a notice, a call has it in its result
 *
 * Where several gateways share a store, commits of the others do not arrive here; so sessions in which something runs are
 * checked again and again.
 */
import type { Clock, Sessions } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import { noticeOf, localized } from "../protocol/localized/localized-text.ts";
import type { ProcessTable } from "../tools/builtin/exec/process-table.ts";
import type { RunningCalls } from "../tools/running-calls.ts";
import type { Right } from "./right-to-change.ts";

const LOOK_EVERY_MS = 1_000;
const UNKNOWN: Right = { lost: "the session is in plan mode, where nothing may change" };
const NOTED = { kind: "background_ended", priority: 2 } as const;

export type BackgroundParts = {
  processes: ProcessTable;
  calls: Pick<RunningCalls, "sessions" | "onBegun" | "end">;
  sessions: Sessions;
  clock: Clock;
  /** Whether things may change in a session now. */
  rightOf(sessionId: SessionId): Promise<Right>;
  /** Whether other gateways write to the same store. */
  shared: boolean;
  report(error: unknown): void;
};

export function watchBackground(parts: BackgroundParts): { lookAtAll(): void; stop(): void } {
  const { processes, calls, sessions, clock, shared } = parts;
  const callOffs = new Map<SessionId, () => void>(); // at most one for each session in which something runs
  function wakeAt(sessionId: SessionId, atMs: number | undefined): void {
    callOffs.get(sessionId)?.();
    callOffs.delete(sessionId);
    if (atMs !== undefined)
      callOffs.set(
        sessionId,
        clock.wakeAt(atMs + 1, () => look(sessionId)),
      );
  }
  function look(id: SessionId): void {
    void endIfLost(id, parts)
      .then((untilMs) => wakeAt(id, untilMs))
      .catch(parts.report);
  }
  const lookAtAll = (): void => {
    for (const id of new Set([...processes.sessions(), ...calls.sessions()])) look(id);
  };
  const stopListening = sessions.onCommitted(({ sessionId, session, events }) => {
    const isOver = session === undefined || events.some(({ event }) => event.type === "session.reset");
    if (isOver) void processes.endSession(sessionId).catch(parts.report);
    if (isOver || events.some(({ event }) => event.type === "slice.changed")) lookAtAll();
  });
  processes.onStarted(look);
  calls.onBegun(look);
  let callOff: (() => void) | undefined;
  const again = (): void => {
    lookAtAll();
    callOff = clock.wakeAt(clock.now() + LOOK_EVERY_MS, again);
  };
  if (shared) again();
  return {
    lookAtAll,
    stop() {
      stopListening();
      callOff?.();
      for (const cancel of callOffs.values()) cancel();
    },
  };
}

/** When the right ends by itself, if that is known and something still runs under it. */
async function endIfLost(sessionId: SessionId, parts: BackgroundParts): Promise<number | undefined> {
  const { processes, calls } = parts;
  // while the store cannot be read the mode is unknown, so nothing goes on
  const right = await parts.rightOf(sessionId).catch((error: unknown) => {
    parts.report(error);
    return UNKNOWN;
  });
  if (!("lost" in right)) return right.untilMs;
  calls.end(sessionId, right.lost, { sparingGranted: right.planning === true });
  const ended = await processes.endRunning(sessionId, right.lost);
  if (ended.length > 0) await tell(sessionId, ended, parts);
  return undefined;
}

async function tell(sessionId: SessionId, ended: readonly string[], { sessions, clock }: BackgroundParts) {
  const by = { actor: { kind: "system", reason: "background programs" } } as const;
  const words = localized("backgroundEnded", { programs: ended.join(", ") });
  await sessions.dispatch(sessionId, { type: "notice.add", ...noticeOf(words) }, by);
  const injection = { ...NOTED, id: `background:${ended.join(",")}`, text: words.text, createdAtMs: clock.now() };
  await sessions.dispatch(sessionId, { type: "injection.add", injection, wake: false }, by);
}
