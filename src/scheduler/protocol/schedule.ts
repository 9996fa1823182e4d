/**
 * Scheduled jobs as a session keeps them. A job of a conversation lives in that conversation's session and ends with it;
 * one that belongs to nobody's conversation lives in a hidden session of its agent.
 *
 *   waiting ──its time comes──▶ due ──the next time is known──▶ waiting (or spent, after a single time)
 *      │                                └──with it, in one commit: a turn is asked for, or an isolated run is ordered
 *      └── off: switched off by somebody, or paused after too many failures
 */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { By } from "../../protocol/actor.ts";
import { CycleId, MessageId, PlanId, SessionId } from "../../protocol/ids.ts";
import { SignedPlan } from "../../plan-mode/protocol/job/standing.ts";
import { JobId } from "./job-id.ts";
import { Charge, Standing, StandingEnd, STANDINGS_MAX } from "./standing.ts";

export { JobId } from "./job-id.ts";

export const SCHEDULER_SLICE = "scheduler";
export const JOBS_MAX = 32;
export const RUNS_PER_JOB_MAX = 10;
export const RUNS_MAX = 100;
/** Sessions with jobs of their own that the hidden session of an agent keeps track of. */
export const INDEX_MAX = 1_000;
export const EVERY_MS_MIN = 10_000;
const EVERY_MS_MAX = 366 * 86_400_000;
const AT_MS_MAX = 8_640_000_000_000_000; // the last moment that a date can name
export const CATCH_UP_MAX = 24;
const JOB_TEXT_CHARS_MAX = 16_000;
export const RESULT_CHARS_MAX = 8_000;
const NAME_CHARS_MAX = 120;

export const RunId = z
  .string()
  .max(64)
  .regex(/^run_[A-Za-z0-9_-]+$/, 'expected an id that starts with "run_"')
  .brand("RunId");
export type RunId = z.infer<typeof RunId>;

/** `agent`: the agent of the session that the job lives in; `config`: a heartbeat, which the configuration orders. */
export const JobOwner = lazySchema(() =>
  z.union([
    z.enum(["operator", "agent", "config"]),
    z.string().regex(/^plugin:[a-z0-9][a-z0-9._-]{0,63}$/, "plugin:<id>"),
  ]),
);
export type JobOwner = z.infer<typeof JobOwner>;

const cronExpression = z.string().trim().min(1).max(200);
const timezone = z.string().min(1).max(64);

export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
const atMs = z.int().min(0).max(AT_MS_MAX);
const everyMs = z.int().min(EVERY_MS_MIN).max(EVERY_MS_MAX);

export const JobSchedule = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("at"), atMs }),
    /** Counted from `anchorMs`, so that it does not drift with how late a run begins. */
    z.strictObject({ kind: z.literal("every"), everyMs, anchorMs: z.int() }),
    z.strictObject({ kind: z.literal("cron"), expression: cronExpression, timezone }),
  ]),
);
export type JobSchedule = z.infer<typeof JobSchedule>;

export const Delivery = z.enum(["none", "notice", "next-turn", "wake"]);
export type Delivery = z.infer<typeof Delivery>;

const message = z.string().trim().min(1).max(JOB_TEXT_CHARS_MAX);
const timeoutMs = z.int().min(10_000).max(21_600_000);

/** `turn`: the agent of this session gets the message and a turn. `run`: a session of its own, made for this one time. */
export const JobWork = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("turn"), message }),
    z.strictObject({
      kind: z.literal("run"),
      as: z.enum(["cron", "heartbeat"]),
      message,
      timeoutMs,
      deliver: Delivery,
      /** Another session than the one that the job lives in. */
      deliverTo: SessionId.optional(),
      /** Only between these times of day; outside of them the time passes unused. */
      hours: z.strictObject({ start: z.string(), end: z.string(), timezone }).optional(),
    }),
  ]),
);
export type JobWork = z.infer<typeof JobWork>;

/** What happens to times that passed while the gateway was down: none is made up for, one is, or each of the newest. */
export const CatchUp = z.enum(["skip", "once", "all"]);
export type CatchUp = z.infer<typeof CatchUp>;

