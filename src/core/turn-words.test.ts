/** What nodes and agents are answered about a turn, and what its end leaves in the transcript, whole (SC-02, I14, I15). */
import { describe, expect, it } from "vitest";
import { agent, coreWorld, create, messageId, runningTurn, turnId } from "../../test/kit/core.ts";
import { ENTRY_CHARS_MAX } from "../protocol/transcript-entry.ts";

const call = (callId: string, tool = "write") => ({ callId, tool, args: {} });
const say = (...calls: ReturnType<typeof call>[]) => ({ type: "turn.say", text: "", calls }) as const;
const claim = (callId: string) => ({ type: "call.claim", callId, kind: "file_edit", argsDigest: "d" }) as const;
const finish = { type: "turn.finish", outcome: "done", message: "" } as const;
const refused = (answer: object) => ("refused" in answer ? answer.refused : undefined);
const other = turnId("other");

/** A turn with one call claimed and one open. */
function claimed() {
  const { world, on } = runningTurn();
  world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
  world.must({ ...say(call("c1"), call("c2", "read")), ...on }, agent);
  world.must({ ...claim("c1"), ...on }, agent);
  return { world, on };
}

describe("a node that does not hold the turn", () => {
  it("[I14, SC-02] is told that the turn, or its epoch, is over", () => {
    const { world, on } = runningTurn();
    expect(refused(world.run({ ...finish, turnId: other, epoch: on.epoch }))).toEqual({
      code: "TURN_NOT_RUNNING",
      message: `Turn ${other} is not running in this session.`,
    });
    for (const epoch of [on.epoch - 1, on.epoch + 1])
      expect(refused(world.run({ ...finish, turnId: on.turnId, epoch }))).toEqual({
        code: "LEASE_LOST",
        message: `Epoch ${epoch} is over; another node holds this turn.`,
      });
  });

  it("[SC-02] is told who holds it, until that lease has run out", () => {
    const { world, on } = runningTurn();
    const take = { type: "turn.start", turnId: on.turnId, node: "n2", leaseUntilMs: 90_000, sole: false } as const;
    world.nowMs = 30_999;
    expect(refused(world.run(take))).toEqual({ code: "LEASE_LOST", message: "Node n1 holds this turn." });
    expect(refused(world.run({ ...take, node: "n1" }))).toBeUndefined(); // its own, after a restart under the same name
    const late = runningTurn();
    late.world.nowMs = 31_000;
    const { events } = late.world.must({ ...take, turnId: late.on.turnId });
    expect(events[0]).toMatchObject({
      type: "turn.taken-over",
      node: "n2",
      leaseUntilMs: 90_000,
      epoch: late.on.epoch + 1,
    });
  });

  it("[SC-02] starts no turn that does not wait to be started", () => {
    const start = { type: "turn.start", node: "n2", leaseUntilMs: 9, sole: true } as const;
    const message = `Turn ${other} is not waiting to be started.`;
    const idle = coreWorld();
    idle.must(create);
    expect(refused(idle.run({ ...start, turnId: other }))).toEqual({ code: "TURN_NOT_RUNNING", message });
    const waiting = coreWorld();
    waiting.must(create);
    waiting.must({ type: "message.send", messageId: messageId(1), text: "please" });
    expect(refused(waiting.run({ ...start, turnId: other }))).toEqual({ code: "TURN_NOT_RUNNING", message });
    expect(refused(runningTurn().world.run({ ...start, turnId: other }))).toEqual({
      code: "TURN_NOT_RUNNING",
      message,
    });
  });

  it("[I14, SC-02] orders nothing in a turn that waits to be started, though it names that turn and its epoch", () => {
    const world = coreWorld();
    world.must(create);
    world.must({ type: "message.send", messageId: messageId(1), text: "please" });
    const { turn, epoch } = world.session ?? {};
    if (turn?.status !== "requested" || epoch === undefined) throw new Error("no turn was requested");
    expect(refused(world.run({ ...finish, turnId: turn.turnId, epoch }, agent))).toEqual({
      code: "TURN_NOT_RUNNING",
      message: `Turn ${turn.turnId} is not running in this session.`,
    });
  });

  it("[SC-02] prolongs what it holds by exactly what it says", () => {
    const { world, on } = runningTurn();
    const { events } = world.must({ type: "turn.renew", ...on, leaseUntilMs: 77_000 }, agent);
    expect(events).toEqual([{ type: "turn.renewed", leaseUntilMs: 77_000 }]);
  });
});

