/** Slack by its Web API: socket mode or signed events, Block Kit, a form of its own for words, threads, files. */
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type FormWanted,
  type Out,
  type OutFile,
  SendError,
  type Sent,
  type VendorIo,
  type VendorPort,
} from "../port.ts";
import type { SlackSettings } from "../protocol/vendors/slack-settings.ts";
import { neutral } from "../render/neutral-text.ts";
import { loadBytes } from "../wire/load-bytes.ts";
import { refusedBy, vendorRequest } from "../wire/vendor-request.ts";
import { type CallSlack, createSlackApi, SlackError } from "./slack-api.ts";
import { cardBlocks, formView } from "./slack-blocks.ts";
import { Handle, type SlackMe } from "./slack-event.ts";
import { askForSocket, slackSocket } from "./slack-socket.ts";
import { slackWebhook } from "./slack-webhook.ts";

const Me = z.looseObject({ user_id: z.string(), user: z.string(), team: z.string() });
const Posted = z.looseObject({ ts: z.string() });
const Upload = z.looseObject({ upload_url: z.string(), file_id: z.string() });
const Done = z.looseObject({});
const ANSWER_MS_MAX = 10_000;
/** A form can be opened for three seconds after a press. */
const FORM_MS_MAX = 3_000;

type Parts = { call: CallSlack; settings: SlackSettings; webhookUrl: string | undefined; now(): number };

export const slack = defineChannel("slack", ({ settings, webhookUrl, now }) =>
  createSlack({ call: createSlackApi(settings.apiRoot), settings, webhookUrl, now }),
);

function createSlack(parts: Parts): VendorPort {
  const { call, settings, now } = parts;
  const { botToken: token } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  let receiving: { io: VendorIo; me: SlackMe } | undefined;
  let ended: Promise<void> | undefined;
  return {
    connects: settings.mode === "socket",
    check: (checking) => check(parts, checking),
    async start(io) {
      const { user_id: userId } = await call({ method: "auth.test", token, signal }, Me);
      const me = { userId };
      receiving = { io, me };
      if (settings.mode === "events") return requireEvents(parts);
      ({ ended } = await slackSocket({ call, appToken: appTokenOf(settings), me, io, signal }));
    },
    send: (conversation, out, sending) => send({ call, token, conversation, out, signal: sending.signal }),
    // the token opens every file of the workspace, so only Slack is shown it
    loadFile: (source, limits) =>
      loadBytes(source, {
        ...limits,
        headers: { authorization: `Bearer ${token}` },
        from: ["slack.com", settings.apiRoot],
      }),
    toast: (handle, text) => toast(handle, text),
    form: (wanted) => openForm(wanted, { call, token }),
    async webhook(request) {
      if (settings.mode !== "events" || receiving === undefined) return { status: 404, body: "" };
      const { io, me } = receiving;
      return slackWebhook(request, { secret: settings.signingSecret, me, now, deliver: io.deliver });
    },
    async stop() {
      stopping.abort();
      receiving = undefined;
      await ended;
    },
  };
}

function appTokenOf({ appToken }: SlackSettings): string {
  if (appToken === undefined) throw new Error("socket mode needs an appToken (xapp-…)");
  return appToken;
}

function requireEvents({ settings, webhookUrl }: Parts): void {
  if (settings.signingSecret === undefined) throw new Error("events mode needs the signingSecret");
  if (webhookUrl === undefined || !webhookUrl.startsWith("https:"))
    throw new Error("events mode needs gateway.pageAddress with https, so that Slack can reach it");
}

async function check({ call, settings, webhookUrl, now }: Parts, signal: AbortSignal): Promise<Checked> {
  try {
    const { user, team } = await call({ method: "auth.test", token: settings.botToken, signal }, Me);
    if (settings.mode === "events") requireEvents({ call, settings, webhookUrl, now });
    else await askForSocket({ call, appToken: appTokenOf(settings), signal });
    return { ok: true, me: `@${user} in ${team}` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const fix =
      error instanceof SlackError
        ? "Copy both tokens again from the app's pages; the app token needs connections:write."
        : "Look whether this machine reaches slack.com, and at the guide, then try again.";
    return { ok: false, problem, fix };
  }
}

/** `C012`, `D012`, or with a thread `C012:1700000000.000100`. */
const PLACE = /^([A-Z][A-Z0-9]{1,30})(?::(\d{1,16}\.\d{1,9}))?$/;

type Leaving = { call: CallSlack; token: string; conversation: string; out: Out; signal: AbortSignal };

async function send({ call, token, conversation, out, signal }: Leaving): Promise<Sent> {
  const [, channel, thread] = PLACE.exec(conversation) ?? [];
  if (channel === undefined) throw new SendError(`${conversation} is no conversation of Slack`, { retry: "never" });
  const place = { channel, ...(thread === undefined ? {} : { thread_ts: thread }) };
  const quiet = { unfurl_links: false, unfurl_media: false, link_names: false };
  switch (out.kind) {
    case "text": {
      const params = { ...place, ...quiet, text: out.body.text, mrkdwn: true };
      return { messageId: (await call({ method: "chat.postMessage", token, params, signal }, Posted)).ts };
    }
    case "card": {
      const { text } = out.body;
      const params = { ...place, ...quiet, text, blocks: cardBlocks(text, out.buttons) };
      return { messageId: (await call({ method: "chat.postMessage", token, params, signal }, Posted)).ts };
    }
    case "edit": {
      const { text } = out.body;
      const params = { channel, ts: out.messageId, text, blocks: cardBlocks(text, out.buttons), link_names: false };
      await call({ method: "chat.update", token, params, signal }, Posted);
      return { messageId: out.messageId };
    }
    case "file":
      return sendFile(out.file, { call, token, place, signal });
  }
}

type FileTo = { call: CallSlack; token: string; place: { channel: string; thread_ts?: string }; signal: AbortSignal };

/** In three requests: where to, the bytes, and then it is shown. Before the last one nobody sees anything. */
async function sendFile({ name, bytes, caption }: OutFile, { call, token, place, signal }: FileTo): Promise<Sent> {
  const wanted = { filename: name, length: bytes.byteLength };
  const { upload_url: url, file_id: id } = await call(
    { method: "files.getUploadURLExternal", token, params: wanted, asForm: true, signal },
    Upload,
  );
  const uploaded = await vendorRequest(url, { title: "Slack", body: new Uint8Array(bytes), signal });
  if (uploaded.status !== 200) throw refusedBy("Slack", uploaded, "");
  const { channel, ...thread } = place;
  const params = { files: [{ id, title: name }], channel_id: channel, initial_comment: caption.text, ...thread };
  await call({ method: "files.completeUploadExternal", token, params, signal }, Done);
  return { messageId: id };
}

/** By the address that came with the press: it works also where the bot is no member. */
async function toast(handle: string, text: string): Promise<void> {
  const { url } = Handle.parse(JSON.parse(handle));
  const json = { response_type: "ephemeral", replace_original: false, text: neutral(text, "mrkdwn") };
  const answer = await vendorRequest(url, { title: "Slack", json, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (answer.status !== 200) throw refusedBy("Slack", answer, "");
}

async function openForm(
  { handle, label, token: button, messageId }: FormWanted,
  { call, token }: Pick<Leaving, "call" | "token">,
) {
  const { trigger, conversation } = Handle.parse(JSON.parse(handle));
  const about = JSON.stringify({ token: button, messageId, conversation });
  const params = { trigger_id: trigger, view: formView({ label, about }) };
  await call({ method: "views.open", token, params, signal: AbortSignal.timeout(FORM_MS_MAX) }, Done);
}
