/**
 * A job's time, step by step. `tick` says which jobs are due and has their next time looked up; `advance` brings it, and
 * in that one commit the time is used up and the turn or the run is ordered. Both may be repeated: a time that is no
 * longer the one that is due changes nothing.
 */
import { MessageId, SessionId } from "../../protocol/ids.ts";
import { refuse } from "../../protocol/refusal.ts";
import {
  type Delivery,
  type Job,
  type JobNow,
  type JobRun,
  type PastRun,
  RunId,
  RUNS_MAX,
  RUNS_PER_JOB_MAX,
  type RunOutcome,
  type SchedulerCommandOf,
  type SchedulerEvent,
  type SchedulerState,
} from "../protocol/schedule.ts";
import { firstChars } from "../../plugins/sdk.ts";
import type { Decision, SchedulerContext } from "./actors.ts";
import { countRun } from "./standing.ts";

const RUN_SLOT = 0;
const SESSION_SLOT = 1;
const MESSAGE_SLOT = 2;
const NOTE_CHARS_MAX = 300;

const BACK_OFF_FIRST_MS = 30_000;
const BACK_OFF_MS_MAX = 3_600_000;

export function tick(
  { jobs, runs }: SchedulerState,
  { atMs }: SchedulerCommandOf<"tick">,
  given: SchedulerContext,
): Decision {
  const nowMs = Math.max(given.nowMs, atMs);
  const context = { ...given, nowMs };
  const overdue = jobs.filter((job) => job.run !== null && job.run.deadlineAtMs <= nowMs);
  let past = runs;
  const stopped = overdue.map((job) => {
    const ended = endOf({ job, runs: past }, { outcome: "timed_out", text: TOO_LONG, quiet: false }, context);
    past = pushed(past, ended.past).kept;
    return ended;
  });
  const due = jobs.filter((job) => isArmed(job) && job.now.status === "waiting" && job.now.nextAtMs <= nowMs);
  return {
    events: [
      ...stopped,
      ...due.flatMap((job): SchedulerEvent[] =>
        job.now.status === "waiting"
          ? [{ type: "job.due", jobId: job.id, dueAtMs: job.now.nextAtMs, atMs: nowMs }]
          : [],
      ),
    ],
    reply: null,
  };
}

const TOO_LONG = "It took longer than it may and was stopped.";

/** A job that makes up for every missed time waits for its run to end; for the others a time that comes meanwhile passes. */
export const isArmed = (job: Job): boolean =>
  job.now.status === "waiting" && !(job.run !== null && job.catchUp === "all");

export function advance(
  state: SchedulerState,
  command: SchedulerCommandOf<"advance">,
  context: SchedulerContext,
): Decision {
  const job = state.jobs.find((item) => item.id === command.jobId);
  if (job === undefined || job.now.status !== "due" || job.now.dueAtMs !== command.dueAtMs) {
    return { events: [], reply: { changed: false } };
  }
  const now: JobNow =
    command.nextAtMs === null ? { status: "spent" } : { status: "waiting", nextAtMs: command.nextAtMs + job.offsetMs };
  const { useMs } = command;
  const isBusy = job.run !== null;
  const missed = command.skipped + (isBusy && useMs !== null ? 1 : 0);
  const why = isBusy ? "The run before it had not ended." : command.why;
  const passed = missed === 0 ? [] : [skippedFact({ ...job, now }, { runs: state.runs, missed, why }, context)];
  if (useMs === null || isBusy) return { events: [...passed, ...passing(job, now, context)], reply: { changed: true } };
  return {
    events: [...passed, ...fired({ job, ...state }, { dueAtMs: useMs, now }, context)],
    reply: { changed: true },
  };
}

function passing(job: Job, now: JobNow, { nowMs }: SchedulerContext): SchedulerEvent[] {
  if (now.status === "spent" && job.run === null) {
    return [{ type: "job.removed", jobId: job.id, name: job.name, why: "its time has passed", atMs: nowMs }];
  }
  return [{ type: "job.passed", jobId: job.id, now, atMs: nowMs }];
}

/** Times that nothing was started for, as one line in the list of runs. */
function skippedFact(
  job: Job,
  { runs, missed, why }: { runs: readonly PastRun[]; missed: number; why: string },
  { nowMs }: SchedulerContext,
): SchedulerEvent {
  const note = `${missed === 1 ? "One time" : `${missed} times`} passed unused. ${why}`.trim();
  const past = pastOf(job, { dueAtMs: nowMs, outcome: "skipped", note, nowMs });
  const { dropped } = pushed(runs, past);
  return { type: "run.ended", jobId: job.id, past, text: "", dropped, deliver: "none", job, atMs: nowMs };
}

type Firing = { dueAtMs: number; now: JobNow };

type Here = { job: Job; runs: readonly PastRun[] };

/** A turn is asked for and that is all; a run stays under way until its session comes to rest. */
function fired(
  { job, runs, standings = [] }: Here & Pick<SchedulerState, "standings">,
  { dueAtMs, now }: Firing,
  context: SchedulerContext,
): SchedulerEvent[] {
  const { nowMs } = context;
  const messageId = MessageId.parse(context.freshId("msg", MESSAGE_SLOT));
  const { ended, ...counted } = countRun({ standings }, job, context);
  const run = job.work.kind === "run" ? { ...newRun(job.work.timeoutMs, dueAtMs, context), ...counted } : null;
  const event: SchedulerEvent = { type: "job.fired", jobId: job.id, dueAtMs, now, run, messageId, atMs: nowMs };
  if (run !== null) return [...ended, event];
  const past = pastOf(job, { dueAtMs, outcome: "ok", note: "A turn was asked for.", nowMs });
  const after = now.status === "spent" ? null : { ...job, now, failures: 0 };
  const { dropped } = pushed(runs, past);
  return [
    event,
    { type: "run.ended", jobId: job.id, past, text: "", dropped, deliver: "none", job: after, atMs: nowMs },
  ];
}

