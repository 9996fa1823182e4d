/** How a call ends in the store, and who hears of it: claims that fail, repetitions, output, hooks. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callWorld } from "../../test/kit/call-world.ts";
import { sessionId } from "../../test/kit/core.ts";
import { gate } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import type { PolicyQuestion, TrustedToolPolicy } from "../plugins/policy.ts";
import type { CalledTool, ToolHooks } from "../plugins/tool-hooks.ts";
import type { StateToolContext, Tool, ToolContext } from "../plugins/tool.ts";
import { SessionId } from "../protocol/ids.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import { createToolbox } from "./call-tool.ts";
import { gateUnavailable } from "./judge.ts";
import { createRedaction, type Redaction } from "./redaction/redaction.ts";

type World = Awaited<ReturnType<typeof callWorld>>;

/** How often a change is handed to a store that does not take it. */
const TRIES = 5;
const closed = { status: "closed" };
const allow = { verdict: "allow" };
const policy = (id: string, evaluate: (question: PolicyQuestion) => unknown): TrustedToolPolicy =>
  ({ id, description: "", evaluate }) as TrustedToolPolicy;

function probe(
  effect: "read" | "write",
  run: (args: JsonObject, context: ToolContext) => Json | Promise<Json> = () => "same",
): Tool {
  const tool = {
    name: "probe",
    description: "",
    effect,
    kind: effect === "read" ? "read_only" : "file_edit",
    input: z.strictObject({ n: z.int().optional() }),
    run: async (args: JsonObject, context: ToolContext) => ({ status: "ok", content: await run(args, context) }),
  };
  return tool as unknown as Tool;
}

const opening = (toCommand: (args: JsonObject, context: StateToolContext) => unknown): Tool =>
  ({
    name: "opening",
    description: "",
    effect: "state",
    kind: "read_only",
    slice: "gate",
    input: z.strictObject({}),
    toCommand: async (args: JsonObject, context: StateToolContext) => toCommand(args, context),
  }) as unknown as Tool;

/** The same call, made once more than the model made it. */
async function again(world: World, made: { callId: string; tool: string; args: JsonObject }) {
  const { turnId, epoch, stop } = world;
  return world.toolbox.call(made, { sessionId, turnId, epoch, signal: stop.signal });
}
const say = ({ must, turnId, epoch }: World, ...calls: { callId: string; tool: string; args: JsonObject }[]) =>
  must({ type: "turn.say", turnId, epoch, text: "", calls });

describe("a claim that is not made", () => {
  it("[GA-12] starts nothing where the call has its result already", async () => {
    let ran = 0;
    const world = await callWorld({ tools: [probe("write", () => (ran += 1))] });
    await world.must(gate({ do: "open" }));
    await world.call("probe");
    const before = await world.entries();
    expect(await again(world, { callId: "call_1", tool: "probe", args: {} })).toEqual(closed);
    expect(ran).toBe(1);
    expect(await world.entries()).toEqual(before);
  });

  it("[GA-12] starts nothing where the call is claimed already, and says that it may have run", async () => {
    let ran = 0;
    const world = await callWorld({ tools: [probe("write", () => (ran += 1))] });
    await world.must(gate({ do: "open" }));
    const { turnId, epoch } = world;
    await say(world, { callId: "x", tool: "probe", args: {} });
    await world.must({ type: "call.claim", turnId, epoch, callId: "x", kind: "file_edit", argsDigest: "0".repeat(64) });
    expect(await again(world, { callId: "x", tool: "probe", args: {} })).toEqual(closed);
    expect(ran).toBe(0);
    expect((await world.entries()).at(-1)).toMatchObject({
      kind: "result",
      callId: "x",
      status: "unknown",
      content: "It may have run before and was not started again.",
    });
  });

  it("[GA-07, GA-12] says why a claim could not be recorded", async () => {
    const failing = policy("fail-the-claim", () => {
      world.store.failCommits({ reason: "full", outcome: "nothing-written", message: "full" });
      return allow;
    });
    const world = await callWorld({ tools: [probe("write")], policies: [failing] });
    await world.must(gate({ do: "open" }));
    const why = { matched: "the claim", why: "could not be recorded (STORE_FULL)" };
    expect((await world.call("probe")).content).toEqual(gateUnavailable({ tool: "probe", kind: "file_edit" }, why));
  });

  it("[GA-12] reports a store that cannot be read, and refuses", async () => {
    const world = await callWorld({ shared: true, tools: [probe("read")] });
    await say(world, { callId: "x", tool: "probe", args: {} });
    world.store.breakNext("session");
    await again(world, { callId: "x", tool: "probe", args: {} });
    const why = { matched: "the store", why: "could not be read" };
    expect((await world.entries()).at(-1)).toMatchObject({
      status: "refused",
      content: gateUnavailable({ tool: "probe", kind: "read_only" }, why),
    });
    expect(world.reports.map(String)).toEqual(["Error: session is broken"]);
  });

  it("[GA-12] makes no call in a session that is gone", async () => {
    const world = await callWorld({ tools: [probe("read", () => expect.fail("ran"))] });
    const { turnId, epoch, stop } = world;
    const caller = { sessionId: SessionId.parse("ses_gone"), turnId, epoch, signal: stop.signal };
    expect(await world.toolbox.call({ callId: "x", tool: "probe", args: {} }, caller)).toEqual({
      status: "stopped",
      refusal: { code: "SESSION_NOT_FOUND", message: "The session is gone." },
    });
  });
});

