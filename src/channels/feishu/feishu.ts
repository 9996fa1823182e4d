/** Feishu and Lark by their REST API and long connection: cards, words written in the card, threads, files. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type Checked, defineChannel, type Out, SendError, type Sending, type Sent, type VendorPort } from "../port.ts";
import type { FeishuSettings } from "../protocol/vendors/feishu-settings.ts";
import { createHeldAnswers } from "../wire/held-answers.ts";
import { type CallFeishu, createFeishuApi } from "./feishu-api.ts";
import { feishuCard } from "./feishu-card.ts";
import { feishuEvent } from "./feishu-event.ts";
import { askForSocket, feishuSocket } from "./feishu-socket.ts";

const Bot = z.looseObject({ bot: z.object({ open_id: z.string(), app_name: z.string().default("") }) });
const Chat = z.looseObject({ data: z.object({ chat_mode: z.string() }) });
const Posted = z.looseObject({ data: z.object({ message_id: z.string() }) });
const Uploaded = z.looseObject({ data: z.object({ file_key: z.string() }) });
const CHATS_MAX = 10_000;

export const feishu = defineChannel("feishu", ({ settings, now }) =>
  createFeishu(settings, createFeishuApi(settings, now)),
);

function createFeishu(settings: FeishuSettings, call: CallFeishu): VendorPort {
  const stopping = new AbortController();
  const { signal } = stopping;
  const held = createHeldAnswers<string>();
  const isDirect = createDirectLook(call, signal);
  let ended: Promise<void> | undefined;
  return {
    connects: true,
    check: (checking) => check(settings, call, checking),
    async start(io) {
      const { bot } = await call({ path: "/bot/v3/info", method: "GET", signal }, Bot);
      const reading = { me: { openId: bot.open_id }, isDirect };
      const eventIn = (payload: unknown) => feishuEvent(payload, reading);
      ({ ended } = await feishuSocket({ settings, io, held, eventIn, signal }));
    },
    send: (conversation, out, sending) => send(call, { conversation, out, sending }),
    async toast(handle, text) {
      held.answer(handle, text);
    },
    async stop() {
      stopping.abort();
      held.close();
      await ended;
    },
  };
}

async function check(settings: FeishuSettings, call: CallFeishu, signal: AbortSignal): Promise<Checked> {
  try {
    const { bot } = await call({ path: "/bot/v3/info", method: "GET", signal }, Bot);
    await askForSocket(settings, signal);
    return { ok: true, me: bot.app_name };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem,
      fix: "Look at the app's id, secret and bot in the developer console, then try again.",
    };
  }
}

/** Whether a chat is a conversation of two: that never changes. */
function createDirectLook(call: CallFeishu, signal: AbortSignal): (chatId: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (chatId) => {
    const found = known.get(chatId);
    if (found !== undefined) return found;
    const path = `/im/v1/chats/${encodeURIComponent(chatId)}`;
    const { data } = await call({ path, method: "GET", signal }, Chat);
    if (known.size < CHATS_MAX) known.set(chatId, data.chat_mode === "p2p");
    return data.chat_mode === "p2p";
  };
}

/** `oc_…`, and behind it the first message of a thread. */
const PLACE = /^([\w-]{1,100})(?::([\w-]{1,100}))?$/;

type Leaving = { conversation: string; out: Out; sending: Sending };

async function send(call: CallFeishu, { conversation, out, sending: { key, signal } }: Leaving): Promise<Sent> {
  const [, chat, root] = PLACE.exec(conversation) ?? [];
  if (chat === undefined) throw new SendError(`${conversation} is no chat of Feishu`, { retry: "never" });
  if (out.kind === "edit") {
    const content = JSON.stringify(feishuCard(out.body.text, out.buttons, conversation));
    const path = `/im/v1/messages/${encodeURIComponent(out.messageId)}`;
    await call({ path, method: "PATCH", json: { content }, signal }, z.unknown());
    return { messageId: out.messageId };
  }
  const { type, content, said } = await contentOf(out, conversation, { call, signal });
  // the same thing under the same key is one message; a card that says something else meanwhile is another one
  const uuid = createHash("sha256").update(`${key}\n${said}`).digest("hex").slice(0, 40);
  const message = { msg_type: type, content: JSON.stringify(content), uuid };
  const at =
    root === undefined
      ? { path: "/im/v1/messages?receive_id_type=chat_id", json: { ...message, receive_id: chat } }
      : { path: `/im/v1/messages/${encodeURIComponent(root)}/reply`, json: { ...message, reply_in_thread: true } };
  const { data } = await call({ ...at, signal }, Posted);
  return { messageId: data.message_id };
}

type Uploading = { call: CallFeishu; signal: AbortSignal };
type Content = { type: string; content: object; said: string };

async function contentOf(
  out: Exclude<Out, { kind: "edit" }>,
  conversation: string,
  uploading: Uploading,
): Promise<Content> {
  if (out.kind !== "file") {
    const { text } = out.body;
    const content = feishuCard(text, out.kind === "card" ? out.buttons : [], conversation);
    return { type: "interactive", content, said: text };
  }
  const { name, mediaType, bytes } = out.file;
  const { call, signal } = uploading;
  const body = new FormData();
  body.set("file_type", "stream");
  body.set("file_name", name);
  body.set("file", new Blob([new Uint8Array(bytes)], { type: mediaType }), name);
  const { data } = await call({ path: "/im/v1/files", body, signal }, Uploaded);
  return { type: "file", content: { file_key: data.file_key }, said: name };
}
