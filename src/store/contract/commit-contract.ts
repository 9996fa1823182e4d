/** What every store must do with a commit: write all of it or none, once, in order. */
import { expect, it } from "vitest";
import { IDEMPOTENCY_KEPT_MS, type Store } from "../store.ts";
import {
  aCommit,
  aSession,
  commitAll,
  committed,
  create,
  created,
  entry,
  everything,
  fact,
  HOUR_MS,
  message,
  renamed,
  sid,
  START_MS,
  timer,
  turn,
  underKey,
} from "./harness.ts";

type Opened = { store: Store; reopen(): Promise<Store> };
export type Test = (body: (opened: Opened) => Promise<void>) => () => Promise<void>;

const full = aCommit(sid("1"), {
  session: aSession(sid("1"), { timers: [timer("planMode/deadline", START_MS + 5)] }),
  events: [created(aSession(sid("1"))), { type: "timer.set", timer: timer("planMode/deadline", START_MS + 5) }],
  outbox: [{ kind: "run-turn", turnId: turn(1) }],
  artifacts: [{ kind: "plan", id: "pln_1", digest: "d1", body: { title: "one" } }],
  audit: [fact("plan.submitted", { planId: "pln_1" })],
  waiting: { kind: "approval", id: "apr_1", title: "one", sinceMs: START_MS, deadlineMs: null },
});

