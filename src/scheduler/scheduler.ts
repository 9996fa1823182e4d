/**
 * The scheduler as the rest of the gateway uses it: RPC methods, the `cron` tool, plugins and the outbox. It keeps nothing
 * in memory and has no timer of its own: jobs are rows of sessions, and the gateway's timers wake them.
 */
import { z } from "zod";
import type { CardText } from "../protocol/card/card.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import { refuse, type Refusal } from "../protocol/refusal.ts";
import {
  type HeartbeatSettings,
  type Job,
  type JobId,
  JobInput,
  type JobOwner,
  type JobPatch,
  type JobSpec,
  type JobView,
  type JobWhen,
  type JobWork,
  SCHEDULER_SLICE,
  type SchedulerCommand,
  type SchedulerState,
} from "./protocol/schedule.ts";
import type { Session } from "../protocol/session.ts";
import type { ChildReport } from "../plugins/sdk.ts";
import { stopRevoked } from "./charge-run.ts";
import { performOrder, jobsIn, report } from "./perform.ts";
import { HEARTBEAT_JOB, heartbeatSpec, sameHeartbeat } from "./heartbeat.ts";
import { ensureHome, homeOf, INDEX_AGENT } from "./homes.ts";
import { nextOf, prepareJob, scheduleOf } from "./job-spec.ts";
import { INSIDE } from "./machine/actors.ts";
import { activeStanding } from "./machine/standing.ts";
import { withSigned } from "./with-signed.ts";
import { whyVoid } from "./standing-policy.ts";
import type { Charge, StandingView } from "./protocol/standing.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { OnBehalfOf, Outcome, SchedulerPorts } from "./ports.ts";

/** A conversation, or the hidden session of an agent. */
export type JobPlace = { sessionId: SessionId } | { agentId: string };
export type FoundJob = { sessionId: SessionId; job: Job };
type Settled = "done" | "later";

export type Scheduler = {
  list(sessionId?: SessionId): Promise<JobView[]>;
  /** What people who look at jobs should know of all of them. */
  warnings(): readonly CardText[];
  /** Where a job is; undefined when there is none of this id. */
  find(jobId: JobId): Promise<FoundJob | undefined>;
  add(place: JobPlace, input: JobInput, by: OnBehalfOf): Promise<Outcome>;
  update(found: FoundJob, patch: JobPatch, by: OnBehalfOf): Promise<Outcome>;
  enable(found: FoundJob, by: OnBehalfOf): Promise<Outcome>;
  order(found: FoundJob, what: "disable" | "remove" | "run" | "withdraw", by: OnBehalfOf): Promise<Outcome>;
  /** Plans that stand or stood for jobs, newest first; with the sessions in which those jobs live. */
  standings(): Promise<StandingView[]>;
  /** An operator was revoked: the jobs that they answer for stop, and what they signed stands no more. */
  stopRevoked(): Promise<void>;
  /** Why no standing plan covers a run now; undefined while one does. */
  whyVoid(session: Session, charge: Charge): Promise<string | undefined>;
  /** For plugins: a turn of an agent at a later time. The job ends with its session, and with the plugin. */
  scheduleSessionTurn(
    pluginId: string,
    turn: { sessionId: SessionId; message: string; tag?: string | undefined; when: JobWhen },
  ): Promise<{ jobId: string } | { refused: Refusal }>;
  unscheduleSessionTurnsByTag(
    pluginId: string,
    order: { sessionId: SessionId; tag: string },
  ): Promise<{ removed: number } | { refused: Refusal }>;
  /** A plugin was disabled: none of its jobs stays behind. */
  removeOwned(owner: JobOwner): Promise<void>;
  /** Brings the agents' heartbeats in line with the configuration. */
  applyHeartbeats(wanted: ReadonlyMap<string, HeartbeatSettings>): Promise<void>;
  performOrder(work: { sessionId: SessionId; order: JsonObject }): Promise<Settled>;
  report(childId: SessionId, reported: ChildReport): Promise<Settled>;
};

