/** I17: a person's yes to one call, and a plan that stands for a job, count for exactly what they name and not afterwards. */
import type { Amendment } from "../../../src/plan-mode/protocol/step/scope.ts";
import { JsonObject } from "../../../src/protocol/json.ts";
import type { EventOf, Session } from "../../../src/protocol/session.ts";
import { activeStanding, jobDigest } from "../../../src/scheduler/machine/standing.ts";
import type { SchedulerState } from "../../../src/scheduler/protocol/schedule.ts";
import { surroundingsOf } from "../../../src/tools/surroundings.ts";
import { jobsOf, planOf, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

export type GrantWatch = Watch & {
  /** A change begins outside. */
  starts(callId: string): void;
  readonly granted: number;
  readonly standing: number;
};

/** A claim in a run whose plan stands for its job: whether that plan stood at some moment since. */
type UnderStanding = { home: string; sessionId: string; stood: boolean };

export function watchGrants(violated: Violated, toleranceMs: number): GrantWatch {
  const spent = new Set<string>();
  const running = new Map<string, UnderStanding>();
  const counts = { granted: 0, standing: 0 };

  function claimed(event: EventOf<"call.claimed">, seen: SeenCommit): void {
    const now = planOf(seen.before)?.now;
    const { grantId } = JsonObject.parse(event.under["planMode"] ?? {});
    if (typeof grantId === "string") granted(event, grantId, seen);
    else if (now?.phase === "executing" && now.scoped === true) checkScope(event, now.amendments ?? [], violated);
    if (now?.phase === "executing" && now.standing !== undefined) underStanding(event.callId, seen);
  }

  function underStanding(callId: string, { before, memory }: SeenCommit): void {
    const home = jobsOf(before)?.charge?.home;
    if (before === undefined || home === undefined) return violated("I17", `${callId} runs for a job of nobody`);
    counts.standing += 1;
    const stood = stands(memory.sessions.get(home)?.session, before.id);
    running.set(callId, { home, sessionId: before.id, stood });
  }

  function granted({ callId, tool, argsDigest }: EventOf<"call.claimed">, grantId: string, seen: SeenCommit): void {
    const { before, after, origin, atMs } = seen;
    counts.granted += 1;
    const grant = planOf(before)?.grant;
    if (grant?.id !== grantId) return violated("I17", `${callId} is claimed under ${grantId}, which is not there`);
    if (spent.has(grantId)) violated("I17", `${callId} is claimed under ${grantId}, which was spent`);
    spent.add(grantId);
    if (planOf(after)?.grant !== undefined) violated("I17", `${grantId} is still there after ${callId}`);
    if (grant.call.tool !== tool || grant.call.argsDigest !== argsDigest)
      violated("I17", `${callId} is another call than ${grantId} allows`);
    if (atMs > grant.untilMs + toleranceMs) violated("I17", `${callId} is claimed after the time of ${grantId}`);
    if (before !== undefined && grant.call.within !== withinOn(before, origin))
      violated("I17", `${callId} would run elsewhere than ${grantId} allows`);
  }

  return {
    get granted() {
      return counts.granted;
    },
    get standing() {
      return counts.standing;
    },
    committed(seen) {
      for (const event of seen.commit.events) if (event.type === "call.claimed") claimed(event, seen);
      for (const call of running.values())
        if (!call.stood && call.home === seen.commit.sessionId) call.stood = stands(seen.after, call.sessionId);
    },
    starts(callId) {
      if (running.get(callId)?.stood === false)
        violated("I17", `${callId} starts although the plan of its job stood at no moment since its claim`);
      running.delete(callId);
    },
  };
}

/** The plans here declare too little, so that each change rests on an amendment. */
function checkScope({ callId, tool }: EventOf<"call.claimed">, amendments: readonly Amendment[], violated: Violated) {
  const isAdded = amendments.some(({ add }) => add.tools?.includes(tool) === true);
  if (!isAdded) violated("I17", `${callId} is outside of what its plan declares, and nobody amended it`);
}

/** Each node of the simulation has a folder of its own name. */
const withinOn = (session: Session, node: string): string =>
  surroundingsOf({ session, args: {} }, { workspaces: { pin: () => ({ path: node }) } });

/** The plan that stands for the job now covers this very run of it. */
function stands(home: Session | undefined, sessionId: string): boolean {
  const state: SchedulerState | undefined = jobsOf(home);
  const job = state?.jobs.find(({ run }) => run?.sessionId === sessionId);
  if (home === undefined || state === undefined || job === undefined) return false;
  const standing = activeStanding(state, job.id);
  const isCounted = standing?.used.some((run) => run.sessionId === sessionId) === true;
  return isCounted && standing.jobDigest === jobDigest(job, home);
}
