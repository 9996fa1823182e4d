/** Telegram by its Bot API: long polling or webhooks, HTML, inline keyboards, documents, topics. */
import { timingSafeEqual } from "node:crypto";
import { Api, GrammyError, InputFile } from "grammy/web";
import type { InlineKeyboardMarkup, Update, UserFromGetMe } from "grammy/types";
import {
  type Button,
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type Sending,
  type Sent,
  type VendorPort,
  type VendorIo,
  type WebhookAnswer,
  type WebhookRequest,
} from "../port.ts";
import type { TelegramSettings } from "../protocol/telegram-settings.ts";
import { loadBytes } from "../wire/load-bytes.ts";
import { grammySignal, type GrammySignal } from "./grammy-signal.ts";
import { type TelegramPlace, placeOf } from "./place.ts";
import { pollUpdates } from "./poll-updates.ts";
import { isTopicGone, isUnchanged, sendFailure } from "./send-failure.ts";
import { updateEvent } from "./update-event.ts";

/** How many buttons stand beside each other. */
const ROW = 2;
const ALLOWED = ["message", "callback_query"] as const;
const SECRET_HEADER = "x-telegram-bot-api-secret-token";

export const telegram = defineChannel("telegram", ({ settings, webhookUrl }) => {
  const api = new Api(settings.token, { apiRoot: settings.apiRoot.replace(/\/$/, ""), sensitiveLogs: false });
  return createTelegram({ api, settings, webhookUrl });
});

type Parts = { api: Api; settings: TelegramSettings; webhookUrl: string | undefined };

function createTelegram({ api, settings, webhookUrl }: Parts): VendorPort {
  const stopping = new AbortController();
  let polling: Promise<void> | undefined;
  let receiving: { io: VendorIo; me: UserFromGetMe } | undefined;

  async function take(update: Update): Promise<void> {
    if (receiving === undefined) throw new Error("Telegram was not started");
    const event = updateEvent(update, receiving.me);
    if (event !== undefined) await receiving.io.deliver(event);
  }

  return {
    connects: settings.mode === "poll",
    check: (signal) => check(api, signal),
    async start(io) {
      const me = await api.getMe(grammySignal(stopping.signal));
      receiving = { io, me };
      if (settings.mode === "webhook") return setWebhook({ api, settings, webhookUrl });
      await api.deleteWebhook({ drop_pending_updates: false });
      polling = pollUpdates({ api, allowed: ALLOWED, take, report: io.report, signal: stopping.signal });
    },
    send: (conversation, out, sending) => send(api, { conversation, out, sending }),
    async toast(handle, text) {
      await api.answerCallbackQuery(handle, { text });
    },
    async loadFile(source, limits) {
      const { file_path: path } = await api.getFile(source, grammySignal(limits.signal));
      if (path === undefined) throw new Error("Telegram has no path for a file");
      const root = settings.apiRoot.replace(/\/$/, "");
      return loadBytes(`${root}/file/bot${settings.token}/${path}`, { ...limits, from: [root] });
    },
    webhook: (request) => webhook(request, { secret: settings.webhookSecret, take }),
    async stop() {
      stopping.abort();
      receiving = undefined;
      await polling;
    },
  };
}

async function check(api: Api, signal: AbortSignal): Promise<Checked> {
  try {
    const { username } = await api.getMe(grammySignal(signal));
    return { ok: true, me: `@${username}` };
  } catch (error) {
    if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404))
      return { ok: false, problem: "Telegram does not know this token.", fix: "Ask @BotFather for it: /token" };
    const { message } = sendFailure(error);
    return { ok: false, problem: message, fix: "Look whether this machine reaches api.telegram.org, then try again." };
  }
}

async function setWebhook({ api, settings, webhookUrl }: Parts): Promise<void> {
  if (webhookUrl === undefined || !webhookUrl.startsWith("https:"))
    throw new Error("webhooks need gateway.pageAddress with https, so that Telegram can reach it");
  if (settings.webhookSecret === undefined) throw new Error("webhooks need a webhookSecret");
  await api.setWebhook(webhookUrl, { secret_token: settings.webhookSecret, allowed_updates: [...ALLOWED] });
}

