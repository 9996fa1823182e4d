/** `exec` and `wait` in turns of a session: everything is real but the sandbox, which is a plain one. */
import { describe, expect, it } from "vitest";
import { codeWorld, type CodeWorld, type CodeWorldGiven, resultOf } from "../../../test/kit/code-world.ts";
import { plainSandbox } from "../../../test/kit/plain-sandbox.ts";
import type { ScriptStep } from "../../../test/kit/scripted-model.ts";
import { definePlugin, z } from "../../plugins/sdk.ts";
import type { ToolHooks } from "../../plugins/tool-hooks.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { createCells } from "./cells.ts";
import type { CodeModeResult } from "./result.ts";

const exec = (code: string, more: object = {}): ScriptStep => ({ calls: [{ tool: "exec", args: { code, ...more } }] });
const wait = (runId: string): ScriptStep => ({ calls: [{ tool: "wait", args: { runId } }] });
const waitingIn = (request: { entries: readonly { kind: string; content?: unknown }[] }): string => {
  const last = request.entries.findLast((entry) => entry.kind === "result");
  return z.object({ runId: z.string() }).parse(last?.content).runId;
};

/** One cell, and what came of it. */
async function ran(args: object, given: CodeWorldGiven = {}): Promise<CodeModeResult> {
  const world = await codeWorld([{ calls: [{ tool: "exec", args: args as never }] }, { say: "done" }], given);
  await world.say("go");
  return resultOf(world, "exec");
}

/** Tools of a plugin, held until the test lets them go. */
function lever() {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const runs: string[] = [];
  const tool = defineTool({
    name: "pull",
    description: "Pulls the lever.",
    effect: "write",
    kind: "outbound",
    input: z.strictObject({ to: z.string().optional() }),
    async run(_args: unknown, { callId, signal }) {
      runs.push(callId);
      begun.resolve();
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      await Promise.race([release.promise, stopped]);
      return signal.aborted
        ? ({ status: "error", content: "stopped" } as const)
        : ({ status: "ok", content: { pulled: true } } as const);
    },
  });
  const plugin = definePlugin({
    id: "levers",
    name: "",
    description: "",
    register: (api) => api.tools.registerTool(tool),
  });
  return { plugin, runs, begun: begun.promise, release: () => release.resolve() };
}

describe("the input of exec", () => {
  it.each([
    [{}, "needs a program"],
    [{ code: "  \n" }, "needs a program"],
    [{ code: "return 1", shell: true }, 'no field "shell"'],
    [{ code: 5 }, "are texts"],
    [{ code: "return 1", command: "return 2" }, "differ"],
  ])("[CM-02] 29, 30, 31, 38: %j is invalid_input", async (args, error) => {
    expect(await ran(args)).toMatchObject({
      status: "failed",
      code: "invalid_input",
      error: expect.stringContaining(error),
    });
  });

  it("[CM-02] 31, 32: command is the same program under another name", async () => {
    expect(await ran({ command: "return 4" })).toMatchObject({ status: "completed", value: 4 });
    expect(await ran({ code: "return 4", command: "return 4" })).toMatchObject({ status: "completed", value: 4 });
  });

  it("[CM-02] 17, 33: a language that is not listed is unsupported", async () => {
    expect(await ran({ code: "return 1", language: "python" })).toMatchObject({
      status: "failed",
      code: "unsupported_language",
    });
    const codeMode = { enabled: true, languages: ["javascript"] } as const;
    expect(
      await ran({ code: "return 1", language: "typescript" }, { codeMode: { ...codeMode, languages: ["javascript"] } }),
    ).toMatchObject({ code: "unsupported_language" });
  });

  it("[CM-02, GA-02] 31, 34: hooks see what kind of call it is, and a rewritten name rewrites the program", async () => {
    const seen: object[] = [];
    const hooks: ToolHooks = {
      beforeToolCall(call) {
        seen.push(call);
        return { verdict: "pass" };
      },
      afterToolCall: () => undefined,
    };
    const policy = {
      id: "rewriter",
      description: "",
      evaluate: ({ call }: { call: { tool: string; args: JsonObject } }) =>
        call.tool === "code_mode.exec" && call.args["code"] === "return 1"
          ? ({ verdict: "rewrite", args: { ...call.args, command: "return 2" }, reason: "test" } as const)
          : ({ verdict: "allow" } as const),
    };
    const result = await ran({ code: "return 1", language: "typescript" }, { hooks, policies: [policy] });
    expect(result).toMatchObject({ status: "completed", value: 2 });
    expect(seen[0]).toMatchObject({
      tool: "code_mode.exec",
      toolKind: "code_mode_exec",
      toolInputKind: "typescript",
      args: { code: "return 2", command: "return 2" },
    });
  });
});

