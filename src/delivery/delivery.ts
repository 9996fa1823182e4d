/**
 * Delivery to places outside of the gateway, at least once and in order for each of them. The rows are the truth: what
 * follows what, how far it was told, and which message shows which card. After a restart it goes on from there.
 *
 *   commit ─▶ wake ─▶ plan what is missing ─▶ store the attempt ─▶ channel.deliver ─▶ store cursor and receipts ─▶ again
 *                                                   │                    └─ stopped, threw, too late ─▶ back off, try again
 *                                                   └─ killed here: the next try knows that it may have been sent
 */
import type { Follows, Place } from "../store/deliveries.ts";
import { type Amend, type Clicks, createClicks } from "./clicks.ts";
import { deliverNext } from "./deliver-next.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { createFollowers } from "./followers.ts";
import { placeId } from "./place-id.ts";
import { createSubscriberQueue } from "./subscriber-queue.ts";
import { createTroubles } from "./troubles.ts";

const CONFLICTS_MAX = 10;
const PAGE = 200;

export type Deliveries = Clicks & {
  /** Subscribes the place from now on; an earlier subscription of it is replaced. */
  follow(place: Place, follows: Follows): Promise<void>;
  unfollow(place: Place): Promise<void>;
  following(place: Place): Promise<Follows | undefined>;
  /** Reads the subscribers, and goes on where the last process ended. */
  start(): Promise<void>;
  /** The channel of this surface is available: deliver what waited for it. */
  wake(surface: string): void;
  /** Problems for operators, one line for each subscriber in trouble. */
  notes(): string[];
  /** Begins nothing new; resolves when nothing is under way. */
  stop(): Promise<void>;
};

export function createDelivery(parts: DeliveryParts): Deliveries {
  const { store, clock, report } = parts;
  const followers = createFollowers();
  const troubles = createTroubles();
  const amend = amending(parts);
  const queue = createSubscriberQueue({
    clock,
    report,
    step: async (id) => (await deliverNext(id, { ...parts, troubles, amend })) ?? forget(id),
  });
  const stopFollowing = parts.engine.subscribe({
    cares: followers.cares,
    onCommit: ({ sessionId, events }) => followers.of(sessionId, events).forEach(queue.wake),
    missed: () => followers.all().forEach(queue.wake),
  });

  function forget(id: string): "rest" {
    followers.remove(id);
    troubles.clear(id);
    return "rest";
  }

  return {
    ...createClicks({ ...parts, amend }),
    async follow(place, follows) {
      const id = placeId(place);
      await saveFollower({ id, place, follows }, parts);
      followers.put(id, follows, place);
      queue.wake(id);
    },
    async unfollow(place) {
      await store.removeSubscriber(placeId(place));
      forget(placeId(place));
    },
    following: async (place) => (await store.subscriber(placeId(place)))?.subscriber.follows,
    async start() {
      for await (const subscriber of allOf(store)) {
        followers.put(subscriber.id, subscriber.follows, subscriber.place);
        if (subscriber.trouble !== null) troubles.note(subscriber);
      }
      followers.all().forEach(queue.wake);
    },
    wake: (surface) => followers.all(surface).forEach(queue.wake),
    notes: () => troubles.lines(clock.now()),
    async stop() {
      stopFollowing();
      await queue.stop();
    },
  };
}

async function* allOf(store: DeliveryParts["store"]) {
  let after = "";
  let page;
  do {
    page = await store.subscribers({ id: after, limit: PAGE });
    for (const { subscriber } of page) yield subscriber;
    after = page.at(-1)?.subscriber.id ?? after;
  } while (page.length === PAGE);
}

const amending =
  ({ store }: DeliveryParts): Amend =>
  async (id, change) => {
    for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
      const stored = await store.subscriber(id);
      if (stored === undefined) return undefined;
      const changed = await change(stored.subscriber);
      const saved = await store.saveSubscriber({ expectedVersion: stored.version, ...changed });
      if (saved.status === "committed") return changed.subscriber;
      if (saved.status === "failed") throw new Error(`deliveries to ${id} were not recorded: ${saved.failure.message}`);
    }
    throw new Error(`deliveries to ${id} were not recorded: too many writers`);
  };

type Following = { id: string; place: Place; follows: Follows };

/** A new subscriber receives what happens from now on, and the cards that are open. */
async function saveFollower({ id, place, follows }: Following, { store, clock }: DeliveryParts): Promise<void> {
  for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
    const stored = await store.subscriber(id);
    if (stored !== undefined && JSON.stringify(stored.subscriber.follows) === JSON.stringify(follows)) return;
    const fresh = { attempt: null, doubted: [], trouble: null, counts: { maybeSent: 0, failed: 0 } };
    const before = stored?.subscriber ?? { ...fresh, createdAtMs: clock.now() };
    const subscriber = { ...before, id, place, follows, cursor: await store.lastCursor() };
    const saved = await store.saveSubscriber({ subscriber, expectedVersion: stored?.version ?? 0, deliveries: [] });
    if (saved.status === "committed") return;
    if (saved.status === "failed") throw new Error(`${id} cannot follow anything: ${saved.failure.message}`);
  }
  throw new Error(`${id} cannot follow anything: too many writers`);
}
