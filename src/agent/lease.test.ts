import { describe, expect, it } from "vitest";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { sessionId } from "../../test/kit/core.ts";
import { answer, calls, counter, opened, stopOf, told, world } from "../../test/kit/scripted-turn.ts";
import type { TrustedToolPolicy } from "../plugins/policy.ts";
import type { StoredSession } from "../store/store.ts";
import { DRAIN_CALL_MS_MAX, LEASE_MS } from "./lease.ts";

describe("lease", () => {
  it("[SC-02] is renewed while the turn runs", async () => {
    const hold = Promise.withResolvers<void>();
    const made = await opened([{ until: hold.promise }]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    made.clock.advance(LEASE_MS / 3);
    await expect
      .poll(async () => {
        const { turn } = await made.session();
        return turn.status === "running" && turn.leaseUntilMs;
      })
      .toBe(made.clock.now() + LEASE_MS);
    hold.resolve();
    expect(await settling).toEqual(["done"]);
    expect(made.clock.alarms).toEqual([]); // nothing keeps ticking afterwards
  });

  it("[SC-02] leaves a turn alone that another node holds, and takes it over when its time is up", async () => {
    const hold = Promise.withResolvers<void>();
    const first = await opened([{ until: hold.promise }], { sole: false, shared: true });
    await first.send("hi");
    void first.settle();
    await first.model.asked(1);
    const second = await world([answer("mine now")], {
      store: first.store,
      clock: first.clock,
      node: "node-2",
      sole: false,
      shared: true,
    });
    expect(await second.settle()).toEqual(["later"]);
    first.store.failCommits({ reason: "unreachable", outcome: "nothing-written", message: "cut off" }, 3);
    for (let third = 0; third < 3; third++) {
      first.clock.advance(LEASE_MS / 3);
      await quiet();
    }
    expect(await second.settle()).toEqual(["done"]);
    expect((await told(second)).at(-1)).toBe("says: mine now []");
  });

  it("[SC-02] that is lost stops everything at once and writes nothing more", async () => {
    const { tool, begun } = counter(({ signal }) => stopOf(signal));
    const first = await opened([calls("count"), answer("never said")], { tools: [tool] });
    const turnId = await first.send("go");
    const settling = first.settle();
    await begun;
    await first.must({ type: "turn.start", turnId, node: "node-2", leaseUntilMs: 1, sole: true });
    expect(await settling).toEqual(["later"]);
    expect(await told(first)).toEqual([
      "input: go",
      "says:  [count]",
      "count: unknown",
      "notice: A call of count was under way when the gateway stopped. Its outcome is unknown and it was not repeated.",
    ]);
  });

  it("[SC-02] ends by itself when the store cannot be reached for as long as it lasts", async () => {
    const made = await opened([{ until: new Promise(() => undefined) }]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    made.store.failCommits({ reason: "unreachable", outcome: "nothing-written", message: "away" }, 9);
    for (let third = 0; third < 3; third++) {
      made.clock.advance(LEASE_MS / 3);
      await quiet();
    }
    expect(await settling).toEqual(["later"]);
  });
});

describe("drain", () => {
  it("[GW-05] breaks the model off, leaves the turn as it is, and the next start resumes it", async () => {
    const made = await opened([{ say: "half", until: new Promise(() => undefined), deaf: true }]);
    await made.send("hi");
    const settling = made.settle();
    await made.model.asked(1);
    await made.runner.drain();
    expect(await settling).toEqual(["later"]);
    expect(made.runner.running()).toBe(0);
    expect((await made.session()).turn.status).toBe("running");
    expect(await made.settle()).toEqual(["later"]); // takes nothing on any more

    const next = await world([answer("whole")], { store: made.store, clock: made.clock, node: "node-2" });
    expect(await next.settle()).toEqual(["done"]);
    expect(await told(next)).toEqual(["input: hi", "says: whole []"]);
  });

  it("[GW-05] lets a running call end, records it, and begins no other", async () => {
    const hold = Promise.withResolvers<void>();
    const { tool, runs, begun } = counter(() => hold.promise);
    const made = await opened([calls("count", "count")], { tools: [tool] });
    await made.send("go");
    const settling = made.settle();
    await begun;
    const draining = made.runner.drain();
    hold.resolve();
    await draining;
    expect(await settling).toEqual(["later"]);
    expect(runs).toEqual(["call_1_1"]);
    expect(await told(made)).toEqual(["input: go", "says:  [count, count]", "count: ok"]);
  });

  it("[GW-05] stops a call that takes too long and records what is known", async () => {
    const { tool, begun } = counter(({ signal }) => stopOf(signal));
    const made = await opened([calls("count")], { tools: [tool] });
    await made.send("go");
    const settling = made.settle();
    await begun;
    const draining = made.runner.drain();
    made.clock.advance(DRAIN_CALL_MS_MAX);
    await draining;
    expect(await settling).toEqual(["later"]);
    expect((await told(made)).at(-1)).toBe("count: ok");
  });

  it("[GW-05] is not delayed when nothing runs", async () => {
    const made = await opened([]);
    await made.runner.drain();
    expect(made.runner.running()).toBe(0);
  });
});

describe("a node that was paused after its claim", () => {
  /** The claim is in the store, and its answer is held back, as from a process that SIGSTOP holds. */
  async function pausedAtClaim(given: { sole: boolean; shared: boolean }) {
    const { tool, runs } = counter();
    let resume: (() => void) | undefined;
    const hold: TrustedToolPolicy = {
      id: "hold",
      description: "",
      async evaluate() {
        resume = made.store.holdNext("commit");
        return { verdict: "allow" };
      },
    };
    const made = await opened([calls("count"), answer("done")], { tools: [tool], policies: [hold], ...given });
    await made.send("go");
    const settling = made.settle();
    await expect.poll(async () => openCalls(await made.store.session(sessionId))).toEqual([true]);
    return { ...made, runs, settling, resume: () => resume?.() };
  }
  const openCalls = (stored: StoredSession | undefined) =>
    stored?.session.turn.status === "running" ? stored.session.turn.calls.map(({ claimed }) => claimed) : [];

  it("[SC-04] starts nothing that its successor has closed", async () => {
    const { runs, settling, resume, ...first } = await pausedAtClaim(SHARED);
    const clock = fakeClock(first.clock.now() + LEASE_MS + 1);
    const second = await world([answer("mine now")], { store: first.store, clock, node: "node-2", ...SHARED });
    expect(await second.settle()).toEqual(["done"]);
    first.clock.leap(LEASE_MS + 1);
    resume();
    expect(await settling).toEqual(["later"]);
    expect(runs).toEqual([]);
    expect(await told(second)).toContain("count: unknown");
  });

  it("[SC-04] starts nothing when its lease has run out, though nobody has taken it over yet", async () => {
    const { runs, settling, resume, clock, entries } = await pausedAtClaim(SHARED);
    clock.leap(LEASE_MS + 1);
    resume();
    expect(await settling).toEqual(["later"]);
    expect(runs).toEqual([]);
    expect(await told({ entries })).toContain("count: error");
  });

  it("[SC-04] goes on where it alone holds the state, because nobody can take the turn over", async () => {
    const { runs, settling, resume, clock } = await pausedAtClaim({ sole: true, shared: false });
    clock.leap(LEASE_MS + 1);
    resume();
    expect(await settling).toEqual(["done"]);
    expect(runs).toHaveLength(1);
  });
});

const SHARED = { sole: false, shared: true };