describe("calls whose end nobody saw", () => {
  const unknown = (cause: string): string =>
    `${cause} while this call ran. Whether it took effect is unknown and it was not run again: look before you repeat it.`;
  const entries = (events: readonly { type: string }[]) =>
    events.flatMap((event) => (event.type === "entry.appended" ? [(event as unknown as { entry: object }).entry] : []));

  it("[I15] are unknown to the successor, with a notice for people; those that were not claimed stay open", () => {
    const { world, on } = claimed();
    const take = { type: "turn.start", turnId: on.turnId, node: "n2", leaseUntilMs: 9, sole: true } as const;
    const { events } = world.must(take);
    expect(entries(events)).toEqual([
      {
        kind: "result",
        turnId: on.turnId,
        callId: "c1",
        tool: "write",
        status: "unknown",
        content: unknown("The gateway stopped"),
      },
      {
        kind: "notice",
        text: "A call of write was under way when the gateway stopped. Its outcome is unknown and it was not repeated.",
        said: [{ line: 0, key: "unknownStopped", args: { tool: "write" } }],
      },
    ]);
  });

  it("[I15] are unknown when the session is reset or deleted", () => {
    const results = (type: "session.reset" | "session.delete") =>
      entries(claimed().world.must({ type }).events).flatMap((entry) => ("content" in entry ? [entry.content] : []));
    expect(results("session.reset")).toEqual([unknown("The session was reset")]);
    expect(results("session.delete")).toEqual([unknown("The session was deleted")]);
  });

  it("[I15] are told of where there are some: the reset of a session without a turn says nothing", () => {
    const world = coreWorld();
    world.must(create);
    expect(entries(world.must({ type: "session.reset" }).events)).toEqual([]);
  });

  it("[I15, RT-04] are unknown when the turn ends before them, and those that never began were not run", () => {
    const { world, on } = claimed();
    const { events } = world.must({ ...finish, ...on }, agent);
    expect(entries(events)).toMatchObject([
      { callId: "c1", status: "unknown", content: unknown("The gateway stopped") },
      { callId: "c2", status: "skipped", content: "Not run: the turn ended before this call." },
    ]);
    expect(events.at(-1)).toEqual({ type: "turn.finished", turnId: on.turnId, outcome: "done", message: "" });
  });
});

describe("an answer of the model", () => {
  it("[RT-03] waits for the results of the one before it", () => {
    const { world, on } = runningTurn();
    world.must({ ...say(call("c1")), ...on }, agent);
    expect(refused(world.run({ ...say(), ...on }, agent))).toEqual({
      code: "CALL_NOT_OPEN",
      message: "Calls of the last answer have no results yet.",
    });
  });

  it("[GW-05] has a greatest length, to the last character, its calls included", () => {
    const { world, on } = runningTurn();
    const around = JSON.stringify({ kind: "assistant", turnId: on.turnId, text: "", calls: [] }).length;
    const most = "x".repeat(ENTRY_CHARS_MAX - around);
    expect(refused(world.run({ ...say(), ...on, text: `${most}x` }, agent))).toMatchObject({
      code: "ENTRY_TOO_LARGE",
      message: `An answer may hold ${ENTRY_CHARS_MAX} characters, tool calls included. Split it.`,
    });
    expect(refused(world.run({ ...say(), ...on, text: most }, agent))).toBeUndefined();
  });

  it("[RT-04] brings no further calls once the turn is being stopped, and may still say something", () => {
    const { world, on } = runningTurn();
    world.must({ type: "turn.abort" });
    expect(refused(world.run({ ...say(call("c1")), ...on }, agent))).toEqual({
      code: "TURN_NOT_RUNNING",
      message: "The turn is being stopped.",
    });
    expect(refused(world.run({ ...say(), ...on, text: "sorry" }, agent))).toBeUndefined();
  });

  it("[RT-04] starts no change in a turn that ends, by a person or by a tool", () => {
    const message = "The turn is ending; no further change starts in it.";
    const { world, on } = runningTurn();
    world.must({ type: "slice.apply", slice: "gate", command: { do: "open" } });
    world.must({ ...say(call("c1"), call("c2", "flip")), ...on }, agent);
    world.must({ type: "call.apply", ...on, callId: "c2", slice: "gate", command: { do: "finish" } }, agent);
    expect(refused(world.run({ ...claim("c1"), ...on }, agent))).toEqual({ code: "TURN_NOT_RUNNING", message });
  });
});

