/** `cron`: the agent's own jobs. Listing reads; everything else schedules, and so waits for an approved plan. */
import { z } from "zod";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import { CatchUp, JobId, JobInput, type JobView, type JobWhen } from "./protocol/schedule.ts";
import type { DynamicTool, ToolContext, ToolOutput } from "../plugins/sdk.ts";
import type { OnBehalfOf, Outcome, SchedulerPorts } from "./ports.ts";
import type { FoundJob, Scheduler } from "./scheduler.ts";

const ACTIONS = ["list", "add", "remove", "enable", "disable", "run"] as const;

const Args = z.strictObject({
  action: z.enum(ACTIONS),
  job_id: z.string().optional().describe("For remove, enable, disable and run: as list names it."),
  name: z.string().optional(),
  message: z
    .string()
    .optional()
    .describe("For add: what you are told when the time has come, with all that is needed then."),
  at: z.string().optional().describe("Once, at this moment: 2026-03-01T09:00:00Z."),
  delay_ms: z.int().optional().describe("Once, after so long."),
  every_ms: z.int().optional().describe("Again and again, after so long each time."),
  cron: z.string().optional().describe("A cron expression, minute first: 30 9 * * 1-5; with six fields, second first."),
  tz: z.string().optional().describe("The time zone of cron, such as Europe/Berlin."),
  isolated: z.boolean().optional().describe("A session of its own for each run, which hands its result to you."),
  catch_up: CatchUp.optional().describe("For times that passed while the gateway was down; once if unset."),
  until_plan_ends: z.boolean().optional().describe("Remove it when the plan that is being carried out ends."),
});
type Args = z.infer<typeof Args>;

export type CronToolParts = {
  /** Made after the tools are registered. */
  scheduler(): Scheduler;
  session: SchedulerPorts["sessions"]["session"];
};

export const createCronTool = (parts: CronToolParts): DynamicTool<Args> => ({
  name: "cron",
  effect: "dynamic",
  kind: "schedule",
  description:
    "Your scheduled jobs in this conversation: list, add (at, delay_ms, every_ms or cron), remove, enable, disable, run. " +
    "A job wakes you here with its message, or with isolated runs in a session of its own. Jobs end with the conversation; " +
    "one that you add while carrying out a plan ends with that plan, unless the signed plan names it in jobs.",
  input: Args,
  offered: (session) => session.kind === "chat",
  classify: ({ action }) => (action === "list" ? "read" : "write"),
  run: (args, context) => run(args, context, parts),
});

async function run(args: Args, context: ToolContext, parts: CronToolParts): Promise<ToolOutput> {
  const { sessionId, callId } = context;
  const misplaced = fieldsNotFor(args);
  if (misplaced.length > 0) return failed(`${misplaced.join(", ")}: not for ${args.action}. Leave it out.`);
  const scheduler = parts.scheduler();
  const jobs = await scheduler.list(sessionId);
  if (args.action === "list") return { status: "ok", content: { jobs: jobs.map(shown) } };
  const key = `cron:${callId}`;
  const by: OnBehalfOf = { actor: { kind: "agent", sessionId }, idempotency: { key, requestDigest: key } };
  if (args.action === "add") return add(args, { by, sessionId, scheduler, parts });
  const known = JobId.safeParse(args.job_id);
  const found = known.success ? foundIn(jobs, known.data) : undefined;
  if (found === undefined) return failed(`There is no job ${args.job_id ?? "without a job_id"} here. ${idsOf(jobs)}`);
  const outcome =
    args.action === "enable" ? await scheduler.enable(found, by) : await scheduler.order(found, args.action, by);
  return answer(outcome);
}

/** What was given and means nothing to the action: rather a question than a surprise. */
function fieldsNotFor({ action, job_id, ...others }: Args): string[] {
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (action === "add") return job_id === undefined ? [] : ["job_id"];
  return action === "list" && job_id !== undefined ? ["job_id", ...given] : given;
}

function foundIn(jobs: readonly JobView[], id: JobId): FoundJob | undefined {
  const view = jobs.find((job) => job.id === id);
  if (view === undefined) return undefined;
  const { sessionId, agentId: _agentId, runs: _runs, standing: _standing, ...job } = view;
  return { sessionId, job };
}

const idsOf = (jobs: readonly JobView[]): string =>
  jobs.length === 0
    ? "Nothing is scheduled in this conversation."
    : `There are: ${jobs.map((job) => job.id).join(", ")}.`;

type Adding = { by: OnBehalfOf; sessionId: SessionId; scheduler: Scheduler; parts: CronToolParts };

async function add(args: Args, { by, sessionId, scheduler, parts }: Adding): Promise<ToolOutput> {
  if (args.message === undefined) return failed("message is missing: say what the job is about.");
  const when = whenOf(args);
  if ("error" in when) return failed(when.error);
  const cycleId = args.until_plan_ends === true ? await cycleOf(sessionId, parts) : undefined;
  if (args.until_plan_ends === true && cycleId === undefined)
    return failed("until_plan_ends: no plan is being made or carried out here. Leave it out.");
  const input = JobInput.safeParse({
    when,
    message: args.message,
    ...(args.name === undefined ? {} : { name: args.name }),
    ...(args.isolated === undefined ? {} : { isolated: args.isolated }),
    ...(args.catch_up === undefined ? {} : { catchUp: args.catch_up }),
    ...(cycleId === undefined ? {} : { cycleId }),
  });
  if (!input.success) return failed(z.prettifyError(input.error));
  return answer(await scheduler.add({ sessionId }, input.data, by));
}

/** Exactly one of the four ways to say when. */
function whenOf({ at, delay_ms, every_ms, cron, tz }: Args): JobWhen | { error: string } {
  const ways: JobWhen[] = [
    ...(at === undefined ? [] : [{ at }]),
    ...(delay_ms === undefined ? [] : [{ delayMs: delay_ms }]),
    ...(every_ms === undefined ? [] : [{ everyMs: every_ms }]),
    ...(cron === undefined ? [] : [{ cron, ...(tz === undefined ? {} : { tz }) }]),
  ];
  const [way, ...more] = ways;
  if (way === undefined || more.length > 0)
    return { error: "Say when by exactly one of at, delay_ms, every_ms, cron." };
  return tz !== undefined && !("cron" in way) ? { error: "tz belongs to cron; leave it out here." } : way;
}

async function cycleOf(sessionId: SessionId, { session }: CronToolParts): Promise<string | undefined> {
  const found = await session(sessionId);
  const parsed = PlanModeState.safeParse(found?.slices["planMode"]);
  return parsed.success && parsed.data.now.phase !== "off" ? parsed.data.now.cycle.id : undefined;
}

const failed = (content: string): ToolOutput => ({ status: "error", content });

const answer = (outcome: Outcome): ToolOutput =>
  outcome.ok ? { status: "ok", content: outcome.reply } : failed(outcome.refusal.message);

function shown({ id, name, owner, schedule, work, now, failures, run: current, runs }: JobView): Json {
  const last = runs.at(-1);
  return {
    job_id: id,
    name,
    owner,
    schedule,
    message: work.message,
    isolated: work.kind === "run",
    state: now.status,
    next_at: now.status === "waiting" ? new Date(now.nextAtMs).toISOString() : null,
    running: current !== null,
    failures,
    last:
      last === undefined
        ? null
        : { outcome: last.outcome, note: last.note, ended_at: new Date(last.endedAtMs).toISOString() },
  };
}
