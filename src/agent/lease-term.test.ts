/** How long a lease holds, what ends it, and what is left of it then: the node's side of SC-02, SC-04, I14. */
import { describe, expect, it } from "vitest";
import { messageId } from "../../test/kit/core.ts";
import { engineWorld, type EngineWorld, say } from "../../test/kit/engine.ts";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import { createEngine } from "../engine/engine.ts";
import type { CommitSubscriber, Store } from "../store/store.ts";
import type { Sessions } from "../plugins/sessions.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import { DRAIN_CALL_MS_MAX, type Lease, LEASE_MS, type LeaseParts, takeLease } from "./lease.ts";

const AWAY = { reason: "unreachable", outcome: "nothing-written", message: "away" } as const;

/** A session with a turn that waits to be started. */
async function requested(given: Parameters<typeof engineWorld>[0] = { shared: true }) {
  const world = engineWorld(given);
  const sessionId = await world.open("one");
  await world.must(sessionId, say(1));
  const { turn } = await stored(world, sessionId);
  if (turn.status !== "requested") throw new Error("no turn was requested");
  return { world, at: { sessionId, turnId: turn.turnId } };
}

async function stored({ engine }: EngineWorld, id: SessionId): Promise<Session> {
  const session = await engine.session(id);
  if (session === undefined) throw new Error("the session is gone");
  return session;
}

const partsOf = ({ engine, clock }: EngineWorld, more: Partial<LeaseParts> = {}): LeaseParts => ({
  sessions: engine,
  clock,
  node: "node-1",
  sole: false,
  ...more,
});

type At = { sessionId: SessionId; turnId: TurnId };

async function held(more: Partial<LeaseParts> = {}): Promise<{ world: EngineWorld; at: At; lease: Lease }> {
  const { world, at } = await requested();
  const taken = await takeLease(at, partsOf(world, more));
  if ("none" in taken) throw new Error(`not taken: ${taken.none}`);
  return { world, at, lease: taken.lease };
}

const leaseUntil = async (world: EngineWorld, { sessionId }: At): Promise<number> => {
  const { turn } = await stored(world, sessionId);
  return turn.status === "running" ? turn.leaseUntilMs : 0;
};

const signals = ({ quiet: first, halt }: Lease): boolean[] => [first.aborted, halt.aborted];

/** Another node takes the turn over; the store is asked directly, as its own engine would. */
const takeOver = ({ turnId }: At) =>
  ({ type: "turn.start", turnId, node: "node-2", leaseUntilMs: Number.MAX_SAFE_INTEGER, sole: true }) as const;

