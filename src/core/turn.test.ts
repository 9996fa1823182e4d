import { describe, expect, it } from "vitest";
import { agent, coreWorld, create, messageId, runningTurn, sessionId } from "../../test/kit/core.ts";

const say = (calls: { callId: string; tool: string; args: {} }[]) =>
  ({ type: "turn.say", text: "", calls: calls.map((call) => ({ ...call, args: {} })) }) as const;
const writeCall = { callId: "c1", tool: "write", args: {} };
const claim = { type: "call.claim", callId: "c1", kind: "file_edit", argsDigest: "d" } as const;
const codes = (answer: object) => ("refused" in answer ? (answer.refused as { code: string }).code : "accepted");

describe("a turn", () => {
  it("[IN-03, I11] records what it drained in the step that started it: injections by priority, then the trimmed words", () => {
    const world = coreWorld();
    world.must(create);
    const base = { createdAtMs: 1, text: "low", id: "low", kind: "plan_nudge", priority: 1 };
    world.must({ type: "injection.add", injection: base, wake: false });
    world.must({ type: "injection.add", injection: { ...base, id: "high", text: "high", priority: 9 }, wake: false });
    world.must({ type: "message.send", messageId: messageId(1), text: "  do it \n" });
    const turn = world.session?.turn;
    if (turn?.status !== "requested") throw new Error("not requested");
    const { session, events } = world.must({
      type: "turn.start",
      turnId: turn.turnId,
      node: "n1",
      leaseUntilMs: 9,
      sole: false,
    });
    expect(events.map((event) => event.type)).toEqual(["turn.started", "entry.appended"]);
    expect(events[1]).toMatchObject({ n: 1, entry: { text: "high\n\nlow\n\ndo it", injectionIds: ["high", "low"] } });
    expect([session?.inbox, session?.injections, session?.epoch]).toEqual([[], [], 1]);
  });

  it("[IN-03, RT-03, I15] a successor gets the same input and a higher epoch; the claimed call is unknown and the open one still open", () => {
    const { world, on } = runningTurn();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    world.must({ ...say([writeCall, { ...writeCall, callId: "c2" }]), ...on }, agent);
    world.must({ ...claim, ...on }, agent);
    world.nowMs = 40_000;
    const { events, session } = world.must({
      type: "turn.start",
      turnId: on.turnId,
      node: "n2",
      leaseUntilMs: 70_000,
      sole: false,
    });
    expect(events.map((event) => event.type)).toEqual([
      "turn.taken-over",
      "entry.appended",
      "call.closed",
      "entry.appended",
    ]);
    expect(events[1]).toMatchObject({ entry: { kind: "result", callId: "c1", status: "unknown" } });
    expect(session?.turn).toMatchObject({ status: "running", attempt: 2, calls: [{ callId: "c2", claimed: false }] });
    expect(codes(world.run({ ...claim, ...on, callId: "c2" }, agent))).toBe("LEASE_LOST");
  });

  it("[SC-02] is not taken from a node whose lease still holds, unless the taker holds everything", () => {
    const { world, on } = runningTurn();
    const take = { type: "turn.start", turnId: on.turnId, node: "n2", leaseUntilMs: 50_000 } as const;
    expect(codes(world.run({ ...take, sole: false }))).toBe("LEASE_LOST");
    expect(codes(world.run({ ...take, sole: true }))).toBe("accepted");
  });

  it("[GA-12] claims a mutating call once, and only while the slices' guards say yes in that very step", () => {
    const { world, on } = runningTurn();
    world.must({ ...say([writeCall]), ...on }, agent);
    expect(world.run({ ...claim, ...on }, agent)).toMatchObject({
      refused: { code: "PLAN_MODE_BLOCKED", message: "The gate is closed." },
    });
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    expect(world.must({ ...claim, ...on }, agent).audit).toEqual([
      {
        type: "call.claimed",
        detail: { callId: "c1", tool: "write", argsDigest: "d", epoch: 1, under: { gate: { by: "test" } } },
      },
    ]);
    expect(codes(world.run({ ...claim, ...on }, agent))).toBe("CALL_ALREADY_CLAIMED");
    expect(codes(world.run({ ...claim, ...on, callId: "other" }, agent))).toBe("CALL_NOT_OPEN");
  });

  it("[RT-03] applies a state tool and records its result together, so that a repeat finds the call closed", () => {
    const { world, on } = runningTurn();
    world.must({ ...say([{ callId: "c1", tool: "flip", args: {} }]), ...on }, agent);
    const apply = { type: "call.apply", ...on, callId: "c1", slice: "gate", command: { do: "finish" } } as const;
    const { events } = world.must(apply, agent);
    expect(events.map((event) => event.type)).toEqual([
      "slice.changed",
      "entry.appended",
      "call.closed",
      "turn.ending",
    ]);
    expect(codes(world.run(apply, agent))).toBe("CALL_NOT_OPEN");
  });

  it("tells the model about a refused state tool as an error result", () => {
    const { world, on } = runningTurn();
    world.must({ ...say([{ callId: "c1", tool: "flip", args: {} }]), ...on }, agent);
    const done = world.must(
      { type: "call.apply", ...on, callId: "c1", slice: "gate", command: { do: "refuse", why: "no steps" } },
      agent,
    );
    expect(done.events[0]).toMatchObject({
      entry: { status: "error", content: { error: "INVALID_REQUEST", message: "no steps" } },
    });
  });

  it("[RT-04] starts no further change once it is being stopped", () => {
    const { world, on } = runningTurn();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    world.must({ ...say([writeCall]), ...on }, agent);
    world.must({ type: "turn.abort" });
    expect(codes(world.run({ ...claim, ...on }, agent))).toBe("TURN_NOT_RUNNING");
    const { events } = world.must({ type: "turn.finish", ...on, outcome: "aborted", message: "" }, agent);
    expect(events[0]).toMatchObject({ entry: { callId: "c1", status: "skipped" } });
    expect(world.session?.turn).toEqual({ status: "idle" });
  });

  it("[RT-04] runs again for what was said while it ran", () => {
    const { world, on } = runningTurn();
    expect(world.must({ type: "message.send", messageId: messageId(2), text: "and this" }).reply).toEqual({
      messageId: "msg_2",
      queued: true,
    });
    const { outbox } = world.must({ type: "turn.finish", ...on, outcome: "done", message: "" }, agent);
    expect(world.session?.turn.status).toBe("requested");
    expect(outbox).toHaveLength(1);
  });

  it("ends at once when there is nothing to say to the model", () => {
    const world = coreWorld();
    world.must(create);
    world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    world.must({ type: "slice.apply", slice: "gate", command: { do: "close" } });
    const turn = world.session?.turn;
    if (turn?.status !== "requested") throw new Error("not requested");
    world.must({ type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 9, sole: false });
    expect(world.session?.turn).toEqual({ status: "idle" });
  });

  it("[I14] refuses a stale turn, and commands of a session that was reset meanwhile", () => {
    const { world, on } = runningTurn();
    expect(codes(world.run({ type: "turn.finish", turnId: on.turnId, epoch: 0, outcome: "done", message: "" }))).toBe(
      "LEASE_LOST",
    );
    world.must({ type: "session.reset" });
    expect(codes(world.run({ type: "turn.finish", ...on, outcome: "done", message: "" }))).toBe("TURN_NOT_RUNNING");
  });
});

