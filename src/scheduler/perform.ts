/**
 * Carries out what the jobs of a session ordered, and brings back how their runs came to rest. Everything here may
 * happen twice, on another node, or after a crash in between: a time that was used is recognised, creating finds the
 * session there, and messages carry a key.
 */
import { z } from "zod";
import { MessageId, SessionId } from "../protocol/ids.ts";
import { Injection } from "../protocol/injection.ts";
import type { JsonObject } from "../protocol/json.ts";
import {
  Delivery,
  type Job,
  JobId,
  RESULT_CHARS_MAX,
  type RunOutcome,
  SCHEDULER_SLICE,
  SchedulerState,
} from "./protocol/schedule.ts";
import { LocalizedLines } from "../protocol/localized/localized-lines.ts";
import { noticeOf } from "../protocol/localized/localized-text.ts";
import { type Session, TITLE_CHARS_MAX } from "../protocol/session.ts";
import { SignedPlan } from "../plan-mode/protocol/job/standing.ts";
import { SUB_AGENTS_SLICE, SubAgentsState } from "../agent/sub-agents/protocol/sub-agents.ts";
import { type ChildReport, defuseLine, firstChars, never } from "../plugins/sdk.ts";
import { heartbeatText, isNothing, isWithin } from "./heartbeat.ts";
import { ensureHome, homeOf, INDEX_AGENT } from "./homes.ts";
import { INSIDE } from "./machine/actors.ts";
import { occurrencesOf } from "./occurrences.ts";
import { planDue } from "./plan-due.ts";
import { chargeOf, openProposal, stopRevoked } from "./charge-run.ts";
import { applyInside as apply } from "./apply-inside.ts";
import type { Outcome, SchedulerPorts } from "./ports.ts";

const Order = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("plan"), jobId: JobId, dueAtMs: z.int() }),
  z.strictObject({ do: z.literal("start"), jobId: JobId, sessionId: SessionId, messageId: MessageId }),
  z.strictObject({ do: z.literal("index"), atMs: z.int() }),
  z.strictObject({ do: z.literal("archive"), sessionId: SessionId }),
  z.strictObject({ do: z.literal("discharge"), sessionId: SessionId }),
  z.strictObject({ do: z.literal("stand"), home: SessionId, jobId: JobId, jobDigest: z.string(), plan: SignedPlan }),
  z.strictObject({
    do: z.literal("deliver"),
    to: SessionId,
    key: z.string(),
    deliver: Delivery,
    notice: z.string(),
    said: LocalizedLines.exactOptional(),
    injection: Injection.omit({ createdAtMs: true }).optional(),
  }),
]);
/** Every kind of order that the machine gives. */
export const ORDERS: readonly string[] = Order.options.map((option) => option.shape.do.value);

type OrderOf<Do extends z.infer<typeof Order>["do"]> = Extract<z.infer<typeof Order>, { do: Do }>;

type Settled = "done" | "later";
type Work = { sessionId: SessionId; order: JsonObject };

export async function performOrder({ sessionId, order }: Work, ports: SchedulerPorts): Promise<Settled> {
  const parsed = Order.parse(order);
  switch (parsed.do) {
    case "plan":
      return plan(sessionId, parsed, ports);
    case "start":
      return start(sessionId, parsed, ports);
    case "index":
      return index(sessionId, parsed.atMs, ports);
    case "archive":
      return archive(parsed.sessionId, ports);
    case "discharge":
      return settled(await apply(parsed.sessionId, { type: "discharge" }, ports));
    case "stand": {
      const { jobId, jobDigest, plan: signed } = parsed;
      return settled(await apply(parsed.home, { type: "stand", jobId, jobDigest, plan: signed }, ports));
    }
    case "deliver":
      return deliver(parsed, ports);
    default:
      return never(parsed);
  }
}

export const jobsIn = (session: Session): SchedulerState => {
  const parsed = SchedulerState.safeParse(session.slices[SCHEDULER_SLICE]);
  return parsed.success ? parsed.data : { jobs: [], runs: [], index: [] };
};

/** What waits for a person is not put away. */
async function archive(sessionId: SessionId, ports: SchedulerPorts): Promise<Settled> {
  const session = await ports.sessions.session(sessionId);
  if (session === undefined || openProposal(session) !== undefined) return "done";
  return settled(
    await ports.sessions.dispatch(sessionId, { type: "session.archive", archived: true }, { actor: INSIDE }),
  );
}