describe("results", () => {
  it("[CM-02] 42, 43: completed has a value, also where nothing is returned", async () => {
    const result = await ran({ code: "text('a'); json({ b: 1 });" });
    expect(result).toEqual({
      status: "completed",
      value: null,
      output: [
        { type: "text", text: "a" },
        { type: "json", value: { b: 1 } },
      ],
      telemetry: expect.any(Object),
    });
  });

  it("[CM-02] 45, 46, 49: failed keeps the output, and an exception of the program has no code", async () => {
    const result = await ran({ code: "text('before'); throw new Error('mine');" });
    expect(result).toMatchObject({
      status: "failed",
      error: "Error: mine",
      output: [{ type: "text", text: "before" }],
    });
    expect(result).not.toHaveProperty("code");
  });

  it("[CM-02, CM-04] 50, 115: a refused call that is not caught fails the cell, with receipts of what ran", async () => {
    const result = await ran({
      code: "await tools.glob({ pattern: '*' }); await tools.call('plugin:nobody:there', {});",
    });
    expect(result).toMatchObject({
      status: "failed",
      code: "nested_tool_failed",
      error: expect.stringContaining("plugin:nobody:there"),
      calls: [
        { toolId: "holdpoint:core:glob", state: "ok" },
        { toolId: "plugin:nobody:there", state: "error" },
      ],
    });
  });

  it("[CM-02] 46, 136: a fault of ours is internal_error, without its words, and nothing of the cell stays", async () => {
    const sandbox = plainSandbox();
    sandbox.run = async (_cell, host) => {
      await host.call({ callId: "c1", method: "call", target: "holdpoint:core:glob", argsJson: '[{"pattern":"*"}]' });
      throw new Error("a secret of the gateway");
    };
    const world = await codeWorld([exec("return 1"), { say: "done" }], { sandbox });
    await world.say("go");
    const result = await resultOf(world, "exec");
    expect(result).toMatchObject({ status: "failed", code: "internal_error" });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect((await world.session()).callers).toBeUndefined();
  });

  it("[CM-09] 137, 138, 139: telemetry counts, names and measures, stays small, and holds no secret", async () => {
    const secret = "canary-7261";
    const code = `for (let n = 0; n < 3; n++) await tools.search("${secret}");
      await tools.describe("holdpoint:core:glob"); await tools.call("holdpoint:core:glob", { pattern: "${secret}" }); return 1;`;
    const { telemetry } = await ran({ code });
    expect(telemetry).toMatchObject({
      visibleTools: ["exec", "wait"],
      catalog: { size: expect.any(Number), bySource: { holdpoint: expect.any(Number), plugin: 5 } },
      counts: { exec: 1, wait: 0, search: 3, describe: 1, call: 1 },
      toolIds: ["holdpoint:core:glob"],
      limits: { timeout: false, memory: false, snapshot: false, output: false },
      ms: expect.any(Number),
    });
    expect(JSON.stringify(telemetry).length).toBeLessThanOrEqual(2_048);
    expect(JSON.stringify(telemetry)).not.toContain(secret);
  });
});