export function createScheduler(ports: SchedulerPorts): Scheduler {
  const plugins = pluginFace(ports);
  return {
    list: (sessionId) => list(sessionId, ports),
    warnings: () => ports.warnings?.() ?? [],
    async find(jobId) {
      const jobs = await list(undefined, ports);
      const view = jobs.find((job) => job.id === jobId);
      if (view === undefined) return undefined;
      const { sessionId, agentId: _agentId, runs: _runs, standing: _standing, ...job } = view;
      return { sessionId, job };
    },
    add: (place, input, by) => add({ place, input }, by, ports),
    update: (found, patch, by) => update({ found, patch }, by, ports),
    async enable({ sessionId, job }, by) {
      const times = await occurrencesOf(job.schedule);
      if ("error" in times) return invalid(times.error);
      const nextAtMs = times.after(ports.clock.now());
      if (nextAtMs === null) return invalid("Its time has passed. Give it another one, or remove it.");
      return apply(sessionId, { command: { type: "enable", jobId: job.id, nextAtMs }, by }, ports);
    },
    order: ({ sessionId, job }, what, by) => apply(sessionId, { command: { type: what, jobId: job.id }, by }, ports),
    standings: () => standings(ports),
    async stopRevoked() {
      for (const session of await sessionsWithJobs(ports)) {
        for (const job of jobsIn(session).jobs) await stopRevoked({ session, job }, ports);
      }
    },
    whyVoid: (session, charge) => whyVoid(session, charge, ports),
    ...plugins,
    applyHeartbeats: (wanted) => applyHeartbeats(wanted, ports),
    performOrder: (work) => performOrder(work, ports),
    report: (childId, reported) => report(childId, reported, ports),
  };
}

const as = (pluginId: string): OnBehalfOf => ({ actor: { kind: "system", reason: `plugin:${pluginId}` } });

