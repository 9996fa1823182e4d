/** Counts for the page's charts, from the newest audit rows alone: what they cost does not grow with the chain. */
import { z } from "zod";
import { AuditFact, type AuditRow } from "../../../protocol/audit.ts";
import type { Stats } from "../../../protocol/wire/stats.ts";
import { PAGE_MAX, type Store } from "../../../store/store.ts";

const STATS_ROWS_MAX = 5_000;
const RULES_MAX = 20;
const DAYS_MAX = 90;

type Day = Stats["days"][number];
type Counted = Exclude<keyof Day, "day">;
type Fact = AuditFact & { atMs: number };

export async function statsOf(store: Pick<Store, "auditRowsBefore">): Promise<Stats> {
  const { rows, complete } = await newestRows(store);
  const facts = rows.flatMap(factsOf);
  const refused = facts.filter(({ type }) => type === "call.refused");
  return {
    fromMs: rows[0]?.atMs ?? null,
    complete,
    days: daysOf(facts),
    plansWaited: waited(facts, PLAN),
    questionsWaited: waited(facts, QUESTION),
    refusalsByRule: byRule(refused),
  };
}

async function newestRows(store: Pick<Store, "auditRowsBefore">): Promise<{ rows: AuditRow[]; complete: boolean }> {
  const pages: AuditRow[][] = [];
  let beforeSeq: number | null = null;
  for (let read = 0; read < STATS_ROWS_MAX; read += PAGE_MAX) {
    const page: AuditRow[] = await store.auditRowsBefore({ beforeSeq, limit: PAGE_MAX });
    pages.unshift(page);
    if (page.length < PAGE_MAX) return { rows: pages.flat(), complete: true };
    beforeSeq = page[0]?.seq ?? null;
  }
  return { rows: pages.flat(), complete: beforeSeq === 1 };
}

const Body = z.object({ facts: z.array(AuditFact) });

const factsOf = ({ body, atMs }: AuditRow): Fact[] => {
  const parsed = Body.safeParse(JSON.parse(body));
  return parsed.success ? parsed.data.facts.map((fact) => ({ ...fact, atMs })) : [];
};

/** Adds an audit fact to the counts of its day. */
function countedAs({ type, detail }: AuditFact): Counted | undefined {
  if (type === "plan.submitted") return "submitted";
  if (type === "plan.timed_out") return "expired";
  if (type === "call.refused") return "refusals";
  if (type !== "plan.decided") return undefined;
  return detail["decision"] === "rejected" ? "rejected" : "approved";
}

function daysOf(facts: readonly Fact[]): Day[] {
  const days = new Map<string, Day>();
  for (const fact of facts) {
    const counted = countedAs(fact);
    if (counted === undefined) continue;
    const day = new Date(fact.atMs).toISOString().slice(0, 10);
    const found = days.get(day) ?? { day, submitted: 0, approved: 0, rejected: 0, expired: 0, refusals: 0 };
    found[counted] += 1;
    days.set(day, found);
  }
  return [...days.values()].toSorted((a, b) => a.day.localeCompare(b.day)).slice(-DAYS_MAX);
}

type Wait = { id: string; begins: string; ends: ReadonlySet<string> };
const PLAN: Wait = { id: "approvalId", begins: "plan.submitted", ends: new Set(["plan.decided"]) };
const QUESTION: Wait = { id: "questionId", begins: "question.asked", ends: new Set(["question.answered"]) };

/** Counts only waits that began and were decided among these facts; what expired has no decision. */
function waited(facts: readonly Fact[], { id, begins, ends }: Wait): Stats["plansWaited"] {
  const since = new Map<unknown, number>();
  const waits: number[] = [];
  for (const { type, detail, atMs } of facts) {
    if (type === begins) since.set(detail[id], atMs);
    const from = ends.has(type) ? since.get(detail[id]) : undefined;
    if (from !== undefined) waits.push(Math.max(0, atMs - from));
    if (ends.has(type)) since.delete(detail[id]); // a changed mind does not count as another wait
  }
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { count: sorted.length, medianMs: at(0.5), p90Ms: at(0.9), longestMs: at(1) };
}

function byRule(refused: readonly AuditFact[]): Stats["refusalsByRule"] {
  const counts = new Map<string, number>();
  for (const { detail } of refused) {
    const rule = typeof detail["rule"] === "string" ? detail["rule"] : "unknown";
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts]
    .map(([rule, count]) => ({ rule, count }))
    .toSorted((a, b) => b.count - a.count || a.rule.localeCompare(b.rule))
    .slice(0, RULES_MAX);
}