/** The calendar is asked, and the answer given to the machine, which uses each time at most once. */
async function plan(
  sessionId: SessionId,
  { jobId, dueAtMs }: OrderOf<"plan">,
  ports: SchedulerPorts,
): Promise<Settled> {
  const session = await ports.sessions.session(sessionId);
  const job = session === undefined ? undefined : jobsIn(session).jobs.find((item) => item.id === jobId);
  if (session === undefined || job?.now.status !== "due" || job.now.dueAtMs !== dueAtMs) return "done";
  if (!ports.isActive(job.owner)) return settled(await apply(sessionId, { type: "remove", jobId }, ports));
  const revoked = await stopRevoked({ session, job }, ports);
  if (revoked !== "runs") return revoked;
  const times = await occurrencesOf(job.schedule);
  if ("error" in times) return settled(await apply(sessionId, { type: "disable", jobId }, ports));
  const nowMs = ports.clock.now();
  const planned = planDue(job, { dueAtMs, nowMs: Math.max(nowMs, dueAtMs), times });
  const why = planned.useMs === null ? undefined : whyNot(job, { session, nowMs });
  const used = why === undefined ? planned : { ...planned, useMs: null, skipped: planned.skipped + 1, why };
  return settled(await apply(sessionId, { type: "advance", jobId, dueAtMs, ...used }, ports));
}

/** Why a due time passes unused; undefined when it does not. */
function whyNot(job: Job, { session, nowMs }: { session: Session; nowMs: number }): string | undefined {
  if (session.archived && session.kind === "chat") return "The session is archived.";
  const hours = job.work.kind === "run" ? job.work.hours : undefined;
  return hours !== undefined && !isWithin(hours, nowMs) ? "Outside of the active hours." : undefined;
}

/** What a run has from the session that ordered it. */
const placeOf = ({ agentId, workspace, rooted, role }: Session) => ({
  agentId,
  workspace,
  ...(rooted === undefined ? {} : { rooted }),
  ...(role === undefined ? {} : { role }),
});

async function start(
  parentId: SessionId,
  { jobId, sessionId, messageId }: OrderOf<"start">,
  ports: SchedulerPorts,
): Promise<Settled> {
  const parent = await ports.sessions.session(parentId);
  const job = parent === undefined ? undefined : jobsIn(parent).jobs.find((item) => item.id === jobId);
  if (parent === undefined || job?.work.kind !== "run" || job.run?.sessionId !== sessionId) return "done";
  const revoked = await stopRevoked({ session: parent, job }, ports);
  if (revoked === "later") return "later";
  if (revoked === "done") return notStarted(parentId, sessionId, ports);
  const opened = await open(sessionId, { parent, job, as: job.work.as }, ports);
  if (!opened.ok) return unstarted(parentId, { sessionId, created: opened }, ports);
  const { as, message } = job.work;
  const text = as === "heartbeat" ? await heartbeatText(message, parent.agentId, ports) : message;
  const idempotency = { key: messageId, requestDigest: messageId };
  const sent = await ports.sessions.dispatch(
    sessionId,
    { type: "message.send", messageId, text },
    { actor: INSIDE, idempotency },
  );
  return sent.ok ? "done" : unstarted(parentId, { sessionId, created: sent }, ports);
}

type Opening = { parent: Session; job: Job; as: "cron" | "heartbeat" };

/** The session of the run, which knows what it works for before anything is said in it. */
async function open(sessionId: SessionId, { parent, job, as }: Opening, ports: SchedulerPorts): Promise<Outcome> {
  const title = firstChars(job.name, TITLE_CHARS_MAX);
  const place = { kind: as, parentId: parent.id, surface: as, title, ...placeOf(parent) };
  const command = { type: "session.create", sessionId, ...place } as const;
  const created = await ports.sessions.dispatch(sessionId, command, { actor: INSIDE });
  if (!created.ok && created.refusal.code !== "SESSION_EXISTS") return created;
  return apply(sessionId, { type: "charge", charge: await chargeOf({ parent, job }, ports) }, ports);
}

