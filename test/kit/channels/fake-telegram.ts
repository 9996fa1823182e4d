/**
 * A Bot API server in memory, typed by @grammyjs/types: long polling with redelivery, messages, keyboards, edits, documents,
 * topics, 429 and the limits that the real one refuses. What it does not know it answers with 404, as the real one does.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Chat, InlineKeyboardMarkup, Message, MessageEntity, Update, User } from "grammy/types";
import type { FakeVendor } from "../../../src/channels/contract/fake-vendor.ts";
import { answeredSpoiled } from "./spoiled-answers.ts";

const BOT: User = { id: 7_000, is_bot: true, first_name: "Holdpoint", username: "hold_bot" };
const TOKEN = "7000:AAtest-token";

export type TelegramMessage = {
  id: number;
  chatId: string;
  topic: number | undefined;
  text: string;
  /** As a reader sees it: entities of HTML read, tags gone. */
  plain: string;
  parseMode: string | undefined;
  keyboard: { text: string; data: string }[];
  file: { name: string; text: string; caption: string } | undefined;
  asksReply: boolean;
  edits: number;
};

type Params = Record<string, unknown>;
type Answer =
  | { ok: true; result: unknown }
  | { ok: false; error_code: number; description: string; parameters?: object };

const TEXT_MAX = 4_096;
const DATA_BYTES_MAX = 64;
/** A topic that was closed. */
export const GONE_TOPIC = 404;
const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };

type Webhook = NonNullable<Parameters<NonNullable<FakeVendor["attach"]>>[0]>;
type Fault = (method: string, params: Params) => Answer | "cut" | undefined;

type State = {
  messages: TelegramMessage[];
  updates: Update[];
  toasts: { id: string; text: string }[];
  calls: { method: string; params: Params }[];
  faults: Fault[];
  /** Those who wait for an update. */
  waiting: Set<() => void>;
  webhook: { url: string; secret: string } | undefined;
  /** Where requests to that address arrive. */
  hook: Webhook | undefined;
  numbers: number;
  /** What people have sent, by the id that updates name. */
  files: Map<string, string>;
};

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

const wake = ({ waiting }: State): void => {
  for (const one of waiting) one();
  waiting.clear();
};

function botMethods(state: State): Record<string, (params: Params) => Answer | Promise<Answer>> {
  const { updates, toasts } = state;
  return {
    getMe: () => done({ ...BOT, can_join_groups: true, can_read_all_group_messages: false }),
    deleteWebhook: () => ((state.webhook = undefined), done(true)),
    setWebhook: ({ url, secret_token: secret }) => (
      (state.webhook = { url: textOf(url), secret: textOf(secret) }),
      done(true)
    ),
    async getUpdates({ offset, limit = 100 }) {
      const from = Number(offset ?? 0);
      updates.splice(0, updates.length, ...updates.filter(({ update_id: id }) => id >= from));
      if (updates.length === 0) await new Promise<void>((resolve) => state.waiting.add(resolve));
      return done(updates.slice(0, Number(limit)));
    },
    getFile: ({ file_id: id }) =>
      state.files.has(textOf(id))
        ? done({ file_id: id, file_unique_id: id, file_path: `documents/${textOf(id)}` })
        : failed(400, "Bad Request: invalid file_id"),
    sendMessage: (params) => sent(params, state),
    sendDocument: (params) => sent(params, state),
    editMessageText: (params) => edited(params, state),
    answerCallbackQuery: ({ callback_query_id: id, text }) => {
      if (textOf(text).length > 200) return failed(400, "Bad Request: MESSAGE_TOO_LONG");
      toasts.push({ id: textOf(id), text: textOf(text) });
      return done(true);
    },
  };
}

function sent(params: Params, state: State): Answer {
  const file = params["document"] as TelegramMessage["file"];
  const [text, caption] = [textOf(params["text"]), textOf(params["caption"])];
  const problem = file === undefined ? textProblem(text, params["parse_mode"]) : undefined;
  if (problem !== undefined) return problem;
  if (caption.length > 1_024) return failed(400, "Bad Request: message caption is too long");
  if (Number(params["message_thread_id"]) === GONE_TOPIC) return failed(400, "Bad Request: message thread not found");
  const keyboard = keyboardOf(params["reply_markup"]);
  if (keyboard.some(({ data }) => Buffer.byteLength(data) > DATA_BYTES_MAX))
    return failed(400, "Bad Request: BUTTON_DATA_INVALID");
  const message: TelegramMessage = {
    id: ++state.numbers,
    chatId: textOf(params["chat_id"]),
    topic: params["message_thread_id"] === undefined ? undefined : Number(params["message_thread_id"]),
    text,
    plain: plainOf(text),
    parseMode: params["parse_mode"] as string | undefined,
    keyboard,
    file: file === undefined ? undefined : { ...file, caption },
    asksReply: JSON.stringify(params["reply_markup"] ?? "").includes("force_reply"),
    edits: 0,
  };
  state.messages.push(message);
  return done(wireOf(message));
}

