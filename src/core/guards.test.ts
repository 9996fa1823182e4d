import { describe, expect, it } from "vitest";
import { agent, coreWorld, gateSlice, refusal, runningTurn } from "../../test/kit/core.ts";
import { anySlice, type GatedCall } from "./slice.ts";

function withOpenCall(world = coreWorld()) {
  const { on } = runningTurn(world);
  world.must({ type: "turn.say", ...on, text: "", calls: [{ callId: "c1", tool: "write", args: {} }] }, agent);
  return { world, on };
}

describe("a refused call", () => {
  it("[PL-15, GA-10] commits what follows from it in the same step", () => {
    const { world, on } = withOpenCall();
    const also = { slice: "gate", command: { do: "open" } };
    const { events } = world.must({ type: "call.refuse", ...on, callId: "c1", refusal, also }, agent);
    expect(events.map(({ type }) => type)).toEqual(["call.refused", "entry.appended", "call.closed", "slice.changed"]);
    expect(world.session?.slices["gate"]).toEqual({ open: true });
  });

  it("[GA-12] stays refused when the slice declines what should follow", () => {
    for (const also of [
      { slice: "gate", command: { do: "explode" } },
      { slice: "nobody", command: {} },
    ]) {
      const { world, on } = withOpenCall();
      const { events } = world.must({ type: "call.refuse", ...on, callId: "c1", refusal, also }, agent);
      expect(events.map(({ type }) => type)).toEqual(["call.refused", "entry.appended", "call.closed"]);
    }
  });

  it("[RT-07] may end the turn", () => {
    const { world, on } = withOpenCall();
    world.must({ type: "call.refuse", ...on, callId: "c1", refusal, endTurn: true }, agent);
    expect(world.session?.turn).toMatchObject({ status: "running", ending: true });
  });
});

describe("a claimed call", () => {
  it("[GA-10, AE-05] spends in the same step what it rests on, and its guards are told what that is", () => {
    const asked: GatedCall[] = [];
    const world = coreWorld([
      anySlice({
        ...gateSlice,
        guard: (_state, call) => (asked.push(call), { allowed: true }),
        on: { claim: () => [{ type: "gate.close" }] },
      }),
    ]);
    const { on } = withOpenCall(world);
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    const grant = { slice: "gate", id: "g1" };
    const claim = { type: "call.claim", ...on, callId: "c1", kind: "file_edit", argsDigest: "d", grant } as const;
    expect(world.must(claim, agent).events.map(({ type }) => type)).toEqual(["call.claimed", "slice.changed"]);
    expect(world.session?.slices["gate"]).toEqual({ open: false });
    expect(asked).toEqual([{ tool: "write", kind: "file_edit", effect: "write", argsDigest: "d", grant }]);
  });
});
