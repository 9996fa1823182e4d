import { describe, expect, it } from "vitest";
import { alice, coreWorld, create, creation, gateSlice, messageId } from "../../test/kit/core.ts";
import { INJECTION_PRIORITIES, INJECTIONS_MAX } from "../protocol/injection.ts";
import { INBOX_MAX } from "../protocol/session.ts";
import { anySlice } from "./slice.ts";

const injection = { id: "a", kind: "plan_nudge", text: "text", priority: 1, createdAtMs: 1 };

function opened() {
  const world = coreWorld();
  world.must(create);
  return world;
}

describe("one command, taken to its end", () => {
  it("[CH-11] a message that creates its session is one step, with ids of its own; where the session is there it is a message like any other", () => {
    const message = { type: "message.send", messageId: messageId(1), text: "hello", creates: creation } as const;
    const world = coreWorld();
    const first = world.must(message);
    expect(first.events.map((event) => event.type)).toEqual([
      "session.created",
      "slice.changed",
      "message.queued",
      "turn.requested",
    ]);
    expect(first.outbox).toEqual([{ kind: "run-turn", turnId: "trn_1h" }]);
    expect(first.reply).toEqual({ messageId: "msg_1", queued: false });
    const second = world.must({ ...message, messageId: messageId(2) });
    expect(second.events.map((event) => event.type)).toEqual(["message.queued", "turn.requested"]);
    expect(second.reply).toEqual({ messageId: "msg_2", queued: true });
    const refused = coreWorld().run({ ...message, creates: { ...creation, kind: "external" } });
    expect(refused).toMatchObject({ refused: { code: "INVALID_REQUEST" } });
  });

  it("[PL-12, I08, I10] commits a slice's change with the injection, the notice, the audit fact and the turn it asked for", () => {
    const world = opened();
    const done = world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    expect(done.events.map((event) => event.type)).toEqual([
      "slice.changed",
      "injection.queued",
      "turn.requested",
      "entry.appended",
    ]);
    expect(done.audit).toEqual([{ type: "gate.told", detail: {} }]);
    expect(done.outbox).toEqual([{ kind: "run-turn", turnId: "trn_2d" }]);
    expect(done.reply).toEqual({ did: "tell" });
  });

  it("[IN-02] cancels what a superseded decision had queued", () => {
    const world = opened();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    const { events } = world.must({ type: "slice.apply", slice: "gate", command: { do: "close" } });
    expect(events).toContainEqual({ type: "injection.dropped", id: "told", reason: "cancelled" });
    expect(world.session?.injections).toEqual([]);
  });

  it("refuses a command that its slice cannot read, and names the field", () => {
    const answer = opened().run({ type: "slice.apply", slice: "gate", command: { do: "explode" } });
    expect(answer).toMatchObject({ refused: { code: "INVALID_REQUEST" } });
    expect(opened().run({ type: "slice.apply", slice: "nobody", command: {} })).toMatchObject({
      refused: { code: "UNKNOWN_SLICE" },
    });
  });

  it("[AU-03] fires a timer once: the step that applies it takes it off the list", () => {
    const world = opened();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "arm" } });
    const fire = { type: "timer.fire", key: "gate/bell", atMs: 61_000 } as const;
    expect(world.must(fire).events.map((event) => event.type)).toEqual(["timer.cleared", "slice.changed"]);
    expect(world.run(fire)).toMatchObject({ refused: { code: "TIMER_GONE" } });
  });

  it("[AU-02] does not fire a timer that was called off, or set anew for another time", () => {
    const world = opened();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "arm" } });
    world.nowMs += 5_000;
    world.must({ type: "slice.apply", slice: "gate", command: { do: "arm" } });
    expect(world.session?.timers).toHaveLength(1);
    expect(world.run({ type: "timer.fire", key: "gate/bell", atMs: 61_000 })).toMatchObject({
      refused: { code: "TIMER_GONE" },
    });
    world.must({ type: "slice.apply", slice: "gate", command: { do: "disarm" } });
    expect(world.session?.timers).toEqual([]);
  });

  it("[I07] lets time stand still when the clock steps back", () => {
    const world = opened();
    world.nowMs = 50_000;
    world.must({ type: "session.rename", title: "later" });
    world.nowMs = 10;
    world.must({ type: "session.rename", title: "earlier?" });
    expect(world.session?.updatedAtMs).toBe(50_000);
  });

  it("a reset keeps the name, forgets the talk, and opens the slices anew", () => {
    const world = opened();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    const { events, audit } = world.must({ type: "session.reset" });
    expect(events.map((event) => event.type)).toEqual(["session.reset", "slice.changed"]);
    expect(audit).toEqual([{ type: "session.reset", detail: {} }]);
    expect(world.session).toMatchObject({
      historyFrom: 1,
      injections: [],
      timers: [],
      turn: { status: "idle" },
      slices: { gate: { open: false } },
    });
  });

  it.each(["session.reset", "session.delete"] as const)(
    "[BY-10] what a slice orders when its session goes (%s) commits with it, for the slice's worker",
    (type) => {
      const closing = anySlice({
        ...gateSlice,
        on: { ...gateSlice.on, delete: () => [{ kind: "perform", order: { do: "close" } }] },
      });
      const world = coreWorld([closing]);
      world.must(create);
      const { outbox } = world.must({ type });
      expect(outbox).toEqual([{ kind: "perform", slice: "gate", order: { do: "close" }, atMs: 1_000 }]);
    },
  );

  it("a deletion leaves no state", () => {
    const world = opened();
    expect(world.must({ type: "session.delete" }).session).toBeUndefined();
  });
});