export function commitContract(test: Test): void {
  it(
    "[PL-12] writes everything that one command caused, and reads it back as it was",
    test(async ({ store }) => {
      const result = committed(await store.commit(full));
      const [first, second] = full.events;
      expect(result.version).toBe(1);
      expect(result.events).toEqual([
        { cursor: result.events[0]?.cursor, sessionId: sid("1"), atMs: START_MS, event: first },
        { cursor: result.events[1]?.cursor, sessionId: sid("1"), atMs: START_MS, event: second },
      ]);
      expect(await store.session(sid("1"))).toEqual({ session: full.session, version: 1 });
      expect(await store.events({ cursor: 0, limit: 10 })).toEqual(result.events);
      expect(await store.dueTimers({ atMs: START_MS + 5, limit: 10 })).toEqual([
        { sessionId: sid("1"), timer: timer("planMode/deadline", START_MS + 5) },
      ]);
      expect(await store.artifact("plan", "pln_1")).toEqual({
        sessionId: sid("1"),
        ...full.artifacts[0],
        atMs: START_MS,
      });
      expect((await store.pendingEffects({ id: 0, limit: 10 })).map(({ effect }) => effect)).toEqual(full.outbox);
    }),
  );

  it(
    "[PL-10] refuses a commit computed from another version, and then nothing of it is written",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("1")), create(sid("2"))]);
      const before = await everything(store, [sid("1"), sid("2")]);
      const idempotency = underKey("k");
      for (const expectedVersion of [0, 2, 99])
        expect(await store.commit({ ...full, expectedVersion, idempotency })).toEqual({ status: "conflict" });
      expect(await store.commit({ ...full, sessionId: sid("none"), expectedVersion: 1, idempotency })).toEqual({
        status: "conflict",
      });
      expect(await everything(store, [sid("1"), sid("2")])).toEqual(before);
      const free = await store.commit({ ...full, expectedVersion: 1, idempotency });
      expect(free.status).toBe("committed"); // so the key was not used up by those that lost
    }),
  );

  it(
    "[PL-10] lets exactly one of any number of concurrent commits win",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("1"))]);
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          store.commit(aCommit(sid("1"), { expectedVersion: 1, events: [renamed(`by ${n}`)], audit: [fact("won")] })),
        ),
      );
      expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
      expect(results.filter(({ status }) => status === "conflict")).toHaveLength(99);
      const events = await store.events({ cursor: 0, sessionId: sid("1"), limit: 500 });
      expect(events).toHaveLength(2);
      expect(await store.auditRows({ afterSeq: 0, limit: 10 })).toHaveLength(1);
    }),
  );

  it(
    "takes commits of many sessions at once, one that loses disturbing none of its neighbours",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("lost"))]);
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, n) => store.commit(n % 3 === 0 ? create(sid("lost")) : create(sid(n)))),
      );
      expect(results.map(({ status }) => status)).toEqual(
        results.map((_, n) => (n % 3 === 0 ? "conflict" : "committed")),
      );
      expect((await store.sessions({}, { cursor: null, limit: 500 })).items).toHaveLength(41);
    }),
  );

  it(
    "[I13] answers a repeated key with the first answer, and nothing happens twice",
    test(async ({ store, reopen }) => {
      const first = aCommit(sid("1"), { idempotency: underKey("k") });
      await commitAll(store, [first]);
      const before = await everything(store, [sid("1")]);
      const again = { ...first, expectedVersion: 1, idempotency: underKey("k", { result: "another answer" }) };
      const replayed = { status: "replayed", result: underKey("k").result };
      expect(await store.commit(again)).toEqual(replayed);
      expect(await store.commit(first)).toEqual(replayed); // also with the version that has passed since
      expect(await everything(store, [sid("1")])).toEqual(before);
      expect(await (await reopen()).commit(again)).toEqual(replayed);
    }),
  );

  it(
    "[I13] gives concurrent deliveries of one request one effect and one outcome",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("1"))]);
      const results = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.commit(aCommit(sid("1"), { expectedVersion: 1, idempotency: underKey("k") })),
        ),
      );
      const replayed = { status: "replayed", result: underKey("k").result };
      expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
      expect(results.filter(({ status }) => status !== "committed")).toEqual(
        Array.from({ length: 19 }, () => replayed),
      );
    }),
  );

  it(
    "[I13] repeats a refusal too, which changes nothing but the record of it",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("1"))]);
      const before = await everything(store, [sid("1")]);
      const refusal = { ok: false, refusal: { code: "APPROVAL_STALE", message: "Too late." } };
      const idempotency = underKey("k", { result: refusal });
      const nothing = { recordOnly: true, events: [], idempotency };
      expect(await store.commit(aCommit(sid("1"), { ...nothing, expectedVersion: 1 }))).toEqual({
        status: "committed",
        version: 1,
        events: [],
      });
      expect(await everything(store, [sid("1")])).toEqual(before);
      expect(await store.commit(aCommit(sid("1"), { expectedVersion: 1, idempotency: underKey("k") }))).toEqual({
        status: "replayed",
        result: refusal,
      });
      const stranger = aCommit(sid("none"), { ...nothing, idempotency: underKey("k2"), session: undefined });
      expect(committed(await store.commit(stranger)).version).toBe(0);
    }),
  );

  it(
    "[I13] refuses a key that was used for another request, and keeps the keys of two principals apart",
    test(async ({ store }) => {
      await commitAll(store, [aCommit(sid("1"), { idempotency: underKey("k") })]);
      const other = aCommit(sid("2"), { idempotency: underKey("k", { requestDigest: "digest-2" }) });
      expect(await store.commit(other)).toEqual({ status: "key-reused" });
      expect(await store.session(sid("2"))).toBeUndefined();
      const bob = aCommit(sid("2"), { idempotency: underKey("k", { principal: "opr_bob" }) });
      expect((await store.commit(bob)).status).toBe("committed");
    }),
  );

  it(
    "[I13] keeps idempotency records for more than 24 hours and forgets them only then",
    test(async ({ store }) => {
      expect(IDEMPOTENCY_KEPT_MS).toBeGreaterThan(24 * HOUR_MS);
      const commit = aCommit(sid("1"), { idempotency: underKey("k") });
      await commitAll(store, [commit]);
      await store.prune(START_MS + IDEMPOTENCY_KEPT_MS);
      expect((await store.commit(commit)).status).toBe("replayed");
      await store.prune(START_MS + IDEMPOTENCY_KEPT_MS + 1);
      expect((await store.commit(commit)).status).toBe("conflict");
    }),
  );

  it(
    "keeps a deleted session's events and audit rows, and drops its state and its timers",
    test(async ({ store }) => {
      await commitAll(store, [
        full,
        aCommit(sid("1"), {
          expectedVersion: 1,
          session: undefined,
          events: [{ type: "session.deleted" }],
          audit: [fact("session.deleted")],
        }),
      ]);
      expect(await store.session(sid("1"))).toBeUndefined();
      expect(await store.sessions({}, { cursor: null, limit: 10 })).toEqual({ items: [], nextCursor: null });
      expect(await store.nextTimerAtMs()).toBeUndefined();
      const events = await store.events({ cursor: 0, sessionId: sid("1"), limit: 10 });
      expect(events.map(({ event }) => event.type)).toEqual(["session.created", "timer.set", "session.deleted"]);
      const rows = await store.auditRows({ afterSeq: 0, limit: 10, sessionId: sid("1") });
      expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
      expect(await store.artifact("plan", "pln_1")).toMatchObject({ digest: "d1" });
      const gone = aCommit(sid("1"), { expectedVersion: 2, session: undefined });
      expect(await store.commit(gone)).toEqual({ status: "conflict" });
    }),
  );

  it(
    "never changes an artifact: of two with one id the first stands",
    test(async ({ store }) => {
      const [artifact] = full.artifacts;
      await commitAll(store, [
        full,
        aCommit(sid("1"), {
          expectedVersion: 1,
          atMs: START_MS + 9,
          artifacts: [{ kind: "plan", id: "pln_1", digest: "forged", body: "forged" }],
        }),
      ]);
      const stands = { sessionId: sid("1"), ...artifact, atMs: START_MS };
      expect(await store.artifact("plan", "pln_1")).toEqual(stands);
      expect(await store.artifacts({ kind: "plan", cursor: null, limit: 10 })).toEqual({
        items: [stands],
        nextCursor: null,
      });
    }),
  );

  it(
    "keeps every character that people and models write",
    test(async ({ store, reopen }) => {
      const text = 'nul \u0000 lone \ud800 pair 😀 quote " \\ line\n\u2028 rtl \u202e';
      const session = aSession(sid("1"), {
        title: "😀 %_'\"",
        inbox: [{ id: message(1), text, from: "Ålice", atMs: START_MS }],
      });
      await commitAll(store, [
        aCommit(sid("1"), {
          session,
          events: [renamed(text), { ...entry(1) }],
          artifacts: [{ kind: "plan", id: "pln_1", digest: "d", body: { [text]: text } }],
          audit: [fact("said", { text })],
          idempotency: underKey("k", { result: { text } }),
        }),
      ]);
      const again = await reopen();
      expect(await again.session(sid("1"))).toEqual({ session, version: 1 });
      expect((await again.events({ cursor: 0, limit: 1 }))[0]?.event).toEqual(renamed(text));
      expect((await again.artifact("plan", "pln_1"))?.body).toEqual({ [text]: text });
      expect((await again.sessions({ search: "%_'" }, { cursor: null, limit: 5 })).items).toHaveLength(1);
      expect(await again.verifyAudit()).toMatchObject({ intact: true, rows: 1 });
      expect(await again.commit(aCommit(sid("1"), { idempotency: underKey("k") }))).toEqual({
        status: "replayed",
        result: { text },
      });
    }),
  );

  it(
    "[PL-12] has everything again when it is opened again",
    test(async ({ store, reopen }) => {
      await commitAll(store, [full, create(sid("2")), aCommit(sid("2"), { expectedVersion: 1, audit: [fact("x")] })]);
      const before = await everything(store, [sid("1"), sid("2")]);
      const cursor = await store.lastCursor();
      const again = await reopen();
      expect(await everything(again, [sid("1"), sid("2")])).toEqual(before);
      const next = committed(await again.commit(aCommit(sid("2"), { expectedVersion: 2, audit: [fact("y")] })));
      expect(next.events[0]?.cursor).toBeGreaterThan(cursor);
      expect(await again.verifyAudit()).toMatchObject({ intact: true, rows: 3 });
    }),
  );

  it(
    "says that it is closed instead of losing what comes after",
    test(async ({ store }) => {
      const pending = store.commit(create(sid("1"))); // under way when the store is closed: still taken
      await store.close();
      expect((await pending).status).toBe("committed");
      expect(await store.commit(create(sid("2")))).toMatchObject({
        status: "failed",
        failure: { reason: "closed", outcome: "nothing-written" },
      });
    }),
  );
}
