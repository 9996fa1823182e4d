/**
 * A Mattermost server in memory: posts with attachments whose integrations no reader sees, patches, files, dialogs, a socket,
 * and the requests that it makes for presses, forms and slash commands. Posts are acknowledged by what the channel noted.
 */
import type { FakeVendor, SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { createTroubles, type FakeAnswer, type FakeCall, field, startFakeHttp, textField } from "./fake-http.ts";

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
    props: (field(json, "props") ?? {}) as Post["props"],
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

const plainOf = (text: string): string => text.replace(/\u200B/g, "").replace(/\\([^\w\s])/g, "$1");

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

export type FakeMattermost = VendorWorld & {
  mattermost: State & {
    /** Sends a request as the server would, and says how it was answered. */
    request(path: string, body: object | URLSearchParams): Promise<{ status: number; body: string }>;
    drop(): void;
    post(change: Partial<Post>): void;
  };
};

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
  const troubles = createTroubles(tooMany);
  let webhook: Webhook | undefined;
  const typeOf = (channel: string): string => (channel.startsWith("direct") ? "D" : "O");

  async function answer(call: FakeCall): Promise<FakeAnswer> {
    const { method, headers, json, query } = call;
    const path = call.path.replace("/api/v4", "");
    if (headers.authorization !== `Bearer ${MATTERMOST_TOKENS.bot}`)
      return no(401, "Invalid or expired session, please login again.");
    if (path === "/users/me") return { json: { id: ME, username: "hold.bot", is_bot: true } };
    if (path === `/users/${ME}/channels`) {
      const last = (id: string) =>
        Math.max(...state.posts.filter((one) => one.channel_id === id).map((one) => one.create_at));
      return {
        json: [...new Set(state.posts.map((one) => one.channel_id))].map((id) => ({
          id,
          type: typeOf(id),
          last_post_at: last(id),
        })),
      };
    }
    const [, listed] = /^\/channels\/(\w+)\/posts$/.exec(path) ?? [];
    if (listed !== undefined) {
      const found = state.posts.filter(
        (one) => one.channel_id === listed && one.create_at >= Number(query.get("since")),
      );
      return {
        json: {
          order: found.map(({ id }) => id).toReversed(),
          posts: Object.fromEntries(found.map((one) => [one.id, one])),
        },
      };
    }
    const [, channel] = /^\/channels\/(\w+)$/.exec(path) ?? [];
    if (channel !== undefined) return { json: { id: channel, type: typeOf(channel) } };
    const [, patch] = /^\/posts\/(\w+)\/patch$/.exec(path) ?? [];
    if (patch !== undefined && method === "PUT") return patched(patch, json, state);
    if (path === "/posts") return troubles.around(() => posted(json, state));
    if (path === "/files") {
      if (troubles.filesRefused()) return no(413, "too large");
      const file = (await call.form()).get("files");
      if (!(file instanceof File)) return no(400, "no file");
      const id = `file${++state.numbers}`;
      state.files.set(id, { name: file.name, text: await file.text() });
      return { status: 201, json: { file_infos: [{ id }] } };
    }
    if (path !== "/actions/dialogs/open") return no(404, "not found");
    const trigger = textField(json, "trigger_id");
    if (!state.triggers.delete(trigger)) return no(400, "trigger expired");
    if (textField(json, "dialog", "title").length > 24) return no(400, "title too long");
    state.dialogs.push({ trigger, url: textField(json, "url"), state: textField(json, "dialog", "state") });
    return { json: { status: "OK" } };
  }
  const http = await startFakeHttp({
    answer,
    onSocket(socket, headers) {
      if (headers.authorization !== `Bearer ${MATTERMOST_TOKENS.bot}`) return socket.close(1_008);
      socket.send(JSON.stringify({ event: "hello", data: { server_version: "11.0.0" }, broadcast: {}, seq: 0 }));
    },
  });
  const announce = (post: Post): void => {
    const data = { channel_type: typeOf(post.channel_id), post: JSON.stringify(post), sender_name: "@alice" };
    for (const socket of http.sockets)
      socket.send(
        JSON.stringify({ event: "posted", data, broadcast: { channel_id: post.channel_id }, seq: ++state.numbers }),
      );
  };
  async function request(path: string, body: object | URLSearchParams): Promise<{ status: number; body: string }> {
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
    const made: Request = {
      method: "POST",
      path,
      headers: { "content-type": type },
      body: new TextEncoder().encode(isForm ? body.toString() : JSON.stringify(body)),
    };
    const one = { request: made, isAcknowledged: false };
    state.sent.push(one);
    return push(one);
  }
  async function push(one: State["sent"][number]): Promise<{ status: number; body: string }> {
    if (webhook === undefined) throw new Error("nobody is attached");
    const given = await webhook(one.request);
    if (given.status !== 200) return given;
    one.isAcknowledged = true;
    const said = JSON.parse(given.body) as { ephemeral_text?: string; text?: string };
    const text = said.ephemeral_text ?? said.text;
    if (text !== undefined) state.toasts.push(plainOf(text));
    return given;
  }
  const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined); // it is shown as failed to who pressed
  const channelOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
    group === undefined ? `direct${person}` : `channel${group.replace("-", "")}`;
  const userOf = ({ person = "501" }: Writing): string => `user${person}`;
  const trigger = (): string => {
    const made = `trigger${++state.numbers}`;
    state.triggers.add(made);
    return made;
  };
  function post(change: Partial<Post>): void {
    const made: Post = {
      id: `post${++state.numbers}`,
      create_at: Date.UTC(2026, 0, 5, 10) + state.numbers,
      user_id: "user501",
      channel_id: "direct501",
      root_id: "",
      message: "hi",
      type: "",
      props: {},
      file_ids: [],
      ...change,
    };
    state.posts.push(made);
    announce(made);
  }

  const vendor: FakeVendor = {
    conversation: channelOf,
    groupId: (name) => channelOf({ group: name }),
    attach: (given) => void (webhook = given),
    write(text, by = {}) {
      if (!text.startsWith("/"))
        return post({
          user_id: userOf(by),
          channel_id: channelOf(by),
          message: by.mentions === true ? `@hold.bot ${text}` : text,
        });
      const [command = "", ...words] = text.split(" ");
      const names = { user_id: userOf(by), user_name: "alice", channel_id: channelOf(by), trigger_id: trigger() };
      quietly(
        request(
          "/command",
          new URLSearchParams({ token: MATTERMOST_TOKENS.command, command, text: words.join(" "), ...names }),
        ),
      );
    },
    press(message, button, by = {}) {
      const found = state.posts.find(({ id }) => id === message.id);
      const action = actionsOf(found ?? { props: {} })[button];
      const names = {
        user_id: userOf(by),
        user_name: "alice",
        channel_id: found?.channel_id ?? "",
        post_id: message.id,
        trigger_id: trigger(),
      };
      quietly(request("/action", { ...names, type: "", data_source: "", context: action?.integration.context }));
    },
    async submit(message, button, { words, ...by }) {
      const before = state.dialogs.length;
      this.press(message, button, by);
      while (state.dialogs.length === before) await new Promise((resolve) => setImmediate(resolve));
      const names = { user_id: userOf(by), channel_id: channelOf(by), team_id: "t" };
      await request("/dialog", {
        type: "dialog_submission",
        callback_id: "holdpoint",
        state: state.dialogs.at(-1)?.state,
        ...names,
        submission: { words },
        cancelled: false,
      });
    },
    sendAgain(count) {
      const own = state.posts.filter(({ user_id: user }) => user !== ME);
      own.slice(own.length - count).forEach(announce);
      state.sent.slice(state.sent.length - count).forEach((one) => quietly(push(one)));
    },
    acknowledged(cursor) {
      const { since } = JSON.parse(cursor ?? '{"since":0}') as { since: number };
      const posts = state.posts.filter(({ user_id: user, create_at: at }) => user !== ME && at <= since);
      return posts.length + state.sent.filter(({ isAcknowledged }) => isAcknowledged).length;
    },
    messages: (conversation) =>
      state.posts
        .filter(
          ({ user_id: user, channel_id: channel, root_id: root }) =>
            user === ME && (root === "" ? channel : `${channel}:${root}`) === conversation,
        )
        .map((one) => seen(one, state)),
    toasts: () => state.toasts,
    ...troubles,
    remove: (_conversation, id) =>
      void state.posts.splice(
        state.posts.findIndex((one) => one.id === id),
        1,
      ),
    connections: () => http.sockets.size,
    close: () => http.close(),
  };
  const base = {
    kind: "mattermost",
    server: http.url,
    token: MATTERMOST_TOKENS.bot,
    commandToken: MATTERMOST_TOKENS.command,
    ...settings,
  };
  const drop = (): void => http.sockets.forEach((socket) => socket.terminate());
  return { settings: ChannelSettings.parse(base), vendor, mattermost: Object.assign(state, { request, drop, post }) };
}