describe("taking a turn", () => {
  it("[SC-02, I14] holds it under this node's name and the next epoch, for the time of a lease", async () => {
    const { world, at, lease } = await held();
    const { turn, epoch } = await stored(world, at.sessionId);
    expect(turn).toMatchObject({ status: "running", node: "node-1", leaseUntilMs: world.clock.now() + LEASE_MS });
    expect(lease).toMatchObject({ ...at, epoch });
    expect([lease.stopped(), lease.leftMs(), signals(lease)]).toEqual([undefined, LEASE_MS, [false, false]]);
    expect((await lease.look())?.turn).toEqual(turn);
    world.clock.advance(1_000);
    expect(lease.leftMs()).toBe(LEASE_MS - 1_000);
  });

  it("[SC-02] leaves for later what another node holds, or what the store does not answer", async () => {
    const { world, at } = await held();
    expect(await takeLease(at, partsOf(world, { node: "node-2" }))).toEqual({ none: "later" });
    const other = await requested();
    other.world.store.failCommits(AWAY);
    expect(await takeLease(other.at, partsOf(other.world))).toEqual({ none: "later" });
  });

  it("[SC-02] has nothing to do for a turn that is over, or in a session that is gone", async () => {
    const { world, at } = await requested();
    await world.must(at.sessionId, { type: "turn.abort" });
    expect(await takeLease(at, partsOf(world))).toEqual({ none: "done" });
    await world.must(at.sessionId, { type: "session.delete" });
    expect(await takeLease(at, partsOf(world))).toEqual({ none: "done" });
    const prepare = async () => ({ before: [], after: [] });
    expect(await takeLease(at, partsOf(world, { prepare }))).toEqual({ none: "done" });
  });

  it("[SC-02, RT-04] sees what was committed while it was told that the turn is its own", async () => {
    const { world, at } = await requested();
    const sessions = overtaken(world.engine, () => world.must(at.sessionId, { type: "turn.abort" }));
    const taken = await takeLease(at, partsOf(world, { sessions }));
    if ("none" in taken) throw new Error("not taken");
    expect([taken.lease.stopped(), signals(taken.lease)]).toEqual(["aborted", [true, true]]);
  });

  it("[SC-02, I14] has nothing to do where another turn runs by the time it is told", async () => {
    const { world, at } = await requested();
    const sessions = overtaken(world.engine, async () => {
      await world.must(at.sessionId, { type: "session.reset" });
      await world.must(at.sessionId, say(2));
      const { turn } = await stored(world, at.sessionId);
      if (turn.status !== "requested") throw new Error("no turn was requested");
      await world.must(at.sessionId, takeOver({ ...at, turnId: turn.turnId }));
    });
    expect(await takeLease(at, partsOf(world, { sessions }))).toEqual({ none: "done" });
  });

  it("[RT-04] has nothing to do where starting the turn ended it, because nothing was left to say", async () => {
    const world = engineWorld({ shared: true });
    const sessionId = await world.open("one");
    await world.must(sessionId, { type: "slice.apply", slice: "gate", command: { do: "tell" } });
    await world.must(sessionId, { type: "slice.apply", slice: "gate", command: { do: "close" } });
    const { turn } = await stored(world, sessionId);
    if (turn.status !== "requested") throw new Error("no turn was requested");
    expect(await takeLease({ sessionId, turnId: turn.turnId }, partsOf(world))).toEqual({ none: "done" });
    expect((await stored(world, sessionId)).turn.status).toBe("idle");
  });

  it("[IN-03] prepares the input of a turn that begins, and never again for one that was started before", async () => {
    const { world, at } = await requested();
    const asked: string[] = [];
    const parts = partsOf(world, {
      starting: ({ id }) => void asked.push(`starting ${id}`),
      prepare: async ({ id }, turnId) => {
        asked.push(`prepare ${id} ${turnId}`);
        return { before: ["prepared"], after: [] };
      },
    });
    expect(await takeLease({ ...at, turnId: "trn_other" as TurnId }, parts)).toEqual({ none: "done" });
    expect(asked).toEqual([]);
    await takeLease(at, parts);
    expect(asked).toEqual([`prepare ${at.sessionId} ${at.turnId}`, `starting ${at.sessionId}`]);
    const entries = await world.store.entries({ sessionId: at.sessionId, from: 0, before: null, limit: 9 });
    expect(JSON.stringify(entries)).toContain("prepared");
    await takeLease(at, parts);
    expect(asked).toHaveLength(2);
  });

  it("[IN-03] starts a turn for which there is nothing to prepare, with its own words alone", async () => {
    const { world, at } = await requested();
    expect(await takeLease(at, partsOf(world, { prepare: async () => undefined }))).toHaveProperty("lease");
    const entries = await world.store.entries({ sessionId: at.sessionId, from: 0, before: null, limit: 9 });
    expect(entries).toMatchObject([{ event: { entry: { kind: "input", text: "message 1" } } }]);
  });

  it("[SC-02] leaves no listener behind where it takes nothing, nor when a lease is released", async () => {
    const { world, at } = await requested();
    const counted = countListeners(world.engine);
    await world.must(at.sessionId, { type: "turn.abort" });
    await takeLease(at, partsOf(world, { sessions: counted.sessions }));
    expect(counted.open()).toBe(0);
    await world.must(at.sessionId, say(2));
    const { turn } = await stored(world, at.sessionId);
    if (turn.status !== "requested") throw new Error("no turn was requested");
    const taken = await takeLease({ ...at, turnId: turn.turnId }, partsOf(world, { sessions: counted.sessions }));
    if ("none" in taken) throw new Error("not taken");
    expect([counted.open(), world.clock.alarms.length]).toEqual([2, 2]);
    taken.lease.drain();
    taken.lease.release();
    expect([counted.open(), world.clock.alarms]).toEqual([0, []]);
  });
});

