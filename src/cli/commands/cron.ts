/** `holdpoint cron …` */
import { JobId, type JobAsked, type JobSchedule, type JobView } from "../../scheduler/protocol/schedule.ts";
import type { Standing, StandingEnd } from "../../scheduler/protocol/standing.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { duration } from "../text/duration.ts";
import { sanitiseLine } from "../text/sanitise.ts";

export type CronAddOptions = {
  at?: string;
  in?: string;
  every?: string;
  cron?: string;
  tz?: string;
  session?: string;
  isolated?: boolean;
  agent: string;
  name?: string;
  catchUp?: "skip" | "once" | "all";
  jitter?: string;
  timeout?: string;
};

export async function list({ session }: { session?: string }, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { jobs, warnings = [] } = await link.call(
      "cron.list",
      session === undefined ? {} : { sessionId: sessionIdOf(session) },
    );
    output.document({ jobs, ...(warnings.length === 0 ? {} : { warnings }) });
    output.lines(warnings.map(({ text }) => output.look().paint.waiting(sanitiseLine(text))));
    if (jobs.length === 0) return output.lines(["Nothing is scheduled. Add a job with: holdpoint cron add --help"]);
    const { paint } = output.look();
    output.lines(jobs.flatMap((job) => [paint.strong(sanitiseLine(job.name)), ...linesOf(job).map(paint.quiet)]));
  });
}

function linesOf(job: JobView): string[] {
  const last = job.runs.at(-1);
  return [
    `  ${job.id} · ${scheduleText(job.schedule)} · ${stateText(job)}`,
    `  of ${ownerText(job)}, in ${job.sessionId}${job.work.kind === "run" ? ", each run in a session of its own" : ""}`,
    ...(job.standing === undefined ? [] : [`  ${standingText(job.standing)}`]),
    ...(last === undefined
      ? []
      : [`  last: ${last.outcome} at ${timeText(last.endedAtMs)} ${sanitiseLine(last.note)}`.trimEnd()]),
    ...(last?.sessionId === undefined ? [] : [`  transcript: holdpoint sessions log ${last.sessionId}`]),
  ];
}

const ownerText = ({ owner, ownedBy }: JobView): string =>
  ownedBy === undefined ? owner : `${owner} (${sanitiseLine(ownedBy.name)})`;

const standingText = ({ title, used, runs, untilMs }: Standing): string =>
  `a plan stands for it: ${sanitiseLine(title)} · ${used.length} of ${runs} runs · until ${timeText(untilMs)}`;

export async function standing(id: string | undefined, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { standings } = await link.call("cron.standing", id === undefined ? {} : { jobId: jobIdOf(id) });
    output.document({ standings });
    if (standings.length === 0) return output.lines(["No plan stands for a job."]);
    const { paint } = output.look();
    output.lines(standings.flatMap((one) => [paint.strong(sanitiseLine(one.jobName)), ...aboutStanding(one)]));
  });
}

function aboutStanding(one: Standing): string[] {
  const { planId, jobId, title, signedBy, signedAtMs, runs, untilMs, used, ended } = one;
  const state = ended === undefined ? "in force" : `${ENDS[ended.why]} at ${timeText(ended.atMs)}`;
  return [
    `  ${sanitiseLine(title)} (${planId}) for ${jobId}: ${state}`,
    `  signed by ${signedBy.map(({ name }) => sanitiseLine(name)).join(", ")} at ${timeText(signedAtMs)}`,
    `  ${used.length} of ${runs} runs, until ${timeText(untilMs)}`,
    ...used.map(({ n, sessionId, atMs }) => `  run ${n} at ${timeText(atMs)}: holdpoint sessions log ${sessionId}`),
  ];
}

const ENDS: Readonly<Record<StandingEnd, string>> = {
  withdrawn: "withdrawn",
  job_changed: "void, the job changed,",
  job_removed: "ended with the job",
  used_up: "used up",
  expired: "expired",
  revoked: "void, a signer was revoked,",
  replaced: "replaced",
};

export async function withdraw(id: string, { output, env }: CommandContext): Promise<void> {
  const done = await withGateway(env, (link) => link.call("cron.withdraw", { jobId: jobIdOf(id) }));
  output.document(done);
  output.lines([`Withdrawn: no plan stands for ${id} any more.`]);
}

const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

