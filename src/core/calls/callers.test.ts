import { describe, expect, it } from "vitest";
import { agent, alice, coreWorld, planSlice, refusal, runningTurn, sessionId } from "../../../test/kit/core.ts";
import { CALLER_CALLS_MAX, CALLER_LEASE_MS_MAX, CALLERS_MAX, CELL_KEPT_MS_MAX } from "../../protocol/calls/caller.ts";
import { CallerId } from "../../protocol/ids.ts";
import { Session, type SessionCommand, TIMERS_MAX } from "../../protocol/session.ts";
import { anySlice, type GatedCall } from "../slice.ts";
import { CALLERS_TIMER } from "./caller-ends.ts";

const createExternal: SessionCommand = {
  type: "session.create",
  sessionId,
  agentId: "main",
  kind: "external",
  surface: "hook",
  workspace: "/project",
  title: "",
};
const LEASE_MS = 15_000;
const callerId = (n: number) => CallerId.parse(`clr_${n}`);
const codes = (answer: ReturnType<ReturnType<typeof coreWorld>["run"]>) =>
  "refused" in answer ? answer.refused.code : "accepted";
const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);

type Kind = "turn" | "cell" | "external";
type Made = ReturnType<typeof opened>;

/** A session in which one call is open, made by a turn, a cell or an agent outside; `on` is its proof of life. */
function opened(kind: Kind, world = coreWorld(kind === "external" ? [anySlice(planSlice)] : undefined)) {
  if (kind === "external") {
    world.must(createExternal);
    const lease = { node: "n1", leaseUntilMs: world.nowMs + LEASE_MS };
    world.must({ type: "caller.open", kind, callerId: callerId(1), connection: "con_1", ...lease }, agent);
    const on = { caller: { id: callerId(1), epoch: 1 } };
    world.must({ type: "call.open", ...on, tool: "write", args: { path: "a" } }, agent);
    return { world, on, callId: "clr_1/1.1" };
  }
  const { world: inTurn, on: turn } = runningTurn(world);
  const tool = kind === "turn" ? "write" : "exec";
  inTurn.must({ type: "turn.say", ...turn, text: "", calls: [{ callId: "c1", tool, args: {} }] }, agent);
  if (kind === "turn") return { world, on: turn, callId: "c1" };
  openCell(inTurn, turn);
  const on = { caller: { id: callerId(1), epoch: 1 } };
  world.must({ type: "call.open", ...on, tool: "write", args: { path: "a" } }, agent);
  return { world, on, callId: "clr_1/1.1" };
}

type TurnProof = ReturnType<typeof runningTurn>["on"];
const cellIn = ({ turnId, epoch }: TurnProof, nowMs: number) => ({
  parent: { turnId, callId: "c1" },
  turnEpoch: epoch,
  node: "n1",
  leaseUntilMs: nowMs + LEASE_MS,
});
const openCell = (world: ReturnType<typeof coreWorld>, turn: TurnProof) =>
  world.must({ type: "caller.open", kind: "cell", callerId: callerId(1), ...cellIn(turn, world.nowMs) }, agent);

const claim = ({ on, callId }: Pick<Made, "on" | "callId">) =>
  ({ type: "call.claim", ...on, callId, kind: "file_edit", argsDigest: "d" }) as const;
const finish = ({ on, callId }: Pick<Made, "on" | "callId">) =>
  ({ type: "call.finish", ...on, callId, status: "ok", content: "done" }) as const;
const letThrough = (world: ReturnType<typeof coreWorld>) =>
  world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });

/** What the timer of the callers does when it rings. */
function ring(world: ReturnType<typeof coreWorld>) {
  const timer = world.session?.timers.find(({ key }) => key === CALLERS_TIMER);
  if (timer === undefined) throw new Error("no timer is set");
  world.nowMs = Math.max(world.nowMs, timer.atMs);
  return world.must({ type: "timer.fire", key: timer.key, atMs: timer.atMs }, { kind: "system", reason: "timer" });
}

function claimed(kind: Kind) {
  const made = opened(kind);
  letThrough(made.world);
  made.world.must(claim(made), agent);
  return made;
}