describe("the queue of injections", () => {
  it("[IN-01] keeps each with its kind, priority and cycle; a decision comes before everything else", () => {
    const world = opened();
    const { createdAtMs: _now, ...told } = { ...injection, kind: "plan_decision", priority: 10, cycleId: "cyc_1" };
    world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    expect(world.session?.injections).toEqual([
      { ...told, id: "told", text: "The gate has spoken.", createdAtMs: 1_000 },
    ]);
    expect(Object.entries(INJECTION_PRIORITIES).toSorted(([, a], [, b]) => b - a)).toEqual([
      ["plan_decision", 10],
      ["plan_complete", 9],
      ["question_answer", 8],
      ["subagent_return", 5],
      ["plan_intro", 3],
      ["plan_nudge", 1],
    ]);
  });

  it("[IN-02] replaces the same id and keeps different ones", () => {
    const world = opened();
    world.must({ type: "injection.add", injection, wake: false });
    world.must({ type: "injection.add", injection: { ...injection, text: "newer" }, wake: false });
    world.must({ type: "injection.add", injection: { ...injection, id: "b" }, wake: false });
    expect(world.session?.injections.map(({ id, text }) => [id, text])).toEqual([
      ["a", "newer"],
      ["b", "text"],
    ]);
  });

  it("[IN-02] drops the lowest priority when it is full, even if that is the newcomer, and says so", () => {
    const world = opened();
    for (let n = 0; n < INJECTIONS_MAX; n++) {
      world.must({
        type: "injection.add",
        injection: { ...injection, id: `q${n}`, priority: 5, createdAtMs: n },
        wake: false,
      });
    }
    const low = world.must({ type: "injection.add", injection: { ...injection, id: "low", priority: 1 }, wake: false });
    expect(low.events).toEqual([{ type: "injection.dropped", id: "low", reason: "evicted" }]);
    const high = world.must({
      type: "injection.add",
      injection: { ...injection, id: "high", priority: 9 },
      wake: false,
    });
    expect(high.events[0]).toEqual({ type: "injection.dropped", id: "q0", reason: "evicted" });
    expect(world.session?.injections).toHaveLength(INJECTIONS_MAX);
  });

  it("[IN-02] delivers nothing that has expired", () => {
    const world = opened();
    world.must({ type: "injection.add", injection: { ...injection, expiresAtMs: 2_000 }, wake: false });
    world.must({ type: "message.send", messageId: messageId(1), text: "hello" });
    const turn = world.session?.turn;
    if (turn?.status !== "requested") throw new Error("not requested");
    world.nowMs = 2_000;
    const { events } = world.must({ type: "turn.start", turnId: turn.turnId, node: "n", leaseUntilMs: 9, sole: false });
    expect(events[1]).toMatchObject({ entry: { text: "hello", injectionIds: [] } });
  });
});

describe("messages", () => {
  it("are kept with their author, and refused when the inbox is full or the session archived", () => {
    const world = opened();
    for (let n = 0; n < INBOX_MAX; n++) world.must({ type: "message.send", messageId: messageId(n), text: "hi" });
    expect(world.session?.inbox[0]).toEqual({ attended: true, id: "msg_0", text: "hi", from: alice.name, atMs: 1_000 });
    expect(world.run({ type: "message.send", messageId: messageId(99), text: "hi" })).toMatchObject({
      refused: { code: "QUEUE_FULL" },
    });
    world.must({ type: "session.archive", archived: true });
    expect(world.run({ type: "message.send", messageId: messageId(99), text: "hi" })).toMatchObject({
      refused: { code: "SESSION_ARCHIVED" },
    });
  });
});