/** Counted, and never begun: whoever answers for the job was revoked in between. */
const notStarted = async (parentId: SessionId, sessionId: SessionId, ports: SchedulerPorts): Promise<Settled> =>
  settled(
    await apply(parentId, { type: "observe", sessionId, outcome: "stopped", text: REVOKED, quiet: false }, ports),
  );

const REVOKED = "It was not begun: the operator who answers for this job was revoked.";

type Failed = { sessionId: SessionId; created: Extract<Outcome, { ok: false }> };

/** A run that could not begin is a run that failed; while the store is away it is tried again. */
async function unstarted(parentId: SessionId, { sessionId, created }: Failed, ports: SchedulerPorts): Promise<Settled> {
  if (created.refusal.retry === true) return "later";
  const text = firstChars(created.refusal.message, RESULT_CHARS_MAX);
  return settled(await apply(parentId, { type: "observe", sessionId, outcome: "failed", text, quiet: false }, ports));
}

async function index(sessionId: SessionId, atMs: number, ports: SchedulerPorts): Promise<Settled> {
  if (sessionId === homeOf(INDEX_AGENT)) return "done";
  const home = await ensureHome(INDEX_AGENT, ports);
  if (typeof home !== "string") return home.refused.retry === true ? "later" : "done";
  return settled(await apply(home, { type: "index", sessionId, atMs }, ports));
}

async function deliver(order: OrderOf<"deliver">, { sessions, clock }: SchedulerPorts): Promise<Settled> {
  const { to, key, notice, said = [], injection } = order;
  const by = (what: string) => ({ actor: INSIDE, idempotency: { key: `${what}:${key}`, requestDigest: key } });
  const added = await sessions.dispatch(to, { type: "notice.add", ...noticeOf({ text: notice, said }) }, by("notice"));
  if (!added.ok) return settled(added);
  if (order.deliver === "notice" || injection === undefined) return "done";
  const wake = order.deliver === "wake";
  const given = { ...injection, createdAtMs: clock.now() };
  return settled(await sessions.dispatch(to, { type: "injection.add", injection: given, wake }, by("result")));
}

const OUTCOMES: Readonly<Record<Exclude<ChildReport["outcome"], "running">, RunOutcome>> = {
  done: "ok",
  aborted: "stopped",
  failed: "failed",
  empty: "failed",
  gone: "stopped",
};

/** Reports that a run's session came to rest. One that waits for a sub-agent of its own has not. */
export async function report(
  childId: SessionId,
  reported: Pick<ChildReport, "parentId" | "turnId" | "outcome" | "message">,
  ports: SchedulerPorts,
): Promise<Settled> {
  const { parentId, turnId, outcome: seen, message } = reported;
  if (seen === "running") return "done";
  const child = await ports.sessions.session(childId);
  if (child !== undefined && waitsForOthers(child)) return "done";
  const said = turnId === null ? undefined : await lastWords(childId, turnId, ports);
  const title = child === undefined ? undefined : openProposal(child);
  const words = [said ?? message, ...(title === undefined ? [] : [submittedText(title)])].filter((line) => line !== "");
  const text = firstChars(words.join("\n").toWellFormed(), RESULT_CHARS_MAX);
  const outcome = OUTCOMES[seen];
  const quiet = child?.kind === "heartbeat" && outcome === "ok" && isNothing(text);
  const proposes = title === undefined ? {} : { proposes: true };
  const observed = { type: "observe", sessionId: childId, outcome, text, quiet, ...proposes } as const;
  return settled(await apply(parentId, observed, ports));
}

const submittedText = (title: string): string =>
  `It submitted a plan, which waits in the inbox: ${defuseLine(title, TITLE_CHARS_MAX)}`;

function waitsForOthers({ slices }: Session): boolean {
  const parsed = SubAgentsState.safeParse(slices[SUB_AGENTS_SLICE]);
  return parsed.success && parsed.data.children.some((child) => child.status === "running");
}

async function lastWords(childId: SessionId, turnId: string, { history }: SchedulerPorts): Promise<string | undefined> {
  const items = await history(childId, 0);
  return items
    .flatMap(({ entry }) =>
      entry.kind === "assistant" && entry.turnId === turnId && entry.text.trim() !== "" ? [entry.text] : [],
    )
    .at(-1);
}

/** A refusal counts as done, unless the store was unreachable. */
const settled = (outcome: Outcome): Settled => (!outcome.ok && outcome.refusal.retry === true ? "later" : "done");
