/** What a caller is answered about one call, and what is recorded of it, whole (GA-12, GA-02, RT-03). */
import { describe, expect, it } from "vitest";
import { agent, coreWorld, gateSlice, planSlice, refusal, runningTurn, sessionId } from "../../../test/kit/core.ts";
import { CallerId } from "../../protocol/ids.ts";
import { refuse } from "../../protocol/refusal.ts";
import { anySlice, type AnySlice, type FinishedCall, type GatedCall } from "../slice.ts";

const callerId = CallerId.parse("clr_1");
const by = { caller: { id: callerId, kind: "external" } };
const open = { type: "slice.apply", slice: "gate", command: { do: "open" } } as const;
const refused = (answer: object) => ("refused" in answer ? answer.refused : undefined);

/** A slice that answers nothing beside the ones that do: every question has to survive it. */
const silent = anySlice({ ...slicedDown(), name: "silent" });
function slicedDown() {
  const { guard: _guard, on: _on, ...rest } = gateSlice;
  return rest;
}

/** One call of a turn, which is open. */
function inTurn(slice: AnySlice = anySlice(gateSlice)) {
  const { world, on } = runningTurn(coreWorld([slice, silent]));
  world.must({ type: "turn.say", ...on, text: "", calls: [{ callId: "c1", tool: "write", args: {} }] }, agent);
  return { world, on, callId: "c1" };
}

/** One call of an agent outside, which is open. */
function outside(slice: AnySlice = anySlice(planSlice)) {
  const world = coreWorld([slice, silent]);
  const session = { sessionId, agentId: "main", surface: "hook", workspace: "/w", title: "" } as const;
  world.must({ type: "session.create", kind: "external", ...session });
  const lease = { node: "n1", leaseUntilMs: world.nowMs + 15_000 };
  world.must({ type: "caller.open", kind: "external", callerId, connection: "con_1", ...lease }, agent);
  const on = { caller: { id: callerId, epoch: 1 } };
  world.must({ type: "call.open", ...on, tool: "write", args: {} }, agent);
  return { world, on, callId: "clr_1/1.1" };
}

const claim = { type: "call.claim", kind: "file_edit", argsDigest: "d" } as const;

describe("a call that cannot start", () => {
  it("[GA-12] is not open: who asks is told for whom it is not", () => {
    const turn = inTurn();
    expect(refused(turn.world.run({ ...claim, ...turn.on, callId: "c9" }, agent))).toEqual({
      code: "CALL_NOT_OPEN",
      message: "Call c9 is not open in this turn.",
    });
    const caller = outside();
    expect(refused(caller.world.run({ ...claim, ...caller.on, callId: "c9" }, agent))).toEqual({
      code: "CALL_NOT_OPEN",
      message: "Call c9 is not open for caller clr_1.",
    });
  });

  it("[GA-12] started before", () => {
    const { world, on, callId } = inTurn();
    world.must(open);
    world.must({ ...claim, ...on, callId }, agent);
    expect(refused(world.run({ ...claim, ...on, callId }, agent))).toEqual({
      code: "CALL_ALREADY_CLAIMED",
      message: "Call c1 was claimed before; it starts at most once.",
    });
  });
});

