/** Searching the library of plans: 10,000 of them, on SQLite and on PostgreSQL. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "../src/store/postgres/postgres-store.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../src/store/store.ts";
import { startPostgres } from "../test/kit/postgres-server.ts";
import { parseQuery } from "../src/library/search/parse-query.ts";
import { entryTerms, planEntry } from "../src/library/search/plan-entry.ts";
import { ApprovalId, CycleId, PlanId, SessionId } from "../src/protocol/ids.ts";
import { Json } from "../src/protocol/json.ts";
import { type Figure, figure, type Group, percentile } from "./figure.ts";

const PLANS = 10_000;
const ROUNDS = 40;
const AT_ONCE = 100;
const WORDS = ["payments", "orders", "invoices", "search", "login", "cache", "queue", "mail", "report", "billing"];
const QUERIES = [
  "change",
  "payments",
  "pay",
  "migrate billing",
  "tag:q3 status:pending",
  "file:src/orders.ts",
  "step 9999",
  "nothinglikeit",
];

function aPlan(n: number) {
  const word = WORDS[n % WORDS.length] ?? "";
  const other = WORDS[(n * 7 + 3) % WORDS.length] ?? "";
  const steps = Array.from({ length: 8 }, (_, step) => ({
    step: `Change src/${word}.ts: step ${step} of ${n}, then migrate ${other}`,
    status: "pending" as const,
    acceptanceCriteria: [`the tests of ${word} pass`, `${other} answers within ${n} ms`],
  }));
  const plan = {
    planId: PlanId.parse(`pln_${n}`),
    sessionId: SessionId.parse(`ses_${n}`),
    cycleId: CycleId.parse(`cyc_${n}`),
    approvalId: ApprovalId.parse(`apr_${n}`),
    revision: 1,
    digest: "d",
    submittedAtMs: 1_700_000_000_000 + n * 1_000,
    body: { title: `Migrate ${word} ${n}`, summary: `For #q${(n % 4) + 1} and #${n}`, plan: steps },
  };
  const added = { tags: [], links: [] };
  const now = { agentId: "main", isNewest: true, isPending: true, isSessionDeleted: false };
  const about = { ...now, decisions: [], notes: [], touched: [], file: null };
  return { plan, entry: planEntry({ plan, added, ...about }) };
}

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < PLANS; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const { plan, entry } = aPlan(from + index);
        await store.saveSearchDocument({
          owner: "library",
          key: plan.planId,
          atMs: plan.submittedAtMs,
          expectedVersion: 0,
          terms: entryTerms(entry, plan),
          body: Json.parse(entry),
        });
      }),
    );
  }
}

async function measure(name: string, store: Store): Promise<Figure[]> {
  await fill(store);
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of QUERIES) {
      const terms = parseQuery({ query });
      const began = performance.now();
      await store.searchDocuments({ owner: "library", terms, cursor: null, limit: 50 });
      tookMs.push(performance.now() - began);
    }
  }
  return [
    figure(`search of ${PLANS} plans on ${name}, p50`, percentile(tookMs, 50), "ms"),
    figure(`search of ${PLANS} plans on ${name}, p99`, percentile(tookMs, 99), "ms"),
  ];
}

export const library: Group = async (report) => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-library-"));
  const sqlite = await openSqliteStore({
    folder,
    onFatal: (error) => {
      throw error;
    },
  });
  for (const made of await measure("SQLite", sqlite)) report(made);
  await sqlite.close();
  rmSync(folder, { recursive: true });
  const server = await startPostgres();
  const postgres = await openPostgresStore({ url: server.url, schema: "bench_library" });
  for (const made of await measure("PostgreSQL", postgres)) report(made);
  await postgres.close();
  await server.stop();
};
