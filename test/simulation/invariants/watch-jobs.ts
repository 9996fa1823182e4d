/**
 * I19: each time of a job is used at most once and not before it, a job is whose who made it, and it stops with them: what
 * comes due after its owner was revoked starts nothing, and no run of it changes anything any more.
 */
import type { SchedulerEvent, SchedulerEventOf } from "../../../src/scheduler/protocol/schedule.ts";
import { activeStanding } from "../../../src/scheduler/machine/standing.ts";
import type { Session, SessionEvent } from "../../../src/protocol/session.ts";
import { jobsOf, planOf, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

export type JobWatch = Watch & {
  /** A change begins outside. */
  starts(callId: string): void;
  readonly fired: number;
  /** Times that came due when the owner of their job was revoked. */
  readonly orphaned: number;
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as for the other slices: the engine's own tests parse
const jobEventIn = (event: SessionEvent): SchedulerEvent | undefined =>
  event.type === "slice.changed" && event.slice === "scheduler" ? (event.event as SchedulerEvent) : undefined;

const jobIn = ({ before }: SeenCommit, jobId: string) => jobsOf(before)?.jobs.find(({ id }) => id === jobId);
const ownerOf = (jobId: string, seen: SeenCommit): string | undefined => jobIn(seen, jobId)?.ownedBy?.id;

type Given = {
  toleranceMs: number;
  /** Who was revoked, and when. */
  revoked: ReadonlyMap<string, number>;
};

export function watchJobs(violated: Violated, { toleranceMs, revoked }: Given): JobWatch {
  const used = new Set<string>();
  /** Jobs whose newest time came due after their owner was revoked, with that owner. */
  const orphans = new Map<string, string>();
  /** When the newest time of each job came due; a machine's clock may be set back before it is used. */
  const dueSince = new Map<string, number>();
  /** Claims of runs whose job had nobody left to answer for it. */
  const voidClaims = new Map<string, string>();
  let orphaned = 0;

  function due({ jobId, atMs }: SchedulerEventOf<"job.due">, seen: SeenCommit): void {
    dueSince.set(jobId, atMs);
    const owner = ownerOf(jobId, seen);
    const isOrphan = owner !== undefined && revoked.has(owner);
    if (!isOrphan) return void orphans.delete(jobId);
    orphaned += 1;
    orphans.set(jobId, owner);
  }

  function fired(event: SchedulerEventOf<"job.fired">, seen: SeenCommit): void {
    const job = jobIn(seen, event.jobId);
    if (job?.run !== null && event.run !== null) violated("I19", `${event.jobId} has two runs at once`);
    if (seen.commit.actor.startsWith("opr_")) return; // a person ordered it, at no time of the job's own
    const time = `${event.jobId} at ${event.dueAtMs}`;
    if (job?.now.status !== "due") violated("I19", `${time} is used although nothing is due`);
    if (used.has(time)) violated("I19", `${time} is used twice`);
    used.add(time);
    checkMoment(time, event, seen);
  }

  function checkMoment(time: string, { jobId, dueAtMs }: SchedulerEventOf<"job.fired">, seen: SeenCommit): void {
    const earlyMs = dueAtMs - Math.max(seen.atMs, dueSince.get(jobId) ?? 0);
    if (earlyMs > toleranceMs) violated("I19", `${time} is used ${earlyMs} ms early`);
    const owner = ownerOf(jobId, seen);
    if (owner !== undefined && orphans.get(jobId) === owner)
      violated("I19", `${time} came due after its owner ${owner} was revoked, and is used`);
  }

  /** Only a person adds one here, and answers for it. */
  function added({ job }: SchedulerEventOf<"job.added">, { request }: SeenCommit): void {
    const actor = request?.actor;
    if (actor?.kind !== "operator" || job.ownedBy?.id !== actor.id)
      violated("I19", `${job.id} is ${job.ownedBy?.id}'s and was not added by them`);
  }

  function claimed(callId: string, seen: SeenCommit): void {
    checkRights(callId, seen, violated);
    const gone = answeringFor(seen).find((id) => revoked.has(id));
    if (gone !== undefined) voidClaims.set(callId, gone);
  }

  return {
    get fired() {
      return used.size;
    },
    get orphaned() {
      return orphaned;
    },
    starts(callId) {
      const gone = voidClaims.get(callId);
      if (gone !== undefined)
        violated("I19", `${callId} starts although ${gone}, who answers for its job, was revoked`);
    },
    committed(seen) {
      for (const item of seen.commit.events) {
        const event = jobEventIn(item);
        if (event?.type === "job.due") due(event, seen);
        if (event?.type === "job.fired") fired(event, seen);
        if (event?.type === "job.added") added(event, seen);
        if (item.type === "call.claimed") claimed(item.callId, seen);
      }
    },
  };
}

/**
 * Of a run under a standing plan: the owner of its job, and those who signed that plan. A plan that somebody approved in
 * the session of the run itself rests on them alone.
 */
function answeringFor({ before, memory }: SeenCommit): string[] {
  const charge = isUnderStanding(before) ? jobsOf(before)?.charge : undefined;
  if (charge === undefined) return [];
  const home = jobsOf(memory.sessions.get(charge.home)?.session);
  const job = home?.jobs.find(({ id }) => id === charge.jobId);
  if (home === undefined || job === undefined) return [];
  const signers = activeStanding(home, job.id)?.signedBy ?? [];
  return [...(job.ownedBy === undefined ? [] : [job.ownedBy]), ...signers].map(({ id }) => id);
}

function isUnderStanding(session: Session | undefined): boolean {
  const now = planOf(session)?.now;
  return now?.phase === "executing" && now.standing !== undefined;
}

/** A run has no rights of its own: it changes something under a plan that a person signed, and under nothing else. */
function checkRights(callId: string, { before }: SeenCommit, violated: Violated): void {
  if (before?.kind !== "cron") return;
  const now = planOf(before)?.now;
  if (now?.phase !== "executing" || now.decidedBy.kind !== "operator")
    violated("I19", `${callId} is claimed in a run of a job that nobody signed`);
}
