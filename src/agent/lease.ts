/**
 * The right to run one turn, and everything that can end it.
 *
 *   turn.start ─▶ held ──renew, at a third of its time──▶ held
 *                  ├── somebody else's epoch, turn over, session gone, time run out ─▶ lost: stop at once, write nothing
 *                  ├── turn.aborting ─▶ aborted: stop at once, record the end
 *                  └── gateway on its way out ─▶ draining: no new request, the running call may end; the turn stays
 */
import { CallStopped } from "../plugins/call-stopped.ts";
import type { Clock, Sessions, SessionOutcome } from "../plugins/sessions.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Prepared, Session, SessionCommand, TurnIn } from "../protocol/session.ts";

/**
 * A dead holder's turn goes on elsewhere within 15 s: after this time, and when somebody looks next. A store that is away
 * for a few seconds is survived.
 */
export const LEASE_MS = 12_000;
/** How long a running call may go on while the gateway drains. */
export const DRAIN_CALL_MS_MAX = 3_000;

export type LeaseParts = {
  sessions: Sessions;
  clock: Clock;
  /** Unique to this process. */
  node: string;
  /** Whether this process alone holds the state: then a lease of another node can only be a dead one's. */
  sole: boolean;
  /** What is put around the input of a turn that begins; asked before it is recorded, and never again for that turn. */
  prepare?(session: Session, turnId: TurnId): Promise<Prepared | undefined>;
  /** Called with the session as it was before, while the start of its turn is on its way to the store: for what can be read meanwhile. */
  starting?(session: Session): void;
};

type Stop = "lost" | "aborted" | "draining";
/** As the results of calls that were running then say it. */
const STOPPED: Readonly<Record<Stop, string>> = {
  lost: "its turn went on elsewhere",
  aborted: "its turn was stopped",
  draining: "the gateway was stopping",
};
const TURN_OVER = "its turn was over";
export type Running = { session: Session; turn: TurnIn<"running"> };

export type Lease = {
  sessionId: SessionId;
  turnId: TurnId;
  epoch: number;
  /** The reason why nothing more may be started, if there is one. */
  stopped(): Stop | undefined;
  /** For how long it still holds, whatever happens elsewhere; 0 where that is not certain. */
  leftMs(): number;
  /** Aborts model requests and waits. */
  quiet: AbortSignal;
  /** Ends running calls too. */
  halt: AbortSignal;
  /** The turn as it is stored now; undefined when it must not go on. */
  look(): Promise<Running | undefined>;
  dispatch(command: SessionCommand): Promise<SessionOutcome>;
  lose(): void;
  drain(): void;
  release(): void;
};

export type Taken = { lease: Lease } | { none: "done" | "later" };

export async function takeLease(at: { sessionId: SessionId; turnId: TurnId }, parts: LeaseParts): Promise<Taken> {
  const { sessions, clock, node, sole } = parts;
  let newest: Session | undefined;
  const seen = { session: (session: Session | undefined): void => void (newest = session) };
  const stopListening = sessions.onCommitted(({ session }) => seen.session(session), at.sessionId);
  let lease: ReturnType<typeof hold> | undefined;
  try {
    const { before, ...prepared } = await preparedFor(at, parts);
    const leaseUntilMs = clock.now() + LEASE_MS;
    const command = { type: "turn.start", turnId: at.turnId, node, leaseUntilMs, sole, ...prepared } as const;
    const underWay = (): void => void (before === undefined || parts.starting?.(before));
    const outcome = await sessions.dispatch(at.sessionId, command, { actor: actorOf(at.sessionId), underWay });
    const session = outcome.ok ? (newest ?? outcome.session) : undefined;
    if (session?.turn.status !== "running" || session.turn.turnId !== at.turnId) {
      return { none: !outcome.ok && !isOver(outcome.refusal.code) ? "later" : "done" };
    }
    lease = hold({ ...at, session, leaseUntilMs }, { ...parts, stopListening });
    seen.session = lease.see;
    return { lease };
  } finally {
    if (lease === undefined) stopListening();
  }
}

/**
 * A turn that was started before has its input already, so that the process that takes it over sends the same bytes.
 */
async function preparedFor(
  { sessionId, turnId }: { sessionId: SessionId; turnId: TurnId },
  { sessions, prepare }: LeaseParts,
): Promise<{ before?: Session; prepared?: Prepared }> {
  if (prepare === undefined) return {};
  const session = await sessions.session(sessionId);
  if (session?.turn.status !== "requested" || session.turn.turnId !== turnId) return {};
  const prepared = await prepare(session, turnId);
  return { before: session, ...(prepared === undefined ? {} : { prepared }) };
}

