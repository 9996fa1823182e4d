import { describe, expect, it } from "vitest";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import type { DeliveryBatch, DeliveryItem, DeliveryResult } from "../plugins/api/channel.ts";
import type { SessionId } from "../protocol/ids.ts";
import { aCommit, aSession, committed, entry, operator, renamed, sid, START_MS } from "../store/contract/harness.ts";
import { emptyMemory, openMemoryStore } from "../store/memory/memory-store.ts";
import type { Store } from "../store/store.ts";
import { createDelivery } from "./delivery.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { placeId } from "./place-id.ts";

const PLACE = { surface: "fake", account: "bot", conversation: "c1" };
const ID = "fake:bot:c1";

const NEW_FOR: Partial<Record<string, "session" | "nobody">> = { n: "session", q: "nobody" };

/** A session whose title names its cards, as `a1,b2`: card a in revision 1 and card b in revision 2. */
function cardsIn(title: string) {
  return title
    .split(",")
    .filter((part) => part !== "")
    .map((part) => ({
      cardId: part.slice(0, 1),
      revisionHash: part.slice(1),
      payload: { drawn: part },
      newFor: NEW_FOR[part.slice(0, 1)] ?? ("everybody" as const),
      actions: { yes: { kind: "set", field: "planApproval", value: part } as const },
    }));
}

type World = ReturnType<typeof world>;

/** The gateway around delivery, as far as delivery sees it; `answer` is the vendor. */
function world({ memory = emptyMemory(), clock = fakeClock(START_MS), node = "node-1", shared = false } = {}) {
  const store = openMemoryStore(memory);
  const batches: { conversation: string; items: DeliveryItem[] }[] = [];
  const reported: string[] = [];
  let answer: (batch: DeliveryBatch) => Promise<DeliveryResult> = async (batch) => all(batch);
  let sent = 0;
  let hear: Parameters<DeliveryParts["engine"]["subscribe"]>[0] | undefined;
  const all = ({ items }: DeliveryBatch): DeliveryResult => ({
    receipts: items.map((item) => ({
      key: item.key,
      ...("messageId" in item ? { state: "edited" as const } : { state: "sent" as const, messageId: `m${++sent}` }),
    })),
  });
  const delivery = createDelivery({
    store,
    clock,
    node,
    shared,
    engine: {
      session: async (id) => (await store.session(id))?.session,
      subscribe: (given) => {
        hear = given;
        return () => (hear = undefined);
      },
    },
    describe: (session) => cardsIn(session.title),
    lastState: (drawn, facts) => ({ drawn, over: facts.length }),
    textOf: ({ event }) =>
      event.type === "entry.appended" && event.entry.kind === "notice" ? event.entry.text : undefined,
    channel: (surface) =>
      surface === "fake"
        ? {
            async deliver(batch) {
              const { conversation } = batch.place;
              batches.push({ conversation, items: [...batch.items] });
              return answer(batch);
            },
          }
        : undefined,
    report: (error) => void reported.push(String(error)),
  });
  return {
    store,
    clock,
    memory,
    delivery,
    batches,
    reported,
    all,
    vendor: (how: typeof answer) => void (answer = how),
    /** One commit: notices, and what the cards are now. */
    async commit(id: SessionId, { lines = [], cards = "" }: { lines?: number[]; cards?: string }): Promise<void> {
      const version = (await store.session(id))?.version ?? 0;
      const session = aSession(id, { title: cards });
      const waiting =
        cards === "" ? null : ({ kind: "approval", id: "x", title: "x", sinceMs: 0, deadlineMs: null } as const);
      const commit = aCommit(id, {
        expectedVersion: version,
        session,
        events: [renamed("x"), ...lines.map(entry)],
        waiting,
      });
      const { events } = committed(await store.commit(commit));
      hear?.onCommit({ sessionId: id, session, events: slices(events), own: true });
      await quiet();
    },
  };
}

