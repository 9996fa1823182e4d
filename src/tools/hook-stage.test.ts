/** Ordinary hooks in the pipeline: after the policies, before the permission prompt; stricter or nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callWorld } from "../../test/kit/call-world.ts";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { gatePlugin } from "../../test/kit/turn-world.ts";
import { planModePlugin } from "../plan-mode/plugin.ts";
import type { PermissionPrompt, TrustedToolPolicy } from "../plugins/policy.ts";
import type { Plugin } from "../plugins/sdk.ts";
import type { CalledTool, HookedCall, HookVerdict, ToolHooks } from "../plugins/tool-hooks.ts";
import { askHooks, HOOKS_MS_MAX } from "./hook-stage.ts";

const WRITE = { path: "made", content: "x" };
const pass: HookVerdict = { verdict: "pass" };

function hooks(before: (call: HookedCall) => unknown) {
  const heard: HookedCall[] = [];
  const after: CalledTool[] = [];
  const port = {
    beforeToolCall: (call: HookedCall) => (heard.push(call), before(call)),
    afterToolCall: (call: CalledTool) => void after.push(call),
  } as ToolHooks;
  return { port, heard, after };
}

/** Allows what it is asked, and remembers that it was. */
function stages(order: string[]) {
  const policy: TrustedToolPolicy = {
    id: "policy",
    description: "",
    evaluate: () => (order.push("policy"), { verdict: "allow" }),
  };
  const prompt: PermissionPrompt = {
    id: "prompt",
    description: "",
    evaluate: ({ hook }) => (order.push(`prompt${hook === undefined ? "" : ` ${hook.reason}`}`), { verdict: "allow" }),
  };
  const plugin: Plugin = {
    ...gatePlugin,
    id: "prompting",
    register(api) {
      void gatePlugin.register(api);
      api.tools.registerPermissionPrompt(prompt);
    },
  };
  return { policies: [policy], plugins: [plugin] };
}

