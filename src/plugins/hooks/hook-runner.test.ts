import { describe, expect, it } from "vitest";
import { fakeClock, quiet } from "../../../test/kit/fake-clock.ts";
import { HOOK_MS_DEFAULT, type HookName } from "../api/hooks.ts";
import type { PluginNeed } from "../../protocol/plugin/plugin-manifest.ts";
import { SessionId, TurnId } from "../../protocol/ids.ts";
import { createAgentEventHub } from "../events/agent-events.ts";
import { createCallHooks } from "./call-hooks.ts";
import { createHookRunner, type RegisteredHook } from "./hook-runner.ts";

const call = {
  sessionId: SessionId.parse("ses_1"),
  turnId: TurnId.parse("trn_1"),
  agentId: "main",
  sessionKind: "chat",
  callId: "c1",
  tool: "write",
  kind: "file_edit",
  effect: "write",
  args: { path: "a" },
} as const;

function world() {
  const clock = fakeClock();
  const failures: string[] = [];
  const hooks = createHookRunner({
    clock,
    failed: ({ pluginId, error }) => void failures.push(`${pluginId}: ${error instanceof Error ? error.message : ""}`),
  });
  const add = (pluginId: string, handler: (event: never) => unknown, parts: Partial<RegisteredHook> = {}) =>
    hooks.add({
      pluginId,
      hook: "before_tool_call",
      handler: handler as RegisteredHook["handler"],
      priority: 0,
      timeoutMs: HOOK_MS_DEFAULT,
      needs: new Set<PluginNeed>(),
      ...parts,
    });
  return { clock, failures, hooks, add, calls: createCallHooks(hooks) };
}

