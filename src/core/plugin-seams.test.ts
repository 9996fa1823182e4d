import { describe, expect, it } from "vitest";
import { coreWorld, create, gateSlice, messageId, runningTurn } from "../../test/kit/core.ts";
import { PREPARED_CHARS_MAX, SessionCommand } from "../protocol/session.ts";
import { anySlice, type AnySlice } from "./slice.ts";

const injection = { id: "plugin:deploy:a", kind: "plugin:deploy", text: "note", priority: 4, createdAtMs: 1 };

describe("what a plugin left behind", () => {
  it("[PG-02] is dropped whole: slice, timers and queued text, and nothing of anybody else's", () => {
    const world = coreWorld();
    world.must(create);
    world.must({ type: "slice.apply", slice: "gate", command: { do: "arm" } });
    world.must({ type: "injection.add", injection, wake: false });
    world.must({ type: "injection.add", injection: { ...injection, id: "b", kind: "plan_nudge" }, wake: false });
    const { session } = world;
    if (session === undefined) throw new Error("no session");
    const without = coreWorld([]); // the same session in a gateway without that plugin
    without.session = { ...session, slices: { ...session.slices, other: {} } };
    const drop = { type: "slice.drop", slice: "gate", injectionKind: "plugin:deploy" } as const;
    expect(without.must(drop).events).toEqual([
      { type: "timer.cleared", key: "gate/bell" },
      { type: "injection.dropped", id: "plugin:deploy:a", reason: "cancelled" },
      { type: "slice.dropped", slice: "gate" },
    ]);
    const { slices, timers, injections } = without.session;
    expect([slices, timers, injections.map(({ id }) => id)]).toEqual([{ other: {} }, [], ["b"]]);
    expect(without.must(drop).events).toEqual([]);
    expect(world.run(drop)).toMatchObject({ refused: { code: "SESSION_BUSY" } });
  });
});

describe("what a slice orders", () => {
  const ordering = (effect: Record<string, unknown>): AnySlice => ({
    ...anySlice(gateSlice),
    effects: (_state, event) => (event.type === "gate.tell" ? [{ kind: "perform", ...effect } as never] : []),
  });
  const tell = (effect: Record<string, unknown>) => {
    const world = coreWorld([ordering(effect)]);
    world.must(create);
    return world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } }).outbox;
  };

  it("[PL-12] commits with its cause, under the name of the slice, with its time and its key", () => {
    const order = { do: "ship", to: "shop" };
    expect(tell({ order })).toEqual([{ kind: "perform", slice: "gate", order, atMs: 1_000 }]);
    expect(tell({ order, key: "k 1" })).toEqual([{ kind: "perform", slice: "gate", order, key: "k 1", atMs: 1_000 }]);
  });

  it("[ST-01] may follow from another slice's event, in the same commit, while nothing of its own changes", () => {
    const peer: AnySlice = {
      ...anySlice(gateSlice),
      name: "peer",
      on: { peerEffects: (_state, { slice, event }) => [{ kind: "perform", order: { do: `${slice}/${event.type}` } }] },
    };
    const world = coreWorld([anySlice(gateSlice), peer]);
    world.must(create);
    const { outbox, events } = world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    expect(outbox).toContainEqual({ kind: "perform", slice: "peer", order: { do: "gate/gate.tell" }, atMs: 1_000 });
    expect(events.map((event) => (event.type === "slice.changed" ? event.slice : event.type))).not.toContain("peer");
  });

  it.each([
    [{ order: {} }, /without `do`/],
    [{ order: { do: "" } }, /without `do`/],
    [{ order: { do: 5 } }, /without `do`/],
    [{ order: { do: "ship" }, key: "" }, /key is not 1 to 200 plain characters/],
    [{ order: { do: "ship" }, key: "a\u0000b" }, /key is not/],
    [{ order: { do: "ship" }, key: "k".repeat(201) }, /key is not/],
  ])("is thrown at the slice where nobody could perform it: %o", (effect, message) => {
    expect(() => tell(effect)).toThrow(message);
  });
});

describe("what is put around the input of a turn", () => {
  const prepared = { before: ["first", "second"], after: ["last"] };

  it("[PG-03, IN-03] is recorded with it: before the injections, and behind everything", () => {
    const world = coreWorld();
    world.must(create);
    world.must({ type: "injection.add", injection, wake: false });
    world.must({
      type: "injection.add",
      injection: { ...injection, id: "c", text: "behind", placement: "after" },
      wake: false,
    });
    world.must({ type: "message.send", messageId: messageId(1), text: "please" });
    const turn = world.session?.turn;
    if (turn?.status !== "requested") throw new Error("no turn was requested");
    const start = {
      type: "turn.start",
      turnId: turn.turnId,
      node: "n1",
      leaseUntilMs: 1,
      sole: true,
      prepared,
    } as const;
    const { events } = world.must(start);
    expect(events).toContainEqual(
      expect.objectContaining({
        entry: expect.objectContaining({ text: "first\n\nsecond\n\nnote\n\nplease\n\nbehind\n\nlast" }),
      }),
    );
    const taken = world.must({ ...start, node: "n2", prepared: { before: ["other"], after: [] } });
    expect(JSON.stringify(taken.events)).not.toContain("other");
  });

  it("[PG-03] is no reason for a turn by itself, and is bounded", () => {
    const world = coreWorld();
    world.must(create);
    world.must({ type: "injection.add", injection: { ...injection, expiresAtMs: 1 }, wake: true });
    const turn = world.session?.turn;
    if (turn?.status !== "requested") throw new Error("no turn was requested");
    const start = {
      type: "turn.start",
      turnId: turn.turnId,
      node: "n1",
      leaseUntilMs: 1,
      sole: true,
      prepared,
    } as const;
    expect(world.must(start).events.at(-1)).toMatchObject({ type: "turn.finished", outcome: "empty" });
    const long = { before: ["x".repeat(PREPARED_CHARS_MAX), "y"], after: [] };
    expect(SessionCommand.safeParse({ ...start, prepared: long }).success).toBe(false);
  });
});

describe("a call with other arguments", () => {
  it("[PG-04, I01] is stored and audited in the form that will run, as long as it is open", () => {
    const { world, on } = runningTurn(coreWorld([] as AnySlice[]));
    world.must({ type: "turn.say", ...on, text: "", calls: [{ callId: "c1", tool: "write", args: { a: 1 } }] });
    const form = { args: { a: 2 }, argsDigest: "d2", by: "deploy/redact" };
    const done = world.must({ type: "call.rewrite", ...on, callId: "c1", ...form });
    expect(done.events).toEqual([{ type: "call.rewritten", callId: "c1", tool: "write", ...form }]);
    expect(done.audit).toEqual([
      { type: "call.rewritten", detail: { callId: "c1", tool: "write", argsDigest: "d2", by: "deploy/redact" } },
    ]);
    expect(world.run({ type: "call.rewrite", ...on, callId: "c2", ...form })).toMatchObject({
      refused: { code: "CALL_NOT_OPEN" },
    });
  });
});
