/** From settings to a connected client. The SDK is loaded when the first server is used, not before. */
import type { Client, jsonSchemaValidator } from "@modelcontextprotocol/client";
import type { McpServerSettings } from "../../protocol/settings/tool-settings.ts";
import type { Enclosed } from "../../runner/sandbox.ts";
import type { Program } from "../../runner/view.ts";
import { createMessageBuffer } from "./message-buffer.ts";
import { fillSecrets, passSecrets, type SecretSource } from "./secret-values.ts";
import { type Environment, serverEnvironment } from "./server-environment.ts";

const MESSAGE_BYTES_MAX = 8 * 1_024 * 1_024;
const STDERR_CHARS_MAX = 4_000;
const LIST_PAGES_MAX = 20;

/** A server's schema is never compiled, not for results either: a result is data for the model, whatever its shape. */
const UNCHECKED: jsonSchemaValidator = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK's port wants a type that nobody here relies on
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

export type Connected = {
  client: Client;
  /** The last words on the process's error stream; empty for a server on the web. */
  lastWords(): string;
};

export type ConnectOrder = {
  settings: McpServerSettings;
  version: string;
  /** The folder that a server process starts in unless its settings name one. */
  cwd: string;
  env: Environment;
  secret: SecretSource;
  /** The process as it is to be started; undefined: without a sandbox. */
  enclose?(program: Program): Promise<Enclosed | undefined>;
  signal: AbortSignal;
  onClose(): void;
  onToolsChanged(): void;
};

export async function connect(order: ConnectOrder): Promise<Connected> {
  const { settings } = order;
  const { Client } = await import("@modelcontextprotocol/client");
  const isHttp = "url" in settings;
  const client = new Client(
    { name: "holdpoint", version: order.version },
    {
      capabilities: {}, // no sampling, no elicitation, no roots: a server asks nothing of the model or of people
      versionNegotiation: { mode: isHttp ? "auto" : "legacy" }, // on a pipe the question would cost a second process
      listMaxPages: LIST_PAGES_MAX,
      listChanged: { tools: { autoRefresh: false, onChanged: order.onToolsChanged } },
      jsonSchemaValidator: UNCHECKED,
    },
  );
  const { transport, lastWords, kill } = isHttp ? await overHttp(settings, order) : await overStdio(settings, order);
  order.signal.addEventListener("abort", kill, { once: true });
  try {
    await client.connect(transport, { signal: order.signal, timeout: settings.startTimeoutSeconds * 1_000 });
  } catch (error) {
    await client.close().catch(() => undefined); // the reason why it did not start is the one to report
    throw error;
  } finally {
    order.signal.removeEventListener("abort", kill);
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no event target
  client.onclose = order.onClose;
  return { client, lastWords };
}

type Transported = {
  transport: Parameters<Client["connect"]>[0];
  lastWords(): string;
  /** Called off while it starts: it has done nothing yet, and the gateway may not live long enough to ask it twice. */
  kill(): void;
};

async function overStdio(
  settings: Extract<McpServerSettings, { command: string }>,
  { cwd, env, secret, enclose }: ConnectOrder,
): Promise<Transported> {
  const folder = settings.cwd ?? cwd;
  const enclosed = await enclose?.({ cwd: folder, argv: [settings.command, ...settings.args] });
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const listed = { ...(await passSecrets(settings.passEnv, secret)), ...(await fillSecrets(settings.env, secret)) };
  const transport = new StdioClientTransport({
    command: enclosed?.file ?? settings.command,
    args: [...(enclosed?.args ?? settings.args)],
    env: serverEnvironment(env, listed),
    cwd: folder,
    stderr: "pipe",
  });
  let words = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-STDERR_CHARS_MAX); // read on: a full pipe would stop the server
  });
  const kill = (): void => {
    if (transport.pid !== null) process.kill(transport.pid, "SIGKILL");
  };
  const { deserializeMessage: parse } = await import("@modelcontextprotocol/client");
  const buffer = createMessageBuffer({ bytesMax: MESSAGE_BYTES_MAX, parse, onTooLong: kill });
  Object.assign(transport, { _readBuffer: buffer }); // the SDK offers no other way; a test sees whether it is used
  return { transport, lastWords: () => words, kill };
}

async function overHttp(
  settings: Extract<McpServerSettings, { url: string }>,
  { secret }: ConnectOrder,
): Promise<Transported> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
    requestInit: { headers: await fillSecrets(settings.headers, secret) },
    redirectPolicy: "same-origin",
    fetch: boundedFetch,
  });
  return { transport, lastWords: () => "", kill: () => undefined };
}

/** A server that never stops sending ends its own answer. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > MESSAGE_BYTES_MAX) controller.error(new Error(`more than ${MESSAGE_BYTES_MAX} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}