const settings = {
  name: z.string().trim().min(1).max(NAME_CHARS_MAX),
  schedule: JobSchedule,
  work: JobWork,
  jitterMs: z.int().min(0).max(3_600_000),
  catchUp: CatchUp,
  catchUpMax: z.int().min(1).max(CATCH_UP_MAX),
  /** So many failures in a row, and it is paused. */
  failuresMax: z.int().min(1).max(20),
  tag: z.string().min(1).max(64).optional(),
  /** Removed when this plan cycle ends. */
  cycleId: CycleId.optional(),
};
export const JobSpec = lazySchema(() => z.strictObject(settings));
export type JobSpec = z.infer<typeof JobSpec>;

const JobNow = lazySchema(() =>
  z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("off"), why: z.enum(["disabled", "failures", "never", "revoked"]) }),
    z.strictObject({ status: z.literal("waiting"), nextAtMs: z.int() }),
    z.strictObject({ status: z.literal("due"), dueAtMs: z.int() }),
    /** Its only time is used; it goes when its run has ended. */
    z.strictObject({ status: z.literal("spent") }),
  ]),
);
export type JobNow = z.infer<typeof JobNow>;

const JobRun = z.strictObject({
  runId: RunId,
  sessionId: SessionId,
  dueAtMs: z.int(),
  startedAtMs: z.int(),
  deadlineAtMs: z.int(),
  /** The standing plan that this run was counted under, and as which. */
  standing: z.strictObject({ planId: PlanId, n: z.int().positive() }).exactOptional(),
});
export type JobRun = z.infer<typeof JobRun>;

export const Job = z.strictObject({
  id: JobId,
  owner: JobOwner,
  ...settings,
  /** This job's share of the jitter, the same every time. */
  offsetMs: z.int().nonnegative(),
  createdAtMs: z.int(),
  now: JobNow,
  /** In a row. */
  failures: z.int().nonnegative(),
  run: JobRun.nullable(),
  /** The person who answers for it: who added or changed it, or signed the plan that did. Revoked, they stop it. */
  ownedBy: By.exactOptional(),
  /** The session of the last run that submitted a plan. */
  proposalIn: SessionId.exactOptional(),
});
export type Job = z.infer<typeof Job>;

export const RunOutcome = z.enum(["ok", "failed", "timed_out", "stopped", "skipped"]);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** What became of one time of a job. `sessionId` names the session of an isolated run, while it is kept. */
export const PastRun = lazySchema(() =>
  z.strictObject({
    jobId: JobId,
    name: z.string(),
    dueAtMs: z.int(),
    endedAtMs: z.int(),
    outcome: RunOutcome,
    note: z.string(),
    sessionId: SessionId.optional(),
    /** The standing plan that it ran under. */
    standing: JobRun.shape.standing,
  }),
);
export type PastRun = z.infer<typeof PastRun>;

export const SchedulerState = z.strictObject({
  jobs: z.array(Job).max(JOBS_MAX),
  /** Newest last. */
  runs: z.array(PastRun).max(RUNS_MAX),
  /** Only in the hidden session of an agent: which of its conversations have jobs, so that all can be listed. */
  index: z.array(z.strictObject({ sessionId: SessionId, atMs: z.int() })).max(INDEX_MAX),
  /** Standing plans of the jobs here, newest last; also those that have ended. */
  standings: z.array(Standing).max(STANDINGS_MAX).exactOptional(),
  /** Only in the session of a run: which job it works for. */
  charge: Charge.exactOptional(),
  /** Only in the session of a run: the plan that was signed in it for its job. */
  signed: SignedPlan.exactOptional(),
});
export type SchedulerState = z.infer<typeof SchedulerState>;

const nextAtMs = z.int().nullable();