const isOver = (code: string): boolean => code === "TURN_NOT_RUNNING" || code === "SESSION_NOT_FOUND";
const isLost = (code: string): boolean => isOver(code) || code === "LEASE_LOST";
const actorOf = (sessionId: SessionId) => ({ kind: "agent", sessionId }) as const;

type Held = { sessionId: SessionId; turnId: TurnId; session: Session; leaseUntilMs: number };

function hold(held: Held, parts: LeaseParts & { stopListening(): void }) {
  const { sessions, clock } = parts;
  const { sessionId, turnId } = held;
  const { epoch } = held.session;
  const [quiet, halt] = [new AbortController(), new AbortController()];
  const term = createTerm(held.leaseUntilMs, { ...parts, onEnd: () => stop("lost") });
  let why: Stop | undefined;
  let callOffRenewal = clock.wakeAt(clock.now() + LEASE_MS / 3, () => void renew());
  let callOffDrain: (() => void) | undefined;
  const drained = new CallStopped(STOPPED.draining);
  function stop(reason: Stop, words = STOPPED[reason]): void {
    if (why !== "lost" && why !== "aborted") why = reason;
    quiet.abort();
    if (reason !== "draining") halt.abort(new CallStopped(words));
  }
  function see(session: Session | undefined): void {
    const turn = session?.turn;
    if (session?.epoch !== epoch) stop("lost");
    else if (turn?.status !== "running" || turn.turnId !== turnId) stop("lost", TURN_OVER);
    else if (turn.aborting) stop("aborted");
  }
  async function renew(): Promise<void> {
    const untilMs = clock.now() + LEASE_MS;
    const outcome = await dispatch({ type: "turn.renew", turnId, epoch, leaseUntilMs: untilMs }).catch(() => undefined);
    if (outcome?.ok === true && !released && why !== "lost") term.extend(untilMs);
    else if (outcome?.ok !== true && clock.now() >= term.untilMs()) stop("lost"); // the lease ran out: another process may hold it
    if (why !== "lost" && !released) callOffRenewal = clock.wakeAt(clock.now() + LEASE_MS / 3, () => void renew());
  }
  async function dispatch(command: SessionCommand): Promise<SessionOutcome> {
    const outcome = await sessions.dispatch(sessionId, command, { actor: actorOf(sessionId) });
    if (!outcome.ok && isLost(outcome.refusal.code)) stop("lost");
    return outcome;
  }
  async function look(): Promise<Running | undefined> {
    const session = await sessions.session(sessionId);
    see(session);
    return why === undefined && session?.turn.status === "running" ? { session, turn: session.turn } : undefined;
  }
  let released = false;
  const lookAgain = (): void => void look().catch(() => undefined); // a failing store is noticed at the next renewal
  const onCommit = ({ own }: { own: boolean }): void => void (own || lookAgain());
  const stopFollowing = sessions.subscribe({ cares: sessionId, onCommit, missed: lookAgain });
  see(held.session);
  return {
    sessionId,
    turnId,
    epoch,
    quiet: quiet.signal,
    halt: halt.signal,
    stopped: () => why,
    leftMs: () => (halt.signal.aborted ? 0 : term.leftMs()),
    see,
    dispatch,
    lose: () => stop("lost"),
    look,
    drain() {
      stop("draining");
      callOffDrain ??= clock.wakeAt(clock.now() + DRAIN_CALL_MS_MAX, () => halt.abort(drained));
    },
    release() {
      released = true;
      callOffRenewal();
      term.callOff();
      callOffDrain?.();
      parts.stopListening();
      stopFollowing();
    },
  };
}

type TermParts = Pick<LeaseParts, "clock" | "sole"> & { onEnd(): void };

/** For how long a lease holds. At its end it is somebody else's, whatever a renewal still waits for. */
function createTerm(untilMs: number, { clock, sole, onEnd }: TermParts) {
  let endMs = untilMs;
  const arm = (): (() => void) => (sole ? () => undefined : clock.wakeAt(endMs, onEnd));
  let callOff = arm();
  return {
    untilMs: () => endMs,
    leftMs(): number {
      if (sole) return Infinity; // nobody else can take it
      return clock.isInDoubt?.() === true ? 0 : Math.max(0, endMs - clock.now());
    },
    extend(toMs: number): void {
      callOff();
      endMs = toMs;
      callOff = arm();
    },
    callOff: () => callOff(),
  };
}