describe.each(["turn", "cell", "external"] as const)("a call that a %s makes", (kind) => {
  const by = kind === "turn" ? {} : { caller: { id: "clr_1", kind } };

  it("[GA-12] is claimed once, while the guards say yes in that very step, and the claim says by whom", () => {
    const made = opened(kind);
    expect(made.world.run(claim(made), agent)).toMatchObject({ refused: { code: "PLAN_MODE_BLOCKED" } });
    letThrough(made.world);
    const detail = {
      callId: made.callId,
      tool: "write",
      argsDigest: "d",
      epoch: 1,
      under: { gate: { by: "test" } },
      ...by,
    };
    expect(made.world.must(claim(made), agent).audit).toEqual([{ type: "call.claimed", detail }]);
    expect(codes(made.world.run(claim(made), agent))).toBe("CALL_ALREADY_CLAIMED");
  });

  it("[GA-12] tells the guards who makes it", () => {
    const asked: GatedCall[] = [];
    const guard = (_state: unknown, call: GatedCall) => (asked.push(call), { allowed: true } as const);
    const made = opened(kind, coreWorld([anySlice({ ...planSlice, guard })]));
    letThrough(made.world);
    made.world.must(claim(made), agent);
    expect(asked).toEqual([{ tool: "write", kind: "file_edit", effect: "write", argsDigest: "d", ...by }]);
  });

  it("[RT-03] is closed by its result, once", () => {
    const made = claimed(kind);
    const { events, reply } = made.world.must(finish(made), agent);
    expect(types(events)).toEqual(["entry.appended", "call.closed"]);
    expect(reply).toEqual(kind === "turn" ? null : { status: "ok", content: "done" });
    expect(codes(made.world.run(finish(made), agent))).toBe("CALL_NOT_OPEN");
    expect(codes(made.world.run(claim(made), agent))).toBe("CALL_NOT_OPEN");
  });

  it("[GA-07] is closed by a refusal, with what follows from it", () => {
    const made = opened(kind);
    const also = { slice: "gate", command: { do: "open" } };
    const { events, audit } = made.world.must(
      { type: "call.refuse", ...made.on, callId: made.callId, refusal, also },
      agent,
    );
    expect(types(events)).toEqual(["call.refused", "entry.appended", "call.closed", "slice.changed"]);
    expect(audit).toEqual([
      { type: "call.refused", detail: { callId: made.callId, tool: "write", rule: "no", ...by } },
    ]);
  });

  it("[RT-03] applies a state tool and records its result together", () => {
    const made = opened(kind);
    const apply = {
      type: "call.apply",
      ...made.on,
      callId: made.callId,
      slice: "gate",
      command: { do: "arm" },
    } as const;
    const { events, reply } = made.world.must(apply, agent);
    expect(types(events)).toEqual(["slice.changed", "entry.appended", "call.closed", "timer.set"]);
    expect(reply).toEqual(kind === "turn" ? { did: "arm" } : { status: "ok", content: { did: "arm" } });
    expect(codes(made.world.run(apply, agent))).toBe("CALL_NOT_OPEN");
  });

  it("[I15, I20] that was claimed is unknown after a reset and after a deletion, and people are told", () => {
    const made = () => claimed(kind);
    const unknown = { type: "call.closed", detail: { callId: made().callId, tool: "write", status: "unknown", ...by } };
    const reset = made().world.must({ type: "session.reset" });
    expect(reset.audit).toContainEqual(unknown);
    expect(reset.events.filter((event) => event.type === "entry.appended").map(({ entry }) => entry)).toContainEqual({
      kind: "notice",
      text: "A call of write was under way when the session was reset. Its outcome is unknown and it was not repeated.",
      said: [{ line: 0, key: "unknownReset", args: { tool: "write" } }],
    });
    expect(made().world.must({ type: "session.delete" }).audit).toContainEqual(unknown);
  });

  it("[I14, I15] cannot be claimed or finished under the epoch of before a reset", () => {
    const made = claimed(kind);
    made.world.must({ type: "session.reset" });
    for (const command of [claim(made), finish(made)])
      expect(codes(made.world.run(command, agent))).toBe(kind === "turn" ? "TURN_NOT_RUNNING" : "LEASE_LOST");
  });
});