/** What a change of cards is in a real session. */
const slices = (events: Awaited<ReturnType<Store["events"]>>) =>
  events.map((event, index) =>
    index === 0
      ? { ...event, event: { type: "slice.changed" as const, slice: "planMode", event: { type: "x" } } }
      : event,
  );

async function following(options: Parameters<typeof world>[0] = {}): Promise<World> {
  const here = world(options);
  await here.commit(sid("1"), {});
  await here.delivery.follow(PLACE, { kind: "session", sessionId: sid("1") });
  await quiet();
  return here;
}

const shown = ({ batches }: Pick<World, "batches">): string[] =>
  batches.flatMap(({ items }) =>
    items.map((item) => {
      const doubt = "maybeSent" in item && item.maybeSent ? "?" : "";
      return item.kind === "text"
        ? `${JSON.stringify(item.payload).slice(1, -1)}${doubt}`
        : `${item.op} ${item.key}${doubt}`;
    }),
  );

describe("what is delivered", () => {
  it("[CH-11] comes in order: cards that changed in their place, then texts, then new cards, each drawn again only when it changed", async () => {
    const here = await following();
    await here.commit(sid("1"), { lines: [1, 2], cards: "a1,b1" });
    expect(shown(here)).toEqual(["line 1", "line 2", "send a", "send b"]);
    await here.commit(sid("1"), { cards: "a1,b1" });
    await here.commit(sid("1"), { lines: [3], cards: "a2" });
    expect(shown(here).slice(4)).toEqual(["close b", "edit a", "line 3"]);
    const { subscriber } = (await here.store.subscriber(ID)) ?? {};
    expect(subscriber).toMatchObject({ attempt: null, doubted: [], trouble: null });
    expect(subscriber?.cursor).toBe(await here.store.lastCursor());
    expect(await here.store.openDeliveries({ subscriberId: ID, limit: 9 })).toMatchObject([
      { key: "a", messageId: "m3", state: "edited", revisionHash: "2" },
    ]);
  });

  it("[CH-11] goes on from the stored cursor in another process, and repeats nothing", async () => {
    const before = await following();
    await before.commit(sid("1"), { lines: [1], cards: "a1" });
    await before.delivery.stop();
    await before.commit(sid("1"), { lines: [2], cards: "a2" });
    const after = world({ memory: before.memory, node: "node-2" });
    await after.delivery.start();
    await quiet();
    expect(shown(after)).toEqual(["edit a", "line 2"]);
  });

  it("shows whatever waits for a person to who follows an operator, of every session, and no talk", async () => {
    const here = world();
    await here.commit(sid("1"), { lines: [1], cards: "a1" });
    await here.delivery.follow(PLACE, { kind: "operator", operatorId: operator("alice") });
    await quiet();
    await here.commit(sid("2"), { lines: [1], cards: "b1" });
    await here.commit(sid("1"), { lines: [2] });
    expect(shown(here)).toEqual(["send a", "send b", "close a"]);
  });

  it("[CH-07] ends a card with what became of it since it was drawn, also in another process", async () => {
    const before = await following();
    await before.commit(sid("1"), { cards: "a1" });
    await before.commit(sid("1"), { cards: "a2" });
    await before.delivery.stop();
    await before.commit(sid("1"), { lines: [1], cards: "" });
    const after = world({ memory: before.memory, node: "node-2" });
    await after.delivery.start();
    await quiet();
    const ended = { drawn: { drawn: "a2" }, over: 0 };
    expect(after.batches.flatMap(({ items }) => items)[0]).toMatchObject({ op: "close", key: "a", payload: ended });
    expect(await after.store.openDeliveries({ subscriberId: ID, limit: 9 })).toEqual([]);
  });

  it("[CH-07] sends anew what asks somebody, a notice only where its session is followed, and what is over nowhere", async () => {
    const here = await following();
    const all = { ...PLACE, conversation: "all" };
    await here.delivery.follow(all, { kind: "operator", operatorId: operator("alice") });
    await here.commit(sid("1"), { cards: "a1,n1,q1" });
    const sentTo = (place: string) => shown({ batches: here.batches.filter((one) => one.conversation === place) });
    expect(sentTo("c1")).toEqual(["send a", "send n"]);
    expect(sentTo("all")).toEqual(["send a"]);
  });

  it("waits for a channel that is not there, and holds more than one batch", async () => {
    const here = await following();
    await here.delivery.follow({ ...PLACE, surface: "off" }, { kind: "session", sessionId: sid("1") });
    await here.commit(sid("1"), { lines: Array.from({ length: 45 }, (_, n) => n + 1), cards: "a1" });
    expect(here.batches.map(({ items }) => items.length)).toEqual([20, 20, 6]);
    expect(shown(here).slice(0, 45)).toEqual(Array.from({ length: 45 }, (_, n) => `line ${n + 1}`));
    expect((await here.store.subscriber("off:bot:c1"))?.subscriber.attempt).toBeNull();
  });

  it("writes no cursor for a commit that says nothing, and one for many of them", async () => {
    const here = await following();
    for (let n = 0; n < 5; n++) await here.commit(sid("1"), {});
    expect((await here.store.subscriber(ID))?.version).toBe(1);
    for (let n = 0; n < 100; n++) await here.commit(sid("1"), {});
    const { subscriber, version } = (await here.store.subscriber(ID)) ?? {};
    expect(version).toBe(2);
    expect((await here.store.lastCursor()) - (subscriber?.cursor ?? 0)).toBeLessThan(100);
    expect(here.batches).toEqual([]);
  });

  it("ends with the subscription, with all that is stored of it", async () => {
    const here = await following();
    await here.commit(sid("1"), { cards: "a1" });
    await here.delivery.unfollow(PLACE);
    await here.commit(sid("1"), { lines: [1] });
    expect(shown(here)).toEqual(["send a"]);
    expect(await here.store.subscriber(ID)).toBeUndefined();
    expect(here.memory.deliveries.size).toBe(0);
  });
});

