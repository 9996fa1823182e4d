/** The rules of a lane of orders, which each adapter applies to the row that it has read. */
import { describe, expect, it } from "vitest";
import { SessionId } from "../protocol/ids.ts";
import { changeLane, keyPlace, type OrderAnswer, type OrderAsk, type OrderLane, orderPort } from "./order-lane.ts";

const at = { id: 7, sessionId: SessionId.parse("ses_1"), slice: "deploy" };
const performing: OrderLane = {
  orderId: 7,
  status: "performing",
  attempts: 2,
  failures: 1,
  sinceMs: 10,
  nextAtMs: 0,
  lastError: "refused",
  node: "n1",
  leaseUntilMs: 200,
};
const failed: OrderLane = { ...performing, status: "failed", nextAtMs: 150, node: "", leaseUntilMs: 0 };
const there = (lane?: OrderLane) => ({ isThere: true, isRepeated: false, lane });

const claim = (node: string, nowMs: number, sole = false): OrderAsk => ({
  kind: "claim",
  ...at,
  node,
  nowMs,
  leaseUntilMs: nowMs + 100,
  sole,
  key: null,
});
const wait = (status: "failed" | "later" | "no-worker", node = "n1"): OrderAsk => ({
  kind: "wait",
  ...at,
  node,
  nowMs: 100,
  status,
  nextAtMs: 500,
  lastError: "away",
});

describe("a lane of orders", () => {
  it("[PL-12] an order that nobody tried is claimed as the first attempt", () => {
    expect(changeLane(there(), claim("n1", 100))).toEqual({
      answer: { status: "claimed", attempt: 1, failures: 0 },
      lane: {
        orderId: 7,
        status: "performing",
        attempts: 1,
        failures: 0,
        sinceMs: 100,
        nextAtMs: 0,
        lastError: "",
        node: "n1",
        leaseUntilMs: 200,
      },
    });
  });

  it("[PL-12, SC-02] is one node's while its lease holds, and anybody's from then on", () => {
    expect(changeLane(there(performing), claim("n2", 199))).toEqual({ answer: { status: "held", untilMs: 200 } });
    expect(changeLane(there(performing), claim("n2", 199, true)).answer).toMatchObject({ status: "claimed" });
    expect(changeLane(there(performing), claim("n2", 200))).toEqual({
      answer: { status: "claimed", attempt: 3, failures: 1 },
      lane: { ...performing, attempts: 3, node: "n2", leaseUntilMs: 300 },
    });
    expect(changeLane(there(performing), claim("n1", 100)).answer).toMatchObject({ status: "claimed", attempt: 3 });
  });

  it("[PL-12] is nobody's while its order only waits, whatever the row still says of an earlier holder", () => {
    const left = { ...failed, node: "n1", leaseUntilMs: 900 };
    expect(changeLane(there(left), claim("n2", 150)).answer).toMatchObject({ status: "claimed" });
    expect(changeLane(there(left), wait("failed", "n2")).answer).toEqual({ status: "kept" });
  });

  it("waits for the time of its next attempt", () => {
    expect(changeLane(there(failed), claim("n1", 149))).toEqual({ answer: { status: "waiting", untilMs: 150 } });
    expect(changeLane(there(failed), claim("n1", 150))).toMatchObject({ lane: { status: "performing", nextAtMs: 0 } });
  });

  it("[I13] an order that is gone or was done under the same key is not performed", () => {
    expect(changeLane({ isThere: false, isRepeated: true, lane: performing }, claim("n1", 1))).toEqual({
      answer: { status: "gone" },
    });
    expect(changeLane({ isThere: true, isRepeated: true, lane: undefined }, claim("n1", 1))).toEqual({
      answer: { status: "repeated" },
    });
    expect(changeLane({ isThere: false, isRepeated: false, lane: performing }, wait("failed"))).toEqual({
      answer: { status: "gone" },
    });
  });

  it("[SC-02] is renewed by its holder alone, and for the order that it is about", () => {
    const renewal = (more: { id?: number; node?: string } = {}): OrderAsk => ({
      kind: "renew",
      ...at,
      node: "n1",
      leaseUntilMs: 300,
      ...more,
    });
    expect(changeLane(there(performing), renewal())).toEqual({
      answer: { status: "kept" },
      lane: { ...performing, leaseUntilMs: 300 },
    });
    const lost = { answer: { status: "lost" } };
    expect(changeLane(there(performing), renewal({ node: "n2" }))).toEqual(lost);
    expect(changeLane(there(performing), renewal({ id: 8 }))).toEqual(lost);
    expect(changeLane(there(), renewal())).toEqual(lost);
  });

  it("remembers why its order waits: failures count, putting off forgives them, nobody to take it changes neither", () => {
    const waits = { attempts: 2, sinceMs: 10, orderId: 7, node: "", leaseUntilMs: 0 };
    const kept = { answer: { status: "kept" } };
    expect(changeLane(there(performing), wait("failed"))).toEqual({
      ...kept,
      lane: { ...waits, status: "failed", failures: 2, nextAtMs: 500, lastError: "away" },
    });
    expect(changeLane(there(performing), wait("later"))).toEqual({
      ...kept,
      lane: { ...waits, status: "later", failures: 0, nextAtMs: 500, lastError: "away" },
    });
    expect(changeLane(there(failed), wait("no-worker"))).toEqual({
      ...kept,
      lane: { ...waits, status: "no-worker", failures: 1, nextAtMs: 150, lastError: "refused" },
    });
  });

  it("that nobody takes is written once, however often it is found", () => {
    const unclaimed: OrderLane = { ...failed, status: "no-worker" };
    expect(changeLane(there(unclaimed), wait("no-worker"))).toEqual({ answer: { status: "kept" } });
    expect(changeLane(there(unclaimed), wait("failed"))).toMatchObject({ lane: { status: "failed" } });
    expect(changeLane(there({ ...unclaimed, orderId: 6 }), wait("no-worker"))).toMatchObject({ lane: { orderId: 7 } });
    expect(changeLane(there(), wait("no-worker"))).toMatchObject({ lane: { orderId: 7, status: "no-worker" } });
  });

  it("[SC-02] a node that lost it says nothing about it any more", () => {
    expect(changeLane(there(performing), wait("failed", "n2"))).toEqual({ answer: { status: "lost" } });
  });

  it("is removed when the order that it is about is done, and by no other", () => {
    const done = (id: number): OrderAsk => ({ kind: "done", ...at, id, key: null, atMs: 1 });
    expect(changeLane(there(performing), done(7))).toEqual({ answer: { status: "kept" }, lane: null });
    expect(changeLane(there(performing), done(6))).toEqual({ answer: { status: "kept" } });
    expect(changeLane(there(), done(7))).toEqual({ answer: { status: "kept" } });
  });
});

