/**
 * The runs of agents outside, each a session of its own that people see, plan in and decide on. A run is found again by
 * its names, so nothing about it is kept here but the caller that makes its calls, while it makes some.
 */
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import type { OpenCaller } from "../plugins/api/calls.ts";
import type { Clock, SessionOutcome, Sessions } from "../plugins/sessions.ts";
import type { ExternalPlace } from "../protocol/external/decisions.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";
import type { Callers } from "../tools/callers/callers.ts";
import { runIdOf } from "./run-id.ts";

/** A caller without calls is closed after this time: each one that is open renews its lease in the store. */
const IDLE_MS = 20_000;
const OWNER = "external";
const PLAN_SLICE = "planMode";

export type ExternalParts = {
  sessions: Sessions;
  clock: Clock;
  callers: Pick<Callers, "open">;
  /** The gateway's own folders, which no agent touches. */
  protectedFolders: readonly string[];
  createSession(given: ExternalPlace & { sessionId: SessionId }): Promise<SessionOutcome>;
  /** The address at which people see a session. */
  review(sessionId: SessionId): string;
};

export type ExternalRun = { sessionId: SessionId; session: Session; plan: PlanModeState };

export type ExternalRuns = {
  /** The run as it stands now; a new one is made where there is none. It is in plan mode unless a plan is carried out. */
  open(place: ExternalPlace): Promise<ExternalRun | Refused>;
  read(sessionId: SessionId): Promise<ExternalRun | undefined>;
  caller(sessionId: SessionId): Promise<OpenCaller | Refused>;
  /** An order to plan mode in the agent's own name, or in the gateway's. */
  order(sessionId: SessionId, command: JsonObject, by?: "agent" | "system"): Promise<SessionOutcome>;
};

export function createExternalRuns(parts: ExternalParts): ExternalRuns {
  const { sessions } = parts;
  const callers = keptCallers(parts);
  async function read(sessionId: SessionId): Promise<ExternalRun | undefined> {
    const session = await sessions.session(sessionId);
    const stored = session?.slices[PLAN_SLICE];
    if (session?.kind !== "external" || stored === undefined) return undefined;
    return { sessionId, session, plan: PlanModeState.parse(stored) };
  }
  const order: ExternalRuns["order"] = (sessionId, command, by = "agent") =>
    sessions.dispatch(
      sessionId,
      { type: "slice.apply", slice: PLAN_SLICE, command },
      { actor: by === "agent" ? { kind: "agent", sessionId } : { kind: "system", reason: OWNER } },
    );
  return {
    read,
    caller: callers,
    order,
    async open(place) {
      const sessionId = runIdOf(place);
      const found = (await read(sessionId)) ?? (await made(sessionId, place));
      if (found === undefined) return NOT_MADE;
      if ("refused" in found) return found;
      if (found.session.archived) return refuse("SESSION_ARCHIVED", "This session is archived; bring it back first.");
      if (found.plan.now.phase !== "off") return found;
      const entered = await order(sessionId, { type: "enter", reason: `${place.agent}, an agent outside` });
      if (!entered.ok) return { refused: entered.refusal };
      return (await read(sessionId)) ?? NOT_MADE;
    },
  };

  async function made(sessionId: SessionId, place: ExternalPlace): Promise<ExternalRun | Refused | undefined> {
    const outcome = await parts.createSession({ ...place, sessionId });
    if (!outcome.ok && outcome.refusal.code !== "SESSION_EXISTS") return { refused: outcome.refusal };
    return read(sessionId);
  }
}

const NOT_MADE = refuse("SESSION_NOT_FOUND", "The session of this run is gone.");

type Kept = { caller: Promise<OpenCaller | Refused>; close: AbortController; callOff(): void };

/** One caller for all calls of a run that follow each other closely. */
function keptCallers({ callers, clock }: ExternalParts): ExternalRuns["caller"] {
  const kept = new Map<SessionId, Kept>();
  return async (sessionId) => {
    const found = kept.get(sessionId);
    found?.callOff();
    const close = found?.close ?? new AbortController();
    const opening = { kind: "external", sessionId, connection: sessionId, signal: close.signal } as const;
    const now: Kept = {
      caller: found?.caller ?? callers.open(OWNER, opening),
      close,
      callOff: clock.wakeAt(clock.now() + IDLE_MS, () => {
        forget(now);
        close.abort();
      }),
    };
    kept.set(sessionId, now);
    const caller = await now.caller;
    if ("refused" in caller) forget(now);
    else if (caller.over.aborted) forget(now);
    else caller.over.addEventListener("abort", () => forget(now), { once: true });
    return caller;

    function forget(which: Kept): void {
      if (kept.get(sessionId)?.close !== which.close) return;
      kept.get(sessionId)?.callOff();
      kept.delete(sessionId);
    }
  };
}