describe("a vendor that fails", () => {
  it("[CH-11] is asked again later each time, keeps what it took, and holds up nobody else", async () => {
    const here = await following();
    await here.delivery.follow({ ...PLACE, conversation: "c2" }, { kind: "session", sessionId: sid("1") });
    here.vendor(async (batch) =>
      batch.place.conversation === "c2"
        ? here.all(batch)
        : { receipts: here.all(batch).receipts.slice(0, 1), stopped: { why: "busy" } },
    );
    await here.commit(sid("1"), { lines: [1, 2] });
    const times = (conversation: string) => here.batches.filter((batch) => batch.conversation === conversation).length;
    expect([times("c1"), times("c2")]).toEqual([1, 1]);
    expect((await here.store.subscriber(ID))?.subscriber.trouble).toMatchObject({ tries: 1, why: "busy" });
    here.vendor(async () => ({ receipts: [], stopped: { why: "down" } }));
    for (const waitMs of [1_000, 2_000, 4_000]) {
      here.clock.advance(waitMs - 1);
      await quiet();
      const before = times("c1");
      here.clock.advance(1);
      await quiet();
      expect(times("c1")).toBe(before + 1);
    }
    here.vendor(async (batch) => here.all(batch));
    here.clock.advance(60_000);
    await quiet();
    const last = here.batches.filter(({ conversation }) => conversation === "c1").at(-1);
    expect(last?.items).toMatchObject([{ payload: "line 2", maybeSent: false }]);
    expect((await here.store.subscriber(ID))?.subscriber).toMatchObject({ trouble: null, doubted: [] });
  });

  it("[CH-11] names its own time, and is not asked before", async () => {
    const here = await following();
    here.vendor(async () => ({ receipts: [], stopped: { why: "429", retryAfterMs: 90_000 } }));
    await here.commit(sid("1"), { lines: [1] });
    here.vendor(async (batch) => here.all(batch));
    await here.commit(sid("1"), { lines: [2] });
    here.clock.advance(89_999);
    await quiet();
    expect(here.batches).toHaveLength(1);
    expect(here.delivery.notes()).toEqual([
      `Delivery to ${ID} has failed since ${new Date(START_MS).toISOString()} (1 tries): 429.`,
    ]);
    here.clock.advance(1);
    await quiet();
    expect(shown(here).slice(1)).toEqual(["line 1", "line 2"]);
    expect(here.delivery.notes()).toEqual([]);
  });

  it("[CH-11] leaves everything in doubt when it throws or never answers, and the next try says so", async () => {
    const here = await following();
    here.vendor(async () => {
      throw new Error("socket hang up");
    });
    await here.commit(sid("1"), { lines: [1], cards: "a1" });
    expect((await here.store.subscriber(ID))?.subscriber.doubted).toHaveLength(2);
    const asked: AbortSignal[] = [];
    here.vendor(async ({ signal }) => {
      asked.push(signal);
      return new Promise(() => undefined);
    });
    here.clock.advance(1_000);
    await quiet();
    expect(asked.map(({ aborted }) => aborted)).toEqual([false]);
    here.clock.advance(30_000);
    await quiet();
    expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
    here.vendor(async (batch) => here.all(batch));
    here.clock.advance(60_000);
    await quiet();
    expect(shown(here).slice(-2)).toEqual(["line 1?", "send a?"]);
    expect((await here.store.subscriber(ID))?.subscriber.doubted).toEqual([]);
  });

  it("[CH-11] may leave a doubtful one in doubt, or give one up: both are counted, and neither is tried again", async () => {
    const here = await following();
    here.vendor(async ({ items }) => ({
      receipts: items.map(({ key }, index) => ({ key, state: index === 0 ? "maybe-sent" : "failed" })),
    }));
    await here.commit(sid("1"), { lines: [1, 2] });
    await here.commit(sid("1"), {});
    expect(here.batches).toHaveLength(1);
    expect((await here.store.subscriber(ID))?.subscriber.counts).toEqual({ maybeSent: 1, failed: 1 });
  });

  it("does not believe receipts that are not those of its batch, in its order", async () => {
    const here = await following();
    here.vendor(async (batch) => ({ receipts: here.all(batch).receipts.toReversed() }));
    await here.commit(sid("1"), { lines: [1, 2] });
    const { cursor, trouble } = (await here.store.subscriber(ID))?.subscriber ?? {};
    expect(cursor).toBeLessThan(await here.store.lastCursor());
    expect(trouble).toMatchObject({ why: "not everything has a receipt" });
  });
});

