/**
 * One attempt at one order.
 *
 *   a worker? ──no──▶ kept, and noted once
 *       └─yes─▶ claim ─┬─ gone · same key done before ─▶ off the outbox
 *                      ├─ another node has it · not due ─▶ looked at again later
 *                      └─ claimed ─▶ perform ─┬─ done ─▶ off the outbox
 *                                             ├─ later · stopped ─▶ again at its time
 *                                             └─ failed ─▶ again after a wait that grows
 */
import type { OrderOutcome, SliceWorker } from "../core/worker.ts";
import type { OrderPort, OrderWait, WaitAnswer } from "../store/order-lane.ts";
import type { Clock } from "./clock.ts";
import { failureLine } from "./failure-line.ts";
import type { PendingOrder } from "./outbox.ts";

/** After this time without renewal another node takes the order over. */
const ORDER_LEASE_MS = 12_000;
/** After this the worker is asked to stop. Until it does, nothing else of its lane begins: it might still be at work. */
export const PERFORM_MS_MAX = 600_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MS_MAX = 300_000;
const LATER_MS = 1_000;
/** Each attempt is two writes to the store, which everybody shares. */
const LATER_MS_MIN = 100;
const LATER_MS_MAX = 7 * 24 * 3_600_000;
/** A node that died must be noticed soon after its lease has run out. */
const HELD_LOOK_MS = 1_000;
const NO_WORKER_LOOK_MS = 30_000;

/** Why a worker is stopped. `off`: its plugin was switched off; `lost`: another node has taken over. */
export type Stop = "draining" | "off" | "lost" | "overdue";

export type Performing = { order: PendingOrder; worker: SliceWorker; stop(why: Stop): void };

export type PerformParts = {
  store: OrderPort;
  clock: Clock;
  /** Unique to this process. */
  node: string;
  /** Whether this process alone holds the state. */
  sole: boolean;
  workerFor(slice: string, kind: string): SliceWorker | undefined;
  report(error: unknown, order: PendingOrder): void;
  performing: Set<Performing>;
};

/** `gone`: its row left the outbox. Otherwise how long to wait before the next attempt. */
export type Attempt = "gone" | { waitMs: number; noWorker?: boolean };

export async function attemptOrder(order: PendingOrder, parts: PerformParts): Promise<Attempt> {
  const { store, clock, node, sole, workerFor } = parts;
  const { key = null, slice } = order.work;
  const worker = workerFor(slice, kindOf(order));
  if (worker === undefined) return unclaimed(order, parts);
  const nowMs = clock.now();
  const lease = { node, nowMs, leaseUntilMs: nowMs + ORDER_LEASE_MS, sole, key };
  const claim = await store.claimOrder({ ...refOf(order), ...lease });
  switch (claim.status) {
    case "gone":
      return "gone";
    case "repeated":
      return finish(order, parts);
    case "held":
      return { waitMs: HELD_LOOK_MS };
    case "waiting":
      return { waitMs: claim.untilMs - nowMs };
    case "claimed":
      return perform({ order, worker, attempt: claim.attempt, failures: claim.failures }, parts);
  }
}

/** Rows of earlier versions may be of any shape; an order without a kind finds no worker and is kept. */
export const kindOf = ({ work: { order } }: PendingOrder): string => (typeof order.do === "string" ? order.do : "");

const refOf = ({ id, sessionId, work: { slice } }: PendingOrder) => ({ id, sessionId, slice });

/** Contains the time because a restored backup gives the same numbers to other rows. */
function orderKey({ id, sessionId, work: { slice, key, atMs } }: PendingOrder): string {
  if (key !== undefined) return `${sessionId}:${slice}:${key}`;
  return atMs === undefined ? `${sessionId}:${id}` : `${sessionId}:${id}:${atMs}`;
}

/** Another node may have a worker, so check whether the order is still in the outbox. */
async function unclaimed(order: PendingOrder, parts: PerformParts): Promise<Attempt> {
  const noted = await waits(order, { status: "no-worker", nextAtMs: 0, lastError: "" }, parts);
  return noted === "gone" ? "gone" : { waitMs: NO_WORKER_LOOK_MS, noWorker: true };
}

async function finish(order: PendingOrder, { store, clock }: PerformParts): Promise<"gone"> {
  await store.orderDone({ ...refOf(order), key: order.work.key ?? null, atMs: clock.now() });
  return "gone";
}

type Waiting = Pick<OrderWait, "status" | "nextAtMs" | "lastError">;

