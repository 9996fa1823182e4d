/** Waits until a run has come to something: looks at every commit of its session, wherever it was made. */
import type { Clock, Sessions } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";

export type Wait<Found> = {
  sessionId: SessionId;
  waitMs: number;
  signal: AbortSignal;
  /** Undefined: not yet. Asked with undefined when the session is gone. */
  look(session: Session | undefined): Found | undefined;
};

/** Undefined when the time is up or the signal came first. */
export async function waitFor<Found>(
  { sessionId, waitMs, signal, look }: Wait<Found>,
  { sessions, clock }: { sessions: Sessions; clock: Clock },
): Promise<Found | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Found | undefined>();
  const see = (session: Session | undefined): void => {
    const found = look(session);
    if (found !== undefined) resolve(found);
  };
  const lookNow = (): void => void sessions.session(sessionId).then(see, reject);
  const stop = [
    sessions.onCommitted(({ session }) => see(session), sessionId),
    sessions.subscribe({
      cares: sessionId,
      onCommit: ({ own }) => void (own || lookNow()),
      missed: lookNow,
    }),
    clock.wakeAt(clock.now() + waitMs, () => resolve(undefined)),
  ];
  const leave = (): void => resolve(undefined);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  lookNow();
  return promise.finally(() => {
    signal.removeEventListener("abort", leave);
    for (const end of stop) end();
  });
}
