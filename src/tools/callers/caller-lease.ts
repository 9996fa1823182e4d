/**
 * The proof of life of one caller that this process holds.
 *
 *   held ──renew, at a third of its time──▶ held
 *     ├── another epoch, gone from the session, suspended, time run out ─▶ over: what runs is stopped
 *     └── released
 */
import { CallStopped } from "../../plugins/call-stopped.ts";
import type { Clock, SessionOutcome, Sessions } from "../../plugins/sessions.ts";
import type { Actor } from "../../protocol/actor.ts";
import type { CallerRef } from "../../protocol/calls/caller.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { Session, SessionCommand } from "../../protocol/session.ts";

/** A dead holder's calls are closed as unknown after this time. */
export const CALLER_LEASE_MS = 12_000;

export type CallerLease = {
  sessionId: SessionId;
  actor: AgentActor;
  ref: CallerRef;
  epoch: number;
  over: AbortSignal;
  /** For how long it still holds, whatever happens elsewhere; 0 where that is not certain. */
  leftMs(): number;
  /** Stops its calls, while their ends can still be recorded. */
  halt: AbortController;
  running: Set<Promise<unknown>>;
  dispatch(command: SessionCommand): Promise<SessionOutcome>;
  /** Ends it here, whatever the store knows of it. */
  release(): void;
};

/** In whose name it opens, renews and makes its calls. */
export type AgentActor = Extract<Actor, { kind: "agent" }>;

type Taken = { actor: AgentActor; ref: CallerRef; epoch: number; leaseUntilMs: number };
type LeaseParts = { sessions: Sessions; clock: Clock };

export function holdCaller({ actor, ref, epoch, ...taken }: Taken, { sessions, clock }: LeaseParts): CallerLease {
  const { sessionId } = actor;
  const over = new AbortController();
  let { leaseUntilMs } = taken;
  const later = (): (() => void) => clock.wakeAt(clock.now() + CALLER_LEASE_MS / 3, () => void renew());
  let callOff = later();

  function release(): void {
    callOff();
    stopListening();
    stopFollowing();
    over.abort(new CallStopped("whoever made it was gone"));
  }
  function see(session: Session | undefined): void {
    const caller = session?.callers?.find(({ id }) => id === ref.id);
    if (caller === undefined || caller.epoch !== epoch || caller.life.status === "suspended") release();
  }
  async function dispatch(command: SessionCommand): Promise<SessionOutcome> {
    const outcome = await sessions.dispatch(sessionId, command, { actor });
    if (!outcome.ok && isOver(outcome.refusal.code)) release();
    return outcome;
  }
  async function renew(): Promise<void> {
    const untilMs = clock.now() + CALLER_LEASE_MS;
    const caller = { id: ref.id, epoch };
    const outcome = await dispatch({ type: "caller.renew", caller, leaseUntilMs: untilMs }).catch(() => undefined);
    if (outcome?.ok === true) leaseUntilMs = untilMs;
    else if (clock.now() >= leaseUntilMs) release(); // the store is away and the time is up
    if (!over.signal.aborted) callOff = later();
  }
  const look = (): void => void sessions.session(sessionId).then(see, () => undefined); // a store that is away shows at the next renewal
  const stopListening = sessions.onCommitted(({ session }) => see(session), sessionId);
  const stopFollowing = sessions.subscribe({
    cares: sessionId,
    onCommit: ({ own }) => void (own || look()),
    missed: look,
  });
  return {
    sessionId,
    actor,
    ref,
    epoch,
    over: over.signal,
    leftMs: () => (over.signal.aborted || clock.isInDoubt?.() === true ? 0 : Math.max(0, leaseUntilMs - clock.now())),
    halt: new AbortController(),
    running: new Set(),
    dispatch,
    release,
  };
}

const isOver = (code: string): boolean => code === "LEASE_LOST" || code === "SESSION_NOT_FOUND";
