/**
 * The life cycle of one MCP server. When it dies, calls under way fail with a reason, and it is started again.
 *
 *   idle ──start · first use──▶ starting ──▶ ready ──closed──▶ down ──after a while──▶ starting
 *                                  └──failed──────────────────▶ down    (longer each time; given up, until it is used)
 *   any ──stop──▶ stopped
 */
import type { Client, RequestOptions, Tool as ServerTool } from "@modelcontextprotocol/client";
import type { Clock } from "../../plugins/sessions.ts";
import type { McpServerSettings } from "../../protocol/settings/tool-settings.ts";
import { visible } from "../untrusted.ts";
import { NotStarted } from "../permit.ts";
import type { Connected, ConnectOrder } from "./connect.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;
/** In a row; after that only a call to one of its tools starts it again. */
const RESTARTS_MAX = 8;
/** A server that has lived so long begins counting anew. */
const STEADY_MS = 60_000;
const SERVER_TOOLS_MAX = 200;
const REASON_CHARS_MAX = 300;
/** Longer than the SDK takes to close stdin, send SIGTERM and send SIGKILL. */
const STOP_MS_MAX = 5_000;

type LinkState =
  | { status: "idle" }
  | { status: "starting"; ready: Promise<void>; abort: AbortController }
  | { status: "ready"; connected: Connected; sinceMs: number; tools: readonly ServerTool[] }
  | { status: "down"; reason: string; retryAtMs: number }
  | { status: "stopped" };

/** The server cannot be used; the message is for the model and for people. */
export class McpUnavailable extends Error {}

export type ServerLinkParts = {
  name: string;
  settings: McpServerSettings;
  clock: Clock;
  connect(order: Pick<ConnectOrder, "settings" | "signal" | "onClose" | "onToolsChanged">): Promise<Connected>;
  /** The server's tools, each time that they are known anew. */
  onTools(tools: readonly ServerTool[]): void;
  report(error: unknown): void;
};

export type Work<Result> = (client: Client, options: RequestOptions) => Promise<Result>;

export type ServerLink = {
  readonly name: string;
  readonly settings: McpServerSettings;
  state(): LinkState;
  /** In the background; what comes of it is in the state. */
  start(): void;
  /** With a connected client, starting the server if need be. Throws McpUnavailable when there is none to be had. */
  use<Result>(work: Work<Result>, signal: AbortSignal): Promise<Result>;
  stop(): Promise<void>;
};

export function createServerLink(parts: ServerLinkParts): ServerLink {
  const { name, settings, clock } = parts;
  const life = createLife(parts);

  async function connection(): Promise<Connected> {
    const before = life.state();
    if (before.status === "idle" || (before.status === "down" && clock.now() >= before.retryAtMs)) life.start();
    const now = life.state();
    if (now.status === "starting") await now.ready;
    return connectionIn(name, life.state(), clock);
  }

  return {
    name,
    settings,
    state: life.state,
    start: life.start,
    stop: life.stop,
    async use(work, signal) {
      const timeout = settings.callTimeoutSeconds * 1_000;
      const connected = await connection();
      try {
        return await work(connected.client, { signal, timeout, maxTotalTimeout: timeout });
      } catch (error) {
        // over HTTP nothing closes when a server goes: a request that got no answer is the only sign
        if ("url" in settings && !signal.aborted && !isAnswer(error) && !(error instanceof NotStarted)) {
          life.lost(connected, error);
          void connected.client.close().catch(parts.report);
        }
        throw error;
      }
    },
  };
}

type Life = Pick<ServerLink, "state" | "start" | "stop"> & {
  /** Handles a connection that has ended or can no longer be used. */
  lost(connected: Connected | undefined, error?: unknown): void;
};

function createLife(parts: ServerLinkParts): Life {
  const { settings, clock } = parts;
  let state: LinkState = { status: "idle" };
  let restarts = 0;
  let callOff: (() => void) | undefined;

  function down(error: unknown): void {
    const retryAtMs = clock.now() + Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(restarts, 16));
    restarts += 1;
    state = { status: "down", reason: reasonOf(error), retryAtMs };
    callOff?.();
    callOff = restarts > RESTARTS_MAX ? undefined : clock.wakeAt(retryAtMs, start);
  }

  function lost(connected: Connected | undefined, error?: unknown): void {
    if (state.status !== "ready" || state.connected !== connected) return; // of an earlier connection
    if (clock.now() - state.sinceMs >= STEADY_MS) restarts = 0;
    down(error ?? ended(connected));
  }

  async function begin(abort: AbortController): Promise<void> {
    let connected: Connected | undefined;
    try {
      connected = await parts.connect({
        settings,
        signal: abort.signal,
        onClose: () => lost(connected),
        onToolsChanged: () => void refresh(),
      });
      const tools = await toolsOf(connected.client, settings, abort.signal);
      if (abort.signal.aborted) throw new McpUnavailable("stopped while it was starting");
      state = { status: "ready", connected, sinceMs: clock.now(), tools };
      parts.onTools(tools);
    } catch (error) {
      await connected?.client.close().catch(parts.report);
      if (!abort.signal.aborted) down(error);
    }
  }

  function start(): void {
    if (state.status !== "idle" && state.status !== "down") return;
    callOff?.();
    const abort = new AbortController();
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    state = { status: "starting", ready, abort };
    void begin(abort).finally(resolve);
  }

  async function refresh(): Promise<void> {
    if (state.status !== "ready") return;
    const { connected } = state;
    try {
      const tools = await toolsOf(connected.client, settings, new AbortController().signal);
      if (state.status !== "ready" || state.connected !== connected) return;
      state = { ...state, tools };
      parts.onTools(tools);
    } catch (error) {
      parts.report(error); // the tools known before stay
    }
  }

  async function stop(): Promise<void> {
    const was = state;
    state = { status: "stopped" };
    callOff?.();
    if (was.status === "starting") was.abort.abort();
    if (was.status === "ready") await within(was.connected.client.close().catch(parts.report));
    if (was.status === "starting") await within(was.ready);
  }

  return { state: () => state, start, stop, lost };
}

function ended({ lastWords }: Connected): Error {
  const words = lastWords().trim().split("\n").at(-1) ?? "";
  return new Error(words === "" ? "it ended" : `it ended, saying: ${words}`);
}

/** A refusal by the server carries a code, and a slow answer is no reason to close the connection. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (typeof error.code === "number" || error.code === "REQUEST_TIMEOUT");

function connectionIn(name: string, state: LinkState, clock: Clock): Connected {
  if (state.status === "ready") return state.connected;
  if (state.status !== "down") throw new McpUnavailable(`The MCP server "${name}" is switched off.`);
  const seconds = Math.max(1, Math.ceil((state.retryAtMs - clock.now()) / 1_000));
  throw new McpUnavailable(
    `The MCP server "${name}" is down (${state.reason}). It can be tried again in ${seconds} seconds; until then go on without it.`,
  );
}

async function toolsOf(
  client: Client,
  { startTimeoutSeconds }: McpServerSettings,
  signal: AbortSignal,
): Promise<ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, { signal, timeout: startTimeoutSeconds * 1_000 });
  return tools.slice(0, SERVER_TOOLS_MAX);
}

const within = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, STOP_MS_MAX).unref())]);

const reasonOf = (error: unknown): string =>
  visible(error instanceof Error ? error.message : String(error))
    .replaceAll(/\s+/g, " ")
    .slice(0, REASON_CHARS_MAX)
    .toWellFormed();
