/** Applies the scheduler's events to its state. */
import type { Job, JobId, SchedulerEvent, SchedulerEventOf, SchedulerState } from "../protocol/schedule.ts";
import type { Charge, Standing } from "../protocol/standing.ts";
import { never } from "../../plugins/sdk.ts";
import { pushed } from "./advance.ts";
import { pushedStanding } from "./standing.ts";

export const INITIAL: SchedulerState = { jobs: [], runs: [], index: [] };

export function evolve(state: SchedulerState, event: SchedulerEvent): SchedulerState {
  switch (event.type) {
    case "job.added":
      return { ...state, jobs: [...state.jobs, event.job] };
    case "job.changed":
      return on(state, event.job.id, () => event.job);
    case "job.removed":
      return without(state, event.jobId);
    case "job.due":
      return on(state, event.jobId, (job) => ({ ...job, now: { status: "due", dueAtMs: event.dueAtMs } }));
    case "job.passed":
      return on(state, event.jobId, (job) => ({ ...job, now: event.now }));
    case "job.fired":
      return counted(
        on(state, event.jobId, (job) => ({ ...job, now: event.now, run: event.run })),
        event,
      );
    case "run.ended": {
      const withRun = { ...state, runs: pushed(state.runs, event.past).kept };
      const { job } = event;
      return job === null ? without(withRun, event.jobId) : on(withRun, event.jobId, () => job);
    }
    case "standing.signed":
      return { ...state, standings: pushedStanding(state.standings ?? [], event.standing) };
    case "standing.ended": {
      const { why, by, atMs } = event;
      const ended = { why, atMs, ...(by === undefined ? {} : { by }) };
      return onStanding(state, event.planId, (standing) => ({ ...standing, ended }));
    }
    case "run.charged":
      return { ...state, charge: withoutText(event.charge) };
    case "run.signed":
      return { ...state, signed: event.plan };
    case "run.discharged":
      return state; // for plan mode
    case "index.changed":
      return { ...state, index: event.index };
    default:
      return never(event);
  }
}

function withoutText(charge: Charge): Charge {
  if (charge.standing === undefined) return charge;
  const { body: _text, ...standing } = charge.standing;
  return { ...charge, standing };
}

/** In the commit that orders the run. */
function counted(state: SchedulerState, { run, atMs }: SchedulerEventOf<"job.fired">): SchedulerState {
  if (run?.standing === undefined) return state;
  const { planId, n } = run.standing;
  const { sessionId } = run;
  return onStanding(state, planId, (standing) => ({ ...standing, used: [...standing.used, { n, sessionId, atMs }] }));
}

const onStanding = (
  state: SchedulerState,
  planId: string,
  change: (standing: Standing) => Standing,
): SchedulerState => ({
  ...state,
  standings: (state.standings ?? []).map((standing) => (standing.planId === planId ? change(standing) : standing)),
});

const on = (state: SchedulerState, jobId: JobId, change: (job: Job) => Job): SchedulerState => ({
  ...state,
  jobs: state.jobs.map((job) => (job.id === jobId ? change(job) : job)),
});

const without = (state: SchedulerState, jobId: JobId): SchedulerState => ({
  ...state,
  jobs: state.jobs.filter((job) => job.id !== jobId),
});
