/**
 * A Mattermost server in memory: posts with attachments whose integrations no reader sees, patches, files, dialogs, a socket,
 * and the requests that it makes for presses, forms and slash commands. Posts are acknowledged by what the channel noted.
 */
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

export const MATTERMOST_TOKENS = { bot: "bot-token", command: "command-token" };
const ME = "botuser000000000000000000me";
const TEXT_MAX = 16_383;

type Action = { id: string; type: string; name: string; integration: { url: string; context: object } };
type Post = {
  id: string;
  create_at: number;
  user_id: string;
  channel_id: string;
  root_id: string;
  message: string;
  type: string;
  props: { attachments?: { actions?: Action[] }[]; from_bot?: string };
  file_ids: string[];
};
type Webhook = Parameters<NonNullable<FakeVendor["attach"]>>[0];
type Request = Parameters<Webhook>[0];
type State = {
  posts: Post[];
  files: Map<string, { name: string; text: string }>;
  dialogs: { trigger: string; url: string; state: string }[];
  triggers: Set<string>;
  toasts: string[];
  sent: { request: Request; isAcknowledged: boolean }[];
  numbers: number;
};

const no = (status: number, message: string): FakeAnswer => ({
  status,
  json: { id: "api.error", message, status_code: status },
});
const tooMany = (afterMs: number): FakeAnswer => ({
  status: 429,
  headers: { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(afterMs / 1_000) },
  json: {},
});

const actionsOf = ({ props }: Pick<Post, "props">): Action[] =>
  (props.attachments ?? []).flatMap(({ actions = [] }) => actions);

function problemOf(post: Pick<Post, "message" | "props" | "file_ids">): FakeAnswer | undefined {
  if (post.message === "" && post.file_ids.length === 0) return no(400, "empty message");
  if (Array.from(post.message).length > TEXT_MAX) return no(400, "message too long");
  return actionsOf(post).some(({ id, type, name }) => !/^[a-zA-Z0-9]+$/.test(id) || type !== "button" || name === "")
    ? no(400, "bad action")
    : undefined;
}

function posted(json: unknown, state: State): FakeAnswer {
  const post: Post = {
    id: `post${++state.numbers}`,
    create_at: Date.UTC(2026, 0, 5, 10) + state.numbers,
    user_id: ME,
    channel_id: textField(json, "channel_id"),
    root_id: textField(json, "root_id"),
    message: textField(json, "message"),
    type: "",
    props: field(json, "props") ?? {},
    file_ids: (field(json, "file_ids") ?? []) as string[],
  };
  const problem = problemOf(post);
  if (problem !== undefined) return problem;
  state.posts.push(post);
  return { status: 201, json: { ...post, props: {} } };
}

function patched(id: string, json: unknown, state: State): FakeAnswer {
  const found = state.posts.find((one) => one.id === id && one.user_id === ME);
  if (found === undefined) return no(404, "post not found");
  const change = { message: textField(json, "message"), props: (field(json, "props") ?? {}) as Post["props"] };
  const problem = problemOf({ ...found, ...change });
  if (problem !== undefined) return problem;
  Object.assign(found, change);
  return { json: { id } };
}