it("[I13] the key of a done order is kept for its slice and session", () => {
  expect(keyPlace(at, "k")).toEqual({ principal: "order:deploy", key: "ses_1:k" });
});

describe("the port of a store that applies these rules", () => {
  const answering = (answer: OrderAnswer) => orderPort(async () => answer);
  const asked = { ...at, node: "n1", nowMs: 1, leaseUntilMs: 2, sole: true, key: null };

  it("hands a claim's answer on, and takes none that is about something else", async () => {
    expect(await answering({ status: "gone" }).claimOrder(asked)).toEqual({ status: "gone" });
    for (const status of ["kept", "lost"] as const)
      await expect(answering({ status }).claimOrder(asked)).rejects.toThrow("a claim was answered as if it were none");
  });

  it("says whether a lease was kept, and what became of an order that waits", async () => {
    expect(await answering({ status: "kept" }).renewOrder(asked)).toBe(true);
    expect(await answering({ status: "lost" }).renewOrder(asked)).toBe(false);
    const waits = { ...at, node: "n1", nowMs: 1, status: "later", nextAtMs: 2, lastError: "" } as const;
    const told = ["kept", "gone", "lost", "repeated"] as const;
    expect(await Promise.all(told.map((status) => answering({ status }).orderWaits(waits)))).toEqual([
      "kept",
      "gone",
      "lost",
      "lost",
    ]);
  });

  it("asks the store for each by its kind, with all that it was given", async () => {
    const asks: OrderAsk[] = [];
    const port = orderPort(async (ask) => {
      asks.push(ask);
      return ask.kind === "claim" ? { status: "gone" } : { status: "kept" };
    });
    const waits = { ...at, node: "n1", nowMs: 1, status: "later", nextAtMs: 2, lastError: "" } as const;
    const done = { ...at, key: "k", atMs: 3 };
    await port.claimOrder(asked);
    await port.renewOrder(asked);
    await port.orderWaits(waits);
    await port.orderDone(done);
    expect(asks).toEqual([
      { kind: "claim", ...asked },
      { kind: "renew", ...asked },
      { kind: "wait", ...waits },
      { kind: "done", ...done },
    ]);
  });
});