describe("a vendor that answers with something else than receipts", () => {
  it.each([
    ["nothing", undefined],
    ["no list", { receipts: "all" }],
    ["an unknown state", { receipts: [{ key: "a", state: "ok", messageId: "m1" }] }],
    ["a number for a message", { receipts: [{ key: "a", state: "sent", messageId: 7 }] }],
    ["a wait that is none", { receipts: [], stopped: { why: "busy", retryAfterMs: Number.NaN } }],
  ])("[CH-11] %s: is asked again later each time, like one that throws, and somebody is told", async (_, made) => {
    const here = await following();
    here.vendor(async () => made as never);
    await here.commit(sid("1"), { cards: "a1" });
    for (let n = 0; n < 120; n++) {
      here.clock.advance(1_000);
      await quiet();
    }
    expect(here.batches.length).toBeGreaterThan(1);
    expect(here.batches.length).toBeLessThan(9);
    expect(here.delivery.notes()).toHaveLength(1);
    here.vendor(async (batch) => here.all(batch));
    here.clock.advance(60_000);
    await quiet();
    expect(shown(here).at(-1)).toBe("send a?");
    expect((await here.store.subscriber(ID))?.subscriber).toMatchObject({ trouble: null, doubted: [] });
  });
});

describe("two gateways on one store", () => {
  it("[CH-11] deliver one batch once: who comes second waits until the first must be done", async () => {
    const one = await following({ shared: true });
    const two = world({ memory: one.memory, clock: one.clock, node: "node-2", shared: true });
    const answered = Promise.withResolvers<DeliveryResult>();
    one.vendor(async () => answered.promise);
    await one.commit(sid("1"), { lines: [1] });
    await two.delivery.start();
    await quiet();
    expect([one.batches.length, two.batches.length]).toEqual([1, 0]);
    const [batch] = one.batches;
    answered.resolve({ receipts: [{ key: batch?.items[0]?.key ?? "", state: "sent", messageId: "m" }] });
    await quiet();
    one.clock.advance(60_000);
    await quiet();
    expect(two.batches).toEqual([]);
    expect((await one.store.subscriber(ID))?.subscriber).toMatchObject({ attempt: null, doubted: [] });
  });

  it("[CH-11] goes on for one that died, and says that it may have been sent", async () => {
    const one = await following({ shared: true });
    one.vendor(async () => new Promise(() => undefined));
    await one.commit(sid("1"), { lines: [1] });
    await one.store.close(); // from here on it writes nothing
    const two = world({ memory: one.memory, clock: one.clock, node: "node-2", shared: true });
    await two.delivery.start();
    await quiet();
    expect(two.batches).toEqual([]);
    two.clock.advance(60_000);
    await quiet();
    expect(shown(two)).toEqual(["line 1?"]);
  });
});

