/** What the scheduler of one session answers to a command. Times come in as data: nothing in here knows a calendar. */
import { refuse } from "../../protocol/refusal.ts";
import { asIs } from "../../protocol/localized/localized-text.ts";
import {
  INDEX_MAX,
  type Job,
  JobId,
  JOBS_MAX,
  type SchedulerCommand,
  type SchedulerCommandOf,
  type SchedulerEvent,
  type SchedulerState,
} from "../protocol/schedule.ts";
import { never } from "../../plugins/sdk.ts";
import { advance, observe, runNow, tick } from "./advance.ts";
import { offsetOf } from "./offset.ts";
import { endsWithPlan, ownedBy } from "./ownership.ts";
import { stand, stopRevoked, withdraw, withVoided } from "./standing.ts";
import { type Decision, ownerOf, refuseActor, refuseForeign, type SchedulerContext } from "./actors.ts";

type CommandOf<Type extends SchedulerCommand["type"]> = SchedulerCommandOf<Type>;

const JOB_SLOT = 0;

export function decide(state: SchedulerState, command: SchedulerCommand, context: SchedulerContext): Decision {
  const refused = refuseActor(command.type, context);
  if (refused !== undefined) return refused;
  const decision = decided(state, command, context);
  return "refused" in decision ? decision : { ...decision, events: withVoided(state, decision.events, context.nowMs) };
}

function decided(state: SchedulerState, command: SchedulerCommand, context: SchedulerContext): Decision {
  switch (command.type) {
    case "add":
      return add(state, command, context);
    case "put":
      return put(state, command, context);
    case "advance":
      return advance(state, command, context);
    case "observe":
      return observe(state, command, context);
    case "tick":
      return tick(state, command, context);
    case "remove-tagged":
      return removeAll(
        mine(state, context).filter((job) => job.tag === command.tag),
        context,
      );
    case "remove-owned":
      return removeAll(
        state.jobs.filter((job) => job.owner === command.owner),
        context,
      );
    case "index":
    case "unindex":
      return changeIndex(state, command, context);
    case "stand":
      return stand(state, command, context);
    case "withdraw":
      return withdraw(state, command, context);
    case "stop-revoked":
      return stopRevoked(state, command, context);
    case "charge":
    case "discharge":
      return charge(state, command, context);
    default:
      return onJob(state, command, context);
  }
}

/** Said once, before the first message; a repeated order changes nothing. */
function charge(
  { charge: known }: SchedulerState,
  command: CommandOf<"charge" | "discharge">,
  { nowMs }: SchedulerContext,
): Decision {
  if (command.type === "discharge") return { events: [{ type: "run.discharged", atMs: nowMs }], reply: null };
  if (known !== undefined) return { events: [], reply: null };
  return { events: [{ type: "run.charged", charge: command.charge, atMs: nowMs }], reply: null };
}

type OnJob = CommandOf<"change" | "enable" | "disable" | "remove" | "run">;

function onJob(state: SchedulerState, command: OnJob, context: SchedulerContext): Decision {
  const job = state.jobs.find((item) => item.id === command.jobId);
  if (job === undefined)
    return refuse("INVALID_REQUEST", `There is no job ${command.jobId} here. List the jobs first.`);
  const foreign = refuseForeign(job, context, command.type);
  if (foreign !== undefined) return foreign;
  switch (command.type) {
    case "change":
      return changed(
        { ...stripped(job), ...command.spec, ...shared(job, command), ...ownedBy(context) },
        "changed",
        context,
      );
    case "enable":
      return enabled(job, command, context);
    case "disable":
      return changed({ ...job, now: { status: "off", why: "disabled" } }, "disabled", context);
    case "remove":
      return removeAll([job], context);
    case "run":
      return runNow(state, job, context);
    default:
      return never(command);
  }
}

/** Whoever switches a job on again that stopped with its operator answers for it from now on. */
function enabled(job: Job, { nextAtMs }: CommandOf<"enable">, context: SchedulerContext): Decision {
  const isOrphan = job.now.status === "off" && job.now.why === "revoked";
  const taken = isOrphan ? ownedBy(context) : {};
  if (isOrphan && taken.ownedBy === undefined) return ORPHAN;
  return changed({ ...job, now: from(nextAtMs, job.offsetMs), failures: 0, ...taken }, "enabled", context);
}

const ORPHAN = refuse(
  "PERMISSION_DENIED",
  "The operator who answers for this job was revoked. Another operator can switch it on and answer for it.",
);