/** Others commit between the first commit of a node and the answer that tells it so. */
const overtaken = (sessions: Sessions, meanwhile: () => Promise<unknown>): Sessions => ({
  ...sessions,
  async dispatch(...given) {
    const outcome = await sessions.dispatch(...given);
    await meanwhile();
    return outcome;
  },
});

function countListeners(sessions: Sessions) {
  let open = 0;
  const counted = (stop: () => void) => {
    open += 1;
    return () => {
      open -= 1;
      stop();
    };
  };
  const watched: Sessions = {
    session: (id) => sessions.session(id),
    dispatch: (...given) => sessions.dispatch(...given),
    onCommitted: (...given) => counted(sessions.onCommitted(...given)),
    subscribe: (...given) => counted(sessions.subscribe(...given)),
  };
  return { sessions: watched, open: () => open };
}

describe("a lease that is held", () => {
  it("[SC-02] is renewed at each third of its time, for as long as the turn runs", async () => {
    const { world, at, lease } = await held();
    for (let third = 1; third <= 6; third++) {
      world.clock.advance(LEASE_MS / 3);
      await quiet();
      expect(await leaseUntil(world, at)).toBe(world.clock.now() + LEASE_MS);
      expect([lease.stopped(), lease.leftMs()]).toEqual([undefined, LEASE_MS]);
    }
    expect(world.clock.alarms).toEqual([world.clock.now() + LEASE_MS / 3, world.clock.now() + LEASE_MS]);
  });

  it("[SC-02] survives a renewal that fails, and renews at the next third", async () => {
    const { world, at, lease } = await held();
    const takenAtMs = world.clock.now();
    world.store.failCommits(AWAY);
    world.clock.advance(LEASE_MS / 3);
    await quiet();
    expect([lease.stopped(), await leaseUntil(world, at)]).toEqual([undefined, takenAtMs + LEASE_MS]);
    world.store.breakNext("commit");
    world.clock.advance(LEASE_MS / 3);
    await quiet();
    expect(lease.stopped()).toBeUndefined();
    world.clock.advance(LEASE_MS / 3 - 1);
    await quiet();
    expect([lease.stopped(), lease.leftMs()]).toEqual([undefined, 1]);
  });

  it("[SC-04] renews at the next third after a renewal that ended in an error", async () => {
    const { world, at, lease } = await held();
    world.store.breakNext("commit");
    for (let third = 0; third < 2; third++) {
      world.clock.advance(LEASE_MS / 3);
      await quiet();
    }
    expect(await leaseUntil(world, at)).toBe(world.clock.now() + LEASE_MS);
    expect([lease.stopped(), lease.leftMs()]).toEqual([undefined, LEASE_MS]);
  });

  it("[SC-04] is given up where the store did not take what the turn did", async () => {
    const { lease } = await held();
    lease.lose();
    expect([lease.stopped(), lease.leftMs(), signals(lease)]).toEqual(["lost", 0, [true, true]]);
  });

  it("[SC-04] ends with its time, whatever a renewal still waits for, and its late answer revives nothing", async () => {
    const { world, lease } = await held();
    const answer = world.store.holdNext("commit");
    world.clock.advance(LEASE_MS - 1);
    await quiet();
    expect(lease.stopped()).toBeUndefined();
    world.clock.advance(1);
    expect([lease.stopped(), lease.leftMs(), signals(lease)]).toEqual(["lost", 0, [true, true]]);
    answer();
    await quiet();
    expect([lease.stopped(), lease.leftMs()]).toEqual(["lost", 0]);
    expect(world.clock.alarms).toEqual([]);
    expect(await lease.look()).toBeUndefined();
  });

  it("[SC-04] does not end with its time where this process alone holds the state, but when it cannot be renewed", async () => {
    const { world, lease } = await held({ sole: true });
    expect(lease.leftMs()).toBe(Infinity);
    world.clock.leap(LEASE_MS + 1); // the machine slept
    await quiet();
    expect([lease.stopped(), lease.leftMs()]).toEqual([undefined, Infinity]);
    world.store.failCommits(AWAY, 9);
    for (let third = 0; third < 3; third++) {
      expect(lease.stopped()).toBeUndefined();
      world.clock.advance(LEASE_MS / 3);
      await quiet();
    }
    expect([lease.stopped(), lease.leftMs()]).toEqual(["lost", 0]);
  });

  it("[SC-04] is good for nothing while the clock is in doubt", async () => {
    let isInDoubt = false;
    const { world, at } = await requested();
    const clock = { ...world.clock, isInDoubt: () => isInDoubt };
    const taken = await takeLease(at, partsOf(world, { clock }));
    if ("none" in taken) throw new Error("not taken");
    expect(taken.lease.leftMs()).toBe(LEASE_MS);
    isInDoubt = true;
    expect(taken.lease.leftMs()).toBe(0);
  });

  it("[SC-02, I14] is lost at once when another node's epoch commits here, and stays lost", async () => {
    const { world, at, lease } = await held();
    await world.must(at.sessionId, takeOver(at));
    expect([lease.stopped(), lease.leftMs(), signals(lease)]).toEqual(["lost", 0, [true, true]]);
    await world.must(at.sessionId, { type: "turn.abort" });
    expect(lease.stopped()).toBe("lost");
    lease.drain();
    expect(lease.stopped()).toBe("lost");
  });

  it("[SC-02] is lost when its turn is over, another one runs, or the session is gone", async () => {
    const finish = { type: "turn.finish", outcome: "done", message: "" } as const;
    const over = await held();
    await over.world.must(over.at.sessionId, { ...finish, turnId: over.at.turnId, epoch: over.lease.epoch });
    expect(over.lease.stopped()).toBe("lost");
    const gone = await held();
    await gone.world.must(gone.at.sessionId, { type: "session.delete" });
    expect([gone.lease.stopped(), await gone.lease.look()]).toEqual(["lost", undefined]);
  });

  it("[RT-04] is stopped by a person: everything ends, and the end is recorded", async () => {
    const { world, at, lease } = await held();
    await world.must(at.sessionId, { type: "turn.abort" });
    expect([lease.stopped(), signals(lease), lease.leftMs()]).toEqual(["aborted", [true, true], 0]);
    expect(await lease.look()).toBeUndefined();
    lease.lose();
    expect(lease.stopped()).toBe("aborted"); // the end is still recorded
  });

  it("[GW-05] lets a running call go on for a moment while the gateway drains, once and no longer", async () => {
    const { world, lease } = await held();
    lease.drain();
    expect([lease.stopped(), signals(lease), lease.leftMs()]).toEqual(["draining", [true, false], LEASE_MS]);
    expect(await lease.look()).toBeUndefined();
    world.clock.advance(DRAIN_CALL_MS_MAX - 1);
    lease.drain();
    expect(signals(lease)).toEqual([true, false]);
    world.clock.advance(1);
    expect([lease.stopped(), signals(lease), lease.leftMs()]).toEqual(["draining", [true, true], 0]);
  });

  it("[GW-05, SC-02] loses it while it drains, too", async () => {
    const { world, at, lease } = await held();
    lease.drain();
    await world.must(at.sessionId, takeOver(at));
    expect([lease.stopped(), signals(lease)]).toEqual(["lost", [true, true]]);
  });

  it("[SC-02] is renewed while a draining call ends, and not once it is released or lost", async () => {
    const { world, at, lease } = await held();
    lease.drain();
    world.clock.advance(LEASE_MS / 3);
    await quiet();
    expect(await leaseUntil(world, at)).toBe(world.clock.now() + LEASE_MS);
    const answer = world.store.holdNext("commit");
    world.clock.advance(LEASE_MS / 3);
    await quiet();
    lease.release();
    answer();
    await quiet();
    expect(world.clock.alarms).toEqual([]);
  });

  it("[SC-02] is lost by an answer that says so, and by no other", async () => {
    const { at, lease } = await held();
    const { turnId, epoch } = lease;
    const claim = { type: "call.finish", turnId, epoch, callId: "none", status: "ok", content: null } as const;
    expect(await lease.dispatch(claim)).toMatchObject({ ok: false, refusal: { code: "CALL_NOT_OPEN" } });
    expect(lease.stopped()).toBeUndefined();
    const old = await lease.dispatch({ ...claim, epoch: epoch - 1 });
    expect([old, lease.stopped()]).toMatchObject([{ ok: false, refusal: { code: "LEASE_LOST" } }, "lost"]);
    const other = await held();
    await other.lease.dispatch({ ...claim, turnId: "trn_other" as TurnId });
    expect(other.lease.stopped()).toBe("lost");
    expect(at.turnId).toBe(turnId);
  });

  it("[GW-04] speaks as the agent of its session, which may decide nothing", async () => {
    const { world, at } = await requested();
    const actors: unknown[] = [];
    const sessions: Sessions = {
      ...world.engine,
      dispatch(id, command, by) {
        actors.push(by.actor);
        return world.engine.dispatch(id, command, by);
      },
    };
    const taken = await takeLease(at, partsOf(world, { sessions }));
    if ("none" in taken) throw new Error("not taken");
    const { turnId, epoch } = taken.lease;
    await taken.lease.dispatch({ type: "turn.say", turnId, epoch, text: "hello", calls: [] });
    const agent = { kind: "agent", sessionId: at.sessionId };
    expect(actors).toEqual([agent, agent]);
  });
});