describe("a cell that waits", () => {
  it("[CM-05] 44, 54, 55, 76, 159: yields, and goes on at once, with the output of each stage in its own result", async () => {
    const world = await codeWorld((request, number) => {
      if (number === 1)
        return exec("text('one'); await yield_control(); text('two'); await yield_control(); return 'three';");
      return number < 4 ? wait(waitingIn(request)) : { say: "done" };
    });
    await world.say("go");
    const results = (await world.entries()).flatMap((entry) => (entry.kind === "result" ? [entry.content] : []));
    expect(results).toMatchObject([
      {
        status: "waiting",
        reason: "yield",
        runId: expect.stringMatching(/^cell_[\w-]{22}$/),
        output: [{ text: "one" }],
      },
      { status: "waiting", reason: "yield", output: [{ text: "two" }] },
      {
        status: "completed",
        value: "three",
        telemetry: { counts: { exec: 1, wait: 2 }, snapshot: { life: "restored" } },
      },
    ]);
    expect(results[2]).not.toHaveProperty("output");
    expect(new Set(results.slice(0, 2).map((one) => (one as { runId: string }).runId)).size).toBe(1);
  });

  it("[CM-05, GA-12] 56, 57, 58, 171: is given the result of a call that outlived exec, which runs once", async () => {
    const levers = lever();
    const world = await codeWorld(
      (request, number) => {
        if (number === 1) return exec("const got = await tools.pull({}); text('after'); return got;");
        if (number === 2) levers.release();
        return number === 2 ? wait(waitingIn(request)) : { say: "done" };
      },
      { plugins: [levers.plugin], codeMode: { enabled: true, timeoutMs: 100 } },
    );
    await world.say("go");
    const results = (await world.entries()).flatMap((entry) => (entry.kind === "result" ? [entry.content] : []));
    expect(results).toMatchObject([
      {
        status: "waiting",
        reason: "pending_tools",
        pendingToolCalls: [{ toolId: "plugin:levers:pull", state: "running", startedAt: expect.any(String) }],
      },
      { status: "completed", value: { pulled: true }, output: [{ text: "after" }] },
    ]);
    expect(levers.runs).toHaveLength(1);
    expect((await world.session()).callers).toBeUndefined();
  });

  it("[CM-05] 53, 59, 60, 61, 160: an id that is malformed, unknown, used up or another run's is refused with the same words", async () => {
    let runId = "";
    const world = await codeWorld((request, number) => {
      if (number === 1) return exec("await yield_control(); return 1;");
      if (number === 2) {
        runId = waitingIn(request);
        return { say: "later" };
      }
      const ids = ["", "nonsense", `cell_${"x".repeat(22)}`, runId];
      return number === 3 ? { calls: ids.map((one) => ({ tool: "wait", args: { runId: one } })) } : { say: "done" };
    });
    await world.say("go");
    await world.say("and now");
    const results = (await world.entries()).flatMap((entry) =>
      entry.kind === "result" && entry.tool === "wait" ? [entry.content] : [],
    );
    expect(results).toHaveLength(4);
    const errors = new Set(
      results.map((one) => JSON.stringify([(one as { code: string }).code, (one as { error: string }).error])),
    );
    expect([...errors]).toEqual([
      JSON.stringify([
        "invalid_input",
        "No cell of this run waits under this runId. wait takes the runId of a result whose status is waiting; a person's new message ends the cells of the run before.",
      ]),
    ]);
    expect((await world.session()).slices["codeMode"]).toMatchObject({ cells: [], ended: [{ runId, as: "failed" }] });
  });

  it("[CM-05] 23, 60, 62, 65, 172: is gone when its time is over, with its snapshot", async () => {
    const world: CodeWorld = await codeWorld(
      (request, number) => {
        if (number === 1) return exec("await yield_control(); return 1;");
        if (number === 2) world.clock.advance(60_000);
        return number < 4 ? wait(waitingIn(world.requests()[1] ?? request)) : { say: "done" };
      },
      { codeMode: { enabled: true, snapshotTtlSeconds: 30 } },
    );
    await world.say("go");
    const results = (await world.entries()).flatMap((entry) =>
      entry.kind === "result" && entry.tool === "wait" ? [entry.content] : [],
    );
    expect(results).toMatchObject([
      { status: "failed", code: "snapshot_expired", telemetry: { snapshot: { life: "expired" } } },
      { status: "failed", code: "snapshot_expired" },
    ]);
    expect(await world.store.blobCount({ owner: "code-mode", nowMs: world.clock.now() })).toBe(0);
  });

  it("[CM-05] 66: a snapshot that is no longer there is not restored, and the cell is over", async () => {
    const world: CodeWorld = await codeWorld((request, number) => {
      if (number === 1) return exec("await yield_control(); return 1;");
      const runId = waitingIn(world.requests()[1] ?? request);
      if (number > 3) return { say: "done" };
      return { until: world.store.removeBlobs({ owner: "code-mode", key: runId }), ...wait(runId) };
    });
    await world.say("go");
    const results = (await world.entries()).flatMap((entry) =>
      entry.kind === "result" && entry.tool === "wait" ? [entry.content] : [],
    );
    expect(results).toMatchObject([{ code: "snapshot_restore_failed" }, { code: "invalid_input" }]);
  });

  it("[CM-05] 61: of two waits at once, also after a restart, the second is refused and harms nothing", async () => {
    const orders: string[] = [];
    const stored = Promise.withResolvers<undefined>();
    const dispatch = async (_sessionId: string, { type }: { type: string }) => {
      const found = orders.includes("resume") ? "running" : "waiting";
      orders.push(type);
      return { ok: true, reply: { found } };
    };
    const api = { sessions: { dispatch }, blobs: { read: () => stored.promise }, log: () => undefined };
    const cells = createCells({ api: api as never, sandbox: async () => plainSandbox() });
    const args = { runId: `cell_${"x".repeat(22)}` };
    const first = cells.wait(args, { sessionId: "ses_1" } as never);
    expect(await cells.wait(args, { sessionId: "ses_1" } as never)).toMatchObject({
      content: { code: "invalid_input" },
    });
    expect(orders).toEqual(["resume"]);
    stored.resolve(undefined);
    expect(await first).toMatchObject({ content: { code: "snapshot_restore_failed" } });
  });

  it("[CM-05] 64: at most eight wait in a session, and the oldest is untouched", async () => {
    const world = await codeWorld((_request, number) =>
      number <= 9 ? exec("await yield_control(); return 1;") : { say: "done" },
    );
    await world.say("go");
    const results = (await world.entries()).flatMap((entry) => (entry.kind === "result" ? [entry.content] : []));
    expect(results.slice(0, 8)).toEqual(results.slice(0, 8).map(() => expect.objectContaining({ status: "waiting" })));
    expect(results[8]).toMatchObject({ status: "failed", code: "snapshot_limit_exceeded" });
    expect(await world.store.blobCount({ owner: "code-mode", nowMs: world.clock.now() })).toBe(8);
  });

  it("[CM-05] 59, 62, 118: who stops the turn stops its cells and their calls", async () => {
    const levers = lever();
    const world = await codeWorld([exec("return await tools.pull({});"), { say: "never" }], {
      plugins: [levers.plugin],
    });
    await world.send("go");
    const settled = world.settle();
    await levers.begun;
    await world.must({ type: "turn.abort" });
    await settled;
    expect(await resultOf(world, "exec")).toMatchObject({
      status: "failed",
      code: "aborted",
      calls: [{ toolId: "plugin:levers:pull" }],
    });
    const nested = (await world.entries()).filter((entry) => entry.kind === "call-result");
    expect(nested).toMatchObject([{ tool: "pull", status: "error", content: "stopped" }]);
    expect((await world.session()).callers).toBeUndefined();
  });
});

