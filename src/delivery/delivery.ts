/**
 * Delivery to places outside of the gateway, at least once and in order for each of them. The rows are the truth: what
 * follows what, how far it was told, and which message shows which card. After a restart it goes on from there.
 *
 *   commit ─▶ wake ─▶ plan what is missing ─▶ store the attempt ─▶ channel.deliver ─▶ store cursor and receipts ─▶ again
 *                                                   │                    └─ stopped, threw, too late ─▶ back off, try again
 *                                                   └─ killed here: the next try knows that it may have been sent
 */
import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import type { Channel, DeliveryResult } from "../plugins/api/channel.ts";
import type { Json } from "../protocol/json.ts";
import type { Follows, Place, StoredSubscriber, Subscriber } from "../store/delivery-store.ts";
import type { CommitResult, Store, StoredEvent } from "../store/store.ts";
import type { Describe } from "./card.ts";
import { type Amend, createClicks, type Clicks } from "./clicks.ts";
import { findWork } from "./find-work.ts";
import { createFollowers } from "./followers.ts";
import { placeId } from "./place-id.ts";
import { type Planned } from "./plan-batch.ts";
import { type Outcome, recordReceipts } from "./record-receipts.ts";
import { createTroubles } from "./troubles.ts";

/** A channel that has not answered by then is asked again later; nobody knows what it sent. */
const DELIVER_MS_MAX = 30_000;
/** Longer than a delivery can take: until then another gateway leaves the subscriber alone. */
const ATTEMPT_MS_MAX = 2 * DELIVER_MS_MAX;
/** The store did not take what was delivered, or another writer was faster. */
const STORE_RETRY_MS = 1_000;
const CONFLICTS_MAX = 10;
/** Batches in one go, so that a subscriber far behind does not run for ever. */
const BATCHES_MAX = 1_000;
const PAGE = 200;

export type DeliveryParts = {
  store: Store;
  engine: Pick<Engine, "follow" | "session">;
  clock: Clock;
  /** Names this process in attempts. */
  node: string;
  /** Other processes may deliver from the same store. */
  shared: boolean;
  describe: Describe;
  /** What of an event a place is told as text; undefined for what is no text. */
  textOf(event: StoredEvent): Json | undefined;
  /** The channel of a surface, while its plugin is on. */
  channel(surface: string): Pick<Channel, "deliver"> | undefined;
  report(error: unknown, subscriberId: string): void;
};

export type Deliveries = Clicks & {
  /** From now on the place is told of what happens; what it followed before is replaced. */
  follow(place: Place, follows: Follows): Promise<void>;
  unfollow(place: Place): Promise<void>;
  following(place: Place): Promise<Follows | undefined>;
  /** Reads who follows what, and goes on where the last process ended. */
  start(): Promise<void>;
  /** The channel of this surface has come: what waited for it is delivered. */
  wake(surface?: string): void;
  /** What somebody should see to, one line for each subscriber in trouble. */
  notes(): string[];
  /** Begins nothing new; resolves when nothing is under way. */
  stop(): Promise<void>;
};

