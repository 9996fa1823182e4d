/** I19: each time of a job is used at most once and not before it, and a job is whose who made it. */
import type { SchedulerEvent, SchedulerEventOf } from "../../../src/scheduler/protocol/schedule.ts";
import type { SessionEvent } from "../../../src/protocol/session.ts";
import { jobsOf, planOf, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

export type JobWatch = Watch & { readonly fired: number };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as for the other slices: the engine's own tests parse
const jobEventIn = (event: SessionEvent): SchedulerEvent | undefined =>
  event.type === "slice.changed" && event.slice === "scheduler" ? (event.event as SchedulerEvent) : undefined;

export function watchJobs(violated: Violated, toleranceMs: number): JobWatch {
  const used = new Set<string>();

  function fired({ jobId, dueAtMs, run }: SchedulerEventOf<"job.fired">, { commit, before, atMs }: SeenCommit): void {
    const job = jobsOf(before)?.jobs.find(({ id }) => id === jobId);
    if (job?.run !== null && run !== null) violated("I19", `${jobId} has two runs at once`);
    if (commit.actor.startsWith("opr_")) return; // a person ordered it, at no time of the job's own
    const time = `${jobId} at ${dueAtMs}`;
    if (used.has(time)) violated("I19", `${time} is used twice`);
    used.add(time);
    if (dueAtMs > atMs + toleranceMs) violated("I19", `${time} is used ${dueAtMs - atMs} ms early`);
  }

  /** Only a person adds one here, and answers for it. */
  function added({ job }: SchedulerEventOf<"job.added">, { request }: SeenCommit): void {
    const actor = request?.actor;
    if (actor?.kind !== "operator" || job.ownedBy?.id !== actor.id)
      violated("I19", `${job.id} is ${job.ownedBy?.id}'s and was not added by them`);
  }

  return {
    get fired() {
      return used.size;
    },
    committed(seen) {
      for (const item of seen.commit.events) {
        const event = jobEventIn(item);
        if (event?.type === "job.fired") fired(event, seen);
        if (event?.type === "job.added") added(event, seen);
        if (item.type === "call.claimed") checkRights(item.callId, seen, violated);
      }
    },
  };
}

/** A run has no rights of its own: it changes something under a plan that a person signed, and under nothing else. */
function checkRights(callId: string, { before }: SeenCommit, violated: Violated): void {
  if (before?.kind !== "cron") return;
  const now = planOf(before)?.now;
  if (now?.phase !== "executing" || now.decidedBy.kind !== "operator")
    violated("I19", `${callId} is claimed in a run of a job that nobody signed`);
}