describe("a cell that asks a person", () => {
  const ASK = `const asked = await tools.ask_user_question({ question: "Which?", options: ["Red", "Blue"] });
    return { answer: asked.answer, option: asked.option_id };`;

  it("[CM-04, CM-05, QU-02] 58, 63, 119: goes on with the answer in the turn that the answer begins", async () => {
    const world = await codeWorld((request, number) => {
      if (number === 1) return exec(ASK);
      return number === 2 ? wait(waitingIn(request)) : { say: "done" };
    });
    await world.say("go");
    expect(await resultOf(world, "exec")).toMatchObject({
      status: "waiting",
      pendingToolCalls: [{ toolId: "plugin:plan-mode:ask_user_question", state: "awaiting_approval" }],
    });
    world.clock.advance(600_000);
    await world.answer("Blue");
    expect(await resultOf(world, "wait")).toMatchObject({ status: "completed", value: { answer: "Blue" } });
    expect(world.requests()).toHaveLength(3);
  });

  const HELD = `return await tools.pull({ to: "the floor" }).catch((error) => "caught: " + error.message);`;

  it.each([
    ["Allow once", { pulled: true }, 1],
    ["Deny", expect.stringContaining("did not allow"), 0],
  ])("[CM-04, GA-02, GA-12] 111, 119: a call that waits for a yes, answered %j", async (answer, value, runs) => {
    const levers = lever();
    levers.release();
    const world = await codeWorld(
      (request, number) => {
        if (number === 1) return exec(HELD);
        return number === 2 ? wait(waitingIn(request)) : { say: "done" };
      },
      { plugins: [levers.plugin], planMode: { permissionMode: "ask" } },
    );
    await world.say("go");
    expect((await world.planState()).question).toMatchObject({
      call: { tool: "pull" },
      question: expect.stringContaining("the floor"),
    });
    expect((await world.planState()).question?.question).toContain("made by a program of the agent, cell clr_");
    expect(levers.runs).toHaveLength(0);
    await world.answer(answer);
    expect(await resultOf(world, "wait")).toMatchObject({ status: "completed", value });
    expect(levers.runs).toHaveLength(runs);
  });

  it("[CM-04, CM-05] 63: a plan that a cell submits comes back with the decision", async () => {
    const PROPOSE = `const plan = await tools.exit_plan_mode({ title: "Tidy", plan: [{ step: "do it" }] });
      await tools.call("holdpoint:core:write", { path: "made.txt", content: "x" });
      return plan.decision;`;
    const world = await codeWorld((request, number) => {
      if (number === 1) return exec(PROPOSE);
      return number === 2 ? wait(waitingIn(request)) : { say: "done" };
    });
    await world.enterPlan();
    await world.say("go");
    await world.approve();
    expect(await resultOf(world, "wait")).toMatchObject({ status: "completed", value: "approved" });
  });

  it("[CM-05] 63: a message that a person sends begins another run, and an answer does not", async () => {
    let runId = "";
    const world = await codeWorld((request, number) => {
      if (number === 1) return exec(ASK);
      if (number === 2) runId = waitingIn(request);
      return number === 2 ? wait(runId) : { say: "done" };
    });
    await world.say("go");
    await world.say("never mind");
    expect(await resultOf(world, "wait")).toMatchObject({ status: "failed", code: "invalid_input" });
  });
});