describe("a click", () => {
  const cardOf = (item: DeliveryItem | undefined) => {
    if (item?.kind !== "card" || item.op === "close") throw new Error("no card");
    return item.card;
  };

  it("[CH-12] that overtakes the receipt of its card counts, and proves that the card was sent", async () => {
    const here = await following();
    const answered = Promise.withResolvers<DeliveryResult>();
    here.vendor(async () => answered.promise);
    await here.commit(sid("1"), { cards: "a1" });
    const token = cardOf(here.batches[0]?.items[0]).buttons[0]?.token ?? "";
    expect(await here.delivery.clicked({ place: PLACE, token, messageId: "m7" })).toEqual({
      sessionId: sid("1"),
      action: { kind: "set", field: "planApproval", value: "a1" },
    });
    answered.resolve({ receipts: [{ key: "a", state: "sent", messageId: "m7" }] });
    await quiet();
    expect(await here.store.openDeliveries({ subscriberId: ID, limit: 9 })).toMatchObject([
      { key: "a", messageId: "m7", state: "sent" },
    ]);
  });

  it("[CH-12] on an older revision, another message or a closed card is refused", async () => {
    const here = await following();
    await here.commit(sid("1"), { cards: "a1" });
    const old = cardOf(here.batches[0]?.items[0]).buttons[0]?.token ?? "";
    const click = (token: string, messageId = "m1", place = PLACE) =>
      here.delivery.clicked({ place, token, messageId });
    expect(await click(old, "m2")).toMatchObject({ refused: { code: "APPROVAL_UNKNOWN" } });
    expect(await click(old, "m1", { ...PLACE, account: "other" })).toMatchObject({
      refused: { code: "APPROVAL_UNKNOWN" },
    });
    await here.commit(sid("1"), { cards: "a2" });
    expect(await click(old)).toMatchObject({ refused: { code: "APPROVAL_STALE" } });
    const fresh = cardOf(here.batches[1]?.items[0]).buttons[0]?.token ?? "";
    expect(await click(fresh)).toMatchObject({ sessionId: sid("1") });
    await here.commit(sid("1"), {});
    expect(await click(fresh)).toMatchObject({ refused: { code: "APPROVAL_STALE" } });
  });

  it("[CH-12] on a card that changed while its channel was down is refused, although nobody could redraw it", async () => {
    const here = await following();
    await here.commit(sid("1"), { cards: "a1" });
    const token = cardOf(here.batches[0]?.items[0]).buttons[0]?.token ?? "";
    here.vendor(async () => ({ receipts: [], stopped: { why: "down", retryAfterMs: 60_000 } }));
    await here.commit(sid("1"), { lines: [1], cards: "a1" });
    await here.commit(sid("1"), { cards: "a2" });
    expect(await here.store.openDeliveries({ subscriberId: ID, limit: 9 })).toMatchObject([{ revisionHash: "1" }]);
    const click = { place: PLACE, token, messageId: "m1" };
    expect(await here.delivery.clicked(click)).toMatchObject({ refused: { code: "APPROVAL_STALE" } });
  });

  it("[BY-07] a receipt that comes later is kept with its message", async () => {
    const here = await following();
    await here.commit(sid("1"), { cards: "a1" });
    const receipt = { place: PLACE, state: "read", detail: "", personId: "42" } as const;
    expect(await here.delivery.received({ ...receipt, messageId: "m1" })).toBe(true);
    expect(await here.delivery.received({ ...receipt, messageId: "m9" })).toBe(false);
    expect(await here.store.deliveryOf({ subscriberId: ID, messageId: "m1" })).toMatchObject({
      receipt: { state: "read", atMs: START_MS },
    });
  });
});

