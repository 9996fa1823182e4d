/** What every store must do with commits that wait at the same time: each has its own answer, as if it had come alone. */
import { expect, it } from "vitest";
import type { Commit } from "../store.ts";
import type { Test } from "./commit-contract.ts";
import {
  aCommit,
  aSession,
  commitAll,
  create,
  everything,
  fact,
  renamed,
  sid,
  START_MS,
  timer,
  turn,
  underKey,
} from "./harness.ts";

const NAMES = ["1", "2", "3", "4"];

/** One that has something in every table. */
const rich = (name: string, change: Partial<Commit> = {}): Commit =>
  aCommit(sid(name), {
    expectedVersion: 1,
    session: aSession(sid(name), { title: name, timers: [timer("planMode/deadline", START_MS + 5)] }),
    events: [renamed(name), { type: "timer.set", timer: timer("planMode/deadline", START_MS + 5) }],
    outbox: [{ kind: "run-turn", turnId: turn(name) }],
    artifacts: [{ kind: "plan", id: `pln_${name}`, digest: name, body: { title: name } }],
    audit: [fact("renamed", { name })],
    idempotency: underKey(`k${name}`),
    ...change,
  });

export function groupContract(test: Test): void {
  it(
    "[PL-10] writes nothing of one that lost beside others, whatever it holds, and all of the others",
    test(async ({ store }) => {
      await commitAll(
        store,
        NAMES.map((name) => create(sid(name))),
      );
      const sent = [...NAMES, "none"];
      const results = await Promise.all(
        sent.map((name) => store.commit(rich(name, name === "2" ? { expectedVersion: 7 } : {}))),
      );
      const statuses = ["committed", "conflict", "committed", "committed", "conflict"];
      expect(results.map(({ status }) => status)).toEqual(statuses);
      expect(await store.session(sid("none"))).toBeUndefined();
      const written = ["1", "3", "4"];
      expect(await everything(store, NAMES.map(sid))).toMatchObject({
        sessions: [{ version: 2 }, { version: 1 }, { version: 2 }, { version: 2 }],
        effects: written.map((name) => ({ sessionId: sid(name), effect: { turnId: turn(name) } })),
        artifacts: { items: written.toReversed().map((name) => ({ id: `pln_${name}` })) },
        timers: written.map((name) => ({ sessionId: sid(name) })),
        audit: written.map((name, n) => ({ seq: n + 1, sessionId: sid(name) })),
      });
      expect(await store.verifyAudit()).toMatchObject({ intact: true, rows: 3 });
      expect((await store.commit(rich("2"))).status).toBe("committed"); // so its key was not used up
    }),
  );

  it(
    "[PL-10] writes commits of one session that are sent at once in their order",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("1"))]);
      const titles = ["a", "b", "c"];
      const results = await Promise.all([
        ...titles.map((title, n) =>
          store.commit(aCommit(sid("1"), { expectedVersion: n + 1, events: [renamed(title)], audit: [fact(title)] })),
        ),
        store.commit(create(sid("2"))),
      ]);
      expect(results).toMatchObject([2, 3, 4, 1].map((version) => ({ status: "committed", version })));
      const events = await store.events({ cursor: 0, sessionId: sid("1"), limit: 10 });
      expect(events.slice(1).map(({ event }) => event)).toEqual(titles.map(renamed));
      expect(results.flatMap((result) => ("events" in result ? result.events : [])).slice(0, 3)).toEqual(
        events.slice(1),
      );
      expect(await store.verifyAudit()).toMatchObject({ intact: true, rows: 3 });
    }),
  );

  it(
    "[I13] gives a key that is sent twice at once to the first; the second gets its answer or is refused",
    test(async ({ store }) => {
      const names = [...NAMES, "5"];
      const sent = names.map((name) => create(sid(name)));
      const same = underKey("k");
      const keys = [same, undefined, same, underKey("k", { requestDigest: "digest-2" }), underKey("other")];
      const results = await Promise.all(
        sent.map((commit, n) =>
          store.commit({ ...commit, ...(keys[n] === undefined ? {} : { idempotency: keys[n] }) }),
        ),
      );
      expect(results).toMatchObject([
        { status: "committed", version: 1 },
        { status: "committed", version: 1 },
        { status: "replayed", result: same.result },
        { status: "key-reused" },
        { status: "committed", version: 1 },
      ]);
      const there = await Promise.all(names.map(async (name) => (await store.session(sid(name))) !== undefined));
      expect(there).toEqual([true, true, false, false, true]);
    }),
  );

  it(
    "keeps the timers of each session apart, and drops those that one no longer has",
    test(async ({ store }) => {
      const [one, other] = [timer("a", START_MS + 1), timer("b", START_MS + 2)];
      const withTimers = (name: string, expectedVersion: number, timers: (typeof one)[]): Commit =>
        aCommit(sid(name), {
          expectedVersion,
          session: aSession(sid(name), { timers }),
          events: timers.map((set) => ({ type: "timer.set" as const, timer: set })),
        });
      await Promise.all(["1", "2", "3"].map((name) => store.commit(withTimers(name, 0, [one, other]))));
      const cleared: Commit = { ...withTimers("2", 1, []), events: [{ type: "timer.cleared", key: "a" }] };
      const moved = { ...other, atMs: START_MS + 9 };
      await Promise.all([withTimers("1", 1, [moved]), cleared, renamedOnly].map((commit) => store.commit(commit)));
      const due = await store.dueTimers({ atMs: START_MS + 100, limit: 10 });
      expect(due).toEqual([
        { sessionId: sid("3"), timer: one },
        { sessionId: sid("3"), timer: other },
        { sessionId: sid("1"), timer: moved },
      ]);
    }),
  );
}

/** Does not touch its timers. */
const renamedOnly = aCommit(sid("3"), { expectedVersion: 1, events: [renamed("new")] });