function edited({ chat_id: chat, message_id: id, text, reply_markup: markup, parse_mode: mode }: Params, state: State) {
  const found = state.messages.find((one) => one.id === Number(id) && one.chatId === textOf(chat));
  if (found === undefined) return failed(400, "Bad Request: message to edit not found");
  const problem = textProblem(textOf(text), mode);
  if (problem !== undefined) return problem;
  const keyboard = keyboardOf(markup);
  if (found.text === text && JSON.stringify(found.keyboard) === JSON.stringify(keyboard))
    return failed(400, "Bad Request: message is not modified");
  Object.assign(found, { text, plain: plainOf(textOf(text)), keyboard, edits: found.edits + 1 });
  return done(wireOf(found));
}

/** To the address that was set: what is answered with 2xx is forgotten. */
async function posted(update: Update, { updates, webhook, hook }: State): Promise<void> {
  const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": webhook?.secret };
  const body = new TextEncoder().encode(JSON.stringify(update));
  const answered = await hook?.({ method: "POST", path: "", headers, body });
  if (answered !== undefined && answered.status < 300) updates.splice(updates.indexOf(update), 1);
}

const FILE = new RegExp(`^/file/bot${TOKEN}/documents/(\\w+)$`);

const emptyState = (): State => ({
  messages: [],
  updates: [],
  toasts: [],
  calls: [],
  faults: [],
  waiting: new Set(),
  webhook: undefined,
  hook: undefined,
  numbers: 100,
  files: new Map(),
});

