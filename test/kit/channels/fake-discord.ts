/**
 * Discord in memory, typed by discord-api-types: REST with its limits, a gateway with heartbeats, sessions that are resumed,
 * interactions that are answered once. An event counts as acknowledged when the number of a heartbeat or a resume covers it.
 */
import {
  type APIInteractionResponse,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  type RESTPostAPIChannelMessageJSONBody,
} from "discord-api-types/v10";
import type { WebSocket } from "ws";
import { expect } from "vitest";
import type { FakeVendor, SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { fakeFrame } from "./fake-frame.ts";
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

const DISCORD_TOKEN = "MTk4.test.token";
const BOT = { id: "7000", username: "hold", discriminator: "0", global_name: null, avatar: null, bot: true };
const INTENTS = (1 << 9) | (1 << 12) | (1 << 15);

type Message = { id: string; channel: string; body: RESTPostAPIChannelMessageJSONBody; file?: SeenMessage["file"] };
type Dispatch = { t: "MESSAGE_CREATE" | "INTERACTION_CREATE"; d: object; s: number };
type State = {
  messages: Message[];
  nonces: Map<string, Message>;
  events: Dispatch[];
  covered: number;
  session: string;
  commands: unknown[];
  toasts: string[];
  modals: { token: string; data: APIModalInteractionResponseCallbackData }[];
  interactions: Set<string>;
  numbers: number;
};

const no = (status: number, code: number, message: string): FakeAnswer => ({ status, json: { code, message } });
const tooMany = (afterMs: number): FakeAnswer => ({
  status: 429,
  headers: { "retry-after": String(Math.ceil(afterMs / 1_000)) },
  json: { message: "You are being rate limited.", retry_after: afterMs / 1_000, global: false },
});

const buttonsOf = (body: RESTPostAPIChannelMessageJSONBody) =>
  (body.components ?? [])
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .flatMap((one) =>
      one.type === ComponentType.Button && "custom_id" in one ? [{ label: one.label ?? "", data: one.custom_id }] : [],
    );

const isOddButton = ({ label, data }: { label: string; data: string }): boolean =>
  label.length > 80 || data.length > 100 || label === "";

function bodyProblem(body: RESTPostAPIChannelMessageJSONBody, hasFile: boolean): FakeAnswer | undefined {
  const { content, components, nonce } = body;
  if ((content ?? "") === "" && !hasFile) return no(400, 50_006, "Cannot send an empty message");
  const rows = (components ?? []).map((row) => (row.type === ComponentType.ActionRow ? row.components.length : 0));
  const isLong = (content ?? "").length > 2_000 || String(nonce ?? "").length > 25;
  const isOdd = rows.length > 5 || rows.some((count) => count > 5 || count === 0) || buttonsOf(body).some(isOddButton);
  return isLong || isOdd ? no(400, 50_035, "Invalid Form Body") : undefined;
}

function posted(
  call: { channel: string; body: RESTPostAPIChannelMessageJSONBody; file?: SeenMessage["file"] },
  state: State,
): FakeAnswer {
  const { channel, body, file } = call;
  const problem = bodyProblem(body, file !== undefined);
  if (problem !== undefined) return problem;
  const nonce = body.enforce_nonce === true ? String(body.nonce) : "";
  const known = nonce === "" ? undefined : state.nonces.get(nonce);
  if (known !== undefined) return { json: { id: known.id, channel_id: channel } };
  const message = { id: String(9_000 + ++state.numbers), channel, body, ...(file === undefined ? {} : { file }) };
  state.messages.push(message);
  if (nonce !== "") state.nonces.set(nonce, message);
  return { json: { id: message.id, channel_id: channel } };
}

function edited({ path, json }: FakeCall, state: State): FakeAnswer {
  const [, channel, id] = /channels\/(\d+)\/messages\/(\d+)$/.exec(path) ?? [];
  const found = state.messages.find((one) => one.id === id && one.channel === channel);
  if (found === undefined) return no(404, 10_008, "Unknown Message");
  const body = json as RESTPostAPIChannelMessageJSONBody;
  const problem = bodyProblem(body, false);
  if (problem !== undefined) return problem;
  found.body = { ...found.body, ...body };
  return { json: { id: found.id } };
}

/** Once, and only for an interaction that there was. */
function responded({ path, json }: FakeCall, state: State): FakeAnswer {
  const [, handle = ""] = /interactions\/(.+)\/callback$/.exec(path) ?? [];
  if (!state.interactions.delete(handle)) return no(404, 10_062, "Unknown interaction");
  const response = json as APIInteractionResponse;
  if (response.type === InteractionResponseType.ChannelMessageWithSource) {
    if (response.data.flags !== MessageFlags.Ephemeral) return no(400, 50_035, "Invalid Form Body");
    state.toasts.push(plainOf(response.data.content ?? ""));
  }
  if (response.type === InteractionResponseType.Modal) {
    if (response.data.title.length > 45) return no(400, 50_035, "Invalid Form Body");
    state.modals.push({ token: handle, data: response.data });
  }
  return { status: 204 };
}

const plainOf = (text: string): string => text.replace(/\u200B/g, "").replace(/\\([^0-9A-Za-z\s])/g, "$1");

const seen = ({ id, body, file }: Message): SeenMessage => ({
  id,
  text: plainOf(body.content ?? ""),
  raw: body.content ?? "",
  buttons: buttonsOf(body),
  file,
});

export type FakeDiscord = VendorWorld & {
  discord: {
    state: State;
    drop(how?: "reconnect" | "forget"): void;
    greetings: string[];
    write(message: object): void;
  };
};
type World = { state: State; troubles: Troubles; http: FakeHttp; greetings: string[] };

async function answer(call: FakeCall, world: World): Promise<FakeAnswer> {
  const { path, headers, json } = call;
  if (path.endsWith("/callback")) return responded(call, world.state);
  if (headers.authorization !== `Bot ${DISCORD_TOKEN}`) return no(401, 0, "401: Unauthorized");
  switch (path) {
    case "/users/@me":
      return { json: BOT };
    case "/applications/@me":
      return { json: { id: "7001", name: "hold" } };
    case "/gateway/bot":
      return { json: { url: world.http.socketUrl, shards: 1 } };
    case "/applications/7001/commands":
      world.state.commands.push(json);
      return { json };
    default:
      return inChannel(call, world);
  }
}

async function inChannel(call: FakeCall, { state, troubles }: World): Promise<FakeAnswer> {
  const { method, path, json } = call;
  const [, channel = ""] = /^\/channels\/(\d+)\/messages/.exec(path) ?? [];
  if (channel === "") return no(404, 0, "404: Not Found");
  if (method === "PATCH") return edited(call, state);
  if (json !== undefined)
    return troubles.around(() => posted({ channel, body: json as RESTPostAPIChannelMessageJSONBody }, state));
  if (troubles.filesRefused()) return no(400, 50_035, "Invalid Form Body");
  const form = await call.form();
  const [payload, file] = [form.get("payload_json"), form.get("files[0]")];
  if (!(file instanceof File) || typeof payload !== "string") return no(400, 50_035, "Invalid Form Body");
  const body = JSON.parse(payload) as RESTPostAPIChannelMessageJSONBody;
  return posted({ channel, body, file: { name: file.name, text: await file.text() } }, state);
}

const say = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));
const dispatch = (socket: WebSocket, { t, d, s }: Dispatch): void => say(socket, { op: 0, t, s, d });

