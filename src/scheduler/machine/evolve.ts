/** Applies the scheduler's events to its state. */
import type { Job, JobId, SchedulerEvent, SchedulerState } from "../protocol/schedule.ts";
import { never } from "../../plugins/sdk.ts";
import { pushed } from "./advance.ts";

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
      return on(state, event.jobId, (job) => ({ ...job, now: event.now, run: event.run }));
    case "run.ended": {
      const withRun = { ...state, runs: pushed(state.runs, event.past).kept };
      const { job } = event;
      return job === null ? without(withRun, event.jobId) : on(withRun, event.jobId, () => job);
    }
    case "index.changed":
      return { ...state, index: event.index };
    default:
      return never(event);
  }
}

const on = (state: SchedulerState, jobId: JobId, change: (job: Job) => Job): SchedulerState => ({
  ...state,
  jobs: state.jobs.map((job) => (job.id === jobId ? change(job) : job)),
});

const without = (state: SchedulerState, jobId: JobId): SchedulerState => ({
  ...state,
  jobs: state.jobs.filter((job) => job.id !== jobId),
});