/** Times are computed outside, where the calendar is, and come in as data. */
export const SchedulerCommand = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("add"), spec: JobSpec, nextAtMs: z.int() }),
    /** Under a known id: what was there before is replaced. */
    z.strictObject({ type: z.literal("put"), jobId: JobId, spec: JobSpec, nextAtMs: z.int() }),
    z.strictObject({ type: z.literal("change"), jobId: JobId, spec: JobSpec, nextAtMs }),
    z.strictObject({ type: z.literal("enable"), jobId: JobId, nextAtMs }),
    z.strictObject({ type: z.literal("disable"), jobId: JobId }),
    z.strictObject({ type: z.literal("remove"), jobId: JobId }),
    z.strictObject({ type: z.literal("remove-tagged"), tag: z.string() }),
    z.strictObject({ type: z.literal("remove-owned"), owner: JobOwner }),
    z.strictObject({ type: z.literal("run"), jobId: JobId }),
    /** `atMs`: for when the timer was set; a clock that stepped back since must not lose it. */
    z.strictObject({ type: z.literal("tick"), atMs: z.int() }),
    z.strictObject({
      type: z.literal("advance"),
      jobId: JobId,
      dueAtMs: z.int(),
      /** The time that is used now; null when none is. */
      useMs: z.int().nullable(),
      skipped: z.int().nonnegative(),
      why: z.string().max(500),
      nextAtMs,
    }),
    z.strictObject({
      type: z.literal("observe"),
      sessionId: SessionId,
      outcome: RunOutcome,
      text: z.string().max(RESULT_CHARS_MAX),
      /** There is nothing to report: nobody is told, and the session of the run is archived. */
      quiet: z.boolean(),
      /** It submitted a plan, which waits in its session. */
      proposes: z.boolean().exactOptional(),
    }),
    /** A person signed a plan of one of its runs for the job. */
    z.strictObject({ type: z.literal("stand"), jobId: JobId, jobDigest: z.string(), plan: SignedPlan }),
    z.strictObject({ type: z.literal("withdraw"), jobId: JobId }),
    /** Somebody who answers for the job, or who signed its standing plan, was revoked. */
    z.strictObject({ type: z.literal("stop-revoked"), jobId: JobId, what: z.enum(["job", "standing"]) }),
    /** In the session of a run, before its first message; and when the run is over. */
    z.strictObject({ type: z.literal("charge"), charge: Charge }),
    z.strictObject({ type: z.literal("discharge") }),
    z.strictObject({ type: z.literal("index"), sessionId: SessionId, atMs: z.int() }),
    z.strictObject({ type: z.literal("unindex"), sessionId: SessionId, atMs: z.int() }),
  ]),
);
export type SchedulerCommand = z.infer<typeof SchedulerCommand>;

const at = { atMs: z.int() };

export const SchedulerEvent = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("job.added"), job: Job, ...at }),
    z.strictObject({ type: z.literal("job.changed"), job: Job, what: z.string(), ...at }),
    z.strictObject({ type: z.literal("standing.signed"), standing: Standing, ...at }),
    z.strictObject({
      type: z.literal("standing.ended"),
      planId: PlanId,
      jobId: JobId,
      name: z.string(),
      why: StandingEnd,
      by: By.exactOptional(),
      ...at,
    }),
    /** In the session of a run. */
    z.strictObject({ type: z.literal("run.charged"), charge: Charge, ...at }),
    z.strictObject({ type: z.literal("run.discharged"), ...at }),
    /** In the session of a run: its plan was signed for the job, whose own session is to learn of it. */
    z.strictObject({ type: z.literal("run.signed"), plan: SignedPlan, ...at }),
    z.strictObject({
      type: z.literal("job.removed"),
      jobId: JobId,
      name: z.string(),
      why: z.string(),
      /** The run that was under way. */
      stopped: SessionId.optional(),
      ...at,
    }),
    z.strictObject({ type: z.literal("job.due"), jobId: JobId, dueAtMs: z.int(), ...at }),
    z.strictObject({
      type: z.literal("job.fired"),
      jobId: JobId,
      dueAtMs: z.int(),
      now: JobNow,
      /** An isolated run, with the id of its first message. */
      run: JobRun.nullable(),
      messageId: MessageId,
      ...at,
    }),
    z.strictObject({ type: z.literal("job.passed"), jobId: JobId, now: JobNow, ...at }),
    z.strictObject({
      type: z.literal("run.ended"),
      jobId: JobId,
      past: PastRun,
      text: z.string(),
      /** Sessions of older runs that leave the list with this one. */
      dropped: z.array(SessionId).max(RUNS_MAX),
      /** The session that receives the result: this one, unless another is named. */
      deliver: Delivery,
      deliverTo: SessionId.optional(),
      /** The job after it; null when that was its only time. */
      job: Job.nullable(),
      ...at,
    }),
    z.strictObject({ type: z.literal("index.changed"), index: SchedulerState.shape.index, ...at }),
  ]),
);
export type SchedulerEvent = z.infer<typeof SchedulerEvent>;
export type SchedulerEventOf<Type extends SchedulerEvent["type"]> = Extract<SchedulerEvent, { type: Type }>;
export type SchedulerCommandOf<Type extends SchedulerCommand["type"]> = Extract<SchedulerCommand, { type: Type }>;