function identified(socket: WebSocket, d: unknown, { state, http }: World): void {
  if (textField(d, "token") !== DISCORD_TOKEN) return socket.close(4_004);
  if (field(d, "intents") !== INTENTS) return socket.close(4_013);
  state.session = `session-${++state.numbers}`;
  state.covered = state.events.length;
  const ready = { v: 10, user: BOT, session_id: state.session, resume_gateway_url: http.socketUrl };
  say(socket, { op: 0, t: "READY", s: state.covered, d: ready });
}

function resumed(socket: WebSocket, d: unknown, { state }: World): void {
  if (textField(d, "session_id") !== state.session) return say(socket, { op: 9, d: false });
  const seq = Number(field(d, "seq"));
  state.covered = Math.max(state.covered, seq);
  for (const event of state.events.filter(({ s }) => s > seq)) dispatch(socket, event);
  say(socket, { op: 0, t: "RESUMED", s: state.events.length, d: {} });
}

function connected(socket: WebSocket, world: World): void {
  say(socket, { op: 10, d: { heartbeat_interval: 41_250 } });
  socket.on("message", (data: Buffer) => {
    const { op, d } = JSON.parse(data.toString("utf8")) as { op: number; d: unknown };
    if (op === 2 || op === 6) world.greetings.push(op === 2 ? "identify" : "resume");
    if (op === 2) identified(socket, d, world);
    if (op === 6) resumed(socket, d, world);
    if (op !== 1) return;
    world.state.covered = Math.max(world.state.covered, Number(d ?? 0));
    say(socket, { op: 11 });
  });
}

function happen(t: Dispatch["t"], d: object, { state, http }: World): void {
  const event = { t, d, s: state.events.length + 1 };
  state.events.push(event);
  for (const socket of http.sockets) dispatch(socket, event);
}

/** A thread is a channel by itself, which is listed by its own id. */
const THREADS = ["30001", "30002"] as const;
const threadOf = (id: string): string | undefined => THREADS.find((one) => one === id);

const channelOf = ({ person = "501", group, thread }: Pick<Writing, "person" | "group" | "thread">): string =>
  thread ?? (group === undefined ? `10${person}` : `20${group.replace("-", "")}`);
const userOf = ({ person = "501", name = "Alice" }: Writing) => ({
  id: person,
  username: name.toLowerCase(),
  discriminator: "0",
  global_name: name,
  avatar: null,
});

