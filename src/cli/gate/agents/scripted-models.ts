/** A model on loopback for programs of others: it speaks their vendors' wire formats and answers what a test wrote down. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { JsonObject } from "../../../protocol/json.ts";

/** `input` as a text: what Codex calls a custom tool. */
export type ScriptedCall = { name: string; input: JsonObject | string };

export type ScriptedStep = {
  text?: string;
  calls?: readonly ScriptedCall[];
  /** The answer is not sent before this has come to its end. */
  before?(): Promise<unknown>;
};

export type ScriptedModels = {
  url: string;
  port: number;
  /** How many steps were asked for. */
  asked(): number;
  /** The bodies of all requests that took a step, newest last. */
  requests(): readonly string[];
  close(): void;
};

/** Stands in the prompt, so that requests for titles and summaries take no step. */
export const PROMPT = "Follow SCRIPT:main step by step.";
const MARK = "SCRIPT:main";

type Answer = { id: string; step: ScriptedStep; model: string; streams: boolean };

export async function scriptedModels(steps: readonly ScriptedStep[]): Promise<ScriptedModels> {
  const requests: string[] = [];
  let count = 0;
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const path = (request.url ?? "").split("?")[0] ?? "";
    const format = FORMATS.find(({ takes }) => takes.test(path));
    if (format === undefined) return answerOther(response, path);
    const isStep = body.includes(MARK) && hasTools(body);
    const step = isStep ? (steps[requests.push(body) - 1] ?? { text: "Done." }) : { text: '{"title":"a title"}' };
    await step.before?.();
    const asked = askedIn(body);
    count += 1;
    format.answer(response, {
      id: String(count).padStart(3, "0"),
      step,
      model: asked.model,
      streams: asked.stream || path.endsWith("streamGenerateContent"),
    });
  }
  const server = createServer((request, response) => {
    respond(request, response).catch(
      (error: unknown) => void response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    asked: () => requests.length,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answerOther(response: ServerResponse, path: string): void {
  if (/count_tokens$|\/models$/.test(path)) json(response, 200, { input_tokens: 100, object: "list", data: [] });
  else json(response, 404, { error: { message: "not here", type: "not_found_error" } });
}

const Asked = z.looseObject({ model: z.string().default("scripted"), stream: z.boolean().default(false) });
const askedIn = (body: string): z.infer<typeof Asked> => Asked.parse(Asked.safeParse(parsed(body)).data ?? {});
const Tools = z.looseObject({ tools: z.array(z.unknown()).min(1) });
const hasTools = (body: string): boolean => Tools.safeParse(parsed(body)).success;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function events(response: ServerResponse, sent: readonly JsonObject[], named: boolean): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of sent) {
    const name = named && typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

type Format = { takes: RegExp; answer(response: ServerResponse, answer: Answer): void };

const objectOf = (input: ScriptedCall["input"]): JsonObject => (typeof input === "string" ? { input } : input);

/** Anthropic Messages. */
const messages: Format = {
  takes: /\/v1\/messages$/,
  answer(response, { id, step, model, streams }) {
    const calls = (step.calls ?? []).map(({ name, input }, at) => ({
      type: "tool_use",
      id: `toolu_${id}_${at}`,
      name,
      input: objectOf(input),
    }));
    const content = [...(step.text === undefined ? [] : [{ type: "text", text: step.text }]), ...calls];
    const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
    const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null, usage };
    if (!streams) return json(response, 200, { ...message, content, stop_reason });
    const blocks = content.flatMap((block, index): JsonObject[] => [
      {
        type: "content_block_start",
        index,
        content_block: "text" in block ? { type: "text", text: "" } : { ...block, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta:
          "text" in block
            ? { type: "text_delta", text: block.text }
            : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      },
      { type: "content_block_stop", index },
    ]);
    const start = { type: "message_start", message: { ...message, content: [], stop_reason: null } };
    const end = { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } };
    events(response, [start, ...blocks, end, { type: "message_stop" }], true);
  },
};

/** OpenAI Responses. */
const responses: Format = {
  takes: /\/responses$/,
  answer(response, { id, step }) {
    const text = step.text ?? "";
    const said = {
      type: "message",
      role: "assistant",
      id: `m_${id}`,
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    };
    const calls = (step.calls ?? []).map(({ name, input }, at): JsonObject => {
      const call = { id: `fc_${id}_${at}`, call_id: `call_${id}_${at}`, name, status: "completed" };
      if (typeof input === "string") return { type: "custom_tool_call", ...call, input };
      return { type: "function_call", ...call, arguments: JSON.stringify(input) };
    });
    const output: JsonObject[] = [...(text === "" ? [] : [said]), ...calls];
    const tokens = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const usage = {
      ...tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const about = { id: `resp_${id}`, object: "response" };
    const items = output.flatMap((item, output_index): JsonObject[] => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item },
    ]);
    const begun = { type: "response.created", response: { ...about, status: "in_progress", output: [] } };
    const ended = { type: "response.completed", response: { ...about, status: "completed", output, usage } };
    events(response, [begun, ...items, ended], true);
  },
};

/** OpenAI Chat Completions. */
const completions: Format = {
  takes: /\/chat\/completions$/,
  answer(response, { id, step, model, streams }) {
    const calls = (step.calls ?? []).map(({ name, input }, index) => ({
      index,
      id: `call_${id}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(objectOf(input)) },
    }));
    const said = { role: "assistant", content: step.text ?? "", ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const about = { id: `chatcmpl_${id}`, created: 1, model };
    const whole = { ...about, object: "chat.completion", choices: [{ index: 0, message: said, finish_reason }], usage };
    if (!streams) return json(response, 200, whole);
    const chunk = (delta: JsonObject, reason: string | null): JsonObject => ({
      ...about,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    events(response, [chunk(said, null), { ...chunk({}, finish_reason), usage }], false);
  },
};

/** Gemini. */
const gemini: Format = {
  takes: /:(?:streamG|g)enerateContent$/,
  answer(response, { id, step, streams }) {
    const calls = (step.calls ?? []).map(({ name, input }, at) => ({
      functionCall: { name, args: objectOf(input), id: `fc_${id}_${at}` },
    }));
    const parts = [...(step.text === undefined ? [] : [{ text: step.text }]), ...calls];
    const answer = {
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: "scripted",
      responseId: id,
    };
    if (streams) events(response, [JsonObject.parse(answer)], false);
    else json(response, 200, answer);
  },
};

const FORMATS = [messages, responses, completions, gemini];