describe.each(["cell", "external"] as const)("a caller: %s", (kind) => {
  const by = { id: "clr_1", kind };

  it("[I15] whose lease ran out is refused everything, before anybody noticed", () => {
    const made = claimed(kind);
    made.world.nowMs += LEASE_MS;
    const renewal = { type: "caller.renew", ...callerOf(made), leaseUntilMs: made.world.nowMs + LEASE_MS } as const;
    for (const command of [claim(made), finish(made), renewal])
      expect(codes(made.world.run(command, agent))).toBe("LEASE_LOST");
  });

  it("[I15, I20] that is lost has its claimed call closed as unknown by the timer alone, shown to people and to the agent", () => {
    const made = claimed(kind);
    made.world.must({ type: "call.open", ...callerOf(made), tool: "read", args: {} }, agent);
    const { events, audit, session } = ring(made.world);
    expect(audit).toEqual([
      { type: "call.closed", detail: { callId: "clr_1/1.1", tool: "write", status: "unknown", caller: by } },
      { type: "call.closed", detail: { callId: "clr_1/1.2", tool: "read", status: "skipped", caller: by } },
      { type: "caller.closed", detail: { caller: by, ending: "expired" } },
    ]);
    expect(types(events)).toEqual([
      "timer.cleared",
      "entry.appended",
      "call.closed",
      "entry.appended",
      "call.closed",
      "caller.closed",
      "entry.appended",
      "injection.queued",
    ]);
    expect(events.find((event) => event.type === "injection.queued")?.injection.text).toContain("write");
    expect(session).not.toHaveProperty("callers");
    expect(session?.timers).toEqual([]);
    expect(codes(made.world.run(finish(made), agent))).toBe("LEASE_LOST");
  });

  it("[GA-09] that is renewed moves no timer; the timer rings early, finds it alive and is set anew", () => {
    const made = opened(kind);
    const startMs = made.world.nowMs;
    made.world.nowMs += 10_000;
    const until = made.world.nowMs + LEASE_MS;
    const { events } = made.world.must({ type: "caller.renew", ...callerOf(made), leaseUntilMs: until }, agent);
    expect(types(events)).toEqual(["caller.renewed"]);
    const rung = ring(made.world);
    expect(made.world.nowMs).toBe(startMs + LEASE_MS);
    expect(types(rung.events)).toEqual(["timer.cleared", "timer.set"]);
    expect(rung.session?.timers).toMatchObject([{ key: CALLERS_TIMER, atMs: until }]);
    expect(codes(made.world.run(finish(made), agent))).toBe("accepted");
  });

  it("[I15] that closes leaves its claimed call as unknown, and the others unrun", () => {
    const made = claimed(kind);
    made.world.must({ type: "call.open", ...callerOf(made), tool: "read", args: {} }, agent);
    const { audit, session } = made.world.must({ type: "caller.close", ...callerOf(made) }, agent);
    expect(audit.map(({ detail }) => detail["status"] ?? detail["ending"])).toEqual(["unknown", "skipped", "closed"]);
    expect([session?.callers, session?.timers]).toEqual([undefined, []]);
  });

  it("[I14] never has an epoch that another lease of the session had", () => {
    const made = opened(kind);
    made.world.must({ type: "caller.close", ...callerOf(made) }, agent);
    const lease = { node: "n1", leaseUntilMs: made.world.nowMs + LEASE_MS };
    const again = {
      type: "caller.open",
      kind: "external",
      callerId: callerId(1),
      connection: "con_2",
      ...lease,
    } as const;
    expect(made.world.must(again, agent).reply).toEqual({ callerId: "clr_1", epoch: 2 });
    expect(codes(made.world.run({ type: "call.open", ...callerOf(made), tool: "write", args: {} }, agent))).toBe(
      "LEASE_LOST",
    );
    made.world.must({ type: "session.reset" });
    expect(made.world.must(again, agent).reply).toEqual({ callerId: "clr_1", epoch: 3 });
  });

  it("[SC-02] gets no longer lease than the house allows, and no shorter one by renewing it", () => {
    const made = opened(kind);
    const leaseOf = () => made.world.session?.callers?.[0]?.life;
    made.world.must({ type: "caller.renew", ...callerOf(made), leaseUntilMs: 0 }, agent);
    expect(leaseOf()).toMatchObject({ leaseUntilMs: made.world.nowMs + LEASE_MS });
    made.world.must({ type: "caller.renew", ...callerOf(made), leaseUntilMs: made.world.nowMs * 9_999 }, agent);
    expect(leaseOf()).toMatchObject({ leaseUntilMs: made.world.nowMs + CALLER_LEASE_MS_MAX });
  });

  it("records its calls apart from the model's, under what they were made in", () => {
    const made = opened(kind);
    const entry = made.world.must(finish(made), agent).events[0];
    const under = kind === "cell" ? { parentCallId: "c1" } : {};
    const content = { callId: "clr_1/1.1", tool: "write", status: "ok", content: "done" };
    expect(entry).toMatchObject({ entry: { kind: "call-result", caller: by, ...under, ...content } });
  });
});