function interaction(type: number, more: object, { by, world }: { by: Writing; world: World }): void {
  const { state } = world;
  const [id, token] = [String(8_000 + ++state.numbers), `token-${state.numbers}`];
  state.interactions.add(`${id}/${token}`);
  const who =
    by.group === undefined
      ? { user: userOf(by), context: 1 }
      : { member: { user: userOf(by) }, guild_id: "30", context: 0 };
  const about = { id, token, type, version: 1, application_id: "7001", channel_id: channelOf(by) };
  happen("INTERACTION_CREATE", { ...about, ...who, ...more }, world);
}

const messageOf = (content: string, by: Writing, state: State): object => ({
  id: String(6_000 + ++state.numbers),
  channel_id: channelOf(by),
  ...(by.group === undefined ? {} : { guild_id: "30" }),
  author: userOf(by),
  content,
  mentions: [],
  type: 0,
});

function write(text: string, by: Writing, world: World): void {
  const content = by.mentions === true ? `<@${BOT.id}> ${text}` : text;
  const message = messageOf(content, by, world.state);
  if (by.file !== undefined) {
    const { name: filename, text: inside } = by.file;
    const attachments = [{ id: "1", filename, size: inside.length, url: world.http.offer(inside) }];
    return happen("MESSAGE_CREATE", { ...message, attachments }, world);
  }
  if (!text.startsWith("/")) return happen("MESSAGE_CREATE", message, world);
  const [name = "", ...words] = text.slice(1).split(" ");
  const options = words.length === 0 ? [] : [{ name: "words", type: 3, value: words.join(" ") }];
  interaction(2, { data: { id: "1", name, type: 1, options } }, { by, world });
}

function press(message: SeenMessage, button: number, from: { by: Writing; world: World }): void {
  const data = { custom_id: message.buttons[button]?.data, component_type: 2 };
  interaction(3, { data, message: { id: message.id } }, from);
}

async function submit(message: SeenMessage, button: number, given: { words: string; by: Writing; world: World }) {
  const { words, by, world } = given;
  const { modals } = world.state;
  const before = modals.length;
  press(message, button, { by, world });
  await expect.poll(() => modals.length).toBeGreaterThan(before);
  const components = [{ type: 18, id: 1, component: { type: 4, id: 2, custom_id: "words", value: words } }];
  const data = { custom_id: modals.at(-1)?.data.custom_id, components };
  interaction(5, { data, message: { id: message.id } }, { by, world });
}

function drop({ state, http }: World, how: "reconnect" | "forget" | undefined): void {
  if (how === "forget") state.session = "";
  for (const socket of http.sockets) {
    if (how === "reconnect") say(socket, { op: 7, d: null });
    else socket.terminate();
  }
}

function vendorOf(world: World): FakeVendor {
  const { state, troubles, http } = world;
  return {
    conversation: channelOf,
    groupId: (name) => threadOf(name) ?? channelOf({ group: name }),
    write: (text, by = {}) => write(text, by, world),
    press: (message, button, by = {}) => press(message, button, { by, world }),
    submit: (message, button, { words, ...by }) => submit(message, button, { words, by, world }),
    sendAgain(count) {
      const again = state.events.slice(state.events.length - count);
      for (const socket of http.sockets) for (const event of again) dispatch(socket, event);
    },
    acknowledged() {
      for (const socket of http.sockets) say(socket, { op: 1, d: null }); // whoever is asked for a beat says where it is
      return Math.min(state.covered, state.events.length);
    },
    messages: (conversation) => state.messages.filter(({ channel }) => channel === conversation).map(seen),
    tells: "socket",
    threads: {
      names: THREADS,
      sent: () => state.messages.map((one) => ({ text: seen(one).text, thread: threadOf(one.channel) })),
    },
    ...fakeFrame({ http, troubles, toasts: state.toasts, messages: { all: state.messages, idOf: ({ id }) => id } }),
  };
}

export async function startFakeDiscord(settings: object = {}): Promise<FakeDiscord> {
  const state: State = {
    messages: [],
    nonces: new Map(),
    events: [],
    covered: 0,
    session: "",
    commands: [],
    toasts: [],
    modals: [],
    interactions: new Set(),
    numbers: 0,
  };
  const http = await startFakeHttp({
    answer: (call) => answer(call, world),
    onSocket: (socket) => connected(socket, world),
  });
  const world: World = { state, troubles: createTroubles(tooMany), http, greetings: [] };
  const base = { kind: "discord", token: DISCORD_TOKEN, apiRoot: http.url };
  return {
    settings: ChannelSettings.parse({ ...base, ...settings }),
    vendor: vendorOf(world),
    discord: {
      state,
      drop: (how) => drop(world, how),
      greetings: world.greetings,
      write: (message) => happen("MESSAGE_CREATE", { ...messageOf("hi", {}, state), ...message }, world),
    },
  };
}