describe("hooks", () => {
  it("[PG-09] run by priority, then in the order of registration", async () => {
    const { hooks, add } = world();
    const order: string[] = [];
    for (const [name, priority] of [
      ["b", 0],
      ["late", -1],
      ["c", 0],
      ["first", 5],
    ] as const)
      add(name, () => void order.push(name), { priority });
    await hooks.run("before_tool_call", { ...call, sessionKey: "ses_1", runId: "trn_1" });
    expect(order).toEqual(["first", "b", "c", "late"]);
  });

  it("[PG-09] can only make things stricter: the first no ends it, and a wish to ask stands unless there is a no", async () => {
    const { add, calls } = world();
    expect(await calls.beforeToolCall(call)).toEqual({ verdict: "pass" });
    add("quiet", () => undefined);
    expect(await calls.beforeToolCall(call)).toEqual({ verdict: "pass" });
    add("asks", () => ({ ask: "is it Friday?" }));
    expect(await calls.beforeToolCall(call)).toEqual({ verdict: "ask", reason: "is it Friday?", by: "asks" });
    add("blocks", async () => ({ block: "over budget\nallowed" }));
    add("never asked", () => {
      throw new Error("must not run");
    });
    expect(await calls.beforeToolCall(call)).toEqual({ verdict: "block", reason: "over budget allowed", by: "blocks" });
  });

  it("[PG-09] are contained: who throws, hangs or talks nonsense is counted, and a change is put before a person", async () => {
    for (const [handler, message] of [
      [() => Promise.reject(new Error("no")), "no"],
      [() => new Promise(() => undefined), `no end within ${HOOK_MS_DEFAULT} ms`],
      [() => ({ allow: true }), "an answer that cannot be read"],
      [() => ({ block: "" }), "an answer that cannot be read"],
    ] as const) {
      const { add, calls, failures, clock } = world();
      add("shaky", handler);
      const [change, reading] = [calls.beforeToolCall(call), calls.beforeToolCall({ ...call, effect: "read" })];
      await quiet();
      clock.advance(HOOK_MS_DEFAULT);
      expect([await change, await reading]).toEqual([
        { verdict: "ask", reason: "its hook gave no answer", by: "shaky" },
        { verdict: "pass" },
      ]);
      expect(failures).toEqual([`shaky: ${message}`, `shaky: ${message}`]);
    }
  });

  it("[PG-08] see arguments and words only where the operator agreed to it, and cannot change them for others", async () => {
    const { hooks, add } = world();
    const seen: unknown[] = [];
    const look = (event: { args?: { path: string } }) => {
      seen.push(event.args);
      if (event.args !== undefined) event.args.path = "changed";
    };
    add("blind", look);
    add("sees", look, { needs: new Set(["tool-arguments"]) });
    add("sees too", look, { needs: new Set(["tool-arguments"]) });
    await hooks.run("before_tool_call", { ...call, sessionKey: "ses_1", runId: "trn_1" });
    expect(seen).toEqual([undefined, { path: "changed" }, { path: "changed" }]);
    expect(call.args).toEqual({ path: "a" });
    const words: unknown[] = [];
    const hook: HookName = "message_received";
    const hear = (event: { text?: string }) => void words.push(event.text);
    add("blind", hear, { hook });
    add("sees", hear, { hook, needs: new Set(["message-text"]) });
    const at = { sessionKey: "ses_1", agentId: "main", sessionKind: "chat", messageId: "msg_1", from: "Alice" };
    await hooks.run("message_received", { ...at, text: "secret" });
    expect(words).toEqual([undefined, "secret"]);
  });

  it("[PG-09, CM-02] are told that a call is a program and in which language, before and after it", async () => {
    const { add, calls } = world();
    const seen: unknown[] = [];
    const look = ({ toolKind, toolInputKind }: { toolKind?: string; toolInputKind?: string }) =>
      void seen.push([toolKind, toolInputKind]);
    add("before", look);
    add("after", look, { hook: "after_tool_call" });
    const ended = { status: "ok", durationMs: 1 } as const;
    const program = { ...call, toolKind: "code_mode_exec", toolInputKind: "typescript" };
    for (const one of [program, { ...call, toolKind: "code_mode_exec" }, call]) {
      await calls.beforeToolCall(one);
      await calls.afterToolCall({ ...one, ...ended });
    }
    expect(seen).toEqual([
      ["code_mode_exec", "typescript"],
      ["code_mode_exec", "typescript"],
      ["code_mode_exec", undefined],
      ["code_mode_exec", undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("[PG-01] are gone with their plugin", async () => {
    const { hooks, add } = world();
    add("a", () => undefined);
    hooks.removePlugin("a");
    expect(hooks.has("before_tool_call")).toBe(false);
  });

  it("[PG-08, PG-09] are asked about a call when their plugin has handled what it was told before, and do not wait long for that", async () => {
    const clock = fakeClock();
    const hub = createAgentEventHub(() => undefined);
    const hooks = createHookRunner({ clock, failed: () => undefined, caughtUp: hub.caughtUp });
    let spent = 0;
    let gate = Promise.withResolvers<void>();
    hub.subscribe({ pluginId: "guard", needs: new Set() }, ["message.sent"], async () => {
      await gate.promise;
      spent += 1;
    });
    const handler = (): object | undefined => (spent > 1 ? { block: "enough" } : undefined);
    const needs = new Set<PluginNeed>();
    hooks.add({ pluginId: "guard", hook: "before_tool_call", handler, priority: 0, timeoutMs: 10_000, needs });
    const calls = createCallHooks(hooks);
    const answered = { type: "message.sent", sessionKey: "ses_1", atMs: 1, data: {} };
    hub.tell(answered);
    hub.tell(answered);
    const asked = calls.beforeToolCall(call);
    await quiet();
    gate.resolve();
    expect(await asked).toMatchObject({ verdict: "block" });

    spent = 0;
    gate = Promise.withResolvers();
    hub.tell(answered);
    const late = calls.beforeToolCall(call);
    await quiet();
    clock.advance(1_000);
    expect(await late).toEqual({ verdict: "pass" });
    gate.resolve();
    await quiet();
    expect(hub.caughtUp("guard")).toBeUndefined();
  });
});
