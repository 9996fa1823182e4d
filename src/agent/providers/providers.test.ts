import type { ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import {
  failureFrom,
  input,
  KEY,
  modelServer,
  modelsAt,
  partsOf,
  request,
  VENDORS,
} from "../../../test/kit/model-server.ts";
import { TurnId } from "../../protocol/ids.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import type { ModelPart } from "../model.ts";
import { FIRST_BYTE_MS_MAX, IDLE_MS_MAX } from "./patient-fetch.ts";

const turnId = TurnId.parse("trn_1");
const text = (delta: string): ModelPart => ({ type: "text", delta });
const calls = (parts: ModelPart[]) => parts.flatMap((part) => (part.type === "call" ? [part.call] : []));

/** Each vendor has its own words for the same numbers. */
const USAGE = {
  anthropic: { input_tokens: 1_000, output_tokens: 50 },
  openai: { input_tokens: 1_000, output_tokens: 50 },
  google: { promptTokenCount: 1_000, candidatesTokenCount: 50 },
  ollama: { prompt_tokens: 1_000, completion_tokens: 50 },
};
const COST = { anthropic: 0.00375, openai: 0.0024, google: 0.000425, ollama: null };

const asked = (server: LLMock): ChatCompletionRequest[] =>
  server
    .getRequests()
    .flatMap(({ body }) => (body !== null && "messages" in body ? [body as ChatCompletionRequest] : []));

describe.each(VENDORS)("$id", ({ id, model }) => {
  async function opened() {
    const server = await modelServer();
    const clock = fakeClock();
    return { server, clock, model: modelsAt({ baseUrl: server.url, clock })(model) };
  }

  it("[RT-01] streams text as it comes, and tells what it took", async () => {
    const { server, model: asks } = await opened();
    server.onMessage("hello", { content: "Good morning to you.", usage: USAGE[id] }, { chunkSize: 4 });
    const deltas: string[] = [];
    for await (const part of asks.stream(request("hello"))) if (part.type === "text") deltas.push(part.delta);
    expect(deltas).toEqual(["Good", " mor", "ning", " to ", "you."]);
    expect((await partsOf(asks.stream(request("hello")))).filter(({ type }) => type !== "keep")).toEqual([
      text("Good morning to you."),
      {
        type: "usage",
        usage: {
          model,
          inputTokens: 1_000,
          outputTokens: 50,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          costUsd: COST[id],
        },
      },
      { type: "end", reason: "stop" },
    ]);
  });

  it("[RT-01] puts tool calls together from their pieces, several in one answer", async () => {
    const { server, model: asks } = await opened();
    server.onMessage(
      "look",
      {
        content: "I look.",
        toolCalls: [
          { name: "read", arguments: '{"path":"a/long/name.txt"}', id: "call_a" },
          { name: "read", arguments: '{"path":"b.txt"}', id: "call_b" },
        ],
        finishReason: id === "google" ? "stop" : "tool_calls",
      },
      { chunkSize: 3 },
    );
    const parts = await partsOf(asks.stream(request("look")));
    expect(parts[0]).toEqual(text("I look."));
    expect(calls(parts).map(({ tool, args }) => ({ tool, args }))).toEqual([
      { tool: "read", args: { path: "a/long/name.txt" } },
      { tool: "read", args: { path: "b.txt" } },
    ]);
    expect(new Set(calls(parts).map(({ callId }) => callId)).size).toBe(2);
  });

  it("[RT-01] shows the model what was said and done, refusals and unknown outcomes included", async () => {
    const { server, model: asks } = await opened();
    server.on({}, { content: "ok" });
    const entries: Entry[] = [
      input("go"),
      { kind: "notice", text: "for people only" },
      {
        kind: "assistant",
        turnId,
        text: "I look.",
        calls: [
          { callId: "c1", tool: "read", args: { path: "a" } },
          { callId: "trn_1.2", tool: "write", args: { path: "b" } },
          { callId: "c3", tool: "exec", args: {} },
        ],
      },
      { kind: "result", turnId, callId: "c1", tool: "read", status: "ok", content: { text: "one" } },
      {
        kind: "result",
        turnId,
        callId: "trn_1.2",
        tool: "write",
        status: "refused",
        content: { message: "Plan first." },
      },
      { kind: "result", turnId, callId: "c3", tool: "exec", status: "unknown", content: "Nobody knows." },
      { kind: "assistant", turnId, text: "", calls: [] },
      input("and now?"),
    ];
    await partsOf(asks.stream(request("", { entries })));
    const [sent] = asked(server);
    const told = sent?.messages.map(({ content }) => JSON.stringify(content)).join("\n") ?? "";
    expect(told).toContain("You are careful.");
    expect(told).toContain("one");
    expect(told).toContain("[refused] ");
    expect(told).toContain("Plan first.");
    expect(told).toContain("[unknown] Nobody knows.");
    expect(told).not.toContain("for people only");
    expect(sent?.tools?.map((tool) => tool.function.name)).toEqual(["read"]);
  });

  it("[RT-01] sends the same bytes for the same conversation, and only adds to them as it goes on", async () => {
    const { server, model: asks } = await opened();
    server.on({}, { content: "ok" });
    const more: Entry[] = [input("a"), { kind: "assistant", turnId, text: "b", calls: [] }, input("c")];
    await partsOf(asks.stream(request("", { entries: more.slice(0, 1) })));
    await partsOf(asks.stream(request("", { entries: more })));
    const [first, second] = asked(server);
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect(second?.tools).toEqual(first?.tools);
  });

  it.each([
    { status: 401, kind: "auth", retry: false },
    { status: 402, kind: "quota", retry: false },
    { status: 404, kind: "bad-request", retry: false },
    { status: 400, kind: "bad-request", retry: false },
    { status: 413, kind: "context-overflow", retry: false },
    { status: 429, kind: "rate-limit", retry: true },
    { status: 500, kind: "overloaded", retry: true },
    { status: 502, kind: "overloaded", retry: true },
    { status: 503, kind: "overloaded", retry: true },
    { status: 529, kind: "overloaded", retry: true },
  ])("[RT-01] takes a $status for $kind, and repeats no key", async ({ status, kind, retry }) => {
    const { server, model: asks } = await opened();
    const message = `Wrong key provided: ${KEY}`;
    server.on({}, { error: { message, type: "some_error" }, status, retryAfter: 7 });
    const failure = await failureFrom(asks.stream(request("hello")));
    expect(failure).toMatchObject({ kind, retry, retryAfterMs: status === 429 ? 7_000 : 0 });
    expect(failure.message).toContain(model);
    expect(failure.message).not.toContain(KEY);
  });

  it("[RT-01] takes a stream that is cut for an answer that broke off", async () => {
    const { server, model: asks } = await opened();
    const content = "one two three four five six seven eight nine ten";
    server.onMessage("hello", { content }, { chunkSize: 4, truncateAfterChunks: 6, latency: 5 });
    expect(await failureFrom(asks.stream(request("hello")))).toMatchObject({ kind: "broken-stream", retry: true });
  });

  it("[RT-01] gives up on a model that does not begin to answer", async () => {
    const { server, clock, model: asks } = await opened();
    server.onMessage("hello", { content: "late" }, { chaos: { latencyMs: 30_000 } });
    const failing = failureFrom(asks.stream(request("hello")));
    await expect.poll(() => clock.alarms).toEqual([clock.now() + FIRST_BYTE_MS_MAX]);
    clock.advance(FIRST_BYTE_MS_MAX);
    expect(await failing).toMatchObject({
      kind: "timeout",
      retry: true,
      message: `${model} did not begin to answer within 240 seconds.`,
    });
  });

  /** An answer of which the first bytes have come, and the next are twenty seconds away. */
  async function slowly(signal = new AbortController().signal) {
    const { server, clock, model: asks } = await opened();
    server.onMessage("hello", { content: "one two three" }, { chunkSize: 4, streamingProfile: { ttft: 1, tps: 0.05 } });
    const failing = partsOf(asks.stream(request("hello", { signal })));
    failing.catch(() => undefined); // looked at by the test, later
    await expect.poll(() => clock.alarms).toEqual([clock.now() + IDLE_MS_MAX]);
    return { clock, failing };
  }

  it("[RT-01] gives up on a model that falls silent in mid-answer", async () => {
    const { clock, failing } = await slowly();
    clock.advance(IDLE_MS_MAX);
    await expect(failing).rejects.toMatchObject({
      kind: "timeout",
      retry: true,
      message: `${model} fell silent and did not go on within 120 seconds.`,
    });
  });

  it("[RT-04] ends in mid-answer when it is stopped, without waiting for the next word", async () => {
    const stop = new AbortController();
    const { failing } = await slowly(stop.signal);
    stop.abort();
    await expect(failing).rejects.toThrow(/abort/i);
  });
});

/** Gemini matches results to calls by their order. */
describe("ids of calls", () => {
  it.each(VENDORS.filter(({ id }) => id !== "google"))(
    "[RT-01] fit $id, the same for call and result",
    async ({ model }) => {
      const server = await modelServer();
      const asks = modelsAt({ baseUrl: server.url })(model);
      server.on({}, { content: "ok" });
      const callIds = ["c1", "trn_1.2", "x".repeat(100)];
      const entries: Entry[] = [
        input("go"),
        { kind: "assistant", turnId, text: "", calls: callIds.map((callId) => ({ callId, tool: "read", args: {} })) },
        ...callIds.map((callId): Entry => ({
          kind: "result",
          turnId,
          callId,
          tool: "read",
          status: "ok",
          content: "",
        })),
      ];
      await partsOf(asks.stream(request("", { entries })));
      const messages = asked(server)[0]?.messages ?? [];
      const sent = messages.flatMap(({ tool_calls }) => tool_calls?.map((call) => call.id) ?? []);
      expect(sent).toHaveLength(3);
      expect(sent.filter((callId) => !/^[A-Za-z0-9_-]{1,40}$/.test(callId))).toEqual([]);
      expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(sent);
    },
  );
});

describe("a missing key", () => {
  const keyed = VENDORS.filter(({ id }) => id !== "ollama");
  it.each(keyed)("[RT-01] is named before anybody is asked: $id", async ({ model }) => {
    const server = await modelServer();
    const keyless = modelsAt({ baseUrl: server.url, key: undefined })(model);
    const { kind, retry, message } = await failureFrom(keyless.stream(request("hello")));
    expect({ kind, retry }).toEqual({ kind: "missing-key", retry: false });
    expect(message).toContain(`${model} needs a key. Set `);
    expect(server.getRequests()).toEqual([]);
  });

  it("[RT-01] is none where the model runs on this machine", async () => {
    const server = await modelServer();
    server.on({}, { content: "ok" });
    const parts = await partsOf(
      modelsAt({ baseUrl: server.url, key: undefined })("ollama/qwen3").stream(request("hi")),
    );
    expect(parts[0]).toEqual(text("ok"));
  });
});