it("[CH-12, BY-07] a receipt that comes while its card is drawn again takes the new buttons from nobody", async () => {
  const here = await following();
  await here.commit(sid("1"), { cards: "a1" });
  const { deliveryOf } = here.store;
  const read = Promise.withResolvers<void>();
  here.store.deliveryOf = async (asked) => {
    const row = await deliveryOf(asked);
    await read.promise;
    return row;
  };
  const received = here.delivery.received({ place: PLACE, messageId: "m1", state: "read", detail: "", personId: "42" });
  await here.commit(sid("1"), { cards: "a2" });
  read.resolve();
  await received;
  const drawn = here.batches.at(-1)?.items[0];
  const token = drawn?.kind === "card" && drawn.op === "edit" ? (drawn.card.buttons[0]?.token ?? "") : "";
  const click = { place: PLACE, token, messageId: "m1" };
  expect(await here.delivery.clicked(click)).toMatchObject({ sessionId: sid("1") });
  expect(await here.store.openDeliveries({ subscriberId: ID, limit: 9 })).toMatchObject([
    { revisionHash: "2", receipt: { state: "read" } },
  ]);
});

it("[CH-12] the parts of a place cannot run into each other", () => {
  const ids = [
    { ...PLACE, account: "a:b", conversation: "c" },
    { ...PLACE, account: "a", conversation: "b:c" },
  ].map(placeId);
  expect(new Set(ids).size).toBe(2);
});

it("[CH-11, SC-02] of two that find a place without a session one subscribes it, and the other learns to what; what it follows already is no change", async () => {
  const { delivery, store } = world();
  const mine = { kind: "session", sessionId: sid(1), chosenAtMs: START_MS } as const;
  const other = { kind: "session", sessionId: sid(2), chosenAtMs: START_MS } as const;
  const answers = await Promise.all([
    delivery.followInstead(PLACE, { follows: mine, instead: undefined }),
    delivery.followInstead(PLACE, { follows: other, instead: undefined }),
  ]);
  const follows = await delivery.following(PLACE);
  expect(answers).toEqual([follows, follows]);
  const before = await store.subscriber(ID);
  await delivery.follow(PLACE, {
    kind: "session",
    sessionId: follows?.kind === "session" ? follows.sessionId : sid(3),
  });
  expect(await store.subscriber(ID)).toEqual(before);
  const third = { kind: "session", sessionId: sid(3) } as const;
  expect(await delivery.followInstead(PLACE, { follows: third, instead: follows })).toEqual(third);
});