async function handle(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
  const params = await paramsOf(request);
  const reply = (answer: Answer): void => {
    response.writeHead(answer.ok ? 200 : answer.error_code, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  };
  if (token !== TOKEN) return reply(failed(401, "Unauthorized"));
  state.calls.push({ method, params });
  for (const fault of state.faults) {
    const answer = fault(method, params);
    if (answer === "cut") return void request.socket.destroy();
    if (answer !== undefined) return reply(answer);
  }
  response.once("close", () => wake(state)); // nobody waits behind a closed connection
  reply((await botMethods(state)[method]?.(params)) ?? failed(404, "Not Found: method not found"));
}

export async function startFakeTelegram() {
  const state = emptyState();
  const server: Server = createServer((request, response) => {
    if (answeredSpoiled(request, response)) return;
    const [, fileId] = FILE.exec(request.url ?? "") ?? [];
    if (fileId !== undefined) return void response.end(state.files.get(fileId));
    void handle(request, response, state).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function push(update: Omit<Update, "update_id">): Update {
    const made: Update = { update_id: ++state.numbers, ...update };
    state.updates.push(made);
    if (state.webhook === undefined) wake(state);
    else void posted(made, state).catch(() => undefined); // it would come again later
    return made;
  }
  function pressData(data: string, { id, chatId }: { id: number; chatId: string }, from: Partial<Written> = {}) {
    const message = { ...messageOf("", { chatId, ...from }, id), from: BOT };
    return push({
      callback_query: { id: `q${++state.numbers}`, from: userOf(from), chat_instance: "1", data, message },
    });
  }

  return {
    token: TOKEN,
    apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: state.messages,
    toasts: state.toasts,
    calls: state.calls,
    updates: state.updates,
    webhook: () => state.webhook,
    attach: (hook: Webhook) => void (state.hook = hook),
    /** Asked at each call; what it answers is the answer. Returns how to take it away. */
    fault(fault: Fault): () => void {
      state.faults.push(fault);
      return () => void state.faults.splice(state.faults.indexOf(fault), 1);
    },
    push,
    write: (text: string, from: Partial<Written> = {}) =>
      push({ message: messageOf(text, from, ++state.numbers) as NonNullable<Update["message"]> }),
    /** A document with the text below it. */
    writeFile(file: { name: string; text: string }, caption: string, from: Partial<Written> = {}) {
      const id = `F${++state.numbers}`;
      state.files.set(id, file.text);
      const { text: _text, entities, ...message } = messageOf(caption, from, ++state.numbers);
      const document = { file_id: id, file_unique_id: id, file_name: file.name, file_size: file.text.length };
      const below = caption === "" ? {} : { caption, caption_entities: entities };
      return push({ message: { ...message, document, ...below } as NonNullable<Update["message"]> });
    },
    press(message: TelegramMessage, label: string | RegExp, from: Partial<Written> = {}) {
      const button = message.keyboard.find(({ text }) =>
        typeof label === "string" ? text === label : label.test(text),
      );
      if (button === undefined) throw new Error(`no button ${String(label)} on ${JSON.stringify(message.keyboard)}`);
      return pressData(button.data, message, from);
    },
    pressData,
    /** For a fault: the vendor takes it, and its answer is lost. */
    takeAndCut(_method: string, params: Params): "cut" {
      sent(params, state);
      return "cut";
    },
    /** Those who wait for updates now. */
    polling: () => state.waiting.size,
    async close() {
      wake(state);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Written = {
  userId: number;
  name: string;
  chatId: string;
  topic: number;
  entities: MessageEntity[];
  replyTo: number;
};

const userOf = ({ userId = 42, name = "Alice" }: Partial<Written>): User => ({
  id: userId,
  is_bot: false,
  first_name: name,
});
const topicOf = ({ topic }: Partial<Written>) =>
  topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true };

function messageOf(text: string, from: Partial<Written>, id: number): Message {
  const { chatId = String(from.userId ?? 42), replyTo, entities = commandEntities(text) } = from;
  const chat = (chatId.startsWith("-")
    ? { id: Number(chatId), type: "supergroup", title: "Team" }
    : { id: Number(chatId), type: "private", first_name: "Alice" }) as unknown as Chat;
  const replied = replyTo === undefined ? {} : { reply_to_message: { message_id: replyTo, date: 1, chat, from: BOT } };
  return { message_id: id, date: 1, chat, from: userOf(from), text, entities, ...topicOf(from), ...replied } as Message;
}

/** As Telegram marks them itself. */
function commandEntities(text: string): MessageEntity[] {
  const command = /^\/[\w]+(?:@\w+)?/.exec(text);
  const marked: MessageEntity[] =
    command === null ? [] : [{ type: "bot_command", offset: 0, length: command[0].length }];
  for (const { index, 0: name } of text.matchAll(/(?<!\S)@\w+/g))
    marked.push({ type: "mention", offset: index, length: name.length });
  return marked;
}

const done = (result: unknown): Answer => ({ ok: true, result });
const failed = (code: number, description: string): Answer => ({ ok: false, error_code: code, description });
export const tooMany = (seconds: number): Answer => ({
  ok: false,
  error_code: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
});

function textProblem(text: string, mode: unknown): Answer | undefined {
  if (text === "") return failed(400, "Bad Request: message text is empty");
  if (plainOf(text).length > TEXT_MAX) return failed(400, "Bad Request: message is too long");
  return mode === "HTML" && !isHtml(text) ? failed(400, "Bad Request: can't parse entities") : undefined;
}

/** The tags that Telegram knows, closed in their order; no sign of a tag elsewhere. */
function isHtml(text: string): boolean {
  const open: string[] = [];
  for (const [tag, slash, name = ""] of text.matchAll(/<(\/?)([a-z]+)>|<|>/g)) {
    if (!/^<\/?(?:b|i|s|u|code|pre)>$/.test(tag)) return false;
    if (slash === "/" ? open.pop() !== name : open.push(name) < 0) return false;
  }
  return open.length === 0 && !/&(?!(?:lt|gt|amp|quot);)/.test(text);
}

const plainOf = (text: string): string =>
  text
    .replace(/<\/?(?:b|i|s|u|code|pre)>/g, "")
    .replace(/&(?:lt|gt|amp|quot);/g, (entity) => ENTITIES[entity] ?? entity);

const keyboardOf = (markup: unknown): TelegramMessage["keyboard"] =>
  ((markup as InlineKeyboardMarkup | undefined)?.inline_keyboard ?? [])
    .flat()
    .map((button) => ({ text: button.text, data: "callback_data" in button ? button.callback_data : "" }));

const wireOf = ({ id, chatId, text }: TelegramMessage) => ({
  message_id: id,
  date: 1,
  chat: { id: Number(chatId), type: "private" },
  text,
});

async function paramsOf(request: IncomingMessage): Promise<Params> {
  const type = request.headers["content-type"] ?? "";
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (type.startsWith("multipart/")) return formOf(body, type);
  return body.length === 0 ? {} : (JSON.parse(body.toString("utf8")) as Params);
}

/** The fields of a form, and its one file under `document`. */
async function formOf(body: Buffer, type: string): Promise<Params> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const params: Params = {};
  let file: TelegramMessage["file"];
  for (const [name, value] of form) {
    if (typeof value === "string") params[name] = /^[{[]/.test(value) ? JSON.parse(value) : value;
    else file = { name: value.name, text: await value.text(), caption: "" };
  }
  return { ...params, document: file };
}
