/**
 * A workspace of Slack in memory, its blocks typed by @slack/types: Web API, socket mode and signed requests. It refuses what
 * Slack refuses: unknown tokens, too many or too long blocks, triggers older than three seconds or used before, old messages.
 */
import { createHmac } from "node:crypto";
import type { KnownBlock, ModalView } from "@slack/types";
import type { FakeVendor, SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { createTroubles, type FakeAnswer, type FakeCall, field, startFakeHttp, textField } from "./fake-http.ts";

export const SLACK_TOKENS = { bot: "xoxb-test", app: "xapp-test", secret: "8f742231b10e8888abcd99yyyzzz85a5" };
const TEAM = "T0TEAM";
const BOT_USER = "U0HOLD";
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

export type FakeSlack = VendorWorld & {
  slack: {
    hook(payload: object | string, change?: { at?: number; secret?: string; asForm?: boolean }): Parameters<Webhook>[0];
    /** Breaks the connection, or asks for a new one as Slack does every few hours. */
    drop(how?: "disconnect"): void;
    /** How often a socket was opened. */
    connected(): number;
  };
};
type Webhook = Parameters<NonNullable<FakeVendor["attach"]>>[0];

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
  const troubles = createTroubles(tooMany);
  let deliverWebhook: Webhook | undefined;

  async function answer({ path, headers, json, bytes }: FakeCall): Promise<FakeAnswer> {
    const params = json ?? Object.fromEntries(new URLSearchParams(bytes.toString("utf8")));
    if (path.startsWith("/upload/")) {
      if (troubles.filesRefused()) return { status: 500 };
      const upload = state.uploads.get(path.slice("/upload/".length));
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
      case "files.getUploadURLExternal": {
        if (json !== undefined) return no("invalid_form_data"); // this method reads no JSON
        const id = `F${++state.numbers}`;
        state.uploads.set(id, { name: textField(params, "filename"), bytes: Buffer.alloc(0) });
        return ok({ upload_url: `${http.url}/upload/${id}`, file_id: id });
      }
      case "files.completeUploadExternal":
        return completed(params, state);
      default:
        return no("unknown_method");
    }
  }
  const waiting = new Map<string, State["sent"][number]>();
  let connected = 0;
  const http = await startFakeHttp({
    answer,
    onSocket(socket) {
      connected += 1;
      socket.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } }));
      socket.on("message", (data: Buffer) => {
        const { envelope_id: id } = JSON.parse(data.toString("utf8")) as { envelope_id: string };
        const one = waiting.get(id);
        if (one !== undefined) one.isAcknowledged = true;
      });
    },
  });

  function hook(
    payload: object | string,
    { at = Date.UTC(2026, 0, 5, 9) / 1_000, secret = SLACK_TOKENS.secret, asForm = false } = {},
  ) {
    const text =
      typeof payload === "string"
        ? payload
        : asForm
          ? new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
          : JSON.stringify(payload);
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${at}:${text}`).digest("hex")}`;
    const type = asForm ? "application/x-www-form-urlencoded" : "application/json";
    const headers = { "content-type": type, "x-slack-signature": signature, "x-slack-request-timestamp": String(at) };
    return { method: "POST", path: "", headers, body: new Uint8Array(Buffer.from(text)) };
  }

  function drop(how?: "disconnect"): void {
    for (const socket of http.sockets) {
      if (how === undefined) socket.terminate();
      else socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested", debug_info: {} }));
    }
  }

  function push(one: State["sent"][number]): void {
    if (field(settings, "mode") === "events") {
      const form = new URLSearchParams(one.payload as Record<string, string>).toString();
      const asForm = one.type !== "events_api";
      const request = hook(one.type === "slash_commands" ? form : one.payload, { asForm });
      void deliverWebhook?.(request).then(
        ({ status }) => (one.isAcknowledged ||= status === 200),
        () => undefined,
      );
      return;
    }
    const id = `env-${++state.numbers}`;
    waiting.set(id, one);
    const { type, payload, retries } = one;
    const message = {
      envelope_id: id,
      type,
      payload,
      accepts_response_payload: type !== "events_api",
      retry_attempt: retries,
    };
    for (const socket of http.sockets) socket.send(JSON.stringify(message));
  }
  function happen(type: Envelope["type"], payload: object): void {
    const one = { type, payload, retries: 0, isAcknowledged: false };
    state.sent.push(one);
    push(one);
  }
  const channelOf = ({ person = "501", group }: Writing): string =>
    group === undefined ? `D${person}` : `C${group.replace("-", "")}`;
  const userOf = ({ person = "501" }: Writing): string => `U${person}`;
  const trigger = (): string => {
    const id = `trigger.${++state.numbers}`;
    state.triggers.add(id);
    return id;
  };

  const vendor: FakeVendor = {
    conversation: channelOf,
    groupId: (name) => `C${name.replace("-", "")}`,
    attach: (webhook) => void (deliverWebhook = webhook),
    write(text, by = {}) {
      const [channel, user] = [channelOf(by), userOf(by)];
      if (text.startsWith("/")) {
        const [command = "", ...words] = text.split(" ");
        const names = { team_id: TEAM, user_id: user, user_name: by.name ?? "alice", channel_id: channel };
        return happen("slash_commands", {
          command,
          text: words.join(" "),
          ...names,
          trigger_id: trigger(),
          response_url: `${http.url}/response/1`,
        });
      }
      const ts = `1700000001.${String(++state.numbers).padStart(6, "0")}`;
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      const words = by.mentions === true ? `<@${BOT_USER}> ${escaped}` : escaped;
      const event = {
        type: "message",
        channel,
        channel_type: channel.startsWith("D") ? "im" : "channel",
        user,
        text: words,
        ts,
        team: TEAM,
        event_ts: ts,
      };
      const envelope = (type: string) => ({
        type: "event_callback",
        team_id: TEAM,
        api_app_id: "A1",
        event_id: `Ev${++state.numbers}`,
        event: { ...event, type },
      });
      happen("events_api", envelope("message"));
      if (by.mentions === true) happen("events_api", envelope("app_mention")); // Slack sends both
    },
    press(message, button, by = {}) {
      const [channel, user] = [channelOf(by), userOf(by)];
      const found = state.messages.find(({ ts }) => ts === message.id);
      happen("interactive", {
        type: "block_actions",
        user: { id: user, team_id: TEAM, username: by.name ?? "alice", name: by.name ?? "alice" },
        team: { id: TEAM, domain: "test" },
        container: {
          type: "message",
          message_ts: message.id,
          channel_id: channel,
          is_ephemeral: false,
          ...(found?.thread === undefined ? {} : { thread_ts: found.thread }),
        },
        channel: { id: channel, name: "directmessage" },
        trigger_id: trigger(),
        response_url: `${http.url}/response/2`,
        actions: [
          {
            type: "button",
            action_id: `holdpoint-${button}`,
            block_id: "b1",
            value: message.buttons[button]?.data,
            action_ts: `1700000002.${String(++state.numbers)}`,
          },
        ],
      });
    },
    async submit(message, button, { words, ...by }) {
      const before = state.views.length;
      this.press(message, button, by);
      while (state.views.length === before) await new Promise((resolve) => setImmediate(resolve));
      const { view, id } = state.views.at(-1) ?? { view: undefined, id: "" };
      happen("interactive", {
        type: "view_submission",
        user: { id: userOf(by), team_id: TEAM, name: by.name ?? "alice" },
        view: { id, ...view, state: { values: { words: { words: { type: "plain_text_input", value: words } } } } },
      });
    },
    sendAgain(count) {
      const again = state.sent.filter((one, at) => !one.isAcknowledged || at >= state.sent.length - count);
      for (const one of again) {
        one.retries += 1;
        push(one);
      }
    },
    acknowledged: () => state.sent.filter(({ isAcknowledged }) => isAcknowledged).length,
    messages: (conversation) =>
      state.messages
        .filter(({ channel, thread }) => (thread === undefined ? channel : `${channel}:${thread}`) === conversation)
        .map(seen),
    toasts: () => state.toasts,
    ...troubles,
    remove: (_conversation, id) =>
      void state.messages.splice(
        state.messages.findIndex(({ ts }) => ts === id),
        1,
      ),
    connections: () => http.sockets.size,
    close: () => http.close(),
  };
  const base = {
    kind: "slack",
    botToken: SLACK_TOKENS.bot,
    appToken: SLACK_TOKENS.app,
    apiRoot: `${http.url}/api`,
    ...settings,
  };
  return { settings: ChannelSettings.parse(base), vendor, slack: { hook, drop, connected: () => connected } };
}
