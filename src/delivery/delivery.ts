/**
 * Delivery to places outside of the gateway, at least once and in order for each of them. The rows are the truth: what
 * follows what, how far it was told, and which message shows which card. After a restart it goes on from there.
 *
 *   commit ─▶ wake ─▶ plan what is missing ─▶ store the attempt ─▶ channel.deliver ─▶ store cursor and receipts ─▶ again
 *                                                   │                    └─ stopped, threw, too late ─▶ back off, try again
 *                                                   └─ killed here: the next try knows that it may have been sent
 */
import { isDeepStrictEqual } from "node:util";
import type { Follows, Place } from "../store/deliveries.ts";
import { type Amend, type Clicks, createClicks } from "./clicks.ts";
import { deliverNext } from "./deliver-next.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { createFollowRelay } from "./follow-relay.ts";
import { createFollowers } from "./followers.ts";
import { placeId } from "./place-id.ts";
import { createSubscriberQueue } from "./subscriber-queue.ts";
import { createTroubles } from "./troubles.ts";

const CONFLICTS_MAX = 10;
const PAGE = 200;

export type Deliveries = Clicks & {
  /** Subscribes the place from now on; an earlier subscription of it is replaced. */
  follow(place: Place, follows: Follows): Promise<void>;
  /** Subscribes the place only while it still follows `instead`; answers with what it follows then. */
  followInstead(place: Place, change: { follows: Follows; instead: Follows | undefined }): Promise<Follows>;
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

  const relay = createFollowRelay(store, (id) => void learned(id).catch((error: unknown) => report(error, id)));

  function forget(id: string): "rest" {
    followers.remove(id);
    troubles.clear(id);
    return "rest";
  }

  async function followed(place: Place, change: Following): Promise<Follows> {
    const id = placeId(place);
    const follows = await saveFollower({ id, place, ...change }, parts);
    followers.put(id, follows, place);
    queue.wake(id);
    relay.tell(id);
    return follows;
  }

  async function learned(id: string): Promise<void> {
    const stored = await store.subscriber(id);
    if (stored === undefined) return;
    followers.put(id, stored.subscriber.follows, stored.subscriber.place);
    queue.wake(id);
  }

  return {
    ...createClicks({ ...parts, amend }),
    async follow(place, follows) {
      await followed(place, { follows });
    },
    followInstead: followed,
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
      relay.stop();
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

/** `instead`: only while the place still follows this; absent: whatever it follows. */
type Following = { follows: Follows; instead?: Follows | undefined };

/** Whenever its session was chosen. */
const isSame = (a: Follows | undefined, b: Follows | undefined): boolean =>
  a?.kind === "session" && b?.kind === "session" ? a.sessionId === b.sessionId : isDeepStrictEqual(a, b);

/** What the place follows already, or meanwhile, so that nothing is to be changed. */
function standing(now: Follows | undefined, { follows, ...only }: Following): Follows | undefined {
  if (now === undefined || isSame(now, follows)) return now;
  return "instead" in only && !isSame(now, only.instead) ? now : undefined;
}

const FRESH = { attempt: null, doubted: [], trouble: null, counts: { maybeSent: 0, failed: 0 } };

/** A new subscriber receives what happens from now on, and the cards that are open. */
async function saveFollower(
  { id, place, ...change }: Following & { id: string; place: Place },
  { store, clock }: DeliveryParts,
): Promise<Follows> {
  const { follows } = change;
  for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
    const stored = await store.subscriber(id);
    const now = standing(stored?.subscriber.follows, change);
    if (now !== undefined) return now;
    const before = stored?.subscriber ?? { ...FRESH, createdAtMs: clock.now() };
    const subscriber = { ...before, id, place, follows, cursor: await store.lastCursor() };
    const saved = await store.saveSubscriber({ subscriber, expectedVersion: stored?.version ?? 0, deliveries: [] });
    if (saved.status === "committed") return follows;
    if (saved.status === "failed") throw new Error(`${id} cannot follow anything: ${saved.failure.message}`);
  }
  throw new Error(`${id} cannot follow anything: too many writers`);
}
