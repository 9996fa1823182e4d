/**
 * Orders of slices, each to the worker that takes its kind. Orders of one session and slice form a lane: one after
 * another, in the order of their commits, so one that is stuck holds up its own lane and nothing else. What nobody takes
 * stays in the outbox until somebody does.
 *
 *   offered ─▶ in its lane ─▶ first in it ─▶ attempt ─┬─ gone ─▶ the next one
 *                                  ▲                  └─ not done ─▶ rests ─┐
 *                                  └──its time · a worker came──────────────┘
 */
import type { OrderTaker, PendingOrder } from "./outbox.ts";
import { type Attempt, attemptOrder, kindOf, type PerformParts, type Performing } from "./perform-order.ts";

/** Orders beyond this limit stay in the store and are read again when these are done. */
const LANE_HELD_MAX = 100;
/** How many lanes are worked on at once; more are taken when half of these have ended. */
const LANES_MAX = 50_000;
/** How many orders of one slice run at once, so that a worker that hangs holds up no other slice. */
const SLICE_PERFORMING_MAX = 50;
const STORE_RETRY_FIRST_MS = 1_000;
/** What waits for the store goes on within seconds of its return, however long it was away. */
const STORE_RETRY_MS_MAX = 2_000;
/** How long running work may go on while the gateway stops; then it is asked to end, and soon abandoned. */
const DRAIN_MS_MAX = 3_000;
const ABORTED_MS_MAX = 2_000;

export type RouterParts = Omit<PerformParts, "performing"> & {
  /** Reads all pending rows again, because there is room for those that were not taken. */
  reread(): void;
  /** Waited for before each order of an unhurried worker. Absent: it begins at once. */
  pause?(): Promise<void>;
};

export type EffectRouter = OrderTaker & {
  /** Before this call orders are kept and none is tried: not all workers are registered yet. */
  open(): void;
  /** Workers came or went. */
  workersChanged(): void;
  /** Begins nothing more; resolves when no order is running, or when the time for stopping is up. */
  drain(): Promise<void>;
};

type Lane = {
  slice: string;
  queue: PendingOrder[];
  isBusy: boolean;
  /** Some orders had no room: no more are taken before all are read again, because one could overtake them. */
  hasOverflown: boolean;
  /** The pending wait before the next attempt. */
  callOff?: () => void;
  waitsForWorker: boolean;
  storeFailures: number;
};

type Router = {
  parts: RouterParts & PerformParts;
  lanes: Map<string, Lane>;
  held: Set<number>;
  slots: Slots;
  isOpen: boolean;
  isDraining: boolean;
  /** As `hasOverflown` of a lane, but for new lanes. */
  hasOverflown: boolean;
  /** Counts changes of the set of workers. */
  workersAt: number;
};

export function createEffectRouter(parts: RouterParts): EffectRouter {
  const performing = new Set<Performing>();
  const router: Router = {
    parts: { ...parts, performing },
    lanes: new Map(),
    held: new Set(),
    slots: createSlots(SLICE_PERFORMING_MAX),
    isOpen: false,
    isDraining: false,
    hasOverflown: false,
    workersAt: 0,
  };
  return {
    rereading: () => rereading(router),
    offer: (order) => offer(order, router),
    open() {
      router.isOpen = true;
      for (const lane of router.lanes.values()) begin(lane, router);
    },
    workersChanged() {
      router.workersAt += 1;
      for (const { order, worker, stop } of performing)
        if (parts.workerFor(order.work.slice, kindOf(order)) !== worker) stop("off");
      for (const lane of router.lanes.values()) if (lane.waitsForWorker) wake(lane, router);
    },
    drain: () => drain(router),
  };
}

function rereading(router: Router): void {
  router.hasOverflown = false;
  for (const [place, lane] of router.lanes) {
    lane.hasOverflown = false;
    if (lane.queue.length === 0) router.lanes.delete(place);
  }
}

function offer(order: PendingOrder, router: Router): void {
  const { held } = router;
  if (router.isDraining || held.has(order.id)) return;
  const lane = laneFor(order, router);
  if (lane === undefined || lane.hasOverflown) return;
  if (lane.queue.length >= LANE_HELD_MAX) return void (lane.hasOverflown = true);
  held.add(order.id);
  lane.queue.push(order);
  begin(lane, router);
}

const placeOf = ({ sessionId, work: { slice } }: PendingOrder): string => JSON.stringify([sessionId, slice]);

function laneFor(order: PendingOrder, router: Router): Lane | undefined {
  const { lanes } = router;
  const there = lanes.get(placeOf(order));
  if (there !== undefined || router.hasOverflown) return there;
  if (lanes.size >= LANES_MAX) return void (router.hasOverflown = true);
  const { slice } = order.work;
  const lane = { slice, queue: [], isBusy: false, hasOverflown: false, waitsForWorker: false, storeFailures: 0 };
  lanes.set(placeOf(order), lane);
  return lane;
}

