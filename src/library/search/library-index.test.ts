import { expect, it } from "vitest";
import { documentsOf } from "../../compose/plugins/plugin-host.ts";
import { create, sid } from "../../store/contract/harness.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import { ApprovalId, CycleId, PlanId } from "../../protocol/ids.ts";
import { Json } from "../../protocol/json.ts";
import type { PlanRevision } from "../../plan-mode/protocol/plan.ts";
import { createLibraryIndex } from "./library-index.ts";

const revision = (n: number): PlanRevision => ({
  planId: PlanId.parse(`pln_${n}`),
  sessionId: sid(n),
  cycleId: CycleId.parse(`cyc_${n}`),
  approvalId: ApprovalId.parse(`apr_${n}`),
  revision: 1,
  digest: "d",
  submittedAtMs: 1_000 + n,
  body: { title: `Heirloom ${n}`, plan: [{ step: "Look", status: "pending" }] },
});

async function aLibrary() {
  const store = openMemoryStore();
  for (const n of [1, 2, 3]) {
    const artifact = { kind: "plan", id: `pln_${n}`, digest: "d", body: Json.parse(revision(n)) };
    await store.commit({ ...create(sid(n)), artifacts: [artifact] });
  }
  const index = createLibraryIndex({
    documents: documentsOf(store),
    search: store,
    placeOf: async () => ({ agentId: "main", pending: undefined }),
    touched: async () => [],
  });
  const titles = async (): Promise<string[]> => {
    const { plans } = await index.find([{ term: "heirloom", isPrefix: false }], { cursor: null, limit: 10 });
    return plans.map(({ title }) => title);
  };
  return { index, titles };
}

it("[BY-10] plans that were stored before there was a library are read into it at the first search", async () => {
  const { index, titles } = await aLibrary();
  expect([await titles(), await index.backfill()]).toEqual([[], true]);
  await expect.poll(async () => index.backfill()).toBe(false);
  expect(await titles()).toEqual(["Heirloom 3", "Heirloom 2", "Heirloom 1"]);
});

it("[BY-10] of two who change one plan at once neither loses what it added", async () => {
  const { index } = await aLibrary();
  const planId = PlanId.parse("pln_2");
  const tagged = (tag: string) => index.change(planId, ({ tags, links }) => ({ tags: [...tags, tag], links }));
  await Promise.all(["a", "b", "c", "d"].map(tagged));
  await index.indexSession(sid(2), "file.md");
  expect(await index.entry(planId)).toMatchObject({ tags: ["a", "b", "c", "d"], file: "file.md" });
  expect(await index.change(PlanId.parse("pln_none"), (added) => added)).toBeUndefined();
});
