/** After a restart: is everything that was acknowledged there, once, whole? Answers with a list of faults. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditFact } from "../../src/protocol/audit.ts";
import type { Json } from "../../src/protocol/json.ts";
import type { HistoryItem, SessionView } from "../../src/protocol/methods.ts";
import type { WireClient } from "../kit/wire-client.ts";
import { APPEND_TOOL, MUTATIONS_FILE } from "./chaos-model.ts";
import { historyFaults } from "./decision-history.ts";
import type { Knowledge } from "./knowledge.ts";
import { pendingApproval } from "./people.ts";

const PAGE = 200;
const PAGES_MAX = 1_000;

export type Checked = { faults: string[]; mutations: number; unknown: number };
/** What the checks below share; they look at rows alone, whoever read them. */
export type Findings = { knowledge: Knowledge; faults: string[]; delivered: string[] };
type Check = Findings & { client: WireClient };

export type VerifyParts = {
  client: WireClient;
  knowledge: Knowledge;
  workspace: string;
  /** Nothing is under way any more: then every claim has an end and every decision has reached the agent. */
  atRest?: boolean;
};

export async function verify(parts: VerifyParts): Promise<Checked> {
  const { client, knowledge } = parts;
  const check: Check = { client, knowledge, faults: await knowledge.ledger.settle(client), delivered: [] };
  const { verdict } = await client.must("audit.verify", {});
  if (!verdict.intact) check.faults.push(`the audit chain is broken at ${verdict.brokenAtSeq}: ${verdict.reason}`);
  for (const sessionId of knowledge.sessions) await checkSession(check, sessionId);
  const ranBefore = await executions(parts.workspace);
  const facts = await auditFacts(client);
  const ran = await executions(parts.workspace);
  const verdicts = checkDecisions(check, facts);
  const unknown = checkMutations(check, facts, { ranBefore, ran });
  if (parts.atRest === true) checkRest(check, facts, verdicts);
  return { faults: check.faults, mutations: ran.length, unknown };
}

async function checkSession({ client, knowledge, faults, delivered }: Check, sessionId: string): Promise<void> {
  const answer = await client.request("sessions.get", { sessionId });
  if (answer?.ok !== true) return void faults.push(`session ${sessionId} was acknowledged and is gone`);
  const { session } = answer.payload;
  const title = knowledge.titles.get(sessionId);
  if (title !== session.title) faults.push(`${sessionId} is called "${session.title}", not "${title}"`);
  const waiting = knowledge.pending.get(sessionId);
  if (waiting !== undefined && waiting !== pendingApproval(session))
    faults.push(`${sessionId}: approval ${waiting} was pending and nobody decided it, yet it is no longer`);
  delivered.push(...checkTranscript({ session, items: await history(client, sessionId), faults, knowledge }));
}

export function checkTranscript(parts: {
  session: Pick<SessionView, "id" | "queuedMessages">;
  items: HistoryItem[];
  faults: string[];
  knowledge: Knowledge;
}): string[] {
  const { session, items, faults, knowledge } = parts;
  const inputs = items.flatMap(({ entry }) => (entry.kind === "input" ? [entry] : []));
  const received = inputs.flatMap((input) => input.messages.map((message) => message.id as string));
  const injected = inputs.flatMap((input) => input.injectionIds);
  const results = items.flatMap(({ entry }) => (entry.kind === "result" ? [entry.callId] : []));
  for (const id of doubled(received)) faults.push(`${session.id}: message ${id} was received twice`);
  for (const id of doubled(injected)) faults.push(`${session.id}: injection ${id} was delivered twice`);
  for (const id of doubled(results)) faults.push(`${session.id}: call ${id} has two results`);
  if (items.some(({ n }, at) => n !== at + 1)) faults.push(`${session.id}: entries are missing or doubled`);
  const missing = [...(knowledge.messages.get(session.id) ?? [])].filter((id) => !received.includes(id));
  if (missing.length > session.queuedMessages)
    faults.push(
      `${session.id}: ${missing.length} acknowledged messages are nowhere, ${session.queuedMessages} are queued`,
    );
  return injected;
}

/**
 * Each acknowledged decision is in the audit exactly once, each approval was decided at most once for good, and nobody who
 * looked afterwards saw it undecided.
 */
export function checkDecisions({ knowledge, faults }: Findings, facts: readonly AuditFact[]): Map<string, string[]> {
  const verdicts = verdictsIn(facts);
  for (const [approvalId, found] of verdicts) {
    if (found.length !== 1 && !/^rejected,(approved|edited)$/.test(found.join()))
      faults.push(`approval ${approvalId} was decided as ${found.join(", then ")}`);
  }
  for (const [approvalId, acknowledged] of knowledge.decisions) {
    const found = verdicts.get(approvalId)?.length ?? 0;
    if (found < acknowledged.length)
      faults.push(`approval ${approvalId}: ${acknowledged.join()} acknowledged, ${found} in the audit`);
  }
  faults.push(...historyFaults(knowledge.history));
  return verdicts;
}

