import { describe, expect, it } from "vitest";
import { alice, create, turnId } from "../../test/kit/core.ts";
import { byAlice, engineWorld, gate, say, sid, withKey } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import type { SessionCommand } from "../protocol/session.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import type { Store, StoreFailure } from "../store/store.ts";

const full: StoreFailure = { reason: "full", outcome: "nothing-written", message: "The disk is full." };
const readOnly: StoreFailure = { ...full, reason: "read-only" };
const gone: StoreFailure = { reason: "unreachable", outcome: "unknown", message: "No answer." };

async function titled(name = "1") {
  const world = engineWorld();
  const id = await world.open(name);
  return { ...world, id };
}

describe("lanes", () => {
  it("[PL-10] carries commands of one session out in order of arrival", async () => {
    const { engine, store, id } = await titled();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => engine.dispatch(id, say(n + 1), byAlice)));
    expect(answers.every((answer) => answer.ok)).toBe(true);
    const events = await store.events({ cursor: 0, sessionId: id, limit: 500 });
    const queued = events.flatMap(({ event }) => (event.type === "message.queued" ? [event.message.id] : []));
    expect(queued).toEqual(Array.from({ length: 20 }, (_, n) => `msg_${n + 1}`));
    expect(store.calls.get("commit")).toBe(21); // one each: nobody had to decide anew
  });

  it("does not let a session wait for another one's disk", async () => {
    const { engine, store, id } = await titled();
    const release = store.holdNext("commit");
    const slow = engine.dispatch(id, say(1), byAlice);
    await quiet();
    expect(await engine.session(id)).toMatchObject({ inbox: [] }); // not yet on disk, so not yet true
    release();
    expect(await slow).toMatchObject({ ok: true });
    expect(await engine.session(id)).toMatchObject({ inbox: [{ id: "msg_1" }] });
  });
});

it("[I05] does not carry out what waited in line while its sender's token was revoked", async () => {
  const revoked = new Set<string>();
  const world = engineWorld({ mayAct: (actor) => actor.kind !== "operator" || !revoked.has(actor.id) });
  const id = await world.open("1");
  const release = world.store.holdNext("commit");
  const first = world.engine.dispatch(id, say(1), byAlice);
  const decision = world.engine.dispatch(id, gate({ do: "open" }), withKey("k"));
  await quiet();
  revoked.add(alice.id);
  release();
  expect(await first).toMatchObject({ ok: true });
  expect(await decision).toMatchObject({ ok: false, refusal: { code: "UNAUTHENTICATED" } });
  expect(await world.engine.session(id)).toMatchObject({ slices: { gate: { open: false } } });
});

it("[SC-04, PL-10] answers with the session when the store lost its own reply and found the commit already there", async () => {
  const memory = openMemoryStore();
  const store: Store = {
    ...memory,
    async commit(given) {
      await memory.commit(given); // taken, but the answer got lost on the way
      return memory.commit(given);
    },
  };
  const { engine } = engineWorld({ store });
  const id = sid("1");
  const created = await engine.dispatch(id, { ...create, sessionId: id } as SessionCommand, withKey("k"));
  expect(created).toMatchObject({ ok: true, session: { id } });
  expect(await engine.dispatch(id, gate({ do: "open" }), withKey("l"))).toMatchObject({
    ok: true,
    session: { slices: { gate: { open: true } } },
  });
  expect(await engine.session(id)).toMatchObject({ slices: { gate: { open: true } } });
});

describe("conflicts", () => {
  it("[PL-10] decides anew on the newer state when another node committed first", async () => {
    const first = await titled();
    const second = engineWorld({ store: first.store, clock: first.clock });
    await second.engine.session(first.id); // now cached there
    await first.must(first.id, gate({ do: "open" }));
    const { session } = await second.must(first.id, { type: "session.rename", title: "both" });
    expect(session).toMatchObject({ title: "both", slices: { gate: { open: true } } });
  });

  it("gives up with SESSION_BUSY, and says that it may be tried again", async () => {
    const { engine, store, id } = await titled();
    store.conflictNext(50);
    expect(await engine.dispatch(id, say(1), byAlice)).toMatchObject({
      ok: false,
      refusal: { code: "SESSION_BUSY", retry: true },
    });
    expect(await engine.dispatch(id, say(1), byAlice)).toMatchObject({ ok: true });
  });

  it("[GA-01] a read that was slow never covers what was committed meanwhile", async () => {
    const before = await titled();
    const { engine, store, must } = engineWorld({ store: before.store, clock: before.clock });
    const release = store.holdNext("session");
    const slow = engine.session(before.id); // has read the closed gate and is on its way
    const opened = must(before.id, gate({ do: "open" }));
    await quiet();
    release();
    await Promise.all([slow, opened]);
    expect(await engine.session(before.id)).toMatchObject({ slices: { gate: { open: true } } });
  });
});

