import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ServedMcp, serveMcpOverHttp } from "../../../test/kit/mcp-server.ts";
import { systemClock } from "../../engine/clock.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { McpSettings } from "../../protocol/settings/tool-settings.ts";
import { connect } from "../../tools/mcp/connect.ts";
import { createServerLink } from "../../tools/mcp/server-link.ts";
import { createToolPins, type PinTable } from "../../tools/mcp/tool-pins.ts";
import { clientPlace } from "./client-place.ts";
import { createMcpProxy, type McpProxy } from "./mcp-proxy.ts";

let served: ServedMcp;
let folder: string;
beforeAll(async () => {
  served = await serveMcpOverHttp();
  folder = mkdtempSync(join(tmpdir(), "hp-proxy-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await served.close();
});

const REVIEW = "http://127.0.0.1:1/sessions/ses_x/plan";
const DENIED = { decision: "deny", reason: "Submit a plan first.", review: REVIEW };
const ALLOWED = { decision: "allow", reason: "", review: REVIEW };

type Given = { tools?: Record<string, string>; trusted?: boolean; answer?: JsonObject; pins?: { table: PinTable } };

/** A client before a real server, and a gate that answers what the test says. */
function opened({ tools = {}, trusted = false, answer = DENIED, pins = { table: {} } }: Given = {}) {
  const settings = McpSettings.parse({ servers: { test: { url: served.url, tools, trusted } } }).servers["test"];
  if (settings === undefined) throw new Error("no settings");
  const asked: JsonObject[] = [];
  const sent: JsonObject[] = [];
  const shown: { proxy?: McpProxy } = {};
  let listed: readonly ServerTool[] = [];
  const link = createServerLink({
    name: "test",
    settings,
    clock: systemClock,
    connect: (order) => connect({ ...order, version: "1", cwd: folder, env: {}, secret: async () => undefined }),
    onTools: (now) => shown.proxy?.show((listed = now)),
    report: () => undefined,
  });
  onTestFinished(() => link.stop());
  const proxy = createMcpProxy({
    version: "1",
    link,
    pins: createToolPins({ load: () => pins.table, save: (table) => void (pins.table = table) }),
    ask: async (line) => (asked.push(line), answer),
    place: (client, meta) => clientPlace(client, meta, { env: {}, workspace: "/w", fallback: "mine" }),
    send: (message) => void sent.push(message),
  });
  shown.proxy = proxy;
  const { handle, show } = proxy;
  let id = 0;
  const request = async (method: string, params: JsonObject = {}) =>
    handle({ jsonrpc: "2.0", id: ++id, method, params });
  const call = (name: string, args: JsonObject = {}) => request("tools/call", { name, arguments: args });
  return { request, call, handle, show, asked, sent, listed: () => listed };
}

describe("the MCP proxy", () => {
  it("[IG-02] asks the gate before a call reaches the server, and hands on its answer or the refusal", async () => {
    const file = join(folder, "record.txt");
    const held = opened();
    expect(
      await held.request("initialize", { protocolVersion: "2025-06-18", clientInfo: { name: "codex" } }),
    ).toMatchObject({
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "holdpoint-test" } },
    });
    expect(await held.call("record", { file })).toMatchObject({
      result: { isError: true, content: [{ text: `Submit a plan first. People decide at ${REVIEW}` }] },
    });
    expect(held.asked).toEqual([
      {
        do: "call",
        agent: "codex",
        session: "mine",
        workspace: "/w",
        tool: "mcp__test__record",
        args: { file },
        waitMs: 240_000,
      },
    ]);
    expect(existsSync(file)).toBe(false);
    expect(await opened({ answer: ALLOWED }).call("record", { file })).toMatchObject({
      result: { content: [{ text: "done" }] },
    });
    expect(existsSync(file)).toBe(true);
  });

  it("[IG-02] runs nothing when the gate does not answer, answers something else, or the tool is not there", async () => {
    const file = join(folder, "unanswered.txt");
    for (const answer of [{ error: "No gateway answers." }, { decision: "yes" }, {}]) {
      expect(await opened({ answer }).call("record", { file })).toMatchObject({ result: { isError: true } });
    }
    const { call, asked } = opened({ answer: ALLOWED, tools: { record: "off" } });
    expect(await call("record", { file })).toMatchObject({
      result: { isError: true, content: [{ text: "There is no tool record." }] },
    });
    expect([asked, existsSync(file)]).toEqual([[], false]);
  });

  it("[IG-02] believes a hint only of a trusted server, and a person before any hint", async () => {
    const hints = async (given: Given) => {
      const { request } = opened(given);
      const listed = (await request("tools/list")) as { result: { tools: ServerTool[] } };
      return Object.fromEntries(listed.result.tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
    };
    expect(await hints({})).toMatchObject({ echo: false, record: false, lying: false });
    expect(await hints({ trusted: true })).toMatchObject({ echo: true, record: false, lying: false });
    expect(await hints({ tools: { record: "read", echo: "off" } })).toMatchObject({ record: true });
    expect(await hints({ tools: { echo: "off" } })).not.toHaveProperty("echo");
    const { call, asked } = opened({ tools: { echo: "read" }, answer: ALLOWED });
    expect(await call("echo", { text: "tea" })).toMatchObject({ result: { content: [{ text: "tea" }] } });
    expect(asked).toMatchObject([{ tool: "read", args: { with: "mcp__test__echo", about: { text: "tea" } } }]);
  });

  it("[IG-02] asks about a tool as one that changes things once it is described otherwise, also after a restart", async () => {
    const pins = { table: {} };
    const before = opened({ trusted: true, pins });
    await before.request("tools/list");
    const changed = before
      .listed()
      .map((tool) => (tool.name === "echo" ? { ...tool, description: "Says it to others." } : tool));
    before.show(changed);
    expect(before.sent).toEqual([{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }]);
    const refused = await before.call("echo", { text: "tea" });
    expect(JSON.stringify(refused)).toContain("The server describes this tool otherwise");
    const after = opened({ trusted: true, pins });
    await after.request("tools/list");
    after.show(changed);
    await after.call("echo", { text: "tea" });
    expect([before.asked, after.asked]).toMatchObject([[{ tool: "mcp__test__echo" }], [{ tool: "mcp__test__echo" }]]);
  });

  it("[IG-02] cuts what is too long, ends what is cancelled, and says so", async () => {
    const { call, handle, request } = opened({ answer: ALLOWED });
    const big = JSON.stringify(await call("big"));
    expect(big.length).toBeLessThan(101_000);
    expect(big).toContain("cut here: 100000 of 200000 characters are shown");
    const waiting = call("slow");
    await expect
      .poll(async () => {
        await handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
        return Promise.race([waiting, Promise.resolve("not yet")]);
      })
      .toMatchObject({ result: { isError: true } });
    expect(await request("resources/list")).toMatchObject({ error: { code: -32_601 } });
    expect(await handle("nonsense")).toMatchObject({ error: { code: -32_600 } });
  });
});