describe("commits of other nodes", () => {
  /** A store on which a test says what other processes committed, as PostgreSQL's notices do. */
  async function noticed() {
    let notices: CommitSubscriber | undefined;
    const memory = openMemoryStore();
    const store: Store = {
      ...memory,
      subscribe(following) {
        notices = following;
        return () => void (notices = undefined);
      },
    };
    const clock = fakeClock();
    const { world: other, at } = await requested({ store: memory, clock, shared: true });
    const sessions = createEngine({ store, slices: other.engine.slices, clock, settingsFor: () => ({}), shared: true });
    const taken = await takeLease(at, partsOf(other, { sessions }));
    if ("none" in taken) throw new Error("not taken");
    const onCommit = (own: boolean): void =>
      notices?.onCommit({ sessionId: at.sessionId, version: 99, own, cursors: { first: 1, last: 1 } });
    const announced = { onCommit, missed: () => notices?.missed(), isFollowed: () => notices !== undefined };
    return { at, other, lease: taken.lease, ...announced };
  }

  it("[SC-02] are looked at when they are announced, and when some may have been missed", async () => {
    for (const announce of ["onCommit", "missed"] as const) {
      const { at, other, lease, onCommit, missed, isFollowed } = await noticed();
      await other.must(at.sessionId, { type: "turn.abort" });
      await quiet();
      expect(lease.stopped()).toBeUndefined(); // nobody has said anything yet
      if (announce === "onCommit") onCommit(false);
      else missed();
      await quiet();
      expect(lease.stopped()).toBe("aborted");
      lease.release();
      expect(isFollowed()).toBe(false);
    }
  });

  it("[SC-02] own ones are known already and not read again", async () => {
    const { at, other, lease, onCommit } = await noticed();
    await other.must(at.sessionId, { type: "message.send", messageId: messageId(7), text: "more" });
    await other.must(at.sessionId, { type: "turn.abort" });
    onCommit(true);
    await quiet();
    expect(lease.stopped()).toBeUndefined();
  });
});
