/**
 * What is left in PostgreSQL and in the workspaces when every gateway is dead: is everything that was acknowledged there,
 * once, whole? Nothing of the gateway is asked, because a gateway may hide what it has lost.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import type { AuditFact, AuditRow } from "../../src/protocol/audit.ts";
import type { HistoryItem } from "../../src/protocol/methods.ts";
import type { Session, SessionEvent } from "../../src/protocol/session.ts";
import { verifyChain } from "../../src/store/audit/audit-verify.ts";
import { APPEND_TOOL, MUTATIONS_FILE } from "./chaos-model.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Entry } from "./ledger.ts";
import { checkDecisions, checkMutations, checkRest, checkTranscript, type Findings, text } from "./verify.ts";

/** How far the clock of the server and the counter of a gateway may be apart on one machine. */
const CLOCKS_APART_MS = 250;

type TimedFact = AuditFact & { atMs: number };
type Line = { callId: string; beganAtMs: number };

export type DeadState = {
  sessions: Map<string, Session>;
  items: Map<string, HistoryItem[]>;
  facts: TimedFact[];
  lines: Line[];
  chain: string | undefined;
  /** Epochs that turns were started or taken over under, in the order of their commits. */
  epochs: Map<string, number[]>;
};

type SessionRecord = { id: string; doc: string };
type EventRecord = { session_id: string; body: string };
type AuditRecord = { seq: string; at_ms: string; session_id: string | null; actor: string; body: string } & {
  prev_hash: string;
  hash: string;
};

export async function readDeadState(url: string, workspaces: readonly string[]): Promise<DeadState> {
  const client = new Client({ connectionString: url, options: "-c search_path=holdpoint" });
  await client.connect();
  try {
    const sessions = (await client.query<SessionRecord>("SELECT id, doc FROM sessions")).rows;
    const events = (await client.query<EventRecord>("SELECT session_id, body FROM events ORDER BY cursor")).rows;
    const rows = (await client.query<AuditRecord>("SELECT * FROM audit ORDER BY seq")).rows.map(auditRow);
    const [head] = (await client.query<{ seq: string; hash: string }>("SELECT seq, hash FROM audit_head")).rows;
    const verdict = await verifyChain({
      rows: async (afterSeq, limit) => rows.filter(({ seq }) => seq > afterSeq).slice(0, limit),
      head: async () => ({ seq: Number(head?.seq), hash: head?.hash ?? "" }),
    });
    const lines = (await Promise.all(workspaces.map(linesIn))).flat();
    return {
      sessions: new Map(sessions.map(({ id, doc }) => [id, JSON.parse(doc) as Session])),
      ...followed(events),
      facts: rows.flatMap(({ atMs, body }) =>
        (JSON.parse(body) as { facts: AuditFact[] }).facts.map((fact) => ({ ...fact, atMs })),
      ),
      lines,
      chain: verdict.intact ? undefined : `the audit chain is broken at ${verdict.brokenAtSeq}: ${verdict.reason}`,
    };
  } finally {
    await client.end();
  }
}

const auditRow = ({ seq, at_ms, session_id, prev_hash, ...row }: AuditRecord): AuditRow => ({
  ...row,
  seq: Number(seq),
  atMs: Number(at_ms),
  sessionId: session_id,
  prevHash: prev_hash,
});

function followed(events: readonly EventRecord[]): Pick<DeadState, "items" | "epochs"> {
  const items = new Map<string, HistoryItem[]>();
  const epochs = new Map<string, number[]>();
  for (const { session_id: id, body } of events) {
    const event = JSON.parse(body) as SessionEvent;
    if (event.type === "entry.appended")
      items.set(id, [...(items.get(id) ?? []), { n: event.n, entry: event.entry } as HistoryItem]);
    if (event.type === "turn.started" || event.type === "turn.taken-over")
      epochs.set(id, [...(epochs.get(id) ?? []), event.epoch]);
  }
  return { items, epochs };
}

async function linesIn(workspace: string): Promise<Line[]> {
  const written = await readFile(join(workspace, MUTATIONS_FILE), "utf8").catch(() => "");
  return written
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, callId = "", beganAtMs = "0"] = line.split(" ");
      return { callId, beganAtMs: Number(beganAtMs) };
    });
}

/** `atRest`: nothing was under way any more when the gateways died. */
export function faultsIn(state: DeadState, knowledge: Knowledge, atRest: boolean): string[] {
  const findings: Findings = { knowledge, faults: state.chain === undefined ? [] : [state.chain], delivered: [] };
  const { faults, delivered } = findings;
  for (const id of knowledge.sessions) {
    const session = state.sessions.get(id);
    if (session === undefined) {
      faults.push(`session ${id} was acknowledged and is gone`);
      continue;
    }
    const items = state.items.get(id) ?? [];
    const seen = { id: session.id, queuedMessages: session.inbox.length };
    delivered.push(...checkTranscript({ session: seen, items, faults, knowledge }));
    if (!titlesOf(id, knowledge.ledger.recent).has(session.title))
      faults.push(`${id} is called "${session.title}", which nobody called it last`);
    const epochs = state.epochs.get(id) ?? [];
    if (epochs.some((epoch, at) => epoch <= (epochs[at - 1] ?? 0))) faults.push(`${id}: an epoch was given twice`);
  }
  const ran = state.lines.map(({ callId }) => callId);
  const verdicts = checkDecisions(findings, state.facts);
  checkMutations(findings, state.facts, { ranBefore: ran, ran });
  checkFencing(findings, state);
  if (atRest) checkRest(findings, state.facts, verdicts);
  return faults;
}

/** A call that its successor has closed as unknown may have taken effect before; it must not begin after. */
function checkFencing({ faults }: Findings, { facts, lines }: DeadState): void {
  const closedAtMs = new Map(
    facts
      .filter(({ type, detail }) => type === "call.closed" && detail["tool"] === APPEND_TOOL)
      .map(({ detail, atMs }) => [text(detail["callId"]), atMs]),
  );
  for (const { callId, beganAtMs } of lines) {
    const lateMs = beganAtMs - (closedAtMs.get(callId) ?? Infinity);
    if (lateMs > CLOCKS_APART_MS) faults.push(`call ${callId} began ${lateMs} ms after it was closed`);
  }
}

/** The last title that was acknowledged, and those that were asked for since without an answer. */
function titlesOf(id: string, entries: readonly Entry[]): Set<string> {
  const titles = new Set<string>();
  for (const entry of entries) {
    const { title } = entry.params as { title?: string };
    if (title === undefined || sessionOf(entry) !== id) continue;
    if (entry.answer?.ok === true) titles.clear();
    if (mayHaveHappened(entry)) titles.add(title);
  }
  return titles;
}

const mayHaveHappened = ({ answer }: Entry): boolean =>
  answer === undefined || answer.ok || answer.error.retry === true;

function sessionOf({ method, params, answer }: Entry): string | undefined {
  if (method !== "sessions.create") return (params as { sessionId?: string }).sessionId;
  return answer?.ok === true ? (answer.payload as { session: { id: string } }).session.id : undefined;
}