describe("repetition, through the whole pipeline", () => {
  const statuses = async (world: World, times: number, tool = "probe") => {
    const seen: string[] = [];
    for (let n = 0; n < times; n++) {
      const { status, content } = await world.call(tool);
      const warned = JSON.stringify(content).includes("its result has not changed") ? " warned" : "";
      seen.push(`${status}${warned}`);
    }
    return seen;
  };

  it("[RT-07] is warned about in the result, then refused", async () => {
    const world = await callWorld({ tools: [probe("read")] });
    expect(await statuses(world, 5)).toEqual(["ok", "ok", "ok warned", "ok warned", "refused"]);
  });

  it("[RT-07] ends the turn, once it has been refused often enough", async () => {
    const world = await callWorld({ tools: [probe("read")] });
    await statuses(world, 7);
    const { turn: before } = await world.session();
    expect(before.status).toBe("running");
    const last = await world.call("probe");
    expect(last).toMatchObject({ content: { hint: expect.stringContaining("The turn ends here") } });
    expect(before).toMatchObject({ ending: false });
    expect((await world.session()).turn).toMatchObject({ ending: true });
  });

  it("[RT-07] is warned about in a refusal as well", async () => {
    const refusal = gateUnavailable({ tool: "probe", kind: "read_only" }, { matched: "x", why: "says no" });
    const no = policy("no", () => ({ verdict: "block", refusal }));
    const world = await callWorld({ tools: [probe("read")], policies: [no] });
    expect(await statuses(world, 4)).toEqual(["refused", "refused", "refused warned", "refused warned"]);
    const first = await callWorld({ tools: [probe("read")], policies: [no] });
    expect((await first.call("probe")).content).toEqual(refusal);
  });

  it("[RT-07] counts a state tool's command", async () => {
    const world = await callWorld({ tools: [opening(() => ({ command: { do: "open" } }))] });
    expect(await statuses(world, 5, "opening")).toEqual(["ok", "ok", "ok", "ok", "refused"]);
  });

  it("[RT-07] starts anew after a change that was claimed, and not after one that was held", async () => {
    const reading = { ...probe("read"), name: "look" };
    const world = await callWorld({ tools: [reading, probe("write")] });
    await statuses(world, 4, "look");
    await world.call("probe", { n: 1 }); // the gate is closed
    expect((await world.call("look")).status).toBe("refused");
    await world.must(gate({ do: "open" }));
    await world.call("probe", { n: 2 });
    expect((await world.call("look")).status).toBe("ok");
  });
});

it("[RT-07] reading something else, or a tool that only changes the session, is no change to start anew after", async () => {
  const reading = { ...probe("read"), name: "look" };
  const world = await callWorld({ tools: [reading, opening(() => ({ command: { do: "open" } }))] });
  for (let n = 0; n < 4; n++) await world.call("look");
  await world.call("look", { n: 1 });
  await world.call("opening");
  expect((await world.call("look")).status).toBe("refused");
});