const waits = (order: PendingOrder, waiting: Waiting, { store, clock, node }: PerformParts): Promise<WaitAnswer> =>
  store.orderWaits({ ...refOf(order), node, nowMs: clock.now(), ...waiting });

type Claimed = { order: PendingOrder; worker: SliceWorker; attempt: number; failures: number };

type Ended = { waitMs: number } | "done" | { failed: unknown; why: Stop | undefined };

async function perform(claimed: Claimed, parts: PerformParts): Promise<Attempt> {
  const { order } = claimed;
  const held = hold(order, claimed.worker, parts);
  try {
    const ended = await performed(claimed, held);
    if (ended === "done") return await finish(order, parts);
    if ("failed" in ended) return await afterFailure(claimed, ended, parts);
    await waits(order, { status: "later", nextAtMs: parts.clock.now() + ended.waitMs, lastError: "" }, parts);
    return ended;
  } finally {
    held.release();
  }
}

async function performed({ order, worker, attempt }: Claimed, { signal, stopped }: Held): Promise<Ended> {
  try {
    const call = { sessionId: order.sessionId, key: orderKey(order), attempt, signal };
    const outcome = await worker.perform(order.work.order, call);
    return outcome === "done" ? "done" : { waitMs: laterMs(outcome) };
  } catch (failed) {
    return { failed, why: stopped() };
  }
}

type Failed = Extract<Ended, { failed: unknown }>;

/** Being stopped is no failure. */
async function afterFailure(claimed: Claimed, { failed, why }: Failed, parts: PerformParts): Promise<Attempt> {
  const { order, failures } = claimed;
  if (why === "lost") return { waitMs: HELD_LOOK_MS };
  if (why === "draining" || why === "off") {
    await waits(order, { status: "later", nextAtMs: 0, lastError: "" }, parts);
    return { waitMs: 0 };
  }
  parts.report(failed, order);
  const waitMs = Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures, 30), RETRY_MS_MAX);
  const lastError = why === "overdue" ? `no end within ${PERFORM_MS_MAX / 1_000} s` : failureLine(failed);
  await waits(order, { status: "failed", nextAtMs: parts.clock.now() + waitMs, lastError }, parts);
  return { waitMs };
}

/** A worker of an outside plugin may answer anything; an invalid answer is a failure, never a "done". */
function laterMs(outcome: Exclude<OrderOutcome, "done">): number {
  if (outcome === "later") return LATER_MS;
  const given: unknown = typeof outcome === "object" && outcome !== null ? outcome.laterMs : undefined;
  if (typeof given !== "number" || !(given >= 0)) throw new Error("the worker answered neither done nor later");
  return Math.min(Math.max(given, LATER_MS_MIN), LATER_MS_MAX);
}

type Held = { signal: AbortSignal; stopped(): Stop | undefined; release(): void };

/** Holds the lease while the worker runs, and everything that can end it. */
function hold(order: PendingOrder, worker: SliceWorker, parts: PerformParts): Held {
  const { clock, performing } = parts;
  const abort = new AbortController();
  let why: Stop | undefined;
  const stop = (reason: Stop): void => {
    why ??= reason;
    abort.abort(new Error(`the order is stopped: ${why}`));
  };
  const held: Performing = { order, worker, stop };
  performing.add(held);
  const stopRenewing = parts.sole ? (): void => undefined : renewing(order, parts, () => stop("lost"));
  const callOff = clock.wakeAt(clock.now() + PERFORM_MS_MAX, () => stop("overdue"));
  return {
    signal: abort.signal,
    stopped: () => why,
    release() {
      performing.delete(held);
      stopRenewing();
      callOff();
    },
  };
}

/** Renews at a third of the lease, so that it survives a store that hangs for as long as one statement may. */
function renewing(order: PendingOrder, { store, clock, node, report }: PerformParts, lost: () => void): () => void {
  let leaseUntilMs = clock.now() + ORDER_LEASE_MS;
  let callOff: (() => void) | undefined;
  let isOver = false;
  const arm = (): void => {
    if (!isOver) callOff = clock.wakeAt(clock.now() + ORDER_LEASE_MS / 3, () => void renew());
  };
  async function renew(): Promise<void> {
    const next = clock.now() + ORDER_LEASE_MS;
    try {
      if (!(await store.renewOrder({ ...refOf(order), node, leaseUntilMs: next }))) return isOver ? undefined : lost();
      leaseUntilMs = next;
    } catch (error) {
      report(error, order);
      if (clock.now() >= leaseUntilMs) return lost();
    }
    arm();
  }
  arm();
  return () => {
    isOver = true;
    callOff?.();
  };
}