/** A tag or a cycle that the new settings do not name is gone, not kept. */
function stripped(job: Job): Omit<Job, "tag" | "cycleId"> {
  const { tag: _tag, cycleId: _cycleId, ...rest } = job;
  return rest;
}

/** Whether it was on or off before, it stays so. */
function shared(job: Job, { spec, nextAtMs }: CommandOf<"change">): Pick<Job, "offsetMs" | "now"> {
  const offsetMs = offsetOf(job.id, spec.jitterMs);
  return { offsetMs, now: job.now.status === "off" ? job.now : from(nextAtMs, offsetMs) };
}

/** Times come in as the schedule says them; the job's own jitter is added here, and nowhere else. */
const from = (nextAtMs: number | null, offsetMs: number): Job["now"] =>
  nextAtMs === null ? { status: "off", why: "never" } : { status: "waiting", nextAtMs: nextAtMs + offsetMs };

function add(state: SchedulerState, command: CommandOf<"add">, context: SchedulerContext): Decision {
  if (state.jobs.length >= JOBS_MAX) {
    return refuse("QUEUE_FULL", asIs(`${JOBS_MAX} jobs are scheduled here already. Remove one first.`), {
      max: JOBS_MAX,
    });
  }
  const id = JobId.parse(context.freshId("job", JOB_SLOT));
  const owner = ownerOf(context) ?? "config";
  const bound = endsWithPlan(command.spec, context);
  const spec = { ...command.spec, ...bound };
  const job = { ...newJob({ id, owner, spec, nextAtMs: command.nextAtMs }, context), ...ownedBy(context) };
  const ends = bound.cycleId === undefined ? {} : { endsWithPlan: true };
  return {
    events: [{ type: "job.added", job, atMs: context.nowMs }],
    reply: { jobId: id, nextAtMs: nextOf(job), ...ends },
  };
}

function put(state: SchedulerState, { jobId, spec, nextAtMs }: CommandOf<"put">, context: SchedulerContext): Decision {
  const known = state.jobs.find((job) => job.id === jobId);
  const job = newJob({ id: jobId, owner: "config", spec, nextAtMs }, context);
  if (known !== undefined)
    return changed({ ...job, run: known.run, createdAtMs: known.createdAtMs }, "changed", context); // and void
  if (state.jobs.length >= JOBS_MAX) return refuse("QUEUE_FULL", asIs(`${JOBS_MAX} jobs are scheduled here already.`));
  return { events: [{ type: "job.added", job, atMs: context.nowMs }], reply: { jobId } };
}

type Given = Pick<Job, "id" | "owner"> & { spec: CommandOf<"add">["spec"]; nextAtMs: number };

function newJob({ id, owner, spec, nextAtMs }: Given, { nowMs }: SchedulerContext): Job {
  const offsetMs = offsetOf(id, spec.jitterMs);
  return { id, owner, ...spec, offsetMs, createdAtMs: nowMs, now: from(nextAtMs, offsetMs), failures: 0, run: null };
}

const nextOf = ({ now }: Job): number | null => (now.status === "waiting" ? now.nextAtMs : null);

function changed(job: Job, what: string, context: SchedulerContext): Decision {
  return {
    events: [{ type: "job.changed", job, what, atMs: context.nowMs }],
    reply: { jobId: job.id, nextAtMs: nextOf(job) },
  };
}

const mine = (state: SchedulerState, context: SchedulerContext): Job[] =>
  state.jobs.filter((job) => refuseForeign(job, context) === undefined);

export function removal(job: Job, why: string, { nowMs }: SchedulerContext): SchedulerEvent {
  const stopped = job.run === null ? {} : { stopped: job.run.sessionId };
  return { type: "job.removed", jobId: job.id, name: job.name, why, ...stopped, atMs: nowMs };
}

const removeAll = (jobs: readonly Job[], context: SchedulerContext): Decision => ({
  events: jobs.map((job) => removal(job, "removed", context)),
  reply: { removed: jobs.length },
});

/** An entry is taken out only if nothing was added to it since it was looked at. */
function changeIndex(
  { index }: SchedulerState,
  { type, sessionId, atMs }: CommandOf<"index" | "unindex">,
  { nowMs }: SchedulerContext,
): Decision {
  const known = index.find((item) => item.sessionId === sessionId);
  const others = index.filter((item) => item !== known);
  const stays = type === "unindex" ? known?.atMs !== atMs : known !== undefined && known.atMs >= atMs;
  if (stays) return { events: [], reply: null };
  const next = type === "unindex" ? others : [...others, { sessionId, atMs }].slice(-INDEX_MAX);
  return { events: [{ type: "index.changed", index: next, atMs: nowMs }], reply: null };
}
