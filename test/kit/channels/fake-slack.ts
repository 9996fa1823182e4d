/**
 * A workspace of Slack in memory, its blocks typed by @slack/types: Web API, socket mode and signed requests. It refuses what
 * Slack refuses: unknown tokens, too many or too long blocks, triggers older than three seconds or used before, old messages.
 */
import { createHmac } from "node:crypto";
import type { KnownBlock, ModalView } from "@slack/types";
import { expect } from "vitest";
import type { FakeVendor, SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
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

export const SLACK_TOKENS = { bot: "xoxb-test", app: "xapp-test", secret: "8f742231b10e8888abcd99yyyzzz85a5" };
const TEAM = "T0TEAM";
const BOT_USER = "U0HOLD";
const NOW = Date.UTC(2026, 0, 5, 9) / 1_000;
const BLOCKS_MAX = 50;
const SECTION_MAX = 3_000;
const ALL_BLOCKS_MAX = 13_200;

type Envelope = { type: "events_api" | "interactive" | "slash_commands"; payload: object; retries: number };
type Message = {
  channel: string;
  ts: string;
  text: string;
  blocks: KnownBlock[];
  thread: string | undefined;
  file?: SeenMessage["file"];
};
type State = {
  messages: Message[];
  sent: (Envelope & { isAcknowledged: boolean })[];
  uploads: Map<string, { name: string; bytes: Buffer }>;
  triggers: Set<string>;
  toasts: string[];
  views: { view: ModalView; trigger: string; id: string }[];
  numbers: number;
};

const ok = (more: object = {}): FakeAnswer => ({ json: { ok: true, ...more } });
const no = (error: string): FakeAnswer => ({ json: { ok: false, error } });
const tooMany = (afterMs: number): FakeAnswer => ({
  status: 429,
  headers: { "retry-after": String(afterMs / 1_000) },
  json: { ok: false, error: "ratelimited" },
});

function blocksProblem(blocks: KnownBlock[]): string | undefined {
  const isLong = blocks.some((one) => one.type === "section" && (one.text?.text.length ?? 0) > SECTION_MAX);
  const values = blocks.flatMap((one) => (one.type === "actions" ? one.elements : []));
  const isOdd = values.some(
    (one) => one.type !== "button" || one.text.text.length > 75 || (one.value?.length ?? 0) > 2_000,
  );
  if (blocks.length > BLOCKS_MAX || values.length > 25 || isLong || isOdd) return "invalid_blocks";
  return JSON.stringify(blocks).length > ALL_BLOCKS_MAX + 4_000 ? "msg_blocks_too_long" : undefined;
}

function posted(params: unknown, state: State): FakeAnswer {
  const blocks = (field(params, "blocks") ?? []) as KnownBlock[];
  const problem = blocksProblem(blocks);
  if (problem !== undefined) return no(problem);
  const text = textField(params, "text");
  if (text === "") return no("no_text");
  if (text.length > 40_000) return no("msg_too_long");
  const thread = field(params, "thread_ts") === undefined ? undefined : textField(params, "thread_ts");
  const message = {
    channel: textField(params, "channel"),
    ts: `1700000000.${String(++state.numbers).padStart(6, "0")}`,
    text,
    blocks,
    thread,
  };
  state.messages.push(message);
  return ok({ channel: message.channel, ts: message.ts });
}

function updated(params: unknown, state: State): FakeAnswer {
  const found = state.messages.find(
    ({ ts, channel }) => ts === textField(params, "ts") && channel === textField(params, "channel"),
  );
  if (found === undefined) return no("message_not_found");
  const blocks = (field(params, "blocks") ?? []) as KnownBlock[];
  const problem = blocksProblem(blocks);
  if (problem !== undefined) return no(problem);
  Object.assign(found, { text: textField(params, "text"), blocks });
  return ok({ ts: found.ts, channel: found.channel });
}

function opened(params: unknown, state: State): FakeAnswer {
  const trigger = textField(params, "trigger_id");
  if (!state.triggers.delete(trigger)) return no("expired_trigger_id");
  const view = field(params, "view") as ModalView;
  if (view.title.text.length > 24 || (view.private_metadata?.length ?? 0) > 3_000) return no("invalid_arguments");
  const id = `V${++state.numbers}`;
  state.views.push({ view, trigger, id });
  return ok({ view: { id } });
}

function completed(params: unknown, state: State): FakeAnswer {
  const upload = state.uploads.get(textField(params, "files", 0, "id"));
  if (upload === undefined) return no("file_not_found");
  const thread = field(params, "thread_ts") === undefined ? undefined : textField(params, "thread_ts");
  state.messages.push({
    channel: textField(params, "channel_id"),
    ts: `1700000000.${String(++state.numbers).padStart(6, "0")}`,
    text: textField(params, "initial_comment"),
    blocks: [],
    thread,
    file: { name: upload.name, text: upload.bytes.toString("utf8") },
  });
  return ok({ files: [{ id: textField(params, "files", 0, "id") }] });
}

const plainOf = (text: string): string =>
  text.replace(/&(?:lt|gt|amp);/g, (entity) => ({ "&lt;": "<", "&gt;": ">" })[entity] ?? "&");

/** As a person sees it: blocks where there are any, in place of the text. */
function seen({ ts, text, blocks, file }: Message): SeenMessage {
  const sections = blocks.flatMap((one) => (one.type === "section" ? [one.text?.text ?? ""] : []));
  const raw = sections.length === 0 ? text : sections.join("\n");
  const buttons = blocks
    .flatMap((one) => (one.type === "actions" ? one.elements : []))
    .flatMap((one) => (one.type === "button" ? [{ label: one.text.text, data: one.value ?? "" }] : []));
  return { id: ts, text: plainOf(raw), raw, buttons, file };
}

type Webhook = Parameters<NonNullable<FakeVendor["attach"]>>[0];
type Hook = { at?: number; secret?: string; asForm?: boolean };
type World = {
  state: State;
  troubles: Troubles;
  http: FakeHttp;
  mode: unknown;
  waiting: Map<string, State["sent"][number]>;
  connected: number;
  webhook: Webhook | undefined;
};

export type FakeSlack = VendorWorld & {
  slack: {
    hook(payload: object | string, change?: Hook): Parameters<Webhook>[0];
    /** Breaks the connection, or asks for a new one as Slack does every few hours. */
    drop(how?: "disconnect"): void;
    /** How often a socket was opened. */
    connected(): number;
  };
};

async function answer({ path, headers, json, bytes }: FakeCall, { state, troubles, http }: World): Promise<FakeAnswer> {
  const params = json ?? Object.fromEntries(new URLSearchParams(bytes.toString("utf8")));
  if (path.startsWith("/upload/")) {
    const upload = troubles.filesRefused() ? undefined : state.uploads.get(path.slice("/upload/".length));
    if (upload !== undefined) upload.bytes = bytes;
    return { status: upload === undefined ? 404 : 200 };
  }
  if (path.startsWith("/response/")) {
    state.toasts.push(plainOf(textField(params, "text")));
    return { json: { ok: true } };
  }
  const method = path.replace("/api/", "");
  const token = method === "apps.connections.open" ? SLACK_TOKENS.app : SLACK_TOKENS.bot;
  if (headers.authorization !== `Bearer ${token}`) return no("invalid_auth");
  switch (method) {
    case "auth.test":
      return ok({ user_id: BOT_USER, user: "hold", team: "Test Team", team_id: TEAM });
    case "apps.connections.open":
      return ok({ url: `${http.socketUrl}/link/?ticket=1` });
    case "chat.postMessage":
      return troubles.around(() => posted(params, state));
    case "chat.update":
      return updated(params, state);
    case "views.open":
      return opened(params, state);
    case "files.getUploadURLExternal":
      return json === undefined ? uploadFor(params, state, http.url) : no("invalid_form_data"); // it reads no JSON
    case "files.completeUploadExternal":
      return completed(params, state);
    default:
      return no("unknown_method");
  }
}

function uploadFor(params: unknown, state: State, url: string): FakeAnswer {
  const id = `F${++state.numbers}`;
  state.uploads.set(id, { name: textField(params, "filename"), bytes: Buffer.alloc(0) });
  return ok({ upload_url: `${url}/upload/${id}`, file_id: id });
}

function hook(payload: object | string, { at = NOW, secret = SLACK_TOKENS.secret, asForm = false }: Hook = {}) {
  const json = typeof payload === "string" ? payload : JSON.stringify(payload);
  const text = asForm && typeof payload === "object" ? new URLSearchParams({ payload: json }).toString() : json;
  const signature = `v0=${createHmac("sha256", secret).update(`v0:${at}:${text}`).digest("hex")}`;
  const type = asForm ? "application/x-www-form-urlencoded" : "application/json";
  const headers = { "content-type": type, "x-slack-signature": signature, "x-slack-request-timestamp": String(at) };
  return { method: "POST", path: "", headers, body: new Uint8Array(Buffer.from(text)) };
}

function drop({ http }: World, how: "disconnect" | undefined): void {
  for (const socket of http.sockets) {
    if (how === undefined) socket.terminate();
    else socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested", debug_info: {} }));
  }
}

function push(one: State["sent"][number], { mode, webhook, waiting, state, http }: World): void {
  const { type, payload, retries } = one;
  if (mode === "events") {
    const form = new URLSearchParams(payload as Record<string, string>).toString();
    const request = hook(type === "slash_commands" ? form : payload, { asForm: type !== "events_api" });
    void webhook?.(request).then(
      ({ status }) => (one.isAcknowledged ||= status === 200),
      () => undefined,
    );
    return;
  }
  const id = `env-${++state.numbers}`;
  waiting.set(id, one);
  const accepts = type !== "events_api";
  const message = { envelope_id: id, type, payload, accepts_response_payload: accepts, retry_attempt: retries };
  for (const socket of http.sockets) socket.send(JSON.stringify(message));
}

function happen(type: Envelope["type"], payload: object, world: World): void {
  const one = { type, payload, retries: 0, isAcknowledged: false };
  world.state.sent.push(one);
  push(one, world);
}

const channelOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
  group === undefined ? `D${person}` : `C${group.replace("-", "")}`;
const userOf = ({ person = "501" }: Writing): string => `U${person}`;

function newTrigger({ triggers }: State, id: string): string {
  triggers.add(id);
  return id;
}

const sharedFile = ({ name, text }: NonNullable<Writing["file"]>, http: FakeHttp) => ({
  subtype: "file_share",
  files: [{ id: "F1", name, size: text.length, url_private_download: http.offer(text, `Bearer ${SLACK_TOKENS.bot}`) }],
});

function write(text: string, by: Writing, world: World): void {
  const { state, http } = world;
  const [channel, user] = [channelOf(by), userOf(by)];
  const number = String(++state.numbers).padStart(6, "0");
  if (text.startsWith("/")) {
    const [command = "", ...words] = text.split(" ");
    const names = { team_id: TEAM, user_id: user, user_name: by.name ?? "alice", channel_id: channel };
    const more = { trigger_id: newTrigger(state, `trigger.${number}`), response_url: `${http.url}/response/1` };
    return happen("slash_commands", { command, text: words.join(" "), ...names, ...more }, world);
  }
  const ts = `1700000001.${number}`;
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const words = by.mentions === true ? `<@${BOT_USER}> ${escaped}` : escaped;
  const kind = channel.startsWith("D") ? "im" : "channel";
  const more = {
    ...(by.file === undefined ? {} : sharedFile(by.file, http)),
    ...(by.thread === undefined ? {} : { thread_ts: by.thread }),
  };
  const envelope = (type: string) => ({
    type: "event_callback",
    team_id: TEAM,
    api_app_id: "A1",
    event_id: `Ev${++state.numbers}`,
    event: { type, channel, channel_type: kind, user, text: words, ts, team: TEAM, event_ts: ts, ...more },
  });
  happen("events_api", envelope("message"), world);
  if (by.mentions === true) happen("events_api", envelope("app_mention"), world); // Slack sends both
}

function press(message: SeenMessage, button: number, { by, world }: { by: Writing; world: World }): void {
  const { state, http } = world;
  const [channel, name, number] = [channelOf(by), by.name ?? "alice", String(++state.numbers)];
  const thread = state.messages.find(({ ts }) => ts === message.id)?.thread;
  const container = { type: "message", message_ts: message.id, channel_id: channel, is_ephemeral: false };
  const action = { type: "button", action_id: `holdpoint-${button}`, block_id: "b1" };
  const payload = {
    type: "block_actions",
    user: { id: userOf(by), team_id: TEAM, username: name, name },
    team: { id: TEAM, domain: "test" },
    container: thread === undefined ? container : { ...container, thread_ts: thread },
    channel: { id: channel, name: "directmessage" },
    trigger_id: newTrigger(state, `trigger.${number}`),
    response_url: `${http.url}/response/2`,
    actions: [{ ...action, value: message.buttons[button]?.data, action_ts: `1700000002.${number}` }],
  };
  happen("interactive", payload, world);
}

async function submit(message: SeenMessage, button: number, given: { words: string; by: Writing; world: World }) {
  const { words, by, world } = given;
  const { views } = world.state;
  const before = views.length;
  press(message, button, { by, world });
  await expect.poll(() => views.length).toBeGreaterThan(before);
  const { view, id } = views.at(-1) ?? { view: undefined, id: "" };
  const values = { words: { words: { type: "plain_text_input", value: words } } };
  const user = { id: userOf(by), team_id: TEAM, name: by.name ?? "alice" };
  happen("interactive", { type: "view_submission", user, view: { id, ...view, state: { values } } }, world);
}

const placeOf = ({ channel, thread }: Message): string => (thread === undefined ? channel : `${channel}:${thread}`);

function vendorOf(world: World): FakeVendor {
  const { state, troubles, http } = world;
  return {
    conversation: channelOf,
    groupId: (name) => channelOf({ group: name }),
    attach: (webhook) => void (world.webhook = webhook),
    write: (text, by = {}) => write(text, by, world),
    press: (message, button, by = {}) => press(message, button, { by, world }),
    submit: (message, button, { words, ...by }) => submit(message, button, { words, by, world }),
    ...sentUntilAcknowledged(state.sent, (one) => {
      one.retries += 1;
      push(one, world);
    }),
    messages: (conversation) => state.messages.filter((one) => placeOf(one) === conversation).map(seen),
    tells: world.mode === "events" ? undefined : "socket",
    threads: {
      names: ["1699999999.000001", "1699999999.000002"],
      sent: () => state.messages.map((one) => ({ text: seen(one).text, thread: one.thread })),
    },
    ...fakeFrame({ http, troubles, toasts: state.toasts, messages: { all: state.messages, idOf: ({ ts }) => ts } }),
  };
}

export async function startFakeSlack(settings: object = {}): Promise<FakeSlack> {
  const state: State = {
    messages: [],
    sent: [],
    uploads: new Map(),
    triggers: new Set(),
    toasts: [],
    views: [],
    numbers: 0,
  };
  const http = await startFakeHttp({
    answer: (call) => answer(call, world),
    onSocket(socket) {
      world.connected += 1;
      socket.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } }));
      socket.on("message", (data: Buffer) => {
        const one = world.waiting.get(textField(JSON.parse(data.toString("utf8")), "envelope_id"));
        if (one !== undefined) one.isAcknowledged = true;
      });
    },
  });
  const base = { kind: "slack", botToken: SLACK_TOKENS.bot, appToken: SLACK_TOKENS.app, apiRoot: `${http.url}/api` };
  const world: World = {
    state,
    troubles: createTroubles(tooMany),
    http,
    mode: field(settings, "mode"),
    waiting: new Map(),
    connected: 0,
    webhook: undefined,
  };
  return {
    settings: ChannelSettings.parse({ ...base, ...settings }),
    vendor: vendorOf(world),
    slack: { hook, drop: (how) => drop(world, how), connected: () => world.connected },
  };
}
