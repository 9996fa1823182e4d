import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { clientPlace } from "./client-place.ts";
import { createMcpServer } from "./mcp-server.ts";

const REVIEW = "http://127.0.0.1:1/sessions/ses_x/plan";
const PENDING = { outcome: "pending", status: "pending", message: "It waits.", sessionId: "ses_x", review: REVIEW };

function opened(ask?: (line: JsonObject, signal: AbortSignal) => Promise<JsonObject>) {
  const sent: JsonObject[] = [];
  const asked: JsonObject[] = [];
  const server = createMcpServer({
    version: "1",
    place: (client, meta) => clientPlace(client, meta, { env: {}, workspace: "/w", fallback: "mine" }),
    ask: async (line, signal) => {
      asked.push(line);
      return ask === undefined ? PENDING : ask(line, signal);
    },
    send: (message) => void sent.push(message),
  });
  const request = (id: number, method: string, params: JsonObject = {}) =>
    server.handle({ jsonrpc: "2.0", id, method, params });
  const begin = (capabilities: JsonObject, name = "codex-mcp-client") =>
    request(1, "initialize", { protocolVersion: "2025-06-18", clientInfo: { name, version: "1" }, capabilities });
  const submit = (meta: JsonObject = {}) =>
    request(2, "tools/call", { name: "submit_plan", arguments: { title: "t", plan: "- do it" }, _meta: meta });
  return { server, sent, asked, request, begin, submit };
}

describe("the MCP server", () => {
  it("[IG-01] hands the address of a plan to a client that shows addresses, once, and to no other", async () => {
    const shows = opened();
    expect(await shows.begin({ elicitation: { form: {}, url: {} } })).toMatchObject({
      result: { protocolVersion: "2025-06-18" },
    });
    await shows.submit();
    await shows.submit();
    expect(shows.sent).toMatchObject([{ method: "elicitation/create", params: { mode: "url", url: REVIEW } }]);
    expect(
      await shows.server.handle({ jsonrpc: "2.0", id: "holdpoint-1", result: { action: "accept" } }),
    ).toBeUndefined();
    const other = opened();
    await other.begin({ elicitation: { form: {} } });
    await other.submit();
    expect(other.sent).toEqual([]);
  });

  it("[IG-01] speaks for the run that the client's hooks speak for", async () => {
    const { asked, begin, submit } = opened();
    await begin({});
    await submit({ "x-codex-turn-metadata": { thread_id: "thr_1" } });
    await submit();
    expect(asked).toMatchObject([
      { do: "plan", agent: "codex", session: "thr_1", workspace: "/w", waitMs: 0 },
      { agent: "codex", session: "mine" },
    ]);
  });

  it("[IG-01] drops the waiter alone when the client cancels a call, and answers what it does not know", async () => {
    const { server, begin, request, submit } = opened(
      (_line, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ error: "left" }));
        }),
    );
    await begin({});
    const waiting = submit();
    await server.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    expect(await waiting).toMatchObject({ result: { isError: true, content: [{ text: "left" }] } });
    expect(await request(3, "server/discover")).toMatchObject({ error: { code: -32_601 } });
    expect(await request(4, "tools/call", { name: "approve" })).toMatchObject({ result: { isError: true } });
    expect(await server.handle("nonsense")).toMatchObject({ error: { code: -32_600 } });
    expect(await request(5, "ping")).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  });
});
