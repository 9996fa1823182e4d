import { expect, it } from "vitest";
import { documentsOf } from "../../compose/plugins/plugin-host.ts";
import { create, sid } from "../../store/contract/harness.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import { ApprovalId, CycleId, PlanId } from "../../protocol/ids.ts";
import { Json } from "../../protocol/json.ts";
import type { PlanRevision } from "../../plan-mode/protocol/plan.ts";
import { createLibraryIndex, type IndexPorts } from "./library-index.ts";

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

async function aLibrary(placeOf: IndexPorts["placeOf"] = async () => ({ agentId: "main", pending: undefined })) {
  const store = openMemoryStore();
  for (const n of [1, 2, 3]) {
    const artifact = { kind: "plan", id: `pln_${n}`, digest: "d", body: Json.parse(revision(n)) };
    await store.commit({ ...create(sid(n)), artifacts: [artifact] });
  }
  const index = createLibraryIndex({
    documents: documentsOf(store),
    search: store,
    placeOf,
    touched: async () => [],
  });
  const titles = async (): Promise<string[]> => {
    const { plans } = await index.find([{ term: "heirloom", isPrefix: false }], { cursor: null, limit: 10 });
    return plans.map(({ title }) => title);
  };
  return { index, titles, store };
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

it("[BY-10] plans whose sessions were deleted under an earlier version are read once more at the first search", async () => {
  let isGone = false;
  const { index, store } = await aLibrary(async (id) =>
    isGone && id === sid(2) ? undefined : { agentId: "main", pending: id === sid(3) ? "pln_3" : "pln_2" },
  );
  for (const n of [2, 3]) await index.indexSession(sid(n));
  const earlier = { owner: "library-state", key: "backfill", atMs: 0, expectedVersion: 0, terms: [] };
  await store.saveSearchDocument({ ...earlier, body: { done: true } });
  isGone = true;
  expect(await index.backfill()).toBe(true);
  await expect.poll(async () => index.backfill()).toBe(false);
  const found = await Promise.all([2, 3].map((n) => index.entry(PlanId.parse(`pln_${n}`))));
  expect(found).toMatchObject([{ outcome: "left", agentId: "main", sessionDeleted: true }, { outcome: "pending" }]);
});

it("[BY-10] once a session is gone, every plan of it says so", async () => {
  let place: Awaited<ReturnType<IndexPorts["placeOf"]>> = { agentId: "main", pending: "pln_9" };
  const { index, store } = await aLibrary(async () => place);
  const later = { ...revision(1), planId: PlanId.parse("pln_9"), cycleId: CycleId.parse("cyc_9") };
  const artifact = { kind: "plan", id: "pln_9", digest: "d", body: Json.parse(later) };
  await store.commit({ ...create(sid(1)), expectedVersion: 1, artifacts: [artifact] });
  await index.indexSession(sid(1), "kept.md");
  place = undefined;
  await index.indexSession(sid(1));
  const found = await Promise.all(["pln_1", "pln_9"].map((id) => index.entry(PlanId.parse(id))));
  expect(found).toMatchObject([
    { outcome: "left", sessionDeleted: true },
    { outcome: "left", sessionDeleted: true, agentId: "main", file: "kept.md" },
  ]);
});

it("[BY-10, ST-02] an entry says what is true now, also before what happened was indexed", async () => {
  let place: Awaited<ReturnType<IndexPorts["placeOf"]>> = { agentId: "main", pending: "pln_2" };
  const { index } = await aLibrary(async () => place);
  await index.indexSession(sid(2), "kept.md");
  expect(await index.entry(PlanId.parse("pln_2"))).toMatchObject({ outcome: "pending", file: "kept.md" });
  place = undefined; // the session was deleted, and nobody has read its plans since
  expect(await index.entry(PlanId.parse("pln_2"))).toMatchObject({
    outcome: "left",
    sessionDeleted: true,
    agentId: "main",
    file: "kept.md",
  });
  expect(await index.entry(PlanId.parse("pln_none"))).toBeUndefined();
});
