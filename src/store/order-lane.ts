/**
 * How far the orders of one slice in one session have come. They are performed one after another, so only the first one
 * has a state: who performs it until when, how often it was tried, and why it waits. The rules stand here once; each
 * adapter reads a lane, applies them and writes the result, with nobody else on that lane in between.
 *
 *   (no lane) ──claim──▶ performing ──done──▶ (no lane)
 *        └─no worker─▶ no-worker │ ▲
 *                          └─────┼─┘ claim, when its time has come or the lease of a dead node has run out
 *                                └──▶ failed · later
 */
import type { SliceWork } from "../core/effect.ts";
import type { SessionId } from "../protocol/ids.ts";

export type OrderRef = { id: number; sessionId: SessionId; slice: string };

export type OrderLane = {
  /** The outbox row that the other fields describe. */
  orderId: number;
  status: "performing" | "failed" | "later" | "no-worker";
  attempts: number;
  /** Failures since it last succeeded or was put off. */
  failures: number;
  /** When the router first saw it. */
  sinceMs: number;
  /** The next attempt is not before this time; 0 where nothing forbids one. */
  nextAtMs: number;
  /** One line; empty where nothing failed. */
  lastError: string;
  /** Who performs it; empty when nobody does. */
  node: string;
  leaseUntilMs: number;
};

export type OrderClaim = OrderRef & {
  node: string;
  nowMs: number;
  leaseUntilMs: number;
  /** Whether this process alone holds the state: then a lease of another node can only be a dead one's. */
  sole: boolean;
  /** The slice's own key; null where it gave none. */
  key: string | null;
};

export type ClaimAnswer =
  | { status: "claimed"; attempt: number; failures: number }
  /** Another node is on this lane. */
  | { status: "held"; untilMs: number }
  /** Its next attempt is not due. */
  | { status: "waiting"; untilMs: number }
  /** The order is already done. */
  | { status: "gone" }
  /** An order with the same key was done in this session. */
  | { status: "repeated" };

export type OrderWait = OrderRef & {
  node: string;
  nowMs: number;
  status: "failed" | "later" | "no-worker";
  nextAtMs: number;
  lastError: string;
};

export type OrderRenewal = OrderRef & { node: string; leaseUntilMs: number };
export type OrderDone = OrderRef & { key: string | null; atMs: number };

/** The first order of a lane that the router saw and that is not done. */
export type OpenOrder = Omit<OrderLane, "orderId" | "node" | "leaseUntilMs"> & {
  id: number;
  sessionId: SessionId;
  work: SliceWork;
};

export type OrderAsk =
  | ({ kind: "claim" } & OrderClaim)
  | ({ kind: "renew" } & OrderRenewal)
  | ({ kind: "wait" } & OrderWait)
  | ({ kind: "done" } & OrderDone);

export type OrderAnswer = ClaimAnswer | { status: "kept" } | { status: "lost" };

/** `isThere`: the outbox has the row; `isRepeated`: its key is recorded as done. */
export type FoundLane = { isThere: boolean; isRepeated: boolean; lane: OrderLane | undefined };
/** `lane`: what is written; null removes it, undefined leaves it as it is. */
export type LaneChange = { answer: OrderAnswer; lane?: OrderLane | null };

export function changeLane(found: FoundLane, ask: OrderAsk): LaneChange {
  switch (ask.kind) {
    case "claim":
      return claimed(found, ask);
    case "renew":
      return renewed(found, ask);
    case "wait":
      return waiting(found, ask);
    case "done":
      return { answer: { status: "kept" }, ...(found.lane?.orderId === ask.id ? { lane: null } : {}) };
  }
}

