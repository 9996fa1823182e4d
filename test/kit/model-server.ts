/** The vendors' APIs on a local port, on their real wire formats, and models that ask there instead. */
import { once } from "node:events";
import { createServer } from "node:http";
import { LLMock } from "@copilotkit/aimock";
import { onTestFinished } from "vitest";
import { createModelRegistry, type ModelSettings } from "../../src/agent/model-registry.ts";
import type { Model, ModelFailure, ModelPart, ModelRequest } from "../../src/agent/model.ts";
import type { WireWatch } from "../../src/agent/providers/watched-fetch.ts";
import type { Clock } from "../../src/plugins/sessions.ts";
import { TurnId } from "../../src/protocol/ids.ts";
import type { Entry } from "../../src/protocol/transcript-entry.ts";
import { fakeClock } from "./fake-clock.ts";

export const VENDORS = [
  { id: "anthropic", model: "anthropic/claude-sonnet-4-5", path: "/v1" },
  { id: "openai", model: "openai/gpt-4.1", path: "/v1" },
  { id: "google", model: "google/gemini-2.5-flash", path: "/v1beta" },
  { id: "ollama", model: "ollama/qwen3", path: "/v1" },
] as const;
export type Vendor = (typeof VENDORS)[number];

export const KEY = "sk-test-0123456789abcdef";

export async function modelServer(): Promise<LLMock> {
  const server = new LLMock({ port: 0, logLevel: "silent" });
  await server.start();
  onTestFinished(() => server.stop());
  return server;
}

export type Asking = {
  baseUrl: string;
  clock?: Clock;
  models?: ModelSettings[];
  key?: string | undefined;
  watch?: WireWatch | undefined;
};

/** The providers section of a configuration that sends every vendor's requests to one place. */
export const providersAt = (url: string) => VENDORS.map(({ id, path }) => ({ id, baseUrl: `${url}${path}` }));

export function modelsAt({
  baseUrl,
  clock = fakeClock(),
  models = [],
  watch,
  ...given
}: Asking): (name: string) => Model {
  const key = "key" in given ? given.key : KEY;
  const registry = createModelRegistry({
    configured: () => ({ providers: providersAt(baseUrl), models }),
    secret: async () => key,
    secretsFile: "secrets.yaml",
    clock,
    watch,
  });
  return (name) => registry.model(name);
}

const turnId = TurnId.parse("trn_1");
export const input = (text: string): Entry => ({ kind: "input", turnId, text, injectionIds: [], messages: [] });

export const READ = {
  name: "read",
  description: "Reads a file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  },
};

export const request = (text: string, given: Partial<ModelRequest> = {}): ModelRequest => ({
  sessionId: "ses_1",
  turnId,
  system: "You are careful.",
  entries: [input(text)],
  tools: [READ],
  workspace: "/workspace",
  signal: new AbortController().signal,
  ...given,
});

/** Everything that counts: text joined, signs of life left out. */
export async function partsOf(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const seen: ModelPart[] = [];
  for await (const part of parts) {
    const last = seen.at(-1);
    if (part.type === "thinking") continue;
    if (part.type === "text" && last?.type === "text")
      seen[seen.length - 1] = { ...part, delta: last.delta + part.delta };
    else seen.push(part);
  }
  return seen;
}

/** Why a model could not answer, as whoever acts on it sees it. */
export async function failureFrom(
  parts: AsyncIterable<ModelPart>,
): Promise<Pick<ModelFailure, "kind" | "retry" | "message" | "retryAfterMs">> {
  try {
    await partsOf(parts);
  } catch (error) {
    const { kind, retry, message, retryAfterMs } = error as ModelFailure;
    return { kind, retry, message, retryAfterMs };
  }
  throw new Error("the model answered");
}

export type Canned = { status?: number; headers?: Record<string, string>; body: string };

/** A vendor that says exactly these bytes, one answer per request, and keeps what it was sent. */
export async function cannedServer(...answers: Canned[]) {
  const sent: { path: string; body: string }[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { status = 200, headers = {}, body } = answers[sent.length] ?? { status: 500, body: "no more answers" };
      sent.push({ path: incoming.url ?? "", body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(status, { "content-type": "text/event-stream", ...headers }).end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, sent, bodies: () => sent.map(({ body }) => JSON.parse(body)) };
}

/** Server-sent events, as the vendors stream them. */
export const events = (...items: object[]): string =>
  items
    .map((item) => `${"type" in item ? `event: ${String(item.type)}\n` : ""}data: ${JSON.stringify(item)}\n\n`)
    .join("");
