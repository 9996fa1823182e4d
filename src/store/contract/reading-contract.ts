/** What every store must answer to its queries: events, transcripts, sessions, artifacts. */
import { expect, it } from "vitest";
import { InvalidCursorError } from "../list/page.ts";
import { type Commit, PAGE_MAX, type SessionFilter, type Store } from "../store.ts";
import type { Test } from "./commit-contract.ts";
import { aCommit, aSession, commitAll, create, entry, renamed, sid, START_MS, timer, turn } from "./harness.ts";

export function readingContract(test: Test): void {
  it(
    "gives events in one order whose cursors only grow, of all sessions or of one, after a cursor",
    test(async ({ store }) => {
      expect(await store.lastCursor()).toBe(0);
      await commitAll(store, [
        create(sid("a")),
        create(sid("b")),
        aCommit(sid("a"), { expectedVersion: 1, events: [renamed("x"), renamed("y")] }),
        aCommit(sid("b"), { expectedVersion: 1, events: [renamed("z")] }),
      ]);
      const all = await store.events({ cursor: 0, limit: 100 });
      const cursors = all.map(({ cursor }) => cursor);
      expect(cursors).toEqual([...new Set(cursors)].toSorted((left, right) => left - right));
      expect(all.map(({ sessionId }) => sessionId)).toEqual([sid("a"), sid("b"), sid("a"), sid("a"), sid("b")]);
      expect(await store.lastCursor()).toBe(cursors.at(-1));
      const after = { cursor: cursors[0] ?? 0, limit: 2 };
      expect(await store.events(after)).toEqual(all.slice(1, 3));
      expect(await store.events({ ...after, sessionId: sid("a") })).toEqual(all.slice(2, 4));
      expect(await store.events({ cursor: cursors.at(-1) ?? 0, limit: 2 })).toEqual([]);
      const ofA = all.filter(({ sessionId }) => sessionId === sid("a"));
      const before = { cursor: null, sessionId: sid("a"), limit: 2 };
      expect(await store.eventsBefore(before)).toEqual(ofA.slice(1));
      expect(await store.eventsBefore({ ...before, cursor: ofA[1]?.cursor ?? 0 })).toEqual(ofA.slice(0, 1));
      expect(await store.eventsBefore({ ...before, cursor: ofA[0]?.cursor ?? 0 })).toEqual([]);
    }),
  );

  it(
    "gives the newest transcript entries of a range, newest last",
    test(async ({ store }) => {
      await commitAll(store, [
        create(sid("a")),
        aCommit(sid("a"), { expectedVersion: 1, events: [1, 2, 3].flatMap((n) => [renamed("x"), entry(n)]) }),
        aCommit(sid("b"), { events: [entry(1)] }),
        aCommit(sid("a"), { expectedVersion: 2, events: [4, 5, 6].map(entry) }),
      ]);
      const numbers = async (range: { from: number; before: number | null; limit: number }) =>
        (await store.entries({ sessionId: sid("a"), ...range })).map(({ event }) => "n" in event && event.n);
      expect(await numbers({ from: 0, before: null, limit: 10 })).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await numbers({ from: 0, before: null, limit: 2 })).toEqual([5, 6]);
      expect(await numbers({ from: 2, before: 6, limit: 10 })).toEqual([3, 4, 5]);
      expect(await numbers({ from: 2, before: 6, limit: 1 })).toEqual([5]);
      expect(await numbers({ from: 6, before: null, limit: 1 })).toEqual([]);
      expect(await store.entries({ sessionId: sid("b"), from: 0, before: null, limit: 5 })).toMatchObject([
        { sessionId: sid("b"), atMs: START_MS, event: entry(1) },
      ]);
    }),
  );

  it(
    "lists sessions by their last change, a page at a time",
    test(async ({ store }) => {
      await tenSessions(store);
      const first = await store.sessions({}, { cursor: null, limit: 4 });
      expect(first.items.map(({ id }) => id)).toEqual([sid(9), sid(8), sid(7), sid(6)]);
      expect(first.items[0]).toEqual({
        id: sid(9),
        agentId: "main",
        kind: "chat",
        title: "Task 9",
        archived: false,
        createdAtMs: START_MS,
        updatedAtMs: START_MS + 4,
        waiting: null,
        mode: null,
      });
      await store.commit(
        aCommit(sid(2), { expectedVersion: 1, session: aSession(sid(2), { updatedAtMs: START_MS + 99 }) }),
      );
      const rest = await pages(store, {}, { cursor: first.nextCursor, limit: 4 });
      expect(rest).toEqual([[sid(5), sid(4), sid(3), sid(1)], [sid(0)]]); // 2 moved to the front, the rest stands
    }),
  );

  it(
    "shows the mode of each session in the list, and counts those that are in one and not archived",
    test(async ({ store }) => {
      expect(await store.sessionModes()).toEqual({});
      await tenSessions(store);
      const put = (n: number, change: Partial<Commit>) =>
        store.commit(aCommit(sid(n), { expectedVersion: 1, session: aSession(sid(n)), ...change }));
      await put(1, { mode: "plan" });
      await put(2, { mode: "plan" });
      await put(3, { mode: "executing" });
      await put(4, { mode: "plan", session: aSession(sid(4), { archived: true }) });
      expect(await store.sessionModes()).toEqual({ plan: 2, executing: 1 });
      const { items } = await store.sessions({}, { cursor: null, limit: 10 });
      expect(Object.fromEntries(items.map(({ id, mode }) => [id, mode]))).toMatchObject({
        [sid(1)]: "plan",
        [sid(3)]: "executing",
        [sid(5)]: null,
      });
      await put(1, { expectedVersion: 2 });
      expect(await store.sessionModes()).toEqual({ plan: 1, executing: 1 });
    }),
  );

  it(
    "lists only the archived, the waiting or those whose title holds the words searched for",
    test(async ({ store }) => {
      await tenSessions(store);
      const waiting = { kind: "question", id: "qst_1", title: "?", sinceMs: START_MS, deadlineMs: 5 } as const;
      const archived = { title: "Old ÄRGER", archived: true };
      await commitAll(store, [
        aCommit(sid(3), { expectedVersion: 1, session: aSession(sid(3), archived) }),
        aCommit(sid(5), { expectedVersion: 1, session: aSession(sid(5), { title: "Task 5" }), waiting }),
      ]);
      expect(await pages(store, { archived: true })).toEqual([[sid(3)]]);
      expect((await pages(store, { archived: false })).flat()).toHaveLength(9);
      expect(await pages(store, { waiting: true })).toEqual([[sid(5)]]);
      expect((await pages(store, { waiting: false })).flat()).toHaveLength(9);
      expect(await pages(store, { waiting: true, archived: true })).toEqual([[]]);
      expect(await pages(store, { search: "ärg" })).toEqual([[sid(3)]]);
      expect(await pages(store, { search: "task", waiting: true })).toEqual([[sid(5)]]);
      expect((await pages(store, { search: "TASK", archived: false })).flat()).toHaveLength(9);
      expect(await pages(store, { search: "none of them" })).toEqual([[]]);
      const { items } = await store.sessions({ waiting: true }, { cursor: null, limit: 5 });
      expect(items[0]?.waiting).toEqual(waiting);
    }),
  );

  it(
    "refuses a cursor that no page returned, and a page larger than the largest",
    test(async ({ store }) => {
      for (const cursor of ["", "x", "bnVsbA"]) {
        await expect(store.sessions({}, { cursor, limit: 5 })).rejects.toThrow(InvalidCursorError);
        await expect(store.artifacts({ kind: "plan", cursor, limit: 5 })).rejects.toThrow(InvalidCursorError);
      }
      for (const limit of [0, PAGE_MAX + 1, 1.5])
        await expect(store.sessions({}, { cursor: null, limit })).rejects.toThrow(RangeError);
    }),
  );

  it(
    "lists artifacts of one kind newest first, of all sessions or of one",
    test(async ({ store }) => {
      const plan = (n: number) => ({ kind: "plan", id: `pln_${n}`, digest: `d${n}`, body: { n } });
      await commitAll(store, [
        aCommit(sid("a"), { artifacts: [plan(1), { ...plan(1), kind: "other" }] }),
        aCommit(sid("b"), { artifacts: [plan(2)] }),
        aCommit(sid("a"), { expectedVersion: 1, artifacts: [plan(3), plan(4)] }),
      ]);
      const ids = async (cursor: string | null, sessionId?: ReturnType<typeof sid>) => {
        const asked = { kind: "plan", cursor, limit: 2 };
        const page = await store.artifacts(sessionId === undefined ? asked : { ...asked, sessionId });
        return { ids: page.items.map(({ id }) => id), next: page.nextCursor };
      };
      const first = await ids(null);
      expect(first.ids).toEqual(["pln_4", "pln_3"]);
      expect(await ids(first.next)).toEqual({ ids: ["pln_2", "pln_1"], next: null });
      const ofA = await ids(null, sid("a"));
      expect(ofA.ids).toEqual(["pln_4", "pln_3"]);
      expect(await ids(ofA.next, sid("a"))).toEqual({ ids: ["pln_1"], next: null });
      expect(await store.artifact("plan", "pln_9")).toBeUndefined();
    }),
  );

  it(
    "hands out effects until they are done, in the order in which they were left, also after a restart",
    test(async ({ store, reopen }) => {
      const run = (n: number) => ({ kind: "run-turn" as const, turnId: turn(n) });
      await commitAll(store, [
        aCommit(sid("a"), { outbox: [run(1), run(2)] }),
        aCommit(sid("b"), { outbox: [run(3)] }),
      ]);
      const pending = await store.pendingEffects({ id: 0, limit: 10 });
      expect(pending.map(({ sessionId, effect }) => [sessionId, effect])).toEqual([
        [sid("a"), run(1)],
        [sid("a"), run(2)],
        [sid("b"), run(3)],
      ]);
      const [first, second, third] = pending.map(({ id }) => id);
      expect(await store.pendingEffects({ id: first ?? 0, limit: 1 })).toEqual(pending.slice(1, 2));
      await store.effectDone(second ?? 0);
      await store.effectDone(second ?? 0); // delivered twice, as may happen after a crash
      const again = await reopen();
      expect((await again.pendingEffects({ id: 0, limit: 10 })).map(({ id }) => id)).toEqual([first, third]);
      await again.effectDone(third ?? 0);
      await commitAll(again, [aCommit(sid("c"), { outbox: [run(4)] })]);
      expect((await again.pendingEffects({ id: third ?? 0, limit: 10 })).map(({ effect }) => effect)).toEqual([run(4)]);
    }),
  );

  it(
    "knows the timers of all sessions, as the sessions have them, earliest first",
    test(async ({ store }) => {
      const [early, late] = [timer("planMode/early", START_MS + 10), timer("planMode/late", START_MS + 20)];
      const set = [early, late].map((each) => ({ type: "timer.set" as const, timer: each }));
      const due = async (atMs: number) =>
        (await store.dueTimers({ atMs, limit: 10 })).map((row) => [row.sessionId, row.timer]);
      expect(await store.nextTimerAtMs()).toBeUndefined();
      await commitAll(store, [
        aCommit(sid("a"), { session: aSession(sid("a"), { timers: [late, early] }), events: set }),
        aCommit(sid("b"), { session: aSession(sid("b"), { timers: [early] }), events: set }),
      ]);
      expect(await store.nextTimerAtMs()).toBe(START_MS + 10);
      expect(await due(START_MS + 9)).toEqual([]);
      expect(await due(START_MS + 20)).toHaveLength(3);
      expect((await store.dueTimers({ atMs: START_MS + 20, limit: 3 })).at(-1)?.timer).toEqual(late);
      const later = { ...early, atMs: START_MS + 50 };
      await commitAll(store, [
        aCommit(sid("a"), {
          expectedVersion: 1,
          session: aSession(sid("a"), { timers: [later] }),
          events: [
            { type: "timer.cleared", key: late.key },
            { type: "timer.set", timer: later },
          ],
        }),
        aCommit(sid("b"), { expectedVersion: 1, events: [{ type: "session.reset" }] }),
      ]);
      expect(await due(START_MS + 100)).toEqual([[sid("a"), later]]);
      await commitAll(store, [
        aCommit(sid("a"), { expectedVersion: 2, events: [{ type: "timer.cleared", key: "x" }] }),
      ]);
      expect(await store.nextTimerAtMs()).toBeUndefined();
    }),
  );
}

async function tenSessions(store: Store): Promise<void> {
  for (let n = 0; n < 10; n++)
    await store.commit(create(sid(n), { title: `Task ${n}`, updatedAtMs: START_MS + Math.floor(n / 2) }));
}

async function pages(
  store: Store,
  filter: SessionFilter,
  page: { cursor: string | null; limit: number } = { cursor: null, limit: 4 },
): Promise<string[][]> {
  const { items, nextCursor } = await store.sessions(filter, page);
  const ids = items.map(({ id }) => id);
  return nextCursor === null ? [ids] : [ids, ...(await pages(store, filter, { ...page, cursor: nextCursor }))];
}