function verdictsIn(facts: readonly AuditFact[]): Map<string, string[]> {
  const verdicts = new Map<string, string[]>();
  for (const { type, detail } of facts) {
    const approvalId = detail["approvalId"];
    if (typeof approvalId !== "string" || !DECISIONS.has(type)) continue;
    verdicts.set(approvalId, [...(verdicts.get(approvalId) ?? []), text(detail["decision"] ?? type)]);
  }
  return verdicts;
}

export function checkRest(
  { faults, delivered }: Findings,
  facts: readonly AuditFact[],
  verdicts: Map<string, string[]>,
): void {
  const closed = new Set(facts.filter(({ type }) => type === "call.closed").map(({ detail }) => detail["callId"]));
  for (const { type, detail } of facts)
    if (type === "call.claimed" && !closed.has(detail["callId"] ?? null))
      faults.push(`call ${text(detail["callId"])} was claimed and has no end, not even an unknown one`);
  const superseded = new Set(facts.map(({ detail }) => detail["supersedes"]));
  for (const approvalId of verdicts.keys()) {
    const times = delivered.filter((id) => id === `plan-decision:${approvalId}`).length;
    const cancelled = times === 0 && superseded.has(approvalId); // I10: applied, or cancelled by a newer revision
    if (times !== 1 && !cancelled) faults.push(`the decision on ${approvalId} reached the agent ${times} times`);
  }
}

const DECISIONS = new Set(["plan.decided", "plan.timed_out"]);

/**
 * A line without a claim ran around the gate; two lines for one call ran twice; a result "ok" without a line is a lie.
 * The gateway works on while it is looked at: a claim precedes its line and the line precedes its result, so claims are
 * looked for behind the lines from before the audit was read, and lines behind results from after it was.
 */
export function checkMutations({ faults }: Findings, facts: readonly AuditFact[], lines: Lines): number {
  const named = (type: string, status?: string) =>
    facts
      .filter(({ type: is, detail }) => is === type && detail["tool"] === APPEND_TOOL)
      .filter(({ detail }) => status === undefined || detail["status"] === status)
      .map(({ detail }) => text(detail["callId"]));
  const { ranBefore, ran } = lines;
  const claimed = new Set(named("call.claimed"));
  const unknown = new Set(named("call.closed", "unknown"));
  for (const callId of doubled(ran)) faults.push(`call ${callId} ran twice`);
  for (const callId of ranBefore) if (!claimed.has(callId)) faults.push(`call ${callId} ran without a claim`);
  for (const callId of doubled(named("call.claimed"))) faults.push(`call ${callId} was claimed twice`);
  for (const callId of doubled(named("call.closed"))) faults.push(`call ${callId} was closed twice`);
  const ranOnce = new Set(ran);
  for (const callId of named("call.closed", "ok"))
    if (!ranOnce.has(callId)) faults.push(`call ${callId} is recorded as done and never ran`);
  return unknown.size;
}

/** The calls that left a line, before and after the audit was read. */
type Lines = { ranBefore: readonly string[]; ran: readonly string[] };

async function executions(workspace: string): Promise<string[]> {
  const written = await readFile(join(workspace, MUTATIONS_FILE), "utf8").catch(() => "");
  const lines = written.split("\n").filter((line) => line !== "");
  return lines.map((line) => line.split(" ")[1] ?? "");
}

export async function auditFacts(client: WireClient): Promise<AuditFact[]> {
  const facts: AuditFact[] = [];
  let afterSeq = 0;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { rows } = await client.must("audit.list", { afterSeq, limit: PAGE });
    for (const row of rows) facts.push(...(JSON.parse(row.body) as { facts: AuditFact[] }).facts);
    if (rows.length < PAGE) return facts;
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
  }
  throw new Error("the audit does not end");
}

export async function history(client: WireClient, sessionId: string): Promise<HistoryItem[]> {
  const pages: HistoryItem[][] = [];
  let before: number | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const params: { sessionId: string; before: number | null; limit: number } = {
      sessionId,
      before,
      limit: PAGE,
    };
    const answer: { items: HistoryItem[]; more: boolean } = await client.must("chat.history", params);
    pages.unshift(answer.items);
    if (!answer.more) break;
    before = answer.items[0]?.n ?? null;
  }
  return pages.flat();
}

export const text = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);
const doubled = (ids: readonly string[]): string[] => [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