function scheduleText(schedule: JobSchedule): string {
  switch (schedule.kind) {
    case "at":
      return `once at ${timeText(schedule.atMs)}`;
    case "every":
      return `every ${duration(schedule.everyMs)}`;
    case "cron":
      return `${sanitiseLine(schedule.expression)} (${schedule.timezone})`;
  }
}

function stateText({ now, run: current }: JobView): string {
  if (current !== null) return "running";
  switch (now.status) {
    case "waiting":
      return `next at ${timeText(now.nextAtMs)}`;
    case "due":
      return "due";
    case "spent":
      return "done";
    case "off":
      return OFF[now.why];
  }
}

const OFF = {
  disabled: "off",
  never: "off",
  failures: "paused after failures",
  revoked: "stopped, its operator was revoked",
} as const;

export async function add(message: string, options: CronAddOptions, { output, env }: CommandContext): Promise<void> {
  const job = jobOf(message, options);
  await withGateway(env, async (link) => {
    const place =
      options.session === undefined ? { agentId: options.agent } : { sessionId: sessionIdOf(options.session) };
    const added = await link.call("cron.add", { ...place, job });
    output.document(added);
    const next = added.nextAtMs === null ? "" : ` It runs next at ${timeText(added.nextAtMs)}.`;
    output.lines([`Scheduled ${added.jobId}.${next}`]);
  });
}

function jobOf(message: string, { name, isolated, catchUp, jitter, timeout, ...when }: CronAddOptions): JobAsked {
  return {
    when: whenOf(when),
    message,
    isolated: isolated === true || when.session === undefined,
    ...(name === undefined ? {} : { name }),
    ...(catchUp === undefined ? {} : { catchUp }),
    ...(jitter === undefined ? {} : { jitterMs: durationMs(jitter, "--jitter") }),
    ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout, "--timeout") }),
  };
}

function whenOf(options: Pick<CronAddOptions, "at" | "in" | "every" | "cron" | "tz">): JobAsked["when"] {
  const { at, in: after, every, cron, tz } = options;
  const ways: JobAsked["when"][] = [
    ...(at === undefined ? [] : [{ at }]),
    ...(after === undefined ? [] : [{ delayMs: durationMs(after, "--in") }]),
    ...(every === undefined ? [] : [{ everyMs: durationMs(every, "--every") }]),
    ...(cron === undefined ? [] : [{ cron, ...(tz === undefined ? {} : { tz }) }]),
  ];
  const [way, ...more] = ways;
  if (way === undefined || more.length > 0) throw usage("Say when by exactly one of --at, --in, --every and --cron.");
  if (tz !== undefined && cron === undefined) throw usage("--tz belongs to --cron.");
  return way;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationMs(text: string, option: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})(s|m|h|d)$/.exec(text.trim()) ?? [];
  const unitMs = UNITS[unit];
  if (unitMs === undefined) throw usage(`${option}: expected a duration such as 90s, 20m, 2h or 1d.`);
  return Number(number) * unitMs;
}

const usage = (message: string): CliError =>
  new CliError({ exit: "usage", message, advice: "See: holdpoint cron add --help", code: "USAGE" });

export async function remove(id: string, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, (link) => link.call("cron.remove", { jobId: jobIdOf(id) }));
  output.document({ removed: id });
  output.lines([`Removed ${id}.`]);
}

export const enable = (id: string, context: CommandContext): Promise<void> => toggle(id, true, context);
export const disable = (id: string, context: CommandContext): Promise<void> => toggle(id, false, context);

async function toggle(id: string, enabled: boolean, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const changed = await link.call("cron.update", { jobId: jobIdOf(id), enabled });
    output.document(changed);
    const next = changed.nextAtMs === null ? "" : ` It runs next at ${timeText(changed.nextAtMs)}.`;
    output.lines([enabled ? `${id} is on.${next}` : `${id} is off.`]);
  });
}

export async function run(id: string, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const started = await link.call("cron.run", { jobId: jobIdOf(id) });
    output.document(started);
    output.lines([started.sessionId === null ? `${id} asked for a turn.` : `${id} runs in ${started.sessionId}.`]);
  });
}

function jobIdOf(text: string): JobId {
  const parsed = JobId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new CliError({
    exit: "usage",
    message: `"${sanitiseLine(text)}" is no job's id.`,
    advice: "List the jobs with: holdpoint cron list",
    code: "USAGE",
  });
}
