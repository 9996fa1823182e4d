/**
 * Feishu in memory: tokens, messages that are known again by their uuid, cards of schema 2.0, files, and the long connection, which
 * sends again what was not answered with 200. It refuses cards that are too large or could not be updated, and what is gone.
 */
import type { FakeVendor, SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { decodeFrame, emptyFrame, encodeFrame } from "../../../src/channels/feishu/frame.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { fakeFrame, sentUntilAcknowledged } from "./fake-frame.ts";
import {
  createTroubles,
  type FakeAnswer,
  type FakeCall,
  type FakeHttp,
  field,
  startFakeHttp,
  textField,
  type Troubles,
} from "./fake-http.ts";

const APP = { id: "cli_0123456789abcdef", secret: "feishu-secret" };
const TENANT = "tenant1";
const BOT = "ou_bot";
const CARD_BYTES_MAX = 30 * 1024;
const PART_BYTES = 300;
const EDIT_MS_MAX = 14 * 24 * 3_600_000;

type Message = {
  id: string;
  chat: string;
  root: string | undefined;
  card: unknown;
  file: SeenMessage["file"];
  sentMs: number;
};
type Pushed = { id: string; payload: object; isAcknowledged: boolean };
type State = {
  messages: Message[];
  known: Map<string, Message>;
  files: Map<string, { name: string; text: string }>;
  sent: Pushed[];
  toasts: string[];
  /** Whether long events are cut into frames. */
  cuts: boolean;
  nowMs: number;
  numbers: number;
};
type World = { state: State; troubles: Troubles; http: FakeHttp };
type Press = { label: string; value: { token: string }; isForm: boolean };

const ok = (data: object): FakeAnswer => ({ json: { code: 0, msg: "success", data } });
const no = (status: number, code: number, msg: string): FakeAnswer => ({ status, json: { code, msg } });
const tooMany = (afterMs: number): FakeAnswer => ({
  status: 429,
  headers: { "x-ogw-ratelimit-reset": String(afterMs / 1_000) },
  json: { code: 99_991_400, msg: "request trigger frequency limit" },
});

const elementsOf = (card: unknown): unknown[] => (field(card, "body", "elements") ?? []) as unknown[];

const pressesOf = (card: unknown): Press[] =>
  elementsOf(card).flatMap((element) => {
    const isForm = textField(element, "tag") === "form";
    const button = isForm ? field(element, "elements", 1) : element;
    if (textField(button, "tag") !== "button") return [];
    const value = field(button, "behaviors", 0, "value") as Press["value"];
    return [{ label: textField(button, "text", "content"), value, isForm }];
  });

function cardProblem(content: string): FakeAnswer | undefined {
  const card: unknown = JSON.parse(content);
  if (Buffer.byteLength(content) > CARD_BYTES_MAX)
    return no(400, 230_025, "The length of the message content reaches its limit");
  const isShared = field(card, "schema") === "2.0" && field(card, "config", "update_multi") === true;
  const isLiteral = textField(elementsOf(card)[0], "text", "tag") === "plain_text";
  const isEmpty = textField(elementsOf(card)[0], "text", "content") === "";
  return isShared && isLiteral && !isEmpty ? undefined : no(400, 230_099, "Failed to create card content");
}

const seen = ({ id, card, file }: Message): SeenMessage => {
  const raw = textField(elementsOf(card)[0], "text", "content");
  const buttons = pressesOf(card).map(({ label, value }) => ({ label, data: value.token }));
  return { id, text: raw.replace(/[\u200B\u2060]/g, ""), raw, buttons, file };
};

async function answer(call: FakeCall, world: World): Promise<FakeAnswer> {
  const { path, json, headers } = call;
  if (path === "/callback/ws/endpoint") {
    if (textField(json, "AppSecret") !== APP.secret) return no(200, 514, "app secret invalid");
    return ok({ URL: `${world.http.socketUrl}/ws?device_id=1&service_id=7`, ClientConfig: { PingInterval: 120 } });
  }
  if (path === "/open-apis/auth/v3/tenant_access_token/internal")
    return textField(json, "app_secret") === APP.secret
      ? { json: { code: 0, tenant_access_token: "t-access", expire: 7_200 } }
      : no(400, 10_014, "app secret invalid");
  if (headers.authorization !== "Bearer t-access") return no(400, 99_991_663, "Invalid access token");
  const below = path.replace("/open-apis", "");
  if (below === "/bot/v3/info") return { json: { code: 0, bot: { open_id: BOT, app_name: "Hold" } } };
  const [, chat] = /^\/im\/v1\/chats\/(\w+)$/.exec(below) ?? [];
  if (chat !== undefined) return ok({ chat_mode: chat.startsWith("ocp") ? "p2p" : "group" });
  return below === "/im/v1/files" ? uploaded(call, world) : messages(below, call, world);
}

async function uploaded(call: FakeCall, { state, troubles }: World): Promise<FakeAnswer> {
  const file = (await call.form()).get("file");
  if (troubles.filesRefused() || !(file instanceof File)) return no(400, 234_006, "The file size exceed the max value");
  const key = `file_${++state.numbers}`;
  state.files.set(key, { name: file.name, text: await file.text() });
  return ok({ file_key: key });
}

function messages(below: string, { method, json }: FakeCall, { state, troubles }: World) {
  const [, id, reply] = /^\/im\/v1\/messages(?:\/(\w+))?(\/reply)?$/.exec(below) ?? [];
  const content = textField(json, "content");
  if (method === "PATCH") {
    const found = state.messages.find((one) => one.id === id);
    if (found === undefined) return no(400, 230_011, "The message is recalled");
    if (state.nowMs - found.sentMs > EDIT_MS_MAX)
      return no(400, 230_031, "Message can only be modified within 14 days after sending.");
    const problem = cardProblem(content);
    if (problem === undefined) found.card = JSON.parse(content);
    return problem ?? ok({});
  }
  const chat = reply === undefined ? textField(json, "receive_id") : "ocg600";
  const root = field(json, "reply_in_thread") === true ? id : undefined; // any other reply stands in the chat itself
  return troubles.around(() => posted(json, { chat, root }, state));
}

function posted(json: unknown, { chat, root }: Pick<Message, "chat" | "root">, state: State): FakeAnswer {
  const [content, uuid] = [textField(json, "content"), textField(json, "uuid")];
  const isFile = textField(json, "msg_type") === "file";
  const problem = isFile ? undefined : cardProblem(content);
  if (problem !== undefined || uuid.length > 50) return problem ?? no(400, 230_001, "invalid uuid");
  const known = state.known.get(uuid);
  const file = isFile ? state.files.get(textField(JSON.parse(content), "file_key")) : undefined;
  const card: unknown = isFile ? {} : JSON.parse(content);
  const message = known ?? { id: `om_${++state.numbers}`, chat, root, card, file, sentMs: state.nowMs };
  if (known === undefined) state.messages.push(message);
  state.known.set(uuid, message);
  return ok({ message_id: message.id });
}

function push({ id, payload }: Pushed, { state, http }: World): void {
  const bytes = Buffer.from(JSON.stringify(payload));
  const size = state.cuts ? PART_BYTES : bytes.length;
  const sum = Math.ceil(bytes.length / size);
  for (let seq = 0; seq < sum; seq += 1) {
    const headers = { type: "event", message_id: id, sum: String(sum), seq: String(seq), trace_id: "t" };
    const part = bytes.subarray(seq * size, (seq + 1) * size);
    const frame = { ...emptyFrame, seqId: 2n ** 63n + 5n, logId: 9n, service: 7, method: 1, headers, payload: part };
    for (const socket of http.sockets) socket.send(encodeFrame(frame));
  }
}

function answered(data: Buffer, { state }: World): void {
  const { method, headers, payload } = decodeFrame(data);
  if (method !== 1) return;
  const given = JSON.parse(payload.toString("utf8")) as { code: number; data?: string };
  const one = state.sent.find(({ id }) => id === headers["message_id"]);
  if (one === undefined || given.code !== 200 || headers["biz_rt"] === undefined) return;
  one.isAcknowledged = true;
  if (given.data === undefined) return;
  state.toasts.push(textField(JSON.parse(Buffer.from(given.data, "base64").toString("utf8")), "toast", "content"));
}

function happen(type: string, event: object, world: World): void {
  const id = `ev${++world.state.numbers}`;
  const header = { event_id: id, event_type: type, create_time: "1", token: "", app_id: APP.id, tenant_key: TENANT };
  const one = { id, payload: { schema: "2.0", header, event }, isAcknowledged: false };
  world.state.sent.push(one);
  push(one, world);
}

const chatOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
  group === undefined ? `ocp${person}` : `ocg${group.replace("-", "")}`;
const openId = ({ person = "501" }: Writing): string => `ou_${person}`;

function write(text: string, { more = {}, ...by }: Writing & { more?: object }, world: World): void {
  const mention = { key: "@_user_1", id: { open_id: BOT }, name: "Hold", tenant_key: TENANT };
  const named = by.mentions === true ? { mentions: [mention] } : {};
  const message = {
    message_id: `om_w${++world.state.numbers}`,
    chat_id: chatOf(by),
    chat_type: by.group === undefined ? "p2p" : "group",
    message_type: "text",
    content: JSON.stringify({ text: by.mentions === true ? `@_user_1 ${text}` : text }),
    ...(by.file === undefined ? {} : { message_type: "file", content: JSON.stringify({ file_key: "f1" }) }),
    ...named,
    ...(by.thread === undefined ? {} : { root_id: by.thread, thread_id: `omt_${by.thread}` }),
    ...more,
  };
  const sender = { sender_id: { open_id: openId(by) }, sender_type: "user", tenant_key: TENANT };
  happen("im.message.receive_v1", { sender, message }, world);
}

type Pressing = { by: Writing; words?: string; world: World };

function press(message: SeenMessage, button: number, { by, words, world }: Pressing): void {
  const found = world.state.messages.find(({ id }) => id === message.id);
  const { value, isForm } = pressesOf(found?.card)[button] ?? { value: {}, isForm: false };
  const filled = isForm && words !== undefined ? { form_value: { words } } : {};
  const action = { value, tag: "button", ...filled };
  const context = { open_message_id: message.id, open_chat_id: found?.chat ?? "" };
  const operator = { tenant_key: TENANT, open_id: openId(by) };
  happen("card.action.trigger", { operator, token: "c-1", action, host: "im_message", context }, world);
}

const placeOf = ({ chat, root }: Message): string => (root === undefined ? chat : `${chat}:${root}`);

function vendorOf(world: World): FakeVendor {
  const { state, troubles, http } = world;
  return {
    conversation: chatOf,
    groupId: (name) => chatOf({ group: name }),
    write: (text, by = {}) => write(text, by, world),
    press: (message, button, by = {}) => press(message, button, { by, world }),
    async submit(message, button, { words, ...by }) {
      press(message, button, { words, by, world });
    },
    ...sentUntilAcknowledged(state.sent, (one) => push(one, world)),
    messages: (conversation) => state.messages.filter((one) => placeOf(one) === conversation).map(seen),
    tells: "socket",
    pass: (ms) => void (state.nowMs += ms),
    threads: {
      names: ["om_first", "om_second"],
      sent: () => state.messages.map((one) => ({ text: seen(one).text, thread: one.root })),
    },
    ...fakeFrame({ http, troubles, toasts: state.toasts, messages: { all: state.messages, idOf: ({ id }) => id } }),
  };
}

export type FakeFeishu = VendorWorld & {
  feishu: State & {
    write(text: string, by: Writing & { more?: object }): void;
    happen(type: string, event: object): void;
  };
};

export async function startFakeFeishu(settings: object = {}): Promise<FakeFeishu> {
  const state: State = {
    messages: [],
    known: new Map(),
    files: new Map(),
    sent: [],
    toasts: [],
    cuts: false,
    nowMs: 0,
    numbers: 0,
  };
  const http = await startFakeHttp({
    answer: (call) => answer(call, world),
    onSocket: (socket) => void socket.on("message", (data: Buffer) => answered(data, world)),
  });
  const world: World = { state, troubles: createTroubles(tooMany), http };
  const base = { kind: "feishu", appId: APP.id, appSecret: APP.secret, domain: http.url };
  return {
    settings: ChannelSettings.parse({ ...base, ...settings }),
    vendor: vendorOf(world),
    feishu: Object.assign(state, {
      write: (text: string, by: Writing & { more?: object }) => write(text, by, world),
      happen: (type: string, event: object) => happen(type, event, world),
    }),
  };
}