export function createDelivery(parts: DeliveryParts): Deliveries {
  const { store, clock } = parts;
  const followers = createFollowers();
  const troubles = createTroubles();
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const alarms = new Map<string, () => void>();
  let stopped = false;
  const stopFollowing = parts.engine.follow({
    cares: followers.cares,
    hear: ({ sessionId, events }) => followers.of(sessionId, events).forEach(wakeOne),
    missed: () => followers.all().forEach(wakeOne),
  });

  function wakeOne(id: string): void {
    if (stopped) return;
    again.add(id);
    if (running.has(id)) return;
    alarms.get(id)?.();
    alarms.delete(id);
    const work = run(id)
      .catch((error: unknown) => {
        parts.report(error, id);
        wakeLater(id, clock.now() + STORE_RETRY_MS);
      })
      .finally(() => {
        running.delete(id);
        if (again.has(id) && !alarms.has(id)) wakeOne(id); // asked for between the last look and this tick
      });
    running.set(id, work);
  }

  function wakeLater(id: string, atMs: number): void {
    if (stopped) return;
    alarms.get(id)?.();
    alarms.set(
      id,
      clock.wakeAt(atMs, () => {
        alarms.delete(id);
        wakeOne(id);
      }),
    );
  }

  async function run(id: string): Promise<void> {
    for (let batches = 0; batches < BATCHES_MAX && !stopped; batches++) {
      again.delete(id);
      const next = await step(id);
      if (next === "rest" && !again.has(id)) return;
      if (typeof next === "object") return wakeLater(id, next.atMs);
    }
    again.add(id);
  }

  /** One batch. `rest`: nothing is missing; a moment: not before then. */
  async function step(id: string): Promise<"rest" | "more" | { atMs: number }> {
    const stored = await store.subscriber(id);
    if (stored === undefined) return forget(id);
    const channel = parts.channel(stored.subscriber.place.surface);
    if (channel === undefined) return "rest"; // woken when its plugin comes
    const notBeforeMs = heldUntilMs(stored.subscriber, parts);
    if (notBeforeMs > clock.now()) return { atMs: notBeforeMs };
    const subscriber = withDoubts(stored.subscriber);
    const planned = await findWork(subscriber, { ...parts, pageSize: PAGE });
    if (planned.items.length === 0) return settle({ ...stored, subscriber }, planned);
    const attempt = attemptOf(planned, parts);
    const begun = await store.saveSubscriber({
      subscriber: { ...subscriber, attempt },
      expectedVersion: stored.version,
      deliveries: planned.rows,
    });
    if (begun.status !== "committed") return retried(begun);
    const outcome = await delivered(channel, { subscriber, planned }, parts);
    return record(id, planned, outcome);
  }

  function forget(id: string): "rest" {
    followers.remove(id);
    troubles.clear(id);
    return "rest";
  }

  /** Nothing to send: the cursor moves on, and cards that nobody can close on the surface are closed here. */
  async function settle(
    { subscriber, version }: StoredSubscriber,
    planned: Planned,
  ): Promise<"rest" | "more" | { atMs: number }> {
    const { cursor, closed, more } = planned;
    const { doubted, trouble, counts } = subscriber;
    const isWell = doubted.length === 0 && trouble === null;
    if (cursor === subscriber.cursor && closed.length === 0 && isWell) return more ? "more" : "rest";
    const maybeSent = closed.filter(({ state }) => state === "maybe-sent").length;
    troubles.clear(subscriber.id);
    const saved = await store.saveSubscriber({
      subscriber: {
        ...subscriber,
        cursor,
        doubted: more ? doubted : [], // whatever they were about is over
        trouble: null,
        counts: { ...counts, maybeSent: counts.maybeSent + maybeSent },
      },
      expectedVersion: version,
      deliveries: closed,
    });
    if (saved.status !== "committed") return retried(saved);
    return more ? "more" : "rest";
  }

  function retried(result: CommitResult): "more" | { atMs: number } {
    if (result.status === "conflict") return "more"; // somebody else changed it: look again
    return { atMs: clock.now() + STORE_RETRY_MS };
  }

  /** What was sent is sent: the receipts are written on whatever the subscriber is by now. */
  async function record(id: string, planned: Planned, outcome: Outcome): Promise<"more" | { atMs: number }> {
    const end = { outcome, atMs: clock.now() };
    const subscriber = await amend(id, (now) => recordReceipts(now, planned, end));
    if (subscriber?.trouble == null) {
      troubles.clear(id);
      return "more";
    }
    troubles.note(subscriber);
    return { atMs: subscriber.trouble.retryAtMs };
  }

  const amend: Amend = async (id, change) => {
    for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
      const stored = await store.subscriber(id);
      if (stored === undefined) return undefined;
      const changed = change(stored.subscriber);
      const saved = await store.saveSubscriber({ expectedVersion: stored.version, ...changed });
      if (saved.status === "committed") return changed.subscriber;
      if (saved.status === "failed") throw new Error(`deliveries to ${id} were not recorded: ${saved.failure.message}`);
    }
    throw new Error(`deliveries to ${id} were not recorded: too many writers`);
  };

  return {
    ...createClicks({ ...parts, amend }),
    async follow(place, follows) {
      const id = placeId(place);
      await saveFollower({ id, place, follows }, parts);
      followers.put(id, follows, place);
      wakeOne(id);
    },
    async unfollow(place) {
      await store.removeSubscriber(placeId(place));
      forget(placeId(place));
    },
    following: async (place) => (await store.subscriber(placeId(place)))?.subscriber.follows,
    async start() {
      for (let after = ""; ;) {
        const page = await store.subscribers({ id: after, limit: PAGE });
        for (const { subscriber } of page) {
          followers.put(subscriber.id, subscriber.follows, subscriber.place);
          if (subscriber.trouble !== null) troubles.note(subscriber);
        }
        after = page.at(-1)?.subscriber.id ?? after;
        if (page.length < PAGE) break;
      }
      followers.all().forEach(wakeOne);
    },
    wake: (surface) => followers.all(surface).forEach(wakeOne),
    notes: () => troubles.lines(clock.now()),
    async stop() {
      stopped = true;
      stopFollowing();
      for (const callOff of alarms.values()) callOff();
      await Promise.allSettled(running.values());
    },
  };
}

type Following = { id: string; place: Place; follows: Follows };

/** Whoever begins to follow is told of what happens from now on, and shown the cards that are there. */
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

/** Another gateway may be sending at this moment; alone on its store, whoever began an attempt is gone. */
function heldUntilMs({ attempt, trouble }: Subscriber, { node, shared }: DeliveryParts): number {
  const held = shared && attempt !== null && attempt.node !== node ? attempt.untilMs : 0;
  return Math.max(held, trouble?.retryAtMs ?? 0);
}

/** An attempt that is still stored ended in the dark. */
const withDoubts = ({ attempt, ...subscriber }: Subscriber): Subscriber => ({
  ...subscriber,
  attempt: null,
  doubted: attempt === null ? subscriber.doubted : [...new Set([...subscriber.doubted, ...attempt.keys])],
});

const attemptOf = ({ items }: Planned, { node, clock }: DeliveryParts): Subscriber["attempt"] => ({
  node,
  untilMs: clock.now() + ATTEMPT_MS_MAX,
  keys: items.map(({ key }) => key),
});

type Leaving = { subscriber: Subscriber; planned: Planned };

async function delivered(
  channel: Pick<Channel, "deliver">,
  { subscriber, planned }: Leaving,
  { clock, report }: DeliveryParts,
): Promise<Outcome> {
  const { account, conversation } = subscriber.place;
  const ending = new AbortController();
  const late = Promise.withResolvers<never>();
  const callOff = clock.wakeAt(clock.now() + DELIVER_MS_MAX, () => {
    late.reject(new Error(`no answer within ${DELIVER_MS_MAX / 1_000} s`));
    ending.abort();
  });
  try {
    const batch = { place: { account, conversation }, items: planned.items, signal: ending.signal };
    const result: DeliveryResult = await Promise.race([channel.deliver(batch), late.promise]);
    return { result };
  } catch (error) {
    report(error, subscriber.id);
    return { lost: error instanceof Error ? error.message : String(error) };
  } finally {
    callOff();
  }
}