/** When, as people, agents and plugins say it. */
export const JobWhen = lazySchema(() =>
  z.union([
    z.strictObject({ at: z.union([atMs, z.iso.datetime({ offset: true })]) }),
    z.strictObject({ delayMs: z.int().min(0).max(EVERY_MS_MAX) }),
    z.strictObject({ everyMs }),
    z.strictObject({ cron: cronExpression, tz: timezone.optional() }),
  ]),
);
export type JobWhen = z.infer<typeof JobWhen>;

/** A job as it is asked for; what is left out gets a careful default. */
export const JobInput = lazySchema(() =>
  z.strictObject({
    name: settings.name.optional(),
    when: JobWhen,
    message,
    isolated: z.boolean().default(false).describe("A session of its own for each run, instead of a turn in this one."),
    timeoutMs: timeoutMs.default(1_800_000),
    deliver: Delivery.default("next-turn").describe("How the result of an isolated run comes back."),
    deliverTo: SessionId.optional().describe("The session that gets the result, where the job lives in none."),
    jitterMs: settings.jitterMs.default(0),
    catchUp: CatchUp.default("once").describe("For times that passed while the gateway was down."),
    catchUpMax: settings.catchUpMax.default(5),
    failuresMax: settings.failuresMax.default(3),
    tag: settings.tag,
    cycleId: settings.cycleId,
  }),
);
export type JobInput = z.infer<typeof JobInput>;
/** As it is written down before the defaults are filled in. */
export type JobAsked = z.input<typeof JobInput>;

/** What may be changed of a job that is there. */
export const JobPatch = lazySchema(() =>
  z.strictObject({
    name: settings.name.optional(),
    when: JobWhen.optional(),
    message: message.optional(),
    timeoutMs: timeoutMs.optional(),
    deliver: Delivery.optional(),
    jitterMs: settings.jitterMs.optional(),
    catchUp: CatchUp.optional(),
    catchUpMax: settings.catchUpMax.optional(),
    failuresMax: settings.failuresMax.optional(),
  }),
);
export type JobPatch = z.infer<typeof JobPatch>;

/** A job as it is shown: with the session it lives in and what became of its last runs. */
export const JobView = Job.extend({
  sessionId: SessionId,
  agentId: z.string(),
  runs: z.array(PastRun),
  /** The plan that stands for it now. */
  standing: Standing.exactOptional(),
});
export type JobView = z.infer<typeof JobView>;

/** Settings of the heartbeat of an agent; absent means that there is none. */
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "a time of day such as 08:00");
export const HeartbeatSettings = lazySchema(() =>
  z.strictObject({
    every: z
      .string()
      .regex(/^\d{1,4}(?:s|m|h)$/, "a duration such as 30m or 1h")
      .describe("How often the agent looks whether something needs doing: 30m, 1h."),
    prompt: message.optional(),
    activeHours: z.strictObject({ start: clockTime, end: clockTime }).optional(),
    tz: timezone
      .refine(isTimezone, "a time zone such as Europe/Berlin or UTC")
      .optional()
      .describe("The time zone of activeHours; that of the machine if unset."),
  }),
);
export type HeartbeatSettings = z.infer<typeof HeartbeatSettings>;