describe("a claimed call whose session is taken away", () => {
  function claimed() {
    const { world, on } = runningTurn();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    const calls = [
      { callId: "c1", tool: "write", args: {} },
      { callId: "c2", tool: "read", args: {} },
    ];
    world.must({ type: "turn.say", ...on, text: "", calls }, agent);
    world.must({ type: "call.claim", ...on, callId: "c1", kind: "file_edit", argsDigest: "d" }, agent);
    return world;
  }
  const unknown = { type: "call.closed", detail: { callId: "c1", tool: "write", status: "unknown" } };

  it("[I15, I20] is recorded as unknown by a reset, and people are told in the conversation that begins", () => {
    const world = claimed();
    const { events, audit } = world.must({ type: "session.reset" });
    expect(audit).toEqual([unknown, { type: "session.reset", detail: {} }]);
    const last = events.at(-1);
    expect(last).toEqual({
      type: "entry.appended",
      n: world.session?.entryCount,
      entry: {
        kind: "notice",
        text: "A call of write was under way when the session was reset. Its outcome is unknown and it was not repeated.",
        said: [{ line: 0, key: "unknownReset", args: { tool: "write" } }],
      },
    });
    expect(world.session?.historyFrom).toBe((world.session?.entryCount ?? 0) - 1);
  });

  it("[I15, I20] is recorded as unknown by a deletion", () => {
    expect(claimed().must({ type: "session.delete" }).audit).toEqual([
      unknown,
      { type: "session.deleted", detail: {} },
    ]);
  });
});

it("names the session that is missing instead of inventing one", () => {
  expect(codes(coreWorld().run({ type: "session.rename", title: "x" }))).toBe("SESSION_NOT_FOUND");
  const world = coreWorld();
  world.must(create);
  expect(world.run(create)).toMatchObject({
    refused: { code: "SESSION_EXISTS", message: `Session ${sessionId} exists already.` },
  });
});
