/** Orders of slices: who may perform one, what is remembered of it, and what is listed when it does not come to an end. */
import { expect, it } from "vitest";
import type { OutboxEffect, SliceWork } from "../../core/effect.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { OrderClaim } from "../order-lane.ts";
import { IDEMPOTENCY_KEPT_MS, type PendingEffect, type Store } from "../store.ts";
import type { Test } from "./commit-contract.ts";
import { aCommit, commitAll, sid, START_MS } from "./harness.ts";

const LEASE_MS = 15_000;

const order = (n: number, more: Partial<SliceWork> = {}): SliceWork => ({
  kind: "perform",
  slice: "deploy",
  order: { do: "ship", n },
  atMs: START_MS,
  ...more,
});

async function ordered(store: Store, id: SessionId, outbox: OutboxEffect[]): Promise<PendingEffect[]> {
  const version = (await store.session(id))?.version ?? 0;
  await commitAll(store, [aCommit(id, { expectedVersion: version, outbox })]);
  return (await store.pendingEffects({ id: 0, limit: 100 })).filter((row) => row.sessionId === id);
}

const claimOf = (row: PendingEffect | undefined, change: Partial<OrderClaim> = {}): OrderClaim => ({
  id: row?.id ?? 0,
  sessionId: row?.sessionId ?? sid("none"),
  slice: "deploy",
  node: "n1",
  nowMs: START_MS,
  leaseUntilMs: (change.nowMs ?? START_MS) + LEASE_MS,
  sole: false,
  key: null,
  ...change,
});

const waitOf = (claim: OrderClaim, status: "failed" | "later" | "no-worker", nextAtMs: number) => {
  const { id, sessionId, slice, node, nowMs } = claim;
  return { id, sessionId, slice, node, nowMs, status, nextAtMs, lastError: status === "failed" ? "refused" : "" };
};

const doneOf = ({ id, sessionId, slice, key, nowMs }: OrderClaim) => ({ id, sessionId, slice, key, atMs: nowMs });

export function orderContract(test: Test): void {
  claiming(test);
  remembering(test);
  reporting(test);
}

function claiming(test: Test): void {
  it(
    "[PL-12] an order is claimed by one node at a time, and by another when the lease of the first has run out",
    test(async ({ store }) => {
      const [row] = await ordered(store, sid("a"), [order(1)]);
      const answers = await Promise.all(
        ["n1", "n2", "n3", "n4"].map((node) => store.claimOrder(claimOf(row, { node }))),
      );
      expect(answers.filter(({ status }) => status === "claimed")).toEqual([
        { status: "claimed", attempt: 1, failures: 0 },
      ]);
      expect(answers.filter(({ status }) => status === "held")).toEqual(
        Array.from({ length: 3 }, () => ({ status: "held", untilMs: START_MS + LEASE_MS })),
      );
      const after = { node: "n9", nowMs: START_MS + LEASE_MS };
      expect(await store.claimOrder(claimOf(row, after))).toEqual({ status: "claimed", attempt: 2, failures: 0 });
    }),
  );

  it(
    "a process that holds the state alone does not wait for a dead one's lease",
    test(async ({ store, reopen }) => {
      const [row] = await ordered(store, sid("a"), [order(1)]);
      await store.claimOrder(claimOf(row));
      const again = await reopen();
      expect(await again.claimOrder(claimOf(row, { node: "n2", sole: true }))).toEqual({
        status: "claimed",
        attempt: 2,
        failures: 0,
      });
    }),
  );

  it(
    "keeps a lease that is renewed, and tells the node that lost it",
    test(async ({ store }) => {
      const [row] = await ordered(store, sid("a"), [order(1)]);
      const first = claimOf(row);
      await store.claimOrder(first);
      expect(await store.renewOrder({ ...first, leaseUntilMs: START_MS + 2 * LEASE_MS })).toBe(true);
      const late = claimOf(row, { node: "n2", nowMs: START_MS + LEASE_MS });
      expect(await store.claimOrder(late)).toEqual({ status: "held", untilMs: START_MS + 2 * LEASE_MS });
      await store.claimOrder({ ...late, nowMs: START_MS + 2 * LEASE_MS, leaseUntilMs: START_MS + 3 * LEASE_MS });
      expect(await store.renewOrder({ ...first, leaseUntilMs: START_MS + 9 * LEASE_MS })).toBe(false);
      expect(await store.orderWaits(waitOf(first, "failed", 0))).toBe("lost");
      expect(await store.openOrders({ limit: 10 })).toMatchObject([{ status: "performing", attempts: 2 }]);
    }),
  );

  it(
    "an order of the same slice and session waits for the node that performs the one before; others do not",
    test(async ({ store }) => {
      const [first, second] = await ordered(store, sid("a"), [order(1), order(2)]);
      const [other] = await ordered(store, sid("b"), [order(3)]);
      await store.claimOrder(claimOf(first));
      expect(await store.claimOrder(claimOf(second, { node: "n2" }))).toMatchObject({ status: "held" });
      expect(await store.claimOrder(claimOf(other, { node: "n2" }))).toMatchObject({ status: "claimed" });
      expect(await store.claimOrder(claimOf(second, { node: "n2", slice: "mail" }))).toMatchObject({
        status: "claimed",
      });
    }),
  );

  it(
    "an order that was done is gone for everybody, also for a node that read it before",
    test(async ({ store, reopen }) => {
      const rows = await ordered(store, sid("a"), [order(1), order(2)]);
      await store.claimOrder(claimOf(rows[0]));
      await store.orderDone(doneOf(claimOf(rows[0])));
      await store.orderDone(doneOf(claimOf(rows[0])));
      const again = await reopen();
      expect(await again.claimOrder(claimOf(rows[0], { node: "n2" }))).toEqual({ status: "gone" });
      expect(await again.orderWaits(waitOf(claimOf(rows[0]), "failed", 0))).toBe("gone");
      expect(await again.openOrders({ limit: 10 })).toEqual([]);
      expect(await again.pendingEffects({ id: 0, limit: 10 })).toEqual(rows.slice(1));
      expect(await again.claimOrder(claimOf(rows[1]))).toEqual({ status: "claimed", attempt: 1, failures: 0 });
    }),
  );
}