describe("a claim", () => {
  it("[GA-12, BY-04] shows the guards what the policies allowed it by, and keeps both beside it", () => {
    const asked: GatedCall[] = [];
    const guarded = anySlice({
      ...gateSlice,
      guard: (_state, call) => (asked.push(call), { allowed: true, under: { by: "guard" } }),
    });
    const { world, on, callId } = inTurn(guarded);
    const { events, reply } = world.must({ ...claim, ...on, callId, under: { permission: "ask" } }, agent);
    const under = { permission: "ask", gate: { by: "guard" } };
    expect(events).toMatchObject([{ type: "call.claimed", callId, tool: "write", argsDigest: "d", under }]);
    expect(reply).toEqual({ under });
    expect(asked).toEqual([
      { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d", under: { permission: "ask" } },
    ]);
  });

  it("[GA-12] rests on nothing where nobody named anything", () => {
    const { world, on, callId } = inTurn(anySlice({ ...gateSlice, guard: () => ({ allowed: true }) }));
    expect(world.must({ ...claim, ...on, callId }, agent).reply).toStrictEqual({ under: {} });
  });
});

describe("the result of a call", () => {
  const seen: FinishedCall[] = [];
  const looking = anySlice({
    ...gateSlice,
    on: { result: (_state, call) => (seen.push(call), [{ type: "gate.close" }]) },
  });
  const ran = { args: { path: "a" }, startedAtMs: 7 };

  it("[RT-03, BY-04] is shown to the plugins with what ran, in the commit that records it", () => {
    for (const isClaimed of [false, true]) {
      const { world, on, callId } = inTurn(looking);
      world.must(open);
      if (isClaimed) world.must({ ...claim, ...on, callId }, agent);
      seen.length = 0;
      const finish = { type: "call.finish", ...on, callId, status: "ok", content: "done", ran } as const;
      const { events } = world.must(finish, agent);
      expect(events.at(-1)).toMatchObject({ type: "slice.changed", slice: "gate", event: { type: "gate.close" } });
      expect(events.filter(({ type }) => type === "slice.changed")).toHaveLength(1);
      const result = { callId, tool: "write", ...ran, status: "ok", content: "done" };
      expect(seen).toStrictEqual([isClaimed ? { ...result, claimed: true } : result]);
    }
  });

  it("[RT-03] of something that never began is shown to none of them", () => {
    const { world, on, callId } = inTurn(looking);
    seen.length = 0;
    const { events } = world.must({ type: "call.finish", ...on, callId, status: "error", content: "x" }, agent);
    expect([seen, events.map(({ type }) => type)]).toEqual([[], ["entry.appended", "call.closed"]]);
  });
});

it("[GA-02] other arguments of a call are recorded with who wanted them", () => {
  const rewrite = { type: "call.rewrite", args: { path: "b" }, argsDigest: "e", by: "p2" } as const;
  const turn = inTurn();
  const { type: _type, ...rewritten } = rewrite;
  const event = { type: "call.rewritten", tool: "write", ...rewritten };
  expect(turn.world.must({ ...rewrite, ...turn.on, callId: "c1" }, agent)).toMatchObject({
    events: [{ ...event, callId: "c1" }],
    reply: null,
  });
  const caller = outside();
  const { events } = caller.world.must({ ...rewrite, ...caller.on, callId: caller.callId }, agent);
  expect(events).toEqual([{ ...event, callId: caller.callId, ...by }]);
});

describe("a refused call", () => {
  const refuseCall = { type: "call.refuse", refusal } as const;
  const also = { slice: "gate", command: { do: "open" } };

  it("[GA-07] is recorded with who refused it, where that is known", () => {
    const named = inTurn();
    const { events } = named.world.must({ ...refuseCall, ...named.on, callId: "c1", by: "p1" }, agent);
    expect(events[0]).toEqual({ type: "call.refused", callId: "c1", refusal, by: "p1" });
    const unnamed = inTurn();
    const first = unnamed.world.must({ ...refuseCall, ...unnamed.on, callId: "c1" }, agent).events[0];
    expect(first).toStrictEqual({ type: "call.refused", callId: "c1", refusal });
  });

  it("[GA-10] tells a caller whether something follows, so that it waits for the answer", () => {
    const outcome = { status: "refused", content: refusal };
    const asked = outside();
    expect(asked.world.must({ ...refuseCall, ...asked.on, callId: asked.callId, also }, agent).reply).toEqual({
      ...outcome,
      followed: true,
    });
    const alone = outside();
    expect(alone.world.must({ ...refuseCall, ...alone.on, callId: alone.callId }, agent).reply).toEqual(outcome);
    const turn = inTurn();
    expect(turn.world.must({ ...refuseCall, ...turn.on, callId: "c1", also }, agent).reply).toBeNull();
  });

  it("[GA-07, PL-15] says since when and why, where what follows has settled that", () => {
    const entered = { entered_at: "2026-01-01T00:00:00Z", entered_reason: "auto" };
    const settling = anySlice({
      ...gateSlice,
      decide: () => ({ events: [{ type: "gate.open" }], reply: { refusal: entered } }),
    });
    const { world, on, callId } = inTurn(settling);
    const { events } = world.must({ ...refuseCall, ...on, callId, also }, agent);
    expect(events[0]).toMatchObject({ type: "call.refused", refusal: { ...refusal, ...entered } });
  });
});

describe("a tool that is a command of a plugin", () => {
  it("[RT-03] is answered with what the plugin says against it, details included", () => {
    for (const details of [undefined, { line: 3 }]) {
      const declining = anySlice({ ...gateSlice, decide: () => refuse("INVALID_REQUEST", "no", details) });
      const { world, on, callId } = inTurn(declining);
      const apply = { type: "call.apply", ...on, callId, slice: "gate", command: { do: "open" } } as const;
      expect(world.must(apply, agent).reply).toStrictEqual({
        error: "INVALID_REQUEST",
        message: "no",
        ...(details === undefined ? {} : { details }),
      });
    }
  });
});

it("[I15] a call and the caller in it end once in a reset and in a deletion", () => {
  for (const type of ["session.reset", "session.delete"] as const) {
    const { world, on } = inTurn();
    const cell = { parent: { turnId: on.turnId, callId: "c1" }, turnEpoch: on.epoch };
    const lease = { node: "n1", leaseUntilMs: world.nowMs + 15_000 };
    world.must({ type: "caller.open", kind: "cell", callerId, ...cell, ...lease }, agent);
    world.must({ type: "call.open", caller: { id: callerId, epoch: 1 }, tool: "write", args: {} }, agent);
    const { events } = world.must({ type });
    const closed = events.flatMap((event) => (event.type === "call.closed" ? [event.callId] : []));
    expect(closed).toEqual(["clr_1/1.1", "c1"]);
    expect(events.filter((event) => event.type === "caller.closed")).toHaveLength(1);
  }
});