function claimed({ isThere, isRepeated, lane }: FoundLane, claim: OrderClaim): LaneChange {
  const { id, node, nowMs, leaseUntilMs, sole } = claim;
  if (!isThere) return { answer: { status: "gone" } };
  if (lane !== undefined && !sole && isHeldByAnother(lane, claim))
    return { answer: { status: "held", untilMs: lane.leaseUntilMs } };
  if (isRepeated) return { answer: { status: "repeated" } };
  const known = stateOf(id, lane, nowMs);
  if (known.nextAtMs > nowMs) return { answer: { status: "waiting", untilMs: known.nextAtMs } };
  const attempts = known.attempts + 1;
  return {
    answer: { status: "claimed", attempt: attempts, failures: known.failures },
    lane: { ...known, status: "performing", attempts, nextAtMs: 0, node, leaseUntilMs },
  };
}

function renewed({ lane }: FoundLane, { id, node, leaseUntilMs }: OrderRenewal): LaneChange {
  if (lane?.orderId !== id || lane.node !== node) return { answer: { status: "lost" } };
  return { answer: { status: "kept" }, lane: { ...lane, leaseUntilMs } };
}

function waiting({ isThere, lane }: FoundLane, wait: OrderWait): LaneChange {
  const { id, nowMs, status, nextAtMs, lastError } = wait;
  if (!isThere) return { answer: { status: "gone" } };
  if (lane !== undefined && isHeldByAnother(lane, wait)) return { answer: { status: "lost" } };
  const known = stateOf(id, lane, nowMs);
  const isNoted = lane?.orderId === id && lane.status === "no-worker" && status === "no-worker";
  if (isNoted) return { answer: { status: "kept" } }; // found again and again while its plugin is off
  const failures = { failed: known.failures + 1, later: 0, "no-worker": known.failures }[status];
  // its worker may have named a time, or failed: that nobody takes it for now changes neither
  const why = status === "no-worker" ? {} : { nextAtMs, lastError };
  const waits = { status, failures, ...why, node: "", leaseUntilMs: 0 };
  return { answer: { status: "kept" }, lane: { ...known, ...waits } };
}

/** The lane's state when it is about this order; undefined when it is about another. */
const stateOf = (id: number, lane: OrderLane | undefined, nowMs: number): OrderLane =>
  lane?.orderId === id ? lane : { ...UNTRIED, orderId: id, sinceMs: nowMs };

const UNTRIED = {
  status: "later",
  attempts: 0,
  failures: 0,
  nextAtMs: 0,
  lastError: "",
  node: "",
  leaseUntilMs: 0,
} as const;

const isHeldByAnother = (lane: OrderLane, { node, nowMs }: { node: string; nowMs: number }): boolean =>
  lane.status === "performing" && lane.node !== node && lane.leaseUntilMs > nowMs;

/** Where a done order's own key is recorded: beside the keys of requests, and forgotten with them after two days. */
export const keyPlace = ({ sessionId, slice }: OrderRef, key: string): { principal: string; key: string } => ({
  principal: `order:${slice}`,
  key: `${sessionId}:${key}`,
});

export type WaitAnswer = "kept" | "lost" | "gone";

export type OrderPort = {
  claimOrder(claim: OrderClaim): Promise<ClaimAnswer>;
  /** False: another node has taken the lane, or the order is done. */
  renewOrder(renewal: OrderRenewal): Promise<boolean>;
  /** Not done: why, and when it may be tried again. `lost`: another node performs it, and nothing changes. */
  orderWaits(wait: OrderWait): Promise<WaitAnswer>;
  /** Takes it off the outbox and records its key, if it has one. */
  orderDone(done: OrderDone): Promise<void>;
};

export function orderPort(ask: (asked: OrderAsk) => Promise<OrderAnswer>): OrderPort {
  return {
    async claimOrder(claim) {
      const answer = await ask({ kind: "claim", ...claim });
      if (answer.status === "kept" || answer.status === "lost")
        throw new Error("a claim was answered as if it were none");
      return answer;
    },
    renewOrder: async (renewal) => (await ask({ kind: "renew", ...renewal })).status === "kept",
    async orderWaits(wait) {
      const { status } = await ask({ kind: "wait", ...wait });
      return status === "kept" || status === "gone" ? status : "lost";
    },
    orderDone: async (done) => void (await ask({ kind: "done", ...done })),
  };
}