describe("the end of a turn", () => {
  it("[UI-01] that failed says why, as an error for people", () => {
    const { world, on } = runningTurn();
    const { events } = world.must({ ...finish, ...on, outcome: "failed", message: "no credit" }, agent);
    expect(events).toMatchObject([
      { type: "entry.appended", entry: { kind: "notice", text: "no credit", level: "error" } },
      { type: "turn.finished", outcome: "failed", message: "no credit" },
    ]);
    const done = runningTurn();
    const said = done.world.must({ ...finish, ...done.on, message: "enough" }, agent).events;
    expect(said[0]).toMatchObject({ entry: { kind: "notice", text: "enough" } });
    expect(said[0]).not.toHaveProperty("entry.level");
  });

  it("[RT-04, GA-14] is followed by a turn for what people wrote meanwhile, which they attend", () => {
    const { world, on } = runningTurn();
    world.must({ type: "message.send", messageId: messageId(2), text: "and this" });
    const { events } = world.must({ ...finish, ...on }, agent);
    expect(events.at(-1)).toMatchObject({ type: "turn.requested", cause: "queued", attended: true });
  });

  it("[RT-04] comes with its beginning where nothing is left to say, and tells nobody anything", () => {
    const world = coreWorld();
    world.must(create);
    world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
    world.must({ type: "slice.apply", slice: "gate", command: { do: "close" } });
    const { turn } = world.session ?? {};
    if (turn?.status !== "requested") throw new Error("no turn was requested");
    const start = { type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 9, sole: true } as const;
    expect(world.must(start).events).toMatchObject([
      { type: "turn.started" },
      { type: "turn.finished", turnId: turn.turnId, outcome: "empty", message: "" },
    ]);
  });

  it("[SB-04] of a session that was stopped from above is followed by nothing", () => {
    const { world, on } = runningTurn();
    world.must({ type: "session.stop" }, { kind: "system", reason: "above" });
    world.must({ type: "message.send", messageId: messageId(2), text: "x" }, { kind: "system", reason: "plugin:x" });
    const { events } = world.must({ ...finish, ...on, outcome: "aborted" }, agent);
    expect(events.map(({ type }) => type)).not.toContain("turn.requested");
  });

  it("[RT-04] is ordered by a person: a running turn is told, one that waits ends at once, and none is told so", () => {
    const running = runningTurn();
    expect(running.world.must({ type: "turn.abort" }).events).toMatchObject([{ type: "turn.aborting" }]);
    const waiting = coreWorld();
    waiting.must(create);
    waiting.must({ type: "message.send", messageId: messageId(1), text: "please" });
    expect(waiting.must({ type: "turn.abort" }).events).toMatchObject([
      { type: "turn.finished", outcome: "aborted", message: "" },
    ]);
    const idle = coreWorld();
    idle.must(create);
    expect(refused(idle.run({ type: "turn.abort" }))).toEqual({
      code: "TURN_NOT_RUNNING",
      message: "No turn is running in this session.",
    });
  });
});