/** Not every sign has an escape there, and of two backslashes before a letter both are shown. */
const plainOf = (text: string): string =>
  text.replace(/\u200B/g, "").replace(/\\([`*{}[\]()#+\-.!_>|~]|\\(?!\w))/g, "$1");

const seen = (post: Post, { files }: State): SeenMessage => ({
  id: post.id,
  text: plainOf(post.message),
  raw: post.message,
  buttons: actionsOf(post).map(({ name, integration }) => ({
    label: name,
    data: textField(integration.context, "token"),
  })),
  file: files.get(post.file_ids[0] ?? ""),
});

type World = { state: State; troubles: Troubles; http: FakeHttp; webhook: Webhook | undefined };
type Answered = { status: number; body: string };

export type FakeMattermost = VendorWorld & {
  mattermost: State & {
    /** Sends a request as the server would, and says how it was answered. */
    request(path: string, body: object | URLSearchParams): Promise<Answered>;
    drop(): void;
    post(change: Partial<Post>): void;
  };
};

const typeOf = (channel: string): string => (channel.startsWith("direct") ? "D" : "O");

async function answer(call: FakeCall, world: World): Promise<FakeAnswer> {
  const { state, troubles } = world;
  const { method, headers, json } = call;
  const path = call.path.replace("/api/v4", "");
  if (headers.authorization !== `Bearer ${MATTERMOST_TOKENS.bot}`)
    return no(401, "Invalid or expired session, please login again.");
  const [, patch] = /^\/posts\/(\w+)\/patch$/.exec(path) ?? [];
  if (patch !== undefined && method === "PUT") return patched(patch, json, state);
  switch (path) {
    case "/users/me":
      return { json: { id: ME, username: "hold.bot", is_bot: true } };
    case "/posts":
      return troubles.around(() => posted(json, state));
    case "/files":
      return troubles.filesRefused() ? no(413, "too large") : uploaded(await call.form(), state);
    case "/actions/dialogs/open":
      return opened(json, state);
    default:
      return channels(path, call, state);
  }
}

async function uploaded(form: FormData, state: State): Promise<FakeAnswer> {
  const file = form.get("files");
  if (!(file instanceof File)) return no(400, "no file");
  const id = `file${++state.numbers}`;
  state.files.set(id, { name: file.name, text: await file.text() });
  return { status: 201, json: { file_infos: [{ id }] } };
}

function opened(json: unknown, state: State): FakeAnswer {
  const trigger = textField(json, "trigger_id");
  if (!state.triggers.delete(trigger)) return no(400, "trigger expired");
  if (textField(json, "dialog", "title").length > 24) return no(400, "title too long");
  state.dialogs.push({ trigger, url: textField(json, "url"), state: textField(json, "dialog", "state") });
  return { json: { status: "OK" } };
}

function channels(path: string, { query }: FakeCall, { posts }: State): FakeAnswer {
  if (path === `/users/${ME}/channels`) {
    const ids = [...new Set(posts.map((one) => one.channel_id))];
    const last = (id: string): number =>
      Math.max(...posts.filter((one) => one.channel_id === id).map((one) => one.create_at));
    return { json: ids.map((id) => ({ id, type: typeOf(id), last_post_at: last(id) })) };
  }
  const [, channel, list] = /^\/channels\/(\w+)(\/posts)?$/.exec(path) ?? [];
  if (channel === undefined) return no(404, "not found");
  if (list === undefined) return { json: { id: channel, type: typeOf(channel) } };
  const found = posts.filter((one) => one.channel_id === channel && one.create_at >= Number(query.get("since")));
  const order = found.map(({ id }) => id).toReversed();
  return { json: { order, posts: Object.fromEntries(found.map((one) => [one.id, one])) } };
}

function announce(one: Post, { state, http }: World): void {
  const data = { channel_type: typeOf(one.channel_id), post: JSON.stringify(one), sender_name: "@alice" };
  const message = { event: "posted", data, broadcast: { channel_id: one.channel_id }, seq: ++state.numbers };
  for (const socket of http.sockets) socket.send(JSON.stringify(message));
}

function request(path: string, body: object | URLSearchParams, world: World): Promise<Answered> {
  const isForm = body instanceof URLSearchParams;
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const bytes = new TextEncoder().encode(isForm ? body.toString() : JSON.stringify(body));
  const made: Request = { method: "POST", path, headers: { "content-type": type }, body: bytes };
  const one = { request: made, isAcknowledged: false };
  world.state.sent.push(one);
  return push(one, world);
}

async function push(one: State["sent"][number], { state, webhook }: World): Promise<Answered> {
  if (webhook === undefined) throw new Error("nobody is attached");
  const given = await webhook(one.request);
  if (given.status !== 200) return given;
  one.isAcknowledged = true;
  const said = JSON.parse(given.body) as { ephemeral_text?: string; text?: string };
  const text = said.ephemeral_text ?? said.text;
  if (text !== undefined) state.toasts.push(plainOf(text));
  return given;
}

/** It is shown as failed to who pressed. */
const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

const channelOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
  group === undefined ? `direct${person}` : `channel${group.replace("-", "")}`;
const userOf = ({ person = "501" }: Writing): string => `user${person}`;

function newTrigger(state: State): string {
  const made = `trigger${++state.numbers}`;
  state.triggers.add(made);
  return made;
}

function writePost(change: Partial<Post>, world: World): void {
  const number = ++world.state.numbers;
  const made: Post = {
    id: `post${number}`,
    create_at: Date.UTC(2026, 0, 5, 10) + number,
    user_id: "user501",
    channel_id: "direct501",
    root_id: "",
    message: "hi",
    type: "",
    props: {},
    file_ids: [],
    ...change,
  };
  world.state.posts.push(made);
  announce(made, world);
}

function write(text: string, by: Writing, world: World): void {
  const message = by.mentions === true ? `@hold.bot ${text}` : text;
  const file_ids = by.file === undefined ? [] : ["file1"];
  if (!text.startsWith("/"))
    return writePost(
      { user_id: userOf(by), channel_id: channelOf(by), root_id: by.thread ?? "", message, file_ids },
      world,
    );
  const [command = "", ...words] = text.split(" ");
  const names = {
    user_id: userOf(by),
    user_name: "alice",
    channel_id: channelOf(by),
    trigger_id: newTrigger(world.state),
  };
  const form = { token: MATTERMOST_TOKENS.command, command, text: words.join(" "), ...names };
  quietly(request("/command", new URLSearchParams(form), world));
}

function press(message: SeenMessage, button: number, { by, world }: { by: Writing; world: World }): void {
  const { state } = world;
  const found = state.posts.find(({ id }) => id === message.id);
  const context = actionsOf(found ?? { props: {} })[button]?.integration.context;
  const who = { user_id: userOf(by), user_name: "alice", channel_id: found?.channel_id ?? "", post_id: message.id };
  quietly(request("/action", { ...who, trigger_id: newTrigger(state), type: "", data_source: "", context }, world));
}

async function submit(message: SeenMessage, button: number, given: { words: string; by: Writing; world: World }) {
  const { words, by, world } = given;
  const { dialogs } = world.state;
  const before = dialogs.length;
  press(message, button, { by, world });
  await expect.poll(() => dialogs.length).toBeGreaterThan(before);
  const who = { user_id: userOf(by), channel_id: channelOf(by), team_id: "t" };
  const form = { type: "dialog_submission", callback_id: "holdpoint", state: dialogs.at(-1)?.state, ...who };
  await request("/dialog", { ...form, submission: { words }, cancelled: false }, world);
}

const placeOf = ({ channel_id: channel, root_id: root }: Post): string =>
  root === "" ? channel : `${channel}:${root}`;

function vendorOf(world: World): FakeVendor {
  const { state, troubles, http } = world;
  return {
    conversation: channelOf,
    groupId: (name) => channelOf({ group: name }),
    attach: (given) => void (world.webhook = given),
    write: (text, by = {}) => write(text, by, world),
    press: (message, button, by = {}) => press(message, button, { by, world }),
    submit: (message, button, { words, ...by }) => submit(message, button, { words, by, world }),
    sendAgain(count) {
      const theirs = state.posts.filter(({ user_id: user }) => user !== ME);
      for (const one of theirs.slice(theirs.length - count)) announce(one, world);
      for (const one of state.sent.slice(state.sent.length - count)) quietly(push(one, world));
    },
    acknowledged(cursor) {
      const { since } = JSON.parse(cursor ?? '{"since":0}') as { since: number };
      const theirs = state.posts.filter(({ user_id: user, create_at: at }) => user !== ME && at <= since);
      return theirs.length + state.sent.filter(({ isAcknowledged }) => isAcknowledged).length;
    },
    messages: (conversation) =>
      state.posts.filter((one) => one.user_id === ME && placeOf(one) === conversation).map((one) => seen(one, state)),
    tells: "socket",
    threads: {
      names: ["root1", "root2"],
      sent: () =>
        state.posts
          .filter((one) => one.user_id === ME)
          .map((one) => ({ text: seen(one, state).text, thread: one.root_id === "" ? undefined : one.root_id })),
    },
    ...fakeFrame({ http, troubles, toasts: state.toasts, messages: { all: state.posts, idOf: ({ id }) => id } }),
  };
}

export async function startFakeMattermost(settings: object = {}): Promise<FakeMattermost> {
  const state: State = {
    posts: [],
    files: new Map(),
    dialogs: [],
    triggers: new Set(),
    toasts: [],
    sent: [],
    numbers: 0,
  };
  const http = await startFakeHttp({
    answer: (call) => answer(call, world),
    onSocket(socket, headers) {
      if (headers.authorization !== `Bearer ${MATTERMOST_TOKENS.bot}`) return socket.close(1_008);
      socket.send(JSON.stringify({ event: "hello", data: { server_version: "11.0.0" }, broadcast: {}, seq: 0 }));
    },
  });
  const world: World = { state, troubles: createTroubles(tooMany), http, webhook: undefined };
  const tokens = { token: MATTERMOST_TOKENS.bot, commandToken: MATTERMOST_TOKENS.command };
  return {
    settings: ChannelSettings.parse({ kind: "mattermost", server: http.url, ...tokens, ...settings }),
    vendor: vendorOf(world),
    mattermost: Object.assign(state, {
      request: (path: string, body: object | URLSearchParams) => request(path, body, world),
      drop: () => http.sockets.forEach((socket) => socket.terminate()),
      post: (change: Partial<Post>) => writePost(change, world),
    }),
  };
}
