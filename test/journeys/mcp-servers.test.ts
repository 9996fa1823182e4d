/** MCP servers behind the whole gateway: added while it runs, under the gate, gone with it. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { gatedGateway } from "../kit/gated-gateway.ts";
import { PATIENT_MS } from "../kit/patience.ts";

const SCRIPT = fileURLToPath(new URL("../kit/mcp-server.ts", import.meta.url));
const server = { command: process.execPath, args: [SCRIPT, "stdio"] };

/** Calls until the server's tools have joined: they come in the background. */
async function joined(gateway: Awaited<ReturnType<typeof gatedGateway>>, name: string): Promise<void> {
  await vi.waitUntil(async () => (await gateway.call(`mcp__${name}__echo`, { text: "?" })).status !== "error", {
    timeout: PATIENT_MS,
    interval: 200,
  });
}

describe("an MCP server", () => {
  it("[RT-08, GA-04, GA-12] joins while the gateway runs, and its tools wait for the plan like any other", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.person.must("config.set", { path: "mcp.servers.notes", value: server });
    await joined(gateway, "notes");
    const file = join(gateway.workspace, "made");
    for (const [tool, args] of [
      ["mcp__notes__echo", { text: "tea" }],
      ["mcp__notes__record", { file }],
    ] as const) {
      expect(await gateway.call(tool, args)).toMatchObject({ status: "refused", content: { tool_kind: "dispatch" } });
    }
    expect(gateway.files()).toEqual(["keep.txt"]);
    expect(gateway.seen).not.toContain("call.claimed");
    await gateway.decide("approve");
    expect(await gateway.call("mcp__notes__record", { file })).toMatchObject({ status: "ok" });
    expect(gateway.files()).toEqual(["keep.txt", "made"]);
    expect(gateway.seen).toContain("call.claimed");
  });

  it("[RT-08, GA-04] that a person trusts may read in plan mode, and leaves with its settings", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.person.must("config.set", { path: "mcp.servers.notes", value: { ...server, trusted: true } });
    await joined(gateway, "notes");
    expect(await gateway.call("mcp__notes__echo", { text: "tea" })).toMatchObject({ status: "ok" });
    expect(await gateway.call("mcp__notes__record", { file: "x" })).toMatchObject({ status: "refused" });
    await gateway.person.must("config.unset", { path: "mcp.servers.notes" });
    expect(await gateway.call("mcp__notes__echo", { text: "tea" })).toMatchObject({
      status: "error",
      content: expect.stringContaining('There is no tool "mcp__notes__echo" in this session.'),
    });
  });
});

describe("an MCP server while a plan accepted with edits is carried out", () => {
  it("[AE-02, AE-05] writes like any other, and asks where it says that it destroys", async () => {
    const gateway = await gatedGateway();
    await gateway.person.must("config.set", { path: "mcp.servers.notes", value: server });
    await joined(gateway, "notes");
    await gateway.plan("plan");
    await gateway.decide("edit");
    const file = join(gateway.workspace, "made");
    expect(await gateway.call("mcp__notes__record", { file })).toMatchObject({ status: "ok" });
    expect(await gateway.call("mcp__notes__lying", {})).toMatchObject({
      status: "refused",
      content: { rule: "destructive-hint", matched: "mcp__notes__lying" },
    });
    expect(await gateway.answer("Allow once", { tool: "mcp__notes__lying", args: {} })).toMatchObject({ status: "ok" });
  });
});

describe("the other tools that reach out", () => {
  it("[TO-09, GA-03] message is refused in plan mode and delivered after it; the private web is closed in both", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    expect(await gateway.call("message", { text: "hi" })).toMatchObject({
      status: "refused",
      content: { tool_kind: "outbound" },
    });
    expect(await gateway.call("session_status", {})).toMatchObject({ status: "ok", content: { agent: "main" } });
    expect(await gateway.call("web_fetch", { url: gateway.url.replace(/^ws/, "http") })).toMatchObject({
      status: "error",
      content: expect.stringMatching(/^Not fetched: /),
    });
    await gateway.plan("normal");
    expect(await gateway.call("message", { text: "hi" })).toMatchObject({ status: "ok" });
    expect(await gateway.entries()).toContainEqual({
      kind: "notice",
      text: "Message from the agent:\n> hi",
      said: [{ line: 0, key: "agentMessage", args: {} }],
    });
    expect(await gateway.call("web_fetch", { url: "http://169.254.169.254/" })).toMatchObject({ status: "error" });
  });
});