it("[GA-01] a tool is offered, and judged by its arguments, in the session that the call is made in", async () => {
  const seen: unknown[] = [];
  const dynamic = {
    ...probe("read"),
    effect: "dynamic",
    kind: "bash",
    offered: (session: { id: string }, settings: object) => (seen.push([session.id, settings]), true),
    classify: (args: JsonObject, at: object) => (seen.push([args, at]), "read"),
  } as unknown as Tool;
  const twice = policy("twice", ({ call }) =>
    call.args["n"] === 2 ? allow : { verdict: "rewrite", args: { n: 2 }, reason: "more" },
  );
  const world = await callWorld({ tools: [dynamic], policies: [twice], settings: { gate: { a: 1 } } });
  const { workspace } = await world.session();
  seen.length = 0;
  expect((await world.call("probe", { n: 1 })).status).toBe("ok");
  expect(seen).toEqual([
    [sessionId, { gate: { a: 1 } }],
    [{ n: 1 }, { workspace }],
    [{ n: 2 }, { workspace }],
  ]);
  seen.length = 0;
  world.toolbox.catalog(await world.session());
  expect(seen).toEqual([[sessionId, { gate: { a: 1 } }]]);
});

describe("who hears of a call", () => {
  /** A toolbox over the same world, with what only a gateway gives it. */
  function watched(world: World, hooks?: ToolHooks, redaction?: Redaction) {
    const outputs: unknown[] = [];
    const { registry, engine, clock, turnId, epoch, stop } = world;
    const toolbox = createToolbox({
      registry,
      policies: [],
      hooks,
      sessions: engine,
      clock,
      settingsFor: () => ({}),
      protectedFolders: ["/srv/state"],
      redaction,
      onOutput: (id, output) => void outputs.push([id, output]),
      report: (error) => expect.fail(String(error)),
    });
    const call = (callId: string, tool: string) =>
      toolbox.call({ callId, tool, args: {} }, { sessionId, turnId, epoch, signal: stop.signal });
    return { toolbox, outputs, call };
  }
  const listening = () => {
    const heard: CalledTool[] = [];
    const hooks: ToolHooks = {
      beforeToolCall: () => ({ verdict: "pass" }),
      afterToolCall: (called) => void heard.push(called),
    };
    return { hooks, heard };
  };

  it("people who watch hear its output while it runs, under its turn and its name", async () => {
    const seen: unknown[] = [];
    const running = probe("read", (_args, { emit, workspace, callId, turnId }) => {
      emit("half");
      seen.push([workspace, callId, turnId]);
      return "whole";
    });
    const world = await callWorld({ tools: [running] });
    await say(world, { callId: "x", tool: "probe", args: {} });
    const { outputs, call } = watched(world);
    expect(await call("x", "probe")).toEqual(closed);
    expect(outputs).toEqual([[sessionId, { turnId: world.turnId, callId: "x", text: "half" }]]);
    expect(seen).toEqual([[(await world.session()).workspace, "x", world.turnId]]);
  });

  it("[GW-04] neither they nor the transcript see a key, whole or in pieces", async () => {
    const token = `hp_${"aB3-".repeat(11)}`;
    const leaking = probe("read", (_args, { emit }) => {
      for (const letter of `it is ${token}, and `) emit(letter);
      emit("my-config");
      return { output: [`${token}\n`, "my-configured-key"] };
    });
    const world = await callWorld({ tools: [leaking] });
    await say(world, { callId: "x", tool: "probe", args: {} });
    const { outputs, call } = watched(
      world,
      undefined,
      createRedaction(() => ["my-configured-key"]),
    );
    expect(await call("x", "probe")).toEqual(closed);
    const texts = outputs.map((output) => (output as [string, { text: string }])[1].text);
    expect(texts.join("")).toBe("it is [redacted], and my-config");
    const stored = JSON.stringify(await world.store.events({ cursor: 0, sessionId, limit: 500 }));
    expect(stored).toContain(JSON.stringify({ output: ["[redacted]\n", "[redacted]"] }));
    expect(stored).not.toMatch(/aB3-|configured-key/);
  });

  it("[PG-09] hooks hear how long it took and what became of it", async () => {
    const { hooks, heard } = listening();
    const slow = probe("read", () => (world.clock.advance(40), "done"));
    const world: World = await callWorld({ tools: [slow, opening(() => ({ command: { do: "open" } }))] });
    const { call } = watched(world, hooks);
    await say(world, { callId: "x", tool: "probe", args: {} });
    await call("x", "probe");
    await say(world, { callId: "y", tool: "opening", args: {} });
    await call("y", "opening");
    const about = { sessionId, turnId: world.turnId, agentId: "main", sessionKind: "chat", kind: "read_only" };
    expect(heard).toEqual([
      { ...about, callId: "x", tool: "probe", effect: "read", args: {}, status: "ok", durationMs: 40 },
      { ...about, callId: "y", tool: "opening", effect: "read", args: {}, status: "applied", durationMs: 0 },
    ]);
  });

  it("[PG-09] hooks hear nothing where the change could not be made", async () => {
    const { hooks, heard } = listening();
    const full = opening(() => {
      world.store.failCommits({ reason: "full", outcome: "nothing-written", message: "full" }, TRIES);
      return { command: { do: "open" } };
    });
    const world: World = await callWorld({ tools: [full], hooks });
    const calling = world.call("opening");
    for (let tries = 0; tries < TRIES; tries++) {
      await quiet();
      world.clock.advance(10_000);
    }
    const { status, content } = await calling;
    expect(status).toBe("error");
    expect(content).toMatch(/^opening was not applied: .+/);
    expect(heard).toEqual([]);
    expect((await world.session()).slices["gate"]).toEqual({ open: false });
  });

  it("[GA-12] a state tool that lost its turn is stopped, and gets no result", async () => {
    const world = await callWorld({ tools: [opening(() => ({ command: { do: "open" } }))] });
    await say(world, { callId: "x", tool: "opening", args: {} });
    const { turnId, epoch, stop } = world;
    const gone = { sessionId, turnId, epoch: epoch - 1, signal: stop.signal };
    expect(await world.toolbox.call({ callId: "x", tool: "opening", args: {} }, gone)).toMatchObject({
      status: "stopped",
      refusal: { code: "LEASE_LOST" },
    });
  });

  it("[GA-01] a state tool is told where it is and what it must not read, and its failure is reported", async () => {
    const given: StateToolContext[] = [];
    const world = await callWorld({ tools: [opening((_args, context) => (given.push(context), { error: "no" }))] });
    await say(world, { callId: "x", tool: "opening", args: {} });
    await watched(world).call("x", "opening");
    const { workspace } = await world.session();
    expect(given).toEqual([{ callId: "x", workspace, protectedFolders: ["/srv/state"] }]);
    const disk = new Error("disk");
    const failing = await callWorld({ tools: [opening(() => Promise.reject(disk))] });
    await failing.call("opening");
    expect(failing.reports).toEqual([disk]);
  });

  it("[GA-02] policies see a state tool's call as one that reads, because its slice decides on the command", async () => {
    const effects: unknown[] = [];
    const watch = policy("watch", ({ call }) => (effects.push(call.effect), allow));
    const world = await callWorld({
      tools: [opening(() => ({ command: { do: "open" } })), probe("write")],
      policies: [watch],
    });
    await world.call("opening");
    await world.call("probe");
    expect(effects).toEqual(["read", "write"]);
  });
});

it("names at most fifty tools for one that does not exist", async () => {
  const many = Array.from({ length: 60 }, (_none, n) => ({ ...probe("read"), name: `zz_${n + 10}` }));
  const world = await callWorld({ tools: many });
  const { content } = await world.call("launch_rockets");
  expect(JSON.stringify(content).match(/, /g)).toHaveLength(49);
  expect(world.toolbox.catalog(await world.session())).toHaveLength(68);
});

it("names near tools as a choice", async () => {
  const two = ["probe_a", "probe_b"].map((name) => ({ ...probe("read"), name }));
  const { content } = await (await callWorld({ tools: two })).call("probe_c");
  expect(content).toBe('There is no tool "probe_c" in this session. Did you mean probe_a or probe_b or process?');
});