function begin(lane: Lane, router: Router): void {
  if (lane.isBusy || lane.callOff !== undefined || !router.isOpen || router.isDraining) return;
  lane.isBusy = true;
  void work(lane, router).finally(() => {
    lane.isBusy = false;
    if (lane.queue.length > 0) begin(lane, router); // offered between the last look and this tick
  });
}

async function work(lane: Lane, router: Router): Promise<void> {
  for (let [first] = lane.queue; first !== undefined && !router.isDraining; [first] = lane.queue) {
    const order = first;
    if (isUnhurried(order, router)) await router.parts.pause?.();
    const attempt = await router.slots.run(lane.slice, () => attemptIn(lane, order, router));
    if (attempt === "gone") leave(order, lane, router);
    else if (attempt !== "draining") return rest(lane, attempt, router);
  }
}

const isUnhurried = (order: PendingOrder, { parts }: Router): boolean =>
  parts.workerFor(order.work.slice, kindOf(order))?.isUnhurried === true;

async function attemptIn(lane: Lane, order: PendingOrder, router: Router): Promise<Attempt | "draining"> {
  if (router.isDraining) return "draining";
  const { workersAt } = router;
  try {
    const attempt = await attemptOrder(order, router.parts);
    lane.storeFailures = 0;
    const hasMissedOne = attempt !== "gone" && attempt.noWorker === true && router.workersAt !== workersAt;
    return hasMissedOne ? { waitMs: 0 } : attempt;
  } catch (error) {
    router.parts.report(error, order); // the store did not answer: the order is where it was
    lane.storeFailures += 1;
    return { waitMs: Math.min(STORE_RETRY_FIRST_MS * 2 ** Math.min(lane.storeFailures - 1, 30), STORE_RETRY_MS_MAX) };
  }
}

function leave(order: PendingOrder, lane: Lane, { lanes, held, parts, hasOverflown }: Router): void {
  lane.queue.shift();
  held.delete(order.id);
  if (lane.queue.length > 0) return;
  if (lane.hasOverflown) return parts.reread(); // the lane stays until then, so that nothing overtakes
  lanes.delete(placeOf(order));
  if (hasOverflown && lanes.size === LANES_MAX / 2) parts.reread();
}

function rest(lane: Lane, { waitMs, noWorker = false }: Exclude<Attempt, "gone">, router: Router): void {
  if (router.isDraining) return;
  const { clock } = router.parts;
  lane.waitsForWorker = noWorker;
  lane.callOff = clock.wakeAt(clock.now() + waitMs, () => wake(lane, router));
}

function wake(lane: Lane, router: Router): void {
  lane.callOff?.();
  delete lane.callOff;
  lane.waitsForWorker = false;
  begin(lane, router);
}

async function drain(router: Router): Promise<void> {
  router.isDraining = true;
  const { clock, performing } = router.parts;
  for (const lane of router.lanes.values()) lane.callOff?.();
  const idle = router.slots.idle();
  const within = (ms: number): Promise<boolean> => {
    const late = Promise.withResolvers<boolean>();
    const callOff = clock.wakeAt(clock.now() + ms, () => late.resolve(false));
    return Promise.race([idle.then(() => true), late.promise]).finally(callOff);
  };
  if (await within(DRAIN_MS_MAX)) return;
  for (const { stop } of performing) stop("draining");
  await within(ABORTED_MS_MAX);
}

type Slots = { run<Result>(slice: string, attempt: () => Promise<Result>): Promise<Result>; idle(): Promise<void> };

/** Limits how many run at once per slice; the others wait in the order in which they came. */
function createSlots(perSliceMax: number): Slots {
  const taken = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  const underWay = new Set<Promise<unknown>>();
  async function inSlot<Result>(slice: string, attempt: () => Promise<Result>): Promise<Result> {
    if ((taken.get(slice) ?? 0) >= perSliceMax) {
      const queue = waiting.get(slice) ?? [];
      waiting.set(slice, queue);
      await new Promise<void>((resolve) => queue.push(resolve)); // whoever leaves hands its place on
    } else taken.set(slice, (taken.get(slice) ?? 0) + 1);
    try {
      return await attempt();
    } finally {
      const next = waiting.get(slice)?.shift();
      if (next === undefined) taken.set(slice, (taken.get(slice) ?? 1) - 1);
      else next();
    }
  }
  return {
    run(slice, attempt) {
      const mine = inSlot(slice, attempt);
      const settled = mine.then(forget, forget);
      function forget(): void {
        underWay.delete(settled);
      }
      underWay.add(settled);
      return mine;
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
