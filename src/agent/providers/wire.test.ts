/** Bytes that only one vendor sends or wants: where its adapter differs from the others. */
import { describe, expect, it } from "vitest";
import {
  type Canned,
  cannedServer,
  events,
  failureFrom,
  input,
  KEY,
  modelsAt,
  partsOf,
  request,
} from "../../../test/kit/model-server.ts";
import { TurnId } from "../../protocol/ids.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";

const turnId = TurnId.parse("trn_1");
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Canned => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

const OPUS = "anthropic/claude-opus-5-5";
const opusStart = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 800, cache_creation_input_tokens: 100 },
  },
};
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const opusEnd = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];
const toolUse = (partial_json: string) =>
  block(
    1,
    { type: "tool_use", id: "toolu_1", name: "read", input: {} },
    ...[partial_json.slice(0, 5), partial_json.slice(5)].map((piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    })),
  );
const thinking = block(
  0,
  { type: "thinking", thinking: "", signature: "" },
  { type: "thinking_delta", thinking: "hm" },
  { type: "signature_delta", signature: "signed" },
);

describe("anthropic", () => {
  it("[RT-01] marks tools, system and the last message for the cache, in the same bytes each time", async () => {
    const answer = { body: events(opusStart, ...opusEnd("end_turn")) };
    const server = await cannedServer(answer, answer);
    const model = modelsAt({ baseUrl: server.url })(OPUS);
    await partsOf(model.stream(request("hello")));
    await partsOf(model.stream(request("hello")));
    expect(server.sent[0]).toEqual(server.sent[1]);
    const cached = { type: "ephemeral" };
    expect(server.bodies()[0]).toMatchObject({
      max_tokens: 32_000,
      system: [{ type: "text", text: "You are careful.", cache_control: cached }],
      tools: [{ name: "read", cache_control: cached }],
      messages: [{ role: "user", content: [{ type: "text", text: "hello", cache_control: cached }] }],
    });
  });

  it("[RT-01] keeps the thoughts of an answer and sends them back as they were signed", async () => {
    const server = await cannedServer(
      { body: events(opusStart, ...thinking, ...toolUse('{"path":"a"}'), ...opusEnd("tool_use")) },
      { body: events(opusStart, ...opusEnd("end_turn")) },
    );
    const model = modelsAt({ baseUrl: server.url })(OPUS);
    const parts = await partsOf(model.stream(request("hello")));
    const call = { callId: "toolu_1", tool: "read", args: { path: "a" } };
    const kept = parts.find((part) => part.type === "keep")?.kept;
    expect(parts).toEqual([
      { type: "call", call },
      {
        type: "usage",
        usage: {
          model: OPUS,
          inputTokens: 1_000,
          outputTokens: 20,
          cacheReadTokens: 800,
          cacheWriteTokens: 100,
          costUsd: 0.00146,
        },
      },
      { type: "keep", kept },
      { type: "end", reason: "calls" },
    ]);
    const entries: Entry[] = [
      input("hello"),
      { kind: "assistant", turnId, text: "", calls: [call], ...(kept === undefined ? {} : { kept }) },
      { kind: "result", turnId, callId: "toolu_1", tool: "read", status: "ok", content: "one" },
    ];
    await partsOf(model.stream(request("", { entries })));
    expect(server.bodies()[1].messages[1]).toMatchObject({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "signed" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
      ],
    });
  });

  it("[RT-01] turns arguments that are no JSON into a problem that the model can mend", async () => {
    const server = await cannedServer({ body: events(opusStart, ...toolUse('{"path":"a'), ...opusEnd("tool_use")) });
    const [part] = await partsOf(modelsAt({ baseUrl: server.url })(OPUS).stream(request("hello")));
    expect(part).toMatchObject({
      type: "call",
      call: {
        callId: "toolu_1",
        tool: "read",
        args: {},
        problem: expect.stringMatching(/^The call was not made: .* They began: \{"path":"a Send the call again/),
      },
    });
  });

  it("[RT-01] takes an overload that comes in mid-answer for one, and asks again", async () => {
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const server = await cannedServer({ body: events(opusStart, ...thinking, overloaded) });
    expect(await failureFrom(modelsAt({ baseUrl: server.url })(OPUS).stream(request("hello")))).toMatchObject({
      kind: "overloaded",
      retry: true,
    });
  });

  it("takes a refusal of the vendor for what it is", async () => {
    const server = await cannedServer({ body: events(opusStart, ...opusEnd("refusal")) });
    expect(await failureFrom(modelsAt({ baseUrl: server.url })(OPUS).stream(request("hello")))).toMatchObject({
      kind: "filtered",
      retry: false,
    });
  });
});

describe("openai", () => {
  it("[RT-01] leaves nothing behind at the vendor, and names the session for the cache", async () => {
    const server = await cannedServer(json(500, {}));
    await failureFrom(modelsAt({ baseUrl: server.url })("openai/gpt-6.1-sol").stream(request("hello")));
    expect(server.sent[0]?.path).toBe("/v1/responses");
    expect(server.bodies()[0]).toMatchObject({
      store: false,
      prompt_cache_key: "ses_1",
      include: ["reasoning.encrypted_content"],
      tools: [{ type: "function", name: "read", strict: false }],
    });
  });
});

describe.each([
  {
    model: OPUS,
    error: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
    },
  },
  {
    model: "openai/gpt-4.1",
    error: { error: { message: "Too much.", type: "invalid_request_error", code: "context_length_exceeded" } },
  },
  {
    model: "google/gemini-2.5-flash",
    error: {
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "The input token count (9) exceeds the maximum number of tokens allowed (8).",
      },
    },
  },
  {
    model: "ollama/qwen3",
    error: {
      error: { message: "This model's maximum context length is 8 tokens.", type: "BadRequestError", code: 400 },
    },
  },
])("$model", ({ model, error }) => {
  it("[RT-05] tells a conversation that is too long apart from every other failure", async () => {
    const server = await cannedServer(json(400, error));
    expect(await failureFrom(modelsAt({ baseUrl: server.url })(model).stream(request("hello")))).toMatchObject({
      kind: "context-overflow",
      retry: false,
    });
  });
});