const callerOf = ({ on }: Pick<Made, "on">) => {
  if (!("caller" in on)) throw new Error("a turn is no caller of its own");
  return on;
};

describe("a cell", () => {
  function begun() {
    const { world, on: turn } = runningTurn();
    letThrough(world);
    const calls = [
      { callId: "c1", tool: "exec", args: {} },
      { callId: "c2", tool: "wait", args: {} },
    ];
    world.must({ type: "turn.say", ...turn, text: "", calls }, agent);
    openCell(world, turn);
    const on = { caller: { id: callerId(1), epoch: 1 } };
    world.must({ type: "call.open", ...on, tool: "write", args: {} }, agent);
    return { world, turn, on, callId: "clr_1/1.1" };
  }
  const suspend = ({ on, world }: ReturnType<typeof begun>, keptMs = 600_000) =>
    world.must({ type: "caller.suspend", ...on, keptUntilMs: world.nowMs + keptMs }, agent);
  const resume = ({ world, turn }: ReturnType<typeof begun>) =>
    ({
      type: "caller.resume",
      callerId: callerId(1),
      parent: { turnId: turn.turnId, callId: "c2" },
      turnEpoch: turn.epoch,
      node: "n2",
      leaseUntilMs: world.nowMs + LEASE_MS,
      sole: false,
    }) as const;

  it("[CM-04] begins only in an open call of the turn that runs, under the turn's own epoch, one in each call", () => {
    const { world, turn } = begun();
    const cell = { ...cellIn(turn, world.nowMs), type: "caller.open", kind: "cell", callerId: callerId(2) } as const;
    const tries: [string, SessionCommand][] = [
      ["SESSION_BUSY", cell],
      ["CALL_NOT_OPEN", { ...cell, parent: { turnId: turn.turnId, callId: "other" } }],
      ["LEASE_LOST", { ...cell, parent: { turnId: turn.turnId, callId: "c2" }, turnEpoch: turn.epoch - 1 }],
      ["accepted", { ...cell, parent: { turnId: turn.turnId, callId: "c2" } }],
    ];
    for (const [code, command] of tries) expect(codes(world.run(command, agent))).toBe(code);
  });

  it("[I15, GA-12] makes the call that it began in unknown when the gateway dies, so that it does not begin twice", () => {
    const made = begun();
    made.world.must(claim(made), agent);
    const { turnId } = made.turn;
    const take = { type: "turn.start", turnId, node: "n2", leaseUntilMs: 99_999, sole: true } as const;
    const { events, session } = made.world.must(take);
    expect(events.flatMap((event) => (event.type === "call.closed" ? [[event.callId, event.status]] : []))).toEqual([
      ["clr_1/1.1", "unknown"],
      ["c1", "unknown"],
    ]);
    expect(session).not.toHaveProperty("callers");
    expect(session?.turn).toMatchObject({ calls: [{ callId: "c2", claimed: false }] });
  });

  it("[RT-04] starts nothing once its turn is being stopped, and ends with the call that it runs in", () => {
    const made = begun();
    made.world.must({ type: "turn.abort" });
    expect(codes(made.world.run(claim(made), agent))).toBe("TURN_NOT_RUNNING");
    const { events } = made.world.must({ type: "turn.finish", ...made.turn, outcome: "aborted", message: "" }, agent);
    expect(events.flatMap((event) => (event.type === "caller.closed" ? [event.ending] : []))).toEqual([
      "parent-closed",
    ]);
    expect(made.world.session).not.toHaveProperty("callers");
  });

  it("[RT-08] that changes something has its turn counted as one that changed something", () => {
    const made = begun();
    made.world.must(claim(made), agent);
    expect(made.world.session?.turn).toMatchObject({ mutated: true });
  });

  it("[CM-05] that is suspended starts nothing, records what it had begun, and then needs nobody to hold it", () => {
    const made = begun();
    made.world.must(claim(made), agent);
    suspend(made);
    const next = { type: "call.open", ...made.on, tool: "write", args: {} } as const;
    expect(codes(made.world.run(next, agent))).toBe("TURN_NOT_RUNNING");
    made.world.must({ type: "call.finish", ...made.turn, callId: "c1", status: "ok", content: "waiting" }, agent);
    expect(made.world.session?.callers).toMatchObject([{ life: { status: "settling" } }]);
    made.world.must(finish(made), agent);
    expect(made.world.session?.callers).toMatchObject([{ life: { status: "suspended" }, calls: [] }]);
    expect(codes(made.world.run(next, agent))).toBe("LEASE_LOST");
  });

  it("[CM-05] that is resumed goes on under a new epoch, in another call, and the old one is over", () => {
    const made = begun();
    made.world.must(finish(made), agent);
    suspend(made);
    expect(made.world.must(resume(made), agent).reply).toEqual({ callerId: "clr_1", epoch: 2, unknown: [] });
    expect(codes(made.world.run({ type: "call.open", ...made.on, tool: "write", args: {} }, agent))).toBe("LEASE_LOST");
    const on = { caller: { id: callerId(1), epoch: 2 } };
    const { reply, events } = made.world.must({ type: "call.open", ...on, tool: "write", args: {} }, agent);
    expect(reply).toEqual({ callId: "clr_1/2.2" });
    expect(events[0]).toMatchObject({ entry: { parentCallId: "c2" } });
    expect(codes(made.world.run(resume(made), agent))).toBe("SESSION_BUSY");
  });

  it("[CM-05] is resumed by who still holds it under the same epoch, and by nobody else while calls are on their way", () => {
    const made = begun();
    made.world.must(claim(made), agent);
    suspend(made);
    expect(codes(made.world.run(resume(made), agent))).toBe("LEASE_LOST");
    expect(made.world.must({ ...resume(made), epoch: 1 }, agent).reply).toEqual({
      callerId: "clr_1",
      epoch: 1,
      unknown: [],
    });
    expect(codes(made.world.run(finish(made), agent))).toBe("accepted");
  });

  it("[CM-05, I15] whose holder died while calls were on their way can be resumed elsewhere; those calls are unknown", () => {
    const made = begun();
    made.world.must(claim(made), agent);
    suspend(made);
    const { audit, session } = ring(made.world);
    expect(audit.map(({ detail }) => detail["status"])).toEqual(["unknown"]);
    expect(session?.callers).toMatchObject([{ life: { status: "suspended" }, calls: [] }]);
    expect(made.world.must(resume(made), agent).reply).toMatchObject({ epoch: 2 });
    expect(codes(made.world.run(finish(made), agent))).toBe("LEASE_LOST");
  });

  it("[CM-05, I15] is taken over at once by a gateway that is alone, with the calls on their way as unknown", () => {
    const made = begun();
    made.world.must(claim(made), agent);
    suspend(made);
    const taken = made.world.must({ ...resume(made), sole: true }, agent);
    expect(taken.reply).toEqual({ callerId: "clr_1", epoch: 2, unknown: ["clr_1/1.1"] });
    expect(types(taken.events)).toEqual(["entry.appended", "call.closed", "caller.resumed", "entry.appended"]);
    expect(codes(made.world.run(finish(made), agent))).toBe("LEASE_LOST");
  });

  it("[CM-05] is gone when it was kept for long enough, and is not kept for longer than the house allows", () => {
    const made = begun();
    made.world.must(finish(made), agent);
    const suspendedAtMs = made.world.nowMs;
    suspend(made, 9 * CELL_KEPT_MS_MAX);
    ring(made.world); // the timer of the lease
    expect(ring(made.world).audit).toEqual([
      { type: "caller.closed", detail: { caller: { id: "clr_1", kind: "cell" }, ending: "expired" } },
    ]);
    expect(made.world.nowMs).toBe(suspendedAtMs + CELL_KEPT_MS_MAX);
    expect(codes(made.world.run(resume(made), agent))).toBe("LEASE_LOST");
  });
});