const newRun = (timeoutMs: number, dueAtMs: number, context: SchedulerContext): JobRun => ({
  runId: RunId.parse(context.freshId("run", RUN_SLOT)),
  sessionId: SessionId.parse(context.freshId("ses", SESSION_SLOT)),
  dueAtMs,
  startedAtMs: context.nowMs,
  deadlineAtMs: context.nowMs + timeoutMs,
});

/** Runs a job now, on request; its schedule stays as it is. */
export function runNow(state: SchedulerState, job: Job, context: SchedulerContext): Decision {
  if (job.run !== null) return refuse("SESSION_BUSY", `The job ${job.id} runs already. Wait until it has ended.`);
  const events = fired({ job, ...state }, { dueAtMs: context.nowMs, now: job.now }, context);
  const sessionId = events.flatMap((event) => (event.type === "job.fired" ? (event.run?.sessionId ?? []) : []))[0];
  return { events, reply: { jobId: job.id, started: true, sessionId: sessionId ?? null } };
}

/** Records how an isolated run ended. A report about a run that is not the current one changes nothing. */
export function observe(
  { jobs, runs }: SchedulerState,
  { sessionId, outcome, text, quiet, proposes }: SchedulerCommandOf<"observe">,
  context: SchedulerContext,
): Decision {
  const job = jobs.find((item) => item.run?.sessionId === sessionId);
  if (job === undefined) return { events: [], reply: { changed: false } };
  return { events: [endOf({ job, runs }, { outcome, text, quiet, proposes }, context)], reply: { changed: true } };
}

type Ending = { outcome: RunOutcome; text: string; quiet: boolean; proposes?: boolean | undefined };

function endOf(
  { job, runs }: Here,
  { outcome, text, quiet, proposes = false }: Ending,
  { nowMs }: SchedulerContext,
): Extract<SchedulerEvent, { type: "run.ended" }> {
  const { run } = job;
  const note = quiet ? "Nothing to tell." : firstChars(text, NOTE_CHARS_MAX);
  const past = {
    ...pastOf(job, { dueAtMs: run?.dueAtMs ?? nowMs, outcome, note, nowMs }),
    ...(run === null ? {} : { sessionId: run.sessionId }),
    ...(run?.standing === undefined ? {} : { standing: run.standing }),
  };
  const { dropped } = pushed(runs, past);
  const proposal = proposes && run !== null ? { proposalIn: run.sessionId } : {};
  return {
    type: "run.ended",
    jobId: job.id,
    past,
    text: quiet ? "" : text,
    dropped,
    ...deliveryOf(job, quiet),
    job: job.now.status === "spent" ? null : { ...afterRun(job, outcome, nowMs), ...proposal },
    atMs: nowMs,
  };
}

function deliveryOf({ work }: Job, quiet: boolean): { deliver: Delivery; deliverTo?: SessionId } {
  if (work.kind !== "run" || quiet) return { deliver: "none" };
  const { deliver, deliverTo } = work;
  return deliverTo === undefined ? { deliver } : { deliver, deliverTo };
}

/** A failure keeps the next time at a distance that grows; too many in a row, and it is paused. */
function afterRun(job: Job, outcome: RunOutcome, nowMs: number): Job {
  if (outcome === "ok") return { ...job, run: null, failures: 0 };
  if (outcome === "stopped") return { ...job, run: null };
  const failures = job.failures + 1;
  const at = { ...job, run: null, failures };
  if (job.now.status === "off") return at;
  if (failures >= job.failuresMax) return { ...at, now: { status: "off", why: "failures" } };
  if (job.now.status !== "waiting") return at;
  const waitMs = Math.min(BACK_OFF_FIRST_MS * 2 ** (failures - 1), BACK_OFF_MS_MAX);
  return { ...at, now: { status: "waiting", nextAtMs: Math.max(job.now.nextAtMs, nowMs + waitMs) } };
}

type RunEnd = { dueAtMs: number; outcome: RunOutcome; note: string; nowMs: number };

const pastOf = ({ id, name }: Job, { dueAtMs, outcome, note, nowMs }: RunEnd): PastRun => ({
  jobId: id,
  name,
  dueAtMs,
  endedAtMs: nowMs,
  outcome,
  note,
});

/** The list with one more in it: a job's oldest make room first, then the oldest of all. */
export function pushed(runs: readonly PastRun[], past: PastRun): { kept: PastRun[]; dropped: SessionId[] } {
  const own = runs.filter((run) => run.jobId === past.jobId);
  const surplus = new Set(own.slice(0, Math.max(0, own.length + 1 - RUNS_PER_JOB_MAX)));
  const all = [...runs.filter((run) => !surplus.has(run)), past];
  const kept = all.slice(-RUNS_MAX);
  const gone = [...surplus, ...all.slice(0, all.length - kept.length)];
  return { kept, dropped: gone.flatMap((run) => (run.sessionId === undefined ? [] : [run.sessionId])) };
}