describe("hooks before a call", () => {
  it("[GA-02, PG-09] come after the trusted policies and before the permission prompt", async () => {
    const order: string[] = [];
    const { port } = hooks(() => (order.push("hook"), pass));
    const { call, workspace } = await callWorld({ ...stages(order), hooks: port });
    await call("write", WRITE);
    expect(order).toEqual(["policy", "hook", "prompt"]);
    expect(existsSync(join(workspace, "made"))).toBe(false); // the gate of the claim is closed: nothing opens it
  });

  it("[GA-02] are not asked about what a policy refused, nor about what repeats", async () => {
    const { port, heard } = hooks(() => pass);
    const no: TrustedToolPolicy = {
      id: "no",
      description: "",
      evaluate() {
        throw new Error("no");
      },
    };
    const { call } = await callWorld({ policies: [no], hooks: port });
    expect((await call("write", WRITE)).status).toBe("refused");
    expect(heard).toEqual([]);
  });

  it("[PG-09] see the call as it will run, frozen, under its session and turn", async () => {
    const { port, heard } = hooks(() => pass);
    const { call, turnId } = await callWorld({ hooks: port });
    await call("glob", { pattern: "*" });
    expect(heard).toMatchObject([
      {
        tool: "glob",
        kind: "read_only",
        effect: "read",
        callId: "call_1",
        turnId,
        sessionKind: "chat",
        agentId: "main",
      },
    ]);
    expect(Object.isFrozen(heard[0]?.args)).toBe(true);
  });

  it("[PG-09, GA-07] may block, with a reason that the agent can act on", async () => {
    const { port } = hooks(() => ({ verdict: "block", reason: "not on a Friday", by: "deploy-guard" }));
    const { call } = await callWorld({ hooks: port });
    expect(await call("glob", { pattern: "*" })).toMatchObject({
      status: "refused",
      content: { tool_name: "glob", rule: "hook/block", matched: "deploy-guard: not on a Friday" },
    });
  });

  it("[PG-09] may have a person asked about a change; a reading call is refused instead", async () => {
    const order: string[] = [];
    const { port } = hooks(() => ({ verdict: "ask", reason: "over budget" }));
    const { call } = await callWorld({ ...stages(order), hooks: port });
    await call("write", WRITE);
    expect(order).toEqual(["policy", "prompt over budget"]);
    expect(await call("glob", { pattern: "*" })).toMatchObject({ status: "refused", content: { rule: "hook/ask" } });
  });

  it("[PG-09] what they want asked is refused where nobody asks", async () => {
    const { port } = hooks(() => ({ verdict: "ask", reason: "over budget" }));
    const { call } = await callWorld({ hooks: port });
    expect(await call("write", WRITE)).toMatchObject({ status: "refused", content: { rule: "hook/ask" } });
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["answers nonsense", () => ({ verdict: "allow", grant: "all" })],
    ["answers nothing", () => undefined],
  ])("[PG-09, I18] a hook that %s opens nothing: a change is asked about, reading goes on", async (_what, answer) => {
    const order: string[] = [];
    const { port } = hooks(answer);
    const { call, reports } = await callWorld({ ...stages(order), hooks: port });
    await call("write", WRITE);
    expect(order).toEqual(["policy", "prompt a hook gave no answer"]);
    expect((await call("glob", { pattern: "*" })).status).toBe("ok");
    expect(reports).toHaveLength(2);
  });

  it("[PG-09, I18] a hook that never answers counts as one that failed", async () => {
    const order: string[] = [];
    const { port } = hooks(() => new Promise(() => undefined));
    const { call, clock } = await callWorld({ ...stages(order), hooks: port });
    const made = call("write", WRITE);
    await quiet();
    clock.advance(HOOKS_MS_MAX);
    await made;
    expect(order).toEqual(["policy", "prompt a hook gave no answer"]);
  });

  it.each([
    ["block", "Do not repeat the call; take another course, or tell the person."],
    ["ask", "A person's yes is asked for changes only; leave it, and say so."],
  ])("[PG-09, GA-07] refuse a reading call in words that the agent can act on: %s", async (verdict, hint) => {
    const { port } = hooks(() => ({ verdict, reason: "x".repeat(1_500) }));
    const { call } = await callWorld({ hooks: port });
    const why = "x".repeat(1_000);
    expect(await call("glob", { pattern: "*" })).toMatchObject({
      status: "refused",
      content: {
        tool_name: "glob",
        tool_kind: "read_only",
        hint,
        entered_at: null,
        entered_reason: null,
        rule: `hook/${verdict}`,
        matched: why,
        message: `glob was not run: a plugin does not allow it (${why}). ${hint}`,
      },
    });
  });

  it("[PG-09] may block a change as well, and no person is asked then", async () => {
    const order: string[] = [];
    const { port } = hooks(() => Promise.resolve({ verdict: "block", reason: "no" }));
    const { call } = await callWorld({ ...stages(order), hooks: port });
    expect(await call("write", WRITE)).toMatchObject({ status: "refused", content: { rule: "hook/block" } });
    expect(order).toEqual(["policy"]);
  });

  it("[PG-09, I18] that give no answer are no question where a call only reads, and the log says what was missing", async () => {
    const reported: unknown[] = [];
    const parts = { clock: fakeClock(), report: (error: unknown) => void reported.push(error) };
    const about = { tool: "glob", effect: "read" } as HookedCall;
    const silent = hooks(() => undefined).port;
    expect(await askHooks(about, { ...parts, hooks: silent })).toBeUndefined();
    expect(await askHooks({ ...about, effect: "write" }, { ...parts, hooks: silent })).toEqual({
      ask: { reason: "a hook gave no answer" },
    });
    expect(reported.map(String)).toEqual(Array(2).fill("Error: hooks before glob took more than 30000 ms"));
    expect(await askHooks(about, { ...parts, hooks: hooks(() => pass).port })).toBeUndefined();
    expect(reported).toHaveLength(2);
  });

  it("[GA-01, GA-02] the permission prompt sees the session as it is after the hooks have taken their time", async () => {
    const answer = Promise.withResolvers<HookVerdict>();
    const { port } = hooks(() => answer.promise);
    const settings = { planMode: { enabled: true } };
    const world = await callWorld({ plugins: [planModePlugin], settings, hooks: port });
    const made = world.call("write", WRITE);
    await quiet();
    await world.must({ type: "slice.apply", slice: "planMode", command: { type: "set-permission-mode", mode: "ask" } });
    answer.resolve(pass);
    expect(await made).toMatchObject({ status: "refused", content: { rule: "permission/ask" } });
    expect(existsSync(join(world.workspace, "made"))).toBe(false);
  });

  it("[GA-09] are not even described to where nobody listens", async () => {
    const { port, heard, after } = hooks(() => pass);
    const { call } = await callWorld({ hooks: { ...port, listens: () => false } });
    await call("glob", { pattern: "*" });
    expect([heard, after]).toEqual([[], []]);
  });
});

describe("hooks after a call", () => {
  it("[PG-09] hear what became of it, once it is stored", async () => {
    const { port, after } = hooks(() => pass);
    const { call } = await callWorld({ hooks: port });
    await call("glob", { pattern: "*" });
    await call("read", { path: "missing" });
    await call("write", WRITE); // held by the closed gate: it never ran
    expect(after.map(({ tool, status }) => [tool, status])).toEqual([
      ["glob", "ok"],
      ["read", "error"],
    ]);
    expect(after[0]).toMatchObject({ callId: "call_1", durationMs: 0 });
  });

  it("[PG-09] change nothing any more, whatever they throw", async () => {
    const { port } = hooks(() => pass);
    const broken: ToolHooks = {
      ...port,
      afterToolCall() {
        throw new Error("broken");
      },
    };
    const { call, reports } = await callWorld({ hooks: broken });
    expect((await call("glob", { pattern: "*" })).status).toBe("ok");
    const rejecting: ToolHooks = { ...port, afterToolCall: () => Promise.reject(new Error("late")) };
    const other = await callWorld({ hooks: rejecting });
    expect((await other.call("glob", { pattern: "*" })).status).toBe("ok");
    await quiet();
    expect([reports, other.reports].map((list) => list.length)).toEqual([1, 1]);
  });
});