describe("what a failure tells", () => {
  const quota = { error: { message: "Pay first.", type: "insufficient_quota", code: "insufficient_quota" } };
  it.each([
    { name: "seconds", headers: { "retry-after": "12" }, body: {}, waitMs: 12_000 },
    { name: "milliseconds", headers: { "retry-after-ms": "1500", "retry-after": "2" }, body: {}, waitMs: 1_500 },
    { name: "a date gone by", headers: { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }, body: {}, waitMs: 0 },
    { name: "Google's body", headers: {}, body: { error: { details: [{ retryDelay: "31s" }] } }, waitMs: 31_000 },
  ])("[RT-01] hears how long it should wait from $name", async ({ headers, body, waitMs }) => {
    const server = await cannedServer(json(429, body, headers));
    const failure = await failureFrom(
      modelsAt({ baseUrl: server.url })("google/gemini-2.5-flash").stream(request("hi")),
    );
    expect(failure).toMatchObject({ kind: "rate-limit", retryAfterMs: waitMs });
  });

  it("[RT-01] does not ask again when the credit is used up, or the vendor says that it is no use", async () => {
    const server = await cannedServer(json(429, quota), json(500, {}, { "x-should-retry": "false" }));
    const model = modelsAt({ baseUrl: server.url })("openai/gpt-4.1");
    expect(await failureFrom(model.stream(request("hi")))).toMatchObject({ kind: "quota", retry: false });
    expect(await failureFrom(model.stream(request("hi")))).toMatchObject({ kind: "overloaded", retry: false });
  });

  it("[RT-01] carries neither the key nor the prompt into the log", async () => {
    const server = await cannedServer(json(400, { error: { message: `bad ${KEY} and sk-proj-abcdef123456` } }));
    const failing = partsOf(modelsAt({ baseUrl: server.url })("openai/gpt-4.1").stream(request("my secret plan")));
    const error = await failing.catch((reason: unknown) => reason);
    const shown = JSON.stringify([
      error,
      (error as Error).message,
      (error as Error).cause,
      `${(error as Error).stack}`,
    ]);
    expect(shown).not.toMatch(/sk-|my secret plan/);
    expect((error as Error).message).toBe("openai/gpt-4.1 refused it (400: bad *** and ***).");
  });

  it("[RT-01] takes out the key also where it looks like nothing of the kind", async () => {
    const server = await cannedServer(json(400, { error: { message: "who is plain.words.9?" } }));
    const model = modelsAt({ baseUrl: server.url, key: "plain.words.9" })("openai/gpt-4.1");
    expect((await failureFrom(model.stream(request("hi")))).message).toBe(
      "openai/gpt-4.1 refused it (400: who is ***?).",
    );
  });

  it("[RT-01] says that nobody is there", async () => {
    const gone = modelsAt({ baseUrl: "http://127.0.0.1:1" })("ollama/qwen3");
    expect(await failureFrom(gone.stream(request("hi")))).toMatchObject({ kind: "network", retry: true });
  });

  it("[RT-01] takes an end without a reason for a stream that was cut", async () => {
    const half = { choices: [{ index: 0, delta: { role: "assistant", content: "half" }, finish_reason: null }] };
    const server = await cannedServer({ body: events(half) }, { body: `data: {"choices":[{"del` }, { body: "<html>" });
    const model = modelsAt({ baseUrl: server.url })("ollama/qwen3");
    for (let n = 0; n < 3; n++) {
      expect(await failureFrom(model.stream(request("hi")))).toMatchObject({ kind: "broken-stream", retry: true });
    }
  });

  it.each([
    {
      model: "google/gemini-2.5-flash",
      half: { candidates: [{ content: { role: "model", parts: [{ text: "half" }] }, index: 0 }] },
    },
    {
      model: "openai/gpt-4.1",
      half: { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "half" },
    },
  ])("[RT-01] takes a stream of $model that ends in the middle for one that was cut", async ({ model, half }) => {
    const server = await cannedServer({ body: events(half) });
    expect(await failureFrom(modelsAt({ baseUrl: server.url })(model).stream(request("hi")))).toMatchObject({
      kind: "broken-stream",
      retry: true,
    });
  });

  it("[GW-03] takes no key to another place when it is sent there", async () => {
    const elsewhere = await cannedServer(json(200, {}));
    const server = await cannedServer(json(307, {}, { location: `${elsewhere.url}/v1/messages` }));
    await failureFrom(modelsAt({ baseUrl: server.url })(OPUS).stream(request("hi")));
    expect(elsewhere.sent).toEqual([]);
  });

  it("[RT-01] takes the cost from a vendor that tells it", async () => {
    const end = {
      choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, cost: 0.0005 },
    };
    const server = await cannedServer({ body: `${events(end)}data: [DONE]\n\n` });
    const parts = await partsOf(modelsAt({ baseUrl: server.url })("ollama/qwen3").stream(request("hi")));
    expect(parts.find((part) => part.type === "usage")?.usage).toMatchObject({ inputTokens: 10, costUsd: 0.0005 });
  });
});