describe("nested calls", () => {
  it("[CM-04] 112, 113, 161, 162: stand in the transcript under their parent, and are not sent to the model", async () => {
    const world = await codeWorld([exec("await tools.glob({ pattern: '*' }); return 1;"), { say: "done" }]);
    await world.say("go");
    const entries = await world.entries();
    const parent = entries.flatMap((entry) => (entry.kind === "assistant" ? entry.calls : []))[0];
    expect(parent).toMatchObject({ tool: "exec", target: "code_mode.exec" });
    expect(entries.filter((entry) => entry.kind === "call" || entry.kind === "call-result")).toMatchObject([
      { kind: "call", tool: "glob", parentCallId: parent?.callId, caller: { kind: "cell" } },
      { kind: "call-result", tool: "glob", parentCallId: parent?.callId, status: "ok" },
    ]);
    expect(entries.filter((entry) => entry.kind === "result")).toMatchObject([{ tool: "exec", status: "ok" }]);
    expect(world.requests()[1]?.entries.some((entry) => entry.kind === "call")).toBe(false);
  });

  it("[CM-04] 11, 97, 111: hooks and policies judge each of them, with the cell as its caller", async () => {
    const seen: object[] = [];
    const hooks: ToolHooks = {
      beforeToolCall(call) {
        seen.push(call);
        return { verdict: "pass" };
      },
      afterToolCall: () => undefined,
    };
    await ran({ code: "await tools.glob({ pattern: '*' }); return 1;" }, { hooks });
    expect(seen).toMatchObject([
      { tool: "code_mode.exec" },
      { tool: "glob", caller: { kind: "cell" }, agentId: "main" },
    ]);
    expect(seen[0]).not.toHaveProperty("caller");
  });

  it("[CM-06] 120, 125: large arguments are read one by one, and the gateway's loop turns in between", async () => {
    let rounds = 0;
    let isOver = false;
    const turn = (): unknown => isOver || ((rounds += 1), setImmediate(turn));
    const at: number[] = [];
    const input = z.strictObject({ n: z.number(), pad: z.array(z.number()) });
    const run = async () => (at.push(rounds), { status: "ok" as const, content: "read" });
    const tool = defineTool({ name: "take", description: "", effect: "read", kind: "read_only", input, run });
    const code = `const pad = new Array(9e4).fill(0);
      return (await Promise.all(Array.from({ length: 8 }, (_, n) => tools.take({ n, pad })))).length;`;
    turn();
    expect(await ran({ code }, { tools: [tool] })).toMatchObject({ value: 8 });
    isOver = true;
    expect(new Set(at).size).toBe(8);
  });

  it("[CM-01] 11: a cell sees no tool of another session's catalog", async () => {
    const hidden = defineTool({
      name: "elsewhere",
      description: "",
      effect: "read",
      kind: "read_only",
      input: z.strictObject({}),
      offered: () => false,
      run: async () => ({ status: "ok", content: "seen" }) as const,
    });
    const code = `return [ALL_TOOLS.some(({ name }) => name === "elsewhere"), typeof tools.elsewhere, await tools.call("holdpoint:core:elsewhere", {}).catch(() => "none")];`;
    expect(await ran({ code }, { tools: [hidden] })).toMatchObject({ value: [false, "undefined", "none"] });
  });
});
