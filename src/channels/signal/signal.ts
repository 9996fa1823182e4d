/** Signal by signal-cli's daemon: JSON-RPC for what goes out, its stream of events for what comes in. */
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type Sent,
  type VendorIo,
  type VendorPort,
} from "../port.ts";
import type { SignalSettings } from "../protocol/vendors/signal-settings.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { isOk, refusedBy, vendorRequest } from "../wire/vendor-request.ts";
import { EDIT_WINDOW_MS } from "./about.ts";
import { openEventStream } from "./event-stream.ts";
import { GROUP, signalEvents } from "./signal-event.ts";

const TITLE = "signal-cli";

const Answer = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
const Timestamp = z.object({ timestamp: z.number() });
const Limited = z.object({
  response: z.object({ results: z.array(z.object({ retryAfterSeconds: z.number().optional() })) }),
});
const Accounts = z.array(z.object({ number: z.string() }));
const RATE_LIMITED = -5;

export const signal = defineChannel("signal", ({ settings, now }) => createSignal(settings, now));

function createSignal(settings: SignalSettings, now: () => number): VendorPort {
  const { account, daemon } = settings;
  const root = daemon.replace(/\/$/, "");
  const stopping = new AbortController();
  let listening: Promise<void> | undefined;

  async function call(method: string, params: object, calling: AbortSignal): Promise<unknown> {
    const json = { jsonrpc: "2.0", id: 1, method, params };
    const answer = await vendorRequest(`${root}/api/v1/rpc`, { title: TITLE, json, signal: calling });
    const { data } = Answer.safeParse(answer.body);
    if (!isOk(answer) || data === undefined) throw refusedBy(TITLE, answer, "");
    if (data.error !== undefined) throw failureOf(data.error);
    return data.result;
  }

  return {
    connects: true,
    check: (checking) => check((method) => call(method, {}, checking), account),
    async start(io) {
      const { ended } = await listen(`${root}/api/v1/events?account=${encodeURIComponent(account)}`, {
        io,
        account,
        signal: stopping.signal,
      });
      listening = ended;
    },
    async send(conversation, out, { signal: sending }): Promise<Sent> {
      if (out.kind === "edit") refuseLate(out.messageId, now());
      const result = await call("send", { account, ...placeOf(conversation), ...contentOf(out) }, sending);
      const { data } = Timestamp.safeParse(result);
      if (data === undefined)
        throw new SendError("signal-cli did not say what it sent.", { retry: "later", maybeSent: true });
      return { messageId: out.kind === "edit" ? out.messageId : String(data.timestamp) };
    },
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}

/** signal-cli would take it: a message is called by the time of its sending, so its age is known here alone. */
function refuseLate(messageId: string, nowMs: number): void {
  if (nowMs - Number(messageId) >= EDIT_WINDOW_MS)
    throw new SendError("Signal shows no edit of a message that is older than a day.", { retry: "never" });
}

type Listening = { io: VendorIo; account: string; signal: AbortSignal };

/** signal-cli keeps nothing: what cannot be stored now is lost, so it is told to people. */
const listen = (url: string, { io, account, signal: until }: Listening): Promise<{ ended: Promise<void> }> =>
  keepConnected({
    signal: until,
    report: io.report,
    connect: () =>
      openEventStream(url, {
        signal: until,
        async take(payload) {
          for (const event of signalEvents(payload, account)) await io.deliver(event);
        },
        failed: (error) => io.report(error instanceof Error ? error.message : String(error)),
      }),
  });

const placeOf = (conversation: string): object =>
  conversation.startsWith(GROUP) ? { groupId: conversation.slice(GROUP.length) } : { recipient: [conversation] };

function contentOf(out: Out): object {
  switch (out.kind) {
    case "text":
    case "card":
      return { message: out.body.text };
    case "edit":
      return { message: out.body.text, editTimestamp: Number(out.messageId) };
    case "file": {
      const { name, mediaType, bytes, caption } = out.file;
      const data = Buffer.from(bytes).toString("base64");
      return {
        message: caption.text,
        attachments: [`data:${mediaType};filename=${encodeURIComponent(name)};base64,${data}`],
      };
    }
  }
}

/** An error is the daemon's own word that it sent nothing. */
function failureOf({ code, message, data }: { code: number; message: string; data?: unknown }): SendError {
  if (code !== RATE_LIMITED) return new SendError(`signal-cli: ${message}`, { retry: "never" });
  const seconds = Limited.safeParse(data).data?.response.results.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds);
  const afterMs = Math.max(0, ...(seconds ?? [])) * 1_000;
  return new SendError(`signal-cli: ${message}`, { retry: "later", ...(afterMs === 0 ? {} : { afterMs }) });
}

async function check(call: (method: string) => Promise<unknown>, account: string): Promise<Checked> {
  try {
    const accounts = Accounts.safeParse(await call("listAccounts")).data ?? [];
    if (accounts.some(({ number }) => number === account)) return { ok: true, me: account };
    return {
      ok: false,
      problem: `signal-cli has no account ${account}.`,
      fix: `Register it: signal-cli -a ${account} register`,
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem, fix: "Start it: signal-cli daemon --http 127.0.0.1:8080" };
  }
}
