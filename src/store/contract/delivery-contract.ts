import { expect, it } from "vitest";
import { type ChannelNoteChange, DELIVERIES_KEPT_MS, type Delivery, type Subscriber } from "../deliveries.ts";
import type { Test } from "./commit-contract.ts";
import { committed, fact, operator, sid, START_MS } from "./harness.ts";

const aSubscriber = (conversation: string, change: Partial<Subscriber> = {}): Subscriber => ({
  id: `fake:bot:${conversation}`,
  place: { surface: "fake", account: "bot", conversation },
  follows: { kind: "session", sessionId: sid("1") },
  cursor: 0,
  attempt: null,
  doubted: [],
  trouble: null,
  counts: { maybeSent: 0, failed: 0 },
  createdAtMs: START_MS,
  ...change,
});
const aDelivery = (key: string, change: Partial<Delivery> = {}): Delivery => ({
  subscriberId: "fake:bot:a",
  key,
  kind: "card",
  sessionId: sid("1"),
  messageId: `m-${key}`,
  revisionHash: "r1",
  state: "sent",
  open: true,
  buttons: { hash: "approve" },
  atMs: START_MS,
  detail: "",
  receipt: null,
  ...change,
});
const save = (subscriber: Subscriber, expectedVersion: number, deliveries: Delivery[] = []) => ({
  subscriber,
  expectedVersion,
  deliveries,
});