function remembering(test: Test): void {
  it(
    "[I13] of orders with the same key in one session only the first is performed, for as long as keys are kept",
    test(async ({ store, reopen }) => {
      const rows = await ordered(store, sid("a"), [order(1, { key: "k" }), order(2, { key: "k" }), order(3)]);
      const [elsewhere] = await ordered(store, sid("b"), [order(4, { key: "k" })]);
      const first = claimOf(rows[0], { key: "k" });
      expect(await store.claimOrder(first)).toMatchObject({ status: "claimed" });
      await store.orderDone(doneOf(first));
      const again = await reopen();
      expect(await again.claimOrder(claimOf(rows[1], { key: "k" }))).toEqual({ status: "repeated" });
      expect(await again.claimOrder(claimOf(elsewhere, { key: "k" }))).toMatchObject({ status: "claimed" });
      expect(await again.claimOrder(claimOf(rows[1], { key: "k", slice: "mail" }))).toMatchObject({
        status: "claimed",
      });
      await again.prune(START_MS + IDEMPOTENCY_KEPT_MS);
      expect(await again.claimOrder(claimOf(rows[1], { key: "k" }))).toEqual({ status: "repeated" });
      await again.prune(START_MS + IDEMPOTENCY_KEPT_MS + 1);
      expect(await again.claimOrder(claimOf(rows[1], { key: "k" }))).toEqual({
        status: "claimed",
        attempt: 1,
        failures: 0,
      });
    }),
  );

  it(
    "an order that failed is not tried before its time, by whatever node and after a restart",
    test(async ({ store, reopen }) => {
      const [row] = await ordered(store, sid("a"), [order(1)]);
      await store.claimOrder(claimOf(row));
      expect(await store.orderWaits(waitOf(claimOf(row), "failed", START_MS + 4_000))).toBe("kept");
      const again = await reopen();
      expect(await again.claimOrder(claimOf(row, { node: "n2", nowMs: START_MS + 3_999 }))).toEqual({
        status: "waiting",
        untilMs: START_MS + 4_000,
      });
      expect(await again.claimOrder(claimOf(row, { node: "n2", nowMs: START_MS + 4_000 }))).toEqual({
        status: "claimed",
        attempt: 2,
        failures: 1,
      });
    }),
  );

  it(
    "reads an order of an earlier version under its present name",
    test(async ({ store, reopen }) => {
      // as it was written before orders had a time
      const recorded = JSON.parse(
        '{"kind":"carry-out","slice":"scheduler","order":{"do":"index","atMs":1790000000000}}',
      );
      await ordered(store, sid("a"), [recorded]);
      expect((await (await reopen()).pendingEffects({ id: 0, limit: 10 })).map(({ effect }) => effect)).toEqual([
        { kind: "perform", slice: "scheduler", order: { do: "index", atMs: START_MS } },
      ]);
    }),
  );
}

function reporting(test: Test): void {
  it(
    "lists what was looked at and is not done, longest first, with how often it was tried and why it waits",
    test(async ({ store, reopen }) => {
      const rows = await ordered(store, sid("a"), [order(1), order(2)]);
      const [other] = await ordered(store, sid("b"), [order(3), { kind: "run-turn", turnId: "trn_1" as never }]);
      const late = claimOf(rows[0], { nowMs: START_MS + 5 });
      await store.claimOrder(late);
      await store.orderWaits(waitOf(late, "failed", START_MS + 1_005));
      await store.claimOrder({ ...late, nowMs: START_MS + 1_005 });
      await store.orderWaits(waitOf({ ...late, nowMs: START_MS + 1_005 }, "later", START_MS + 9_000));
      await store.orderWaits(waitOf(claimOf(other), "no-worker", 0));
      await store.orderWaits(waitOf(claimOf(other, { nowMs: START_MS + 30_000 }), "no-worker", 0));
      const again = await reopen();
      const listed = await again.openOrders({ limit: 10 });
      expect(listed).toEqual([
        {
          id: other?.id,
          sessionId: sid("b"),
          work: order(3),
          status: "no-worker",
          attempts: 0,
          failures: 0,
          sinceMs: START_MS,
          nextAtMs: 0,
          lastError: "",
        },
        {
          id: rows[0]?.id,
          sessionId: sid("a"),
          work: order(1),
          status: "later",
          attempts: 2,
          failures: 0,
          sinceMs: START_MS + 5,
          nextAtMs: START_MS + 9_000,
          lastError: "",
        },
      ]);
      expect(await again.openOrders({ limit: 1 })).toEqual(listed.slice(0, 1));
    }),
  );
}
