/**
 * Performs the work that commits left in the outbox, at least once. A row is removed only after its work is done, so
 * resuming after a crash is just reading what is still there. Orders of slices are read here and passed to the router.
 */
import type { OutboxEffect, SliceWork } from "../core/effect.ts";
import { RefusalError } from "../protocol/refusal.ts";
import type { PendingEffect, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

const PAGE = 100;
const RETRY_FIRST_MS = 1_000;
const RETRY_MS_MAX = 30_000;
/**
 * Work that another node holds is checked at this steady pace, because a dead node must be noticed within a second or
 * two.
 */
const HELD_RETRY_MS = 1_000;
const STORE_RETRY_MS = 1_000;
/** What is beyond it stays in the store, where it costs nothing, until something has finished. */
const RUNNING_MAX = 1_000;

export type PendingWork = Omit<PendingEffect, "effect"> & { effect: Exclude<OutboxEffect, SliceWork> };
export type PendingOrder = Omit<PendingEffect, "effect"> & { work: SliceWork };

/** `later`: another node holds the work; it is tried again after the retry time. */
export type RunEffect = (pending: PendingWork) => Promise<"done" | "later">;

export type OrderTaker = {
  /** All pending rows are read again from the first one. */
  rereading(): void;
  /** In the order of the rows; an order that the router already has may be offered again. */
  offer(order: PendingOrder): void;
};

export type Outbox = {
  /** Looks for new rows now. Called after each commit that left work, and once at the start. */
  wake(): void;
  /** As `wake`, but from the first row on: the router had no room for some orders. */
  reread(): void;
  /** Takes no new work; resolves when nothing runs any more. */
  drain(): Promise<void>;
};

export type OutboxParts = {
  store: Store;
  clock: Clock;
  run: RunEffect;
  orders: OrderTaker;
  report(error: unknown, pending: PendingEffect | undefined): void;
  shared: boolean;
};

export function createOutbox({ store, clock, run, orders, report, shared }: OutboxParts): Outbox {
  const running = new Map<number, Promise<void>>();
  const resting = createResting(clock);
  let highestSeen = 0;
  let fromStart = true;
  let moreThere = false;
  let draining = false;

  async function look(): Promise<void> {
    // with several writers ids may become visible out of order, so nothing below the highest may be skipped
    let after = shared || fromStart ? 0 : highestSeen;
    fromStart = false;
    if (after === 0) orders.rereading();
    let page: PendingEffect[];
    do {
      page = await store.pendingEffects({ id: after, limit: PAGE });
      for (const pending of page) take(pending);
      after = page.at(-1)?.id ?? after;
      moreThere = page.length === PAGE && running.size >= RUNNING_MAX;
    } while (page.length === PAGE && !moreThere && !draining);
  }

  function take({ effect, ...row }: PendingEffect): void {
    if (draining) return;
    highestSeen = Math.max(highestSeen, row.id);
    if (effect.kind === "perform") orders.offer({ ...row, work: effect });
    else begin({ ...row, effect });
  }

  function begin(pending: PendingWork): void {
    if (draining || running.has(pending.id) || resting.has(pending.id)) return;
    running.set(
      pending.id,
      carryOut(pending).finally(() => {
        running.delete(pending.id);
        if (moreThere) looks.wake();
      }),
    );
  }

  async function carryOut(pending: PendingWork): Promise<void> {
    try {
      if ((await run(pending)) === "later")
        return resting.wait(pending.id, { waitMs: HELD_RETRY_MS, again: () => begin(pending) });
      await store.effectDone(pending.id);
      resting.forget(pending.id);
    } catch (error) {
      // the store is away, which it reports itself: what waits for it goes on as soon as it is back
      if (error instanceof RefusalError && error.refusal.retry === true)
        return resting.wait(pending.id, { waitMs: STORE_RETRY_MS, again: () => begin(pending) });
      report(error, pending);
      resting.retry(pending.id, () => begin(pending));
    }
  }

  const looks = createLooks(look, {
    isOver: () => draining,
    failed(error) {
      report(error, undefined);
      fromStart = true; // it may have been the look for what the router had no room for
      clock.wakeAt(clock.now() + RETRY_FIRST_MS, looks.wake);
    },
  });
  return {
    wake: looks.wake,
    reread() {
      fromStart = true;
      looks.wake();
    },
    async drain() {
      draining = true;
      await looks.ended();
      await Promise.allSettled(running.values());
    },
  };
}

type Looks = { wake(): void; ended(): Promise<void> | undefined };

/** One read at a time; a row announced during a read may lie behind it, so another read follows. */
function createLooks(look: () => Promise<void>, on: { isOver(): boolean; failed(error: unknown): void }): Looks {
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  async function untilQuiet(): Promise<void> {
    do {
      lookAgain = false;
      await look();
    } while (lookAgain && !on.isOver());
  }

  function wake(): void {
    lookAgain = true;
    if (looking !== undefined || on.isOver()) return;
    looking = untilQuiet()
      .catch(on.failed)
      .finally(() => {
        looking = undefined;
        if (lookAgain) wake(); // announced between the last read and this tick
      });
  }

  return { wake, ended: () => looking };
}

/** Work that waits for its next attempt, longer after each failure. A read that finds its row meanwhile leaves it alone. */
function createResting(clock: Clock) {
  const resting = new Set<number>();
  const attempts = new Map<number, number>();
  function wait(id: number, { waitMs, again }: { waitMs: number; again(): void }): void {
    resting.add(id);
    clock.wakeAt(clock.now() + waitMs, () => {
      resting.delete(id);
      again();
    });
  }
  return {
    wait,
    has: (id: number): boolean => resting.has(id),
    forget: (id: number): void => void attempts.delete(id),
    retry(id: number, again: () => void): void {
      const tries = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, tries);
      wait(id, { waitMs: Math.min(RETRY_FIRST_MS * 2 ** (tries - 1), RETRY_MS_MAX), again });
    },
  };
}