describe.each([
  { name: OPUS, shown: '"source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}' },
  { name: "openai/gpt-4.1", shown: '"image_url":"data:image/png;base64,iVBORw0KGgo="' },
  { name: "google/gemini-2.5-flash", shown: '"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}' },
  { name: "ollama/llava", shown: '"image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}' },
])("$name", ({ name, shown }) => {
  it("[TO-09, RT-01] gets an image that was read as an image, in its own way of saying so", async () => {
    const server = await cannedServer(json(400, { error: { message: "that will do" } }));
    const models = name.startsWith("ollama/") ? [{ name, images: true }] : [];
    const content = { type: "image", mediaType: "image/png", bytes: "iVBORw0KGgo=", path: "a.png", size: 8 };
    const entries: Entry[] = [
      input("look"),
      { kind: "assistant", turnId, text: "", calls: [{ callId: "c1", tool: "read", args: { path: "a.png" } }] },
      { kind: "result", turnId, callId: "c1", tool: "read", status: "ok", content },
    ];
    await failureFrom(modelsAt({ baseUrl: server.url, models })(name).stream(request("", { entries })));
    const sent = server.sent.map(({ body }) => body).join();
    expect(sent).toContain(shown);
    expect(sent.split("iVBORw0KGgo=")).toHaveLength(2);
  });
});