describe("idempotent ingress", () => {
  it("[I13] the same key and request have one effect and get the first answer, also after a restart", async () => {
    const { engine, store, clock, id } = await titled();
    const first = await engine.dispatch(id, say(1), withKey("k"));
    const again = await engine.dispatch(id, say(1), withKey("k"));
    const later = await engineWorld({ store, clock }).engine.dispatch(id, say(1), withKey("k"));
    const reply = { ok: true, reply: { messageId: "msg_1", queued: false } };
    expect([first, again, later]).toMatchObject([reply, reply, reply]);
    expect(await engine.session(id)).toMatchObject({ inbox: [{ id: "msg_1" }] });
  });

  it("[SC-04] a create whose reply was lost is answered with its session when it is sent again", async () => {
    const { engine, store, clock } = engineWorld();
    const other = engineWorld({ store, clock }).engine;
    const id = sid("lost");
    const command = { ...create, sessionId: id } as SessionCommand;
    const release = store.holdNext("session");
    const again = engine.dispatch(id, command, withKey("k")); // it looks before the first commit is visible
    expect(await other.dispatch(id, command, withKey("k"))).toMatchObject({ ok: true });
    release();
    expect(await again).toMatchObject({ ok: true, session: { id } });
  });

  it("[I13] a refusal is remembered like any answer, even when the request would pass now", async () => {
    const { engine, id, must } = await titled();
    const refused = await engine.dispatch(id, gate({ do: "refuse", why: "not today" }), withKey("k"));
    await must(id, gate({ do: "open" }));
    const again = await engine.dispatch(id, gate({ do: "refuse", why: "not today" }), withKey("k"));
    const no = { ok: false, refusal: { code: "INVALID_REQUEST", message: "not today" } };
    expect([refused, again]).toMatchObject([no, no]);
    const missing = engine.dispatch(sid("nobody"), say(1), withKey("m"));
    expect(await missing).toMatchObject({ ok: false, refusal: { code: "SESSION_NOT_FOUND" } });
    expect(await engine.session(sid("nobody"))).toBeUndefined();
  });

  it("[I13] the same key with another request is refused and changes nothing", async () => {
    const { engine, id } = await titled();
    await engine.dispatch(id, say(1), withKey("k", "one"));
    expect(await engine.dispatch(id, say(2), withKey("k", "two"))).toEqual({
      ok: false,
      refusal: {
        code: "IDEMPOTENCY_KEY_REUSED",
        message: "This idempotency key was used for another request. Use a new key for a new request.",
      },
    });
    expect(await engine.session(id)).toMatchObject({ inbox: [{ id: "msg_1" }] });
  });

  it("[I13] keys of different people do not meet", async () => {
    const { engine, id } = await titled();
    const bob = { ...alice, id: "opr_bob" as typeof alice.id };
    await engine.dispatch(id, say(1), withKey("k", "one"));
    const his = await engine.dispatch(id, say(2), { ...withKey("k", "two"), actor: bob });
    expect(his).toMatchObject({ ok: true, reply: { messageId: "msg_2" } });
  });
});