type Taking = { secret: string | undefined; take(update: Update): Promise<void> };

/** Answered with 200 only when the update is stored; Telegram sends again what was answered otherwise. */
async function webhook(request: WebhookRequest, { secret, take }: Taking): Promise<WebhookAnswer> {
  const given = request.headers[SECRET_HEADER];
  if (secret === undefined || typeof given !== "string" || !isEqual(given, secret)) return { status: 401, body: "{}" };
  const update = updateIn(request.body);
  if (update === undefined) return { status: 400, body: "{}" };
  await take(update);
  return { status: 200, body: "{}" };
}

function isEqual(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Its secret was right, so Telegram wrote it; its shape is what the types of the vendor say. */
function updateIn(body: Uint8Array): Update | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const isUpdate = typeof parsed === "object" && parsed !== null && "update_id" in parsed;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the vendor's own envelope, proven by its secret
    return isUpdate ? (parsed as Update) : undefined;
  } catch {
    return undefined;
  }
}

type Leaving = { conversation: string; out: Out; sending: Sending };

async function send(api: Api, { conversation, out, sending: { signal } }: Leaving): Promise<Sent> {
  const place = placeOf(conversation);
  if (place === undefined) throw new SendError(`${conversation} is no chat of Telegram`, { retry: "never" });
  try {
    return await sendTo(api, { place, out, signal: grammySignal(signal) });
  } catch (error) {
    if (!isTopicGone(error) || place.topic === undefined) throw sendFailure(error);
    try {
      return await sendTo(api, { place: { ...place, topic: undefined }, out, signal: grammySignal(signal) });
    } catch (again) {
      throw sendFailure(again);
    }
  }
}

type SendingTo = { place: TelegramPlace; out: Out; signal: GrammySignal };

async function sendTo(api: Api, { place: { chatId, topic }, out, signal }: SendingTo): Promise<Sent> {
  const thread = topic === undefined ? {} : { message_thread_id: topic };
  const quiet = { link_preview_options: { is_disabled: true } };
  switch (out.kind) {
    case "text": {
      const reply = out.asksReply === true ? { reply_markup: { force_reply: true, selective: true } as const } : {};
      const how = { ...parseMode(out.body.format), ...quiet, ...thread, ...reply };
      return sentAs(await api.sendMessage(chatId, out.body.text, how, signal));
    }
    case "card": {
      const how = { ...parseMode(out.body.format), ...quiet, ...thread, reply_markup: keyboard(out.buttons) };
      return sentAs(await api.sendMessage(chatId, out.body.text, how, signal));
    }
    case "file": {
      const { bytes, name, caption } = out.file;
      const how = { caption: caption.text, ...parseMode(caption.format), ...thread };
      return sentAs(await api.sendDocument(chatId, new InputFile(bytes, name), how, signal));
    }
    case "edit": {
      const how = { ...parseMode(out.body.format), ...quiet, reply_markup: keyboard(out.buttons) };
      try {
        await api.editMessageText(chatId, Number(out.messageId), out.body.text, how, signal);
      } catch (error) {
        if (!isUnchanged(error)) throw error;
      }
      return { messageId: out.messageId };
    }
  }
}

const parseMode = (format: string) => (format === "html" ? ({ parse_mode: "HTML" } as const) : {});
const sentAs = ({ message_id: id }: { message_id: number }): Sent => ({ messageId: String(id) });

function keyboard(buttons: readonly Button[]): InlineKeyboardMarkup {
  const all = buttons.map(({ label, token }) => ({ text: label, callback_data: token }));
  const rows = Array.from({ length: Math.ceil(all.length / ROW) }, (_, at) => all.slice(at * ROW, (at + 1) * ROW));
  return { inline_keyboard: rows };
}
