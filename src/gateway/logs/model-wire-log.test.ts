import { expect, it } from "vitest";
import { cannedServer, events, failureFrom, modelsAt, partsOf, request } from "../../../test/kit/model-server.ts";
import { modelWireLog } from "./model-wire-log.ts";

const MODEL = "ollama/qwen3";
const piece = (content: string, finish_reason: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "qwen3",
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const ANSWER = ["a", "b", "token=abcdef123456", "d", "e", "f"].map((text) => piece(text));

/** What a gateway that was started with these variables logs of one request and its answer. */
async function logged(env: Record<string, string>, text = "hello"): Promise<[message: string, about: object][]> {
  const lines: [string, object][] = [];
  const watch = modelWireLog(env, { info: (about: object, message: string) => void lines.push([message, about]) });
  const server = await cannedServer({ body: events(...ANSWER, piece("", "stop")) });
  const parts = await partsOf(modelsAt({ baseUrl: server.url, watch })(MODEL).stream(request(text)));
  expect(parts).toContainEqual({ type: "text", delta: "abtoken=abcdef123456def" }); // it passes as it came
  return lines;
}

it("[CM-09, GW-07] logs nothing unless it is asked to, and then sits in no way", async () => {
  expect(modelWireLog({}, { info: () => undefined })).toBeUndefined();
  const off = { HOLDPOINT_DEBUG_MODEL_TRANSPORT: "0", HOLDPOINT_DEBUG_MODEL_PAYLOAD: "all", HOLDPOINT_DEBUG_SSE: "1" };
  expect(modelWireLog(off, { info: () => undefined })).toBeUndefined();
});

it("[CM-09, GW-07] HOLDPOINT_DEBUG_MODEL_TRANSPORT logs each request and how it was answered, without key and query", async () => {
  const lines = await logged({ HOLDPOINT_DEBUG_MODEL_TRANSPORT: "1" });
  expect(lines).toEqual([
    [
      "[model/transport] request",
      {
        model: MODEL,
        place: expect.stringMatching(/^http:\/\/[\w.:]+\/v1\/chat\/completions$/),
        bytes: expect.any(Number),
      },
    ],
    ["[model/transport] answer", { model: MODEL, status: 200, ms: expect.any(Number) }],
  ]);
});

it("[CM-09] HOLDPOINT_DEBUG_MODEL_PAYLOAD logs the tools that the request names, or the request without secrets", async () => {
  expect(await logged({ HOLDPOINT_DEBUG_MODEL_PAYLOAD: "tools" })).toEqual([
    ["[model/payload] tools", { model: MODEL, tools: ["read"] }],
  ]);
  const [[message, about] = ["", {}]] = await logged(
    { HOLDPOINT_DEBUG_MODEL_PAYLOAD: "full-redacted" },
    `my password=hunter2hunter2 ${"x".repeat(30_000)}`,
  );
  expect(message).toBe("[model/payload] request");
  expect(about).toMatchObject({ model: MODEL, body: expect.stringContaining("You are careful.") });
  expect(JSON.stringify(about)).not.toContain("hunter2");
  expect(JSON.stringify(about).length).toBeLessThan(30_000);
});

it.each([
  ["peek", 5],
  ["events", 7],
])("[CM-09] HOLDPOINT_DEBUG_SSE=%s logs what streams back, event by event and without secrets", async (how, count) => {
  const lines = await logged({ HOLDPOINT_DEBUG_SSE: how });
  expect(lines.map(([message, about]) => [message, Object(about).n])).toEqual(
    Array.from({ length: count }, (_, n) => ["[model/sse] event", n + 1]),
  );
  expect(JSON.stringify(lines[0])).toContain("content");
  expect(JSON.stringify(lines)).not.toContain("abcdef123456");
});

it("[CM-09, GW-07] a vendor that cannot be reached is logged with its reason", async () => {
  const lines: [string, object][] = [];
  const watch = modelWireLog(
    { HOLDPOINT_DEBUG_MODEL_TRANSPORT: "1" },
    { info: (about: object, message: string) => void lines.push([message, about]) },
  );
  await failureFrom(modelsAt({ baseUrl: "http://127.0.0.1:1", watch })(MODEL).stream(request("hello")));
  expect(lines.map(([message]) => message)).toEqual(["[model/transport] request", "[model/transport] failed"]);
  expect(lines[1]?.[1]).toMatchObject({ reason: expect.any(String) });
});