export function deliveryContract(test: Test): void {
  it(
    "[CH-11] keeps a subscriber's cursor and what it was sent together, also when opened again",
    test(async ({ store, reopen }) => {
      expect(await store.subscriber("fake:bot:a")).toBeUndefined();
      const first = aSubscriber("a");
      expect(committed(await store.saveSubscriber(save(first, 0))).version).toBe(1);
      const moved = aSubscriber("a", {
        cursor: 7,
        doubted: ["apr_1"],
        attempt: { node: "n", untilMs: START_MS + 1, keys: ["apr_1"] },
        trouble: { sinceMs: START_MS, tries: 2, retryAtMs: START_MS + 9, why: "down 😀" },
      });
      const [one, two] = [aDelivery("apr_1", { messageId: null, state: "sending" }), aDelivery("apr_2")];
      expect(committed(await store.saveSubscriber(save(moved, 1, [one, two]))).version).toBe(2);
      const again = await reopen();
      expect(await again.subscriber("fake:bot:a")).toEqual({ subscriber: moved, version: 2 });
      expect(await again.openDeliveries({ subscriberId: "fake:bot:a", limit: 10 })).toEqual([one, two]);
      expect(await again.openDeliveries({ subscriberId: "fake:bot:a", limit: 1 })).toEqual([one]);
    }),
  );

  it(
    "[CH-11] refuses what was computed from another version, and then writes nothing of it",
    test(async ({ store }) => {
      await store.saveSubscriber(save(aSubscriber("a"), 0));
      for (const expectedVersion of [0, 2, 99]) {
        const late = save(aSubscriber("a", { cursor: 9 }), expectedVersion, [aDelivery("apr_1")]);
        expect(await store.saveSubscriber(late)).toEqual({ status: "conflict" });
      }
      expect(await store.saveSubscriber(save(aSubscriber("none"), 1))).toEqual({ status: "conflict" });
      expect(await store.subscriber("fake:bot:a")).toEqual({ subscriber: aSubscriber("a"), version: 1 });
      expect(await store.openDeliveries({ subscriberId: "fake:bot:a", limit: 10 })).toEqual([]);
      const racing = Array.from({ length: 20 }, (_, n) =>
        store.saveSubscriber(save(aSubscriber("a", { cursor: n }), 1, [aDelivery(`k${n}`)])),
      );
      const results = await Promise.all(racing);
      expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
      expect(await store.openDeliveries({ subscriberId: "fake:bot:a", limit: 10 })).toHaveLength(1);
    }),
  );

  it(
    "[CH-07] finds a delivery by the surface's message, an open one or a closed one, of this subscriber only",
    test(async ({ store }) => {
      const [open, closed] = [aDelivery("apr_1"), aDelivery("apr_2", { open: false, state: "edited" })];
      const other = aDelivery("apr_1", { subscriberId: "fake:bot:b", messageId: "m-other" });
      await store.saveSubscriber(save(aSubscriber("a"), 0, [open, closed]));
      await store.saveSubscriber(save(aSubscriber("b"), 0, [other]));
      const of = (subscriberId: string, messageId: string) => store.deliveryOf({ subscriberId, messageId });
      expect(await of("fake:bot:a", "m-apr_1")).toEqual(open);
      expect(await of("fake:bot:a", "m-apr_2")).toEqual(closed);
      expect(await of("fake:bot:a", "m-other")).toBeUndefined();
      const redrawn = aDelivery("apr_1", { revisionHash: "r2", messageId: "m-new", buttons: {} });
      await store.saveSubscriber(save(aSubscriber("a"), 1, [redrawn]));
      expect(await of("fake:bot:a", "m-new")).toEqual(redrawn);
      expect(await of("fake:bot:a", "m-apr_1")).toBeUndefined();
      expect(await store.openDeliveries({ subscriberId: "fake:bot:a", limit: 9 })).toEqual([redrawn]);
    }),
  );

  it(
    "lists subscribers by id, a page at a time, and forgets one with all that it was sent",
    test(async ({ store }) => {
      for (const name of ["c", "a", "b"]) await store.saveSubscriber(save(aSubscriber(name), 0));
      await store.saveSubscriber(save(aSubscriber("a"), 1, [aDelivery("apr_1")]));
      const ids = async (id: string, limit: number) =>
        (await store.subscribers({ id, limit })).map(({ subscriber, version }) => [subscriber.id, version]);
      expect(await ids("", 2)).toEqual([
        ["fake:bot:a", 2],
        ["fake:bot:b", 1],
      ]);
      expect(await ids("fake:bot:b", 2)).toEqual([["fake:bot:c", 1]]);
      await store.removeSubscriber("fake:bot:a");
      await store.removeSubscriber("fake:bot:a");
      expect(await ids("", 9)).toHaveLength(2);
      await store.saveSubscriber(save(aSubscriber("a"), 0));
      expect(await store.openDeliveries({ subscriberId: "fake:bot:a", limit: 9 })).toEqual([]);
    }),
  );

  it(
    "forgets closed deliveries when they are old, and open ones never",
    test(async ({ store }) => {
      const [open, closed] = [aDelivery("apr_1"), aDelivery("apr_2", { open: false })];
      await store.saveSubscriber(save(aSubscriber("a"), 0, [open, closed]));
      const found = async () =>
        Promise.all(
          ["m-apr_1", "m-apr_2"].map((messageId) => store.deliveryOf({ subscriberId: "fake:bot:a", messageId })),
        );
      await store.prune(START_MS + DELIVERIES_KEPT_MS);
      expect(await found()).toEqual([open, closed]);
      await store.prune(START_MS + DELIVERIES_KEPT_MS + 1);
      expect(await found()).toEqual([open, undefined]);
    }),
  );

  it(
    "[CH-09, GW-09] knows an account of a surface as the operator it was given to, and nobody where nothing was given",
    test(async ({ store, reopen }) => {
      const person = { surface: "fake", account: "bot", personId: "42" };
      const audit = (type: string) => ({ atMs: START_MS, actor: "opr_root", facts: [fact(type)] });
      expect(await store.surfaceAccounts()).toEqual([]);
      expect(await store.surfaceAccount(person)).toBeUndefined();
      const paired = { ...person, operatorId: operator("alice"), createdAtMs: START_MS };
      expect((await store.saveSurfaceAccount(paired, audit("paired"))).status).toBe("committed");
      const again = await reopen();
      expect(await again.surfaceAccount(person)).toEqual(paired);
      expect(await again.surfaceAccount({ ...person, account: "other" })).toBeUndefined();
      expect(await again.surfaceAccount({ ...person, surface: "other" })).toBeUndefined();
      const moved = { ...paired, operatorId: operator("bob") };
      await again.saveSurfaceAccount(moved, audit("paired"));
      expect(await again.surfaceAccounts()).toEqual([moved]);
      await again.saveSurfaceAccount({ ...paired, operatorId: null }, audit("unpaired"));
      expect(await again.surfaceAccount(person)).toBeUndefined();
      expect(await again.auditRows({ afterSeq: 0, limit: 9 })).toHaveLength(3);
    }),
  );

  it(
    "[CH-11] keeps what a channel notes of its account, by surface, account and key, and drops what has expired",
    test(async ({ store, reopen }) => {
      const note = (key: string, change: Partial<ChannelNoteChange> = {}): ChannelNoteChange => ({
        surface: "fake",
        account: "bot",
        key,
        value: "1",
        untilMs: null,
        ...change,
      });
      await store.saveChannelNote(note("cursor"));
      await store.saveChannelNote(note("cursor", { value: "2" }));
      await store.saveChannelNote(note("cursor", { account: "other" }));
      await store.saveChannelNote(note("pair:b", { untilMs: START_MS }));
      await store.saveChannelNote(note("pair:a"));
      const again = await reopen();
      expect(await again.channelNote({ surface: "fake", account: "bot", key: "cursor" })).toEqual(
        note("cursor", { value: "2" }),
      );
      expect(await again.channelNote({ surface: "fake", account: "bot", key: "none" })).toBeUndefined();
      expect(await again.channelNotes({ keyPrefix: "pair:", limit: 9 })).toEqual([
        note("pair:a"),
        note("pair:b", { untilMs: START_MS }),
      ]);
      await again.prune(START_MS + DELIVERIES_KEPT_MS + 1);
      expect(await again.channelNotes({ keyPrefix: "pair:", limit: 9 })).toEqual([note("pair:a")]);
      await again.saveChannelNote(note("pair:a", { value: null }));
      expect(await again.channelNotes({ keyPrefix: "", limit: 9 })).toHaveLength(2);
    }),
  );

  it(
    "[CH-11, SC-02] of several that change a note from what they read one does, and the others are told so",
    test(async ({ store }) => {
      const name = { surface: "fake", account: "bot", key: "holder" };
      const swap = async (expected: string | null, value: string | null): Promise<string> =>
        (await store.saveChannelNote({ ...name, value, untilMs: null, expected })).status;
      const value = async (): Promise<string | undefined> => (await store.channelNote(name))?.value;
      expect(await swap("a", "b")).toBe("conflict");
      const claims = await Promise.all(["a", "b", "c"].map((one) => swap(null, one)));
      expect(claims.toSorted()).toEqual(["committed", "conflict", "conflict"]);
      const winner = ["a", "b", "c"][claims.indexOf("committed")] ?? "";
      expect(await value()).toBe(winner);
      const follow = await Promise.all(["x", "y"].map((one) => swap(winner, one)));
      expect(follow.toSorted()).toEqual(["committed", "conflict"]);
      expect([await swap(winner, null), await swap(null, "z")]).toEqual(["conflict", "conflict"]);
      expect(await swap((await value()) ?? "", null)).toBe("committed");
      expect(await value()).toBeUndefined();
    }),
  );

  it(
    "takes no delivery when it is closed",
    test(async ({ store }) => {
      await store.close();
      expect(await store.saveSubscriber(save(aSubscriber("a"), 0))).toMatchObject({ status: "failed" });
    }),
  );
}