function pluginFace(
  ports: SchedulerPorts,
): Pick<Scheduler, "scheduleSessionTurn" | "unscheduleSessionTurnsByTag" | "removeOwned"> {
  return {
    async scheduleSessionTurn(pluginId, { sessionId, message, tag, when }) {
      const input = JobInput.safeParse({ when, message, ...(tag === undefined ? {} : { tag }) });
      if (!input.success) return refuse("INVALID_REQUEST", firstIssue(input.error));
      const outcome = await add({ place: { sessionId }, input: input.data }, as(pluginId), ports);
      return outcome.ok ? Added.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async unscheduleSessionTurnsByTag(pluginId, { sessionId, tag }) {
      const order = { command: { type: "remove-tagged", tag }, by: as(pluginId) } as const;
      const outcome = await apply(sessionId, order, ports);
      return outcome.ok ? Removed.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async removeOwned(owner) {
      for (const session of await sessionsWithJobs(ports)) {
        if (!jobsIn(session).jobs.some((job) => job.owner === owner)) continue;
        await apply(session.id, { command: { type: "remove-owned", owner }, by: { actor: INSIDE } }, ports);
      }
    },
  };
}

const Added = z.object({ jobId: z.string() });
const Removed = z.object({ removed: z.int() });

const firstIssue = (error: z.core.$ZodError): string => {
  const issue = error.issues[0];
  return issue === undefined ? "invalid" : `${issue.path.join(".") || "job"}: ${issue.message}`;
};

const invalid = (message: string): Outcome => ({ ok: false, refusal: refuse("INVALID_REQUEST", message).refused });

type Given = { command: SchedulerCommand; by: OnBehalfOf };

const apply = (sessionId: SessionId, { command, by }: Given, { sessions }: SchedulerPorts): Promise<Outcome> =>
  sessions.dispatch(
    sessionId,
    { type: "slice.apply", slice: SCHEDULER_SLICE, command: z.record(z.string(), z.json()).parse(command) },
    by,
  );

type Adding = { place: JobPlace; input: JobInput };

async function add({ place, input }: Adding, by: OnBehalfOf, ports: SchedulerPorts): Promise<Outcome> {
  const inTalk = "sessionId" in place;
  const prepared = await prepareJob(input, { nowMs: ports.clock.now(), inTalk });
  if ("error" in prepared) return invalid(prepared.error);
  const home = inTalk ? place.sessionId : await ensureHome(place.agentId, ports);
  if (typeof home !== "string") return { ok: false, refusal: home.refused };
  const added = await apply(home, { command: { type: "add", ...prepared }, by }, ports);
  // the outbox will do it too, but the caller must find the job at once
  if (added.ok) await performOrder({ sessionId: home, order: { do: "index", atMs: ports.clock.now() } }, ports);
  return added;
}

type Updating = { found: FoundJob; patch: JobPatch };

async function update({ found, patch }: Updating, by: OnBehalfOf, ports: SchedulerPorts): Promise<Outcome> {
  const { sessionId, job } = found;
  const nowMs = ports.clock.now();
  const spec = patched(job, patch, nowMs);
  const next = await nextOf(spec.schedule, nowMs);
  if ("error" in next) return invalid(next.error);
  return apply(sessionId, { command: { type: "change", jobId: job.id, spec, ...next }, by }, ports);
}

function patched(job: Job, patch: JobPatch, nowMs: number): JobSpec {
  const { name, schedule, jitterMs, catchUp, catchUpMax, failuresMax, tag, cycleId } = job;
  const { when, message: _message, timeoutMs: _timeoutMs, deliver: _deliver, ...plain } = patch;
  const changed = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    name,
    jitterMs,
    catchUp,
    catchUpMax,
    failuresMax,
    ...changed,
    schedule: when === undefined ? schedule : scheduleOf(when, nowMs),
    work: patchedWork(job.work, patch),
    ...(tag === undefined ? {} : { tag }),
    ...(cycleId === undefined ? {} : { cycleId }),
  };
}

function patchedWork(work: JobWork, { message = work.message, timeoutMs, deliver }: JobPatch): JobWork {
  if (work.kind === "turn") return { kind: "turn", message };
  return { ...work, message, timeoutMs: timeoutMs ?? work.timeoutMs, deliver: deliver ?? work.deliver };
}

async function list(sessionId: SessionId | undefined, ports: SchedulerPorts): Promise<JobView[]> {
  const one = sessionId === undefined ? undefined : await ports.sessions.session(sessionId);
  const found = sessionId === undefined ? await sessionsWithJobs(ports) : one === undefined ? [] : [one];
  return found.flatMap(viewsOf);
}

function viewsOf(session: Session): JobView[] {
  const state = jobsIn(session);
  return state.jobs.map((job) => {
    const standing = activeStanding(state, job.id);
    return {
      ...job,
      sessionId: session.id,
      agentId: session.agentId,
      runs: state.runs.filter((run) => run.jobId === job.id),
      ...(standing === undefined ? {} : { standing }),
    };
  });
}

async function standings(ports: SchedulerPorts): Promise<StandingView[]> {
  const sessions = await sessionsWithJobs(ports);
  return sessions
    .flatMap((session) => (jobsIn(session).standings ?? []).map((standing) => ({ ...standing, sessionId: session.id })))
    .toSorted((a, b) => b.signedAtMs - a.signedAtMs);
}

/** Those that the index knows; what it need not know any more is taken out on the way. */
async function sessionsWithJobs(ports: SchedulerPorts): Promise<Session[]> {
  const home = await ports.sessions.session(homeOf(INDEX_AGENT));
  if (home === undefined) return [];
  const found = [home];
  for (const { sessionId, atMs } of jobsIn(home).index) {
    const session = await ports.sessions.session(sessionId);
    if (session !== undefined && isUsed(jobsIn(session))) found.push(session);
    else await apply(home.id, { command: { type: "unindex", sessionId, atMs }, by: { actor: INSIDE } }, ports);
  }
  return Promise.all(found.map((session) => withSigned(session, ports)));
}

const isUsed = ({ jobs, standings: signed = [] }: SchedulerState): boolean => jobs.length > 0 || signed.length > 0;

/** An agent without a heartbeat has no job for it; one whose settings stayed the same keeps its count. */
async function applyHeartbeats(wanted: ReadonlyMap<string, HeartbeatSettings>, ports: SchedulerPorts): Promise<void> {
  const nowMs = ports.clock.now();
  const there = (await list(undefined, ports)).filter((job) => job.id === HEARTBEAT_JOB);
  for (const { sessionId, agentId } of there.filter((job) => !wanted.has(job.agentId))) {
    const command = { type: "remove", jobId: HEARTBEAT_JOB } as const;
    must(await apply(sessionId, { command, by: { actor: INSIDE } }, ports), agentId);
  }
  for (const [agentId, settings] of wanted) {
    const spec = heartbeatSpec(settings, nowMs);
    const known = there.find((job) => job.agentId === agentId);
    if (spec === undefined || (known !== undefined && sameHeartbeat(known, spec))) continue;
    const home = await ensureHome(agentId, ports);
    if (typeof home !== "string") throw new Error(`heartbeat of ${agentId}: ${home.refused.message}`);
    const times = await occurrencesOf(spec.schedule);
    const nextAtMs = "error" in times ? null : times.after(nowMs);
    if (nextAtMs === null) continue;
    const command = { type: "put", jobId: HEARTBEAT_JOB, spec, nextAtMs } as const;
    must(await apply(home, { command, by: { actor: INSIDE } }, ports), agentId);
  }
}

function must(outcome: Outcome, agentId: string): void {
  if (!outcome.ok) throw new Error(`heartbeat of ${agentId}: ${outcome.refusal.message}`);
}
