/**
 * Plans that stand for a job. A standing plan is bound to the digest of its job and counted in the commit that orders a
 * run, so a run that never began is counted and none is counted twice.
 *
 *   signed ──each run──▶ used 1, 2, … ──▶ used up · expired
 *      └── withdrawn · the job changed or went · a signer was revoked · another plan took its place
 */
import { type By, byOperator } from "../../protocol/actor.ts";
import { Json } from "../../protocol/json.ts";
import { refuse } from "../../protocol/refusal.ts";
import type {
  Job,
  JobRun,
  SchedulerCommandOf,
  SchedulerEvent,
  SchedulerEventOf,
  SchedulerState,
} from "../protocol/schedule.ts";
import { type Standing, type StandingEnd, STANDINGS_MAX } from "../protocol/standing.ts";
import { digestOf } from "../../plugins/sdk.ts";
import type { Decision, SchedulerContext } from "./actors.ts";

type Place = Pick<SchedulerContext["session"], "id" | "agentId" | "workspace" | "role">;

/** Of all that makes a job this job: its text, schedule and settings, who made it, when and where. */
export function jobDigest(job: Job, { id, agentId, workspace, role }: Place): string {
  const {
    now: _now,
    failures: _failures,
    run: _run,
    offsetMs: _offset,
    ownedBy: _by,
    proposalIn: _plan,
    ...bound
  } = job;
  return digestOf(Json.parse({ job: bound, session: id, agentId, workspace, role: role ?? null }));
}

export const activeStanding = ({ standings = [] }: Pick<SchedulerState, "standings">, jobId: string) =>
  standings.findLast((standing) => standing.jobId === jobId && standing.ended === undefined);

type Ended = SchedulerEventOf<"standing.ended">;

function standingEnded(
  { planId, jobId, jobName }: Standing,
  why: StandingEnd,
  { nowMs, by }: { nowMs: number; by?: By },
): Ended {
  const who = by === undefined ? {} : { by };
  return { type: "standing.ended", planId, jobId, name: jobName, why, ...who, atMs: nowMs };
}

/** What a run that begins now is counted as; or the end of a plan that covers it no longer. */
export function countRun(
  state: Pick<SchedulerState, "standings">,
  job: Job,
  { session, nowMs }: SchedulerContext,
): { standing?: NonNullable<JobRun["standing"]>; ended: Ended[] } {
  const standing = job.work.kind === "run" ? activeStanding(state, job.id) : undefined;
  if (standing === undefined) return { ended: [] };
  const why = whyOver(standing, { digest: jobDigest(job, session), nowMs });
  if (why !== undefined) return { ended: [standingEnded(standing, why, { nowMs })] };
  return { standing: { planId: standing.planId, n: standing.used.length + 1 }, ended: [] };
}

function whyOver(standing: Standing, { digest, nowMs }: { digest: string; nowMs: number }): StandingEnd | undefined {
  if (standing.jobDigest !== digest) return "job_changed";
  if (nowMs > standing.untilMs) return "expired";
  return standing.used.length >= standing.runs ? "used_up" : undefined;
}

/** The events with the ends that follow from them: what stood for a job that changed or went stands no more. */
export function withVoided(state: SchedulerState, events: readonly SchedulerEvent[], nowMs: number): SchedulerEvent[] {
  return events.flatMap((event) => {
    const gone = goneIn(event);
    const standing = gone === undefined ? undefined : activeStanding(state, gone.jobId);
    if (gone === undefined || standing === undefined) return [event];
    return [event, standingEnded(standing, gone.why, { nowMs })];
  });
}

const ONLY_SWITCHED: ReadonlySet<string> = new Set(["enabled", "disabled", "stopped"]);

function goneIn(event: SchedulerEvent): { jobId: string; why: StandingEnd } | undefined {
  switch (event.type) {
    case "job.changed":
      return ONLY_SWITCHED.has(event.what) ? undefined : { jobId: event.job.id, why: "job_changed" };
    case "job.removed":
      return { jobId: event.jobId, why: "job_removed" };
    case "run.ended":
      return event.job === null ? { jobId: event.jobId, why: "job_removed" } : undefined;
    default:
      return undefined;
  }
}

/** A signature that arrives: for a job that is no longer the one that was signed for it is kept as void. */
export function stand(
  state: SchedulerState,
  { jobId, jobDigest: signedFor, plan }: SchedulerCommandOf<"stand">,
  { session, nowMs }: SchedulerContext,
): Decision {
  if ((state.standings ?? []).some(({ planId }) => planId === plan.planId)) return UNCHANGED;
  const job = state.jobs.find((item) => item.id === jobId);
  const isSame = job !== undefined && jobDigest(job, session) === signedFor;
  const before = activeStanding(state, jobId);
  const standing: Standing = { ...plan, jobId, jobName: job?.name ?? jobId, jobDigest: signedFor, used: [] };
  const why: StandingEnd = job === undefined ? "job_removed" : "job_changed";
  return {
    events: [
      ...(isSame && before !== undefined ? [standingEnded(before, "replaced", { nowMs })] : []),
      { type: "standing.signed", standing, atMs: nowMs },
      ...(isSame ? [] : [standingEnded(standing, why, { nowMs })]),
    ],
    reply: { changed: isSame },
  };
}

const UNCHANGED: Decision = { events: [], reply: { changed: false } };

export function withdraw(
  state: SchedulerState,
  { jobId }: SchedulerCommandOf<"withdraw">,
  { actor, nowMs }: SchedulerContext,
): Decision {
  const standing = activeStanding(state, jobId);
  if (standing === undefined)
    return refuse("INVALID_REQUEST", `No plan stands for the job ${jobId}. See cron.standing.`);
  const by = actor.kind === "operator" ? byOperator(actor) : undefined;
  const ended = standingEnded(standing, "withdrawn", { nowMs, ...(by === undefined ? {} : { by }) });
  return { events: [ended], reply: { jobId, planId: standing.planId } };
}

/** Revoked people answer for nothing: their job stops, and what they signed stands no more. */
export function stopRevoked(
  state: SchedulerState,
  { jobId, what }: SchedulerCommandOf<"stop-revoked">,
  { nowMs }: SchedulerContext,
): Decision {
  const standing = activeStanding(state, jobId);
  const ended = standing === undefined ? [] : [standingEnded(standing, "revoked", { nowMs })];
  if (what === "standing") return { events: ended, reply: { changed: ended.length > 0 } };
  const job = state.jobs.find((item) => item.id === jobId);
  const isStopped = job?.now.status === "off" && job.now.why === "revoked";
  if (job === undefined || isStopped) return { events: ended, reply: { changed: ended.length > 0 } };
  const stopped: Job = { ...job, now: { status: "off", why: "revoked" } };
  return {
    events: [{ type: "job.changed", job: stopped, what: "stopped", atMs: nowMs }, ...ended],
    reply: { changed: true },
  };
}

/** The list with one more in it: of those that have ended the oldest make room. */
export function pushedStanding(standings: readonly Standing[], standing: Standing): Standing[] {
  if (standings.length < STANDINGS_MAX) return [...standings, standing];
  const oldest = standings.find(({ ended }) => ended !== undefined) ?? standings[0];
  return [...standings.filter((item) => item !== oldest), standing];
}