describe("a store that fails", () => {
  it.each([
    ["STORE_FULL", full],
    ["STORE_UNAVAILABLE", gone],
    ["STORE_UNAVAILABLE", readOnly],
  ])("answers %s, remembers nothing and publishes nothing", async (code, failure) => {
    const { engine, store, id } = await titled();
    const heard: string[] = [];
    engine.onCommitted(({ events }) => void heard.push(...events.map(({ event }) => event.type)));
    store.failCommits(failure);
    expect(await engine.dispatch(id, say(1), withKey("k"))).toEqual({
      ok: false,
      refusal: {
        code,
        message: failure.message,
        retry: true,
        details: { reason: failure.reason, outcome: failure.outcome },
      },
    });
    expect(heard).toEqual([]);
    expect(await engine.session(id)).toMatchObject({ inbox: [] });
    expect(await engine.dispatch(id, say(1), withKey("k"))).toMatchObject({ ok: true });
    expect(heard).toEqual(["message.queued", "turn.requested"]);
  });

  it("[I18] lets a read that failed fail: no state is invented", async () => {
    const { store, clock, id } = await titled();
    const fresh = engineWorld({ store, clock });
    fresh.store.breakNext("session", 2);
    await expect(fresh.engine.session(id)).rejects.toThrow("broken");
    await expect(fresh.engine.dispatch(id, say(1), byAlice)).rejects.toThrow("broken");
    expect(await fresh.engine.dispatch(id, say(1), byAlice)).toMatchObject({ ok: true });
  });
});

describe("drain", () => {
  it("refuses new work, lets running work record its end, and waits for what is under way", async () => {
    const { engine, store, id, must } = await titled();
    await must(id, say(1));
    const turn = (await engine.session(id))?.turn;
    if (turn?.status !== "requested") throw new Error("no turn was requested");
    const on = { turnId: turn.turnId, epoch: 1 };
    await must(id, { type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 9_000_000, sole: true });

    const release = store.holdNext("commit");
    const underWay = engine.dispatch(id, { type: "session.rename", title: "last words" }, byAlice);
    const drained = engine.drain().then(() => "drained");
    await quiet();
    expect(await Promise.race([drained, Promise.resolve("waiting")])).toBe("waiting");
    release();
    expect(await underWay).toMatchObject({ ok: true });
    expect(await drained).toBe("drained");

    const refused = { ok: false, refusal: { code: "DRAINING", retry: true } };
    expect(await engine.dispatch(id, say(2), byAlice)).toMatchObject(refused);
    expect(await engine.dispatch(sid("2"), { ...create, sessionId: sid("2") } as never, byAlice)).toMatchObject(
      refused,
    );
    const claim = { type: "call.claim", ...on, callId: "c", kind: "file_edit", argsDigest: "d" } as const;
    expect(await engine.dispatch(id, claim, byAlice)).toMatchObject(refused);
    await must(id, { type: "turn.finish", ...on, outcome: "aborted", message: "" });
    await must(id, gate({ do: "close" }));
    expect(await engine.session(id)).toMatchObject({ turn: { status: "idle" }, title: "last words" });
  });
});

describe("what it tells", () => {
  it("publishes each commit once, with its events in the order of the store", async () => {
    const { engine, store, id, must } = await titled();
    const cursors: number[] = [];
    const stop = engine.onCommitted(({ events }) => void cursors.push(...events.map((event) => event.cursor)));
    await must(id, say(1));
    await must(id, { type: "session.rename", title: "new" });
    stop();
    await must(id, { type: "session.rename", title: "unheard" });
    const stored = await store.events({ cursor: 0, sessionId: id, limit: 500 });
    expect(cursors).toHaveLength(3);
    expect(stored.map((event) => event.cursor)).toEqual(expect.arrayContaining(cursors));
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
  });

  it("[PL-12] knows a deleted session no more, and one created under its name is new", async () => {
    const { engine, id, must, open } = await titled();
    await must(id, { type: "session.delete" });
    expect(await engine.session(id)).toBeUndefined();
    await open("1");
    expect(await engine.session(id)).toMatchObject({ entryCount: 0, turn: { status: "idle" } });
  });

  it("[I14] refuses a write under an epoch that is over", async () => {
    const { engine, id, must } = await titled();
    await must(id, say(1));
    const turn = (await engine.session(id))?.turn;
    const requested = turn?.status === "requested" ? turn.turnId : turnId("none");
    const start = { type: "turn.start", turnId: requested, leaseUntilMs: 9_000_000, sole: true } as const;
    await must(id, { ...start, node: "n1" });
    await must(id, { ...start, node: "n2" });
    const finish = { type: "turn.finish", turnId: requested, epoch: 1, outcome: "done", message: "" } as const;
    expect(await engine.dispatch(id, finish, byAlice)).toMatchObject({ ok: false, refusal: { code: "LEASE_LOST" } });
  });
});