describe("an agent outside", () => {
  it("[PL-01] works in a session in which no turn is run, and to which nobody writes here", () => {
    const world = coreWorld();
    world.must(createExternal);
    const { outbox, session } = world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    expect([outbox, session?.turn]).toEqual([[], { status: "idle" }]);
    expect(session?.injections).toHaveLength(1);
    const message = { type: "message.send", messageId: "msg_1", text: "hello" };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an id of a test
    expect(world.run(message as SessionCommand)).toMatchObject({ refused: { code: "INVALID_REQUEST" } });
  });

  it("cannot be suspended", () => {
    const made = opened("external");
    expect(codes(made.world.run({ type: "caller.suspend", ...callerOf(made), keptUntilMs: 9_999_999 }, agent))).toBe(
      "INVALID_REQUEST",
    );
  });

  it("has no place in a session that is archived, nor beside too many others, nor without a timer", () => {
    const world = coreWorld();
    world.must(createExternal);
    const open = (n: number) =>
      ({
        type: "caller.open",
        kind: "external",
        callerId: callerId(n),
        connection: `con_${n}`,
        node: "n1",
        leaseUntilMs: world.nowMs + LEASE_MS,
      }) as const;
    world.must({ type: "session.archive", archived: true });
    expect(codes(world.run(open(1), agent))).toBe("SESSION_ARCHIVED");
    world.must({ type: "session.archive", archived: false });
    for (let n = 1; n <= CALLERS_MAX; n++) world.must(open(n), agent);
    expect(codes(world.run(open(CALLERS_MAX + 1), agent))).toBe("SESSION_BUSY");
    expect(world.session?.timers).toHaveLength(1);
    world.must({ type: "session.reset" });
    const full = Array.from({ length: TIMERS_MAX }, (_, n) => ({
      key: `gate/${n}`,
      atMs: n,
      slice: "gate",
      command: {},
    }));
    if (world.session !== undefined) world.session = { ...world.session, timers: full };
    expect(codes(world.run(open(1), agent))).toBe("SESSION_BUSY");
  });
});

