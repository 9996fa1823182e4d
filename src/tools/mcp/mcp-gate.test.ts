import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { scriptedModel } from "../../../test/kit/scripted-model.ts";
import { turnWorld } from "../../../test/kit/turn-world.ts";
import { systemClock } from "../../engine/clock.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";
import { McpSettings } from "../../protocol/settings/tool-settings.ts";
import { connect } from "./connect.ts";
import { createMcpSource } from "./mcp-source.ts";
import { PATIENT_MS } from "../../../test/kit/patience.ts";

const SCRIPT = fileURLToPath(new URL("../../../test/kit/mcp-server.ts", import.meta.url));

/** A session in plan mode with the real gate, and two real servers, of which one is trusted. */
async function planning() {
  const world = turnWorld({
    model: scriptedModel([]),
    plugins: [planModePlugin],
    settings: { planMode: PlanModeSettings.parse({ enabled: true, defaultActive: true }) },
  });
  await world.open();
  const mcp = createMcpSource({
    tools: world.registry,
    clock: systemClock,
    connect: (order) =>
      connect({ ...order, version: "1", cwd: world.workspace, env: process.env, secret: async () => undefined }),
    report: () => undefined,
  });
  onTestFinished(() => mcp.stop());
  const server = { command: process.execPath, args: [SCRIPT, "stdio"] };
  mcp.apply(McpSettings.parse({ servers: { stranger: server, friend: { ...server, trusted: true } } }));
  await vi.waitUntil(() => mcp.status().every(({ status }) => status === "ready"), { timeout: PATIENT_MS });
  const turnId = await world.send("please");
  await world.must({ type: "turn.start", turnId, node: "n", leaseUntilMs: 9_999_999, sole: true });
  const { epoch } = await world.session();
  let count = 0;
  async function call(tool: string, args: JsonObject) {
    const made = { callId: `call_${++count}`, tool, args };
    await world.must({ type: "turn.say", turnId, epoch, text: "", calls: [made] });
    await world.toolbox.call(made, { sessionId, turnId, epoch, signal: new AbortController().signal });
    const result = (await world.entries()).findLast((entry) => entry.kind === "result");
    return result?.kind === "result" ? { status: result.status, content: result.content } : undefined;
  }
  return { ...world, call };
}

describe("MCP tools in plan mode", () => {
  it("[GA-04] run only where the server is trusted and the tool says that it reads", async () => {
    const { call, workspace } = await planning();
    expect(await call("mcp__friend__echo", { text: "tea" })).toMatchObject({ status: "ok" });
    expect(await call("mcp_list_resources", { server: "stranger" })).toMatchObject({ status: "ok" });
    const file = join(workspace, "x");
    const attempts: [string, JsonObject][] = [
      ["mcp__stranger__echo", { text: "tea" }],
      ["mcp__stranger__record", { file }],
      ["mcp__friend__record", { file }],
      ["mcp__friend__lying", {}],
      ["mcp_read_resource", { server: "stranger", uri: "memo://1" }],
    ];
    for (const [tool, args] of attempts) {
      expect(await call(tool, args)).toMatchObject({
        status: "refused",
        content: { tool_name: tool, tool_kind: "dispatch", rule: "plan-mode/read-only" },
      });
    }
    expect(existsSync(file)).toBe(false);
  });
});