describe("a session with as many callers and calls as it may have", () => {
  it("[I15] is reset, deleted and left behind in one step each", () => {
    const { world, on: turn } = runningTurn();
    letThrough(world);
    const calls = Array.from({ length: 64 }, (_, n) => ({ callId: `c${n}`, tool: "write", args: {} }));
    world.must({ type: "turn.say", ...turn, text: "", calls }, agent);
    for (const { callId } of calls) world.must({ ...claim({ on: turn, callId }) }, agent);
    for (let n = 1; n <= CALLERS_MAX; n++) {
      const lease = { node: "n1", leaseUntilMs: world.nowMs + LEASE_MS };
      world.must({ type: "caller.open", kind: "external", callerId: callerId(n), connection: "con", ...lease }, agent);
    }
    const epochs = world.session?.callers?.map(({ id, epoch }) => ({ caller: { id, epoch } })) ?? [];
    for (let n = 0; n < CALLER_CALLS_MAX; n++) {
      const on = epochs[n % CALLERS_MAX];
      if (on === undefined) throw new Error("no such caller");
      const { reply } = world.must({ type: "call.open", ...on, tool: "write", args: {} }, agent);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the core has answered
      world.must(claim({ on, callId: (reply as { callId: string }).callId }), agent);
    }
    const [first] = epochs;
    if (first === undefined) throw new Error("no caller");
    expect(codes(world.run({ type: "call.open", ...first, tool: "write", args: {} }, agent))).toBe("SESSION_BUSY");
    const unknown = (events: readonly { type: string }[]) => events.filter(({ type }) => type === "call.closed").length;
    const before = world.session;
    expect(Session.parse(before)).toEqual(before);
    for (const command of [{ type: "session.reset" }, { type: "session.delete" }] as const) {
      expect(unknown(world.must(command, alice).events)).toBe(64 + CALLER_CALLS_MAX);
      world.session = before;
    }
    expect(unknown(ring(world).events)).toBe(CALLER_CALLS_MAX);
    expect(world.session?.id).toBe(sessionId);
  });
});
