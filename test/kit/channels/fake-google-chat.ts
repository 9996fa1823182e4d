/**
 * Google's side of Chat in memory: log-in of a service account, messages with cards, Pub/Sub that gives again what was not
 * acknowledged, and signed requests. Written from Google's reference; it refuses what is too large, unknown or gone.
 */
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from "jose";
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

export const PROJECT = "123456789";
const SUBSCRIPTION = "projects/test/subscriptions/chat";
const EMAIL = "hold@test.iam.gserviceaccount.com";
const MESSAGE_BYTES_MAX = 32_000;
const NOW = Date.UTC(2026, 0, 5, 9) / 1_000;

/** Made once: a key takes longer than all that it is used for. */
const keys = {
  account: generateKeyPair("RS256", { extractable: true }),
  google: generateKeyPair("RS256"),
  other: generateKeyPair("RS256"),
};

type Press = { label: string; token: string; field: string };
type Message = { name: string; space: string; thread: string | undefined; body: unknown };
type Webhook = Parameters<NonNullable<FakeVendor["attach"]>>[0];
type Request = Parameters<Webhook>[0];
type State = {
  messages: Message[];
  requests: Map<string, Message>;
  events: { payload: object; isAcknowledged: boolean; isOut: boolean }[];
  waiting: Set<() => void>;
  numbers: number;
};

const no = (status: number, message: string): FakeAnswer => ({ status, json: { error: { code: status, message } } });
const tooMany = (afterMs: number): FakeAnswer => ({
  json: {
    error: {
      code: 429,
      message: "Resource exhausted",
    },
  },
  status: 429,
  headers: { "retry-after": String(afterMs / 1e3) },
});

const widgetsOf = (body: unknown): unknown[] =>
  (field(body, "cardsV2", 0, "card", "sections", 0, "widgets") ?? []) as unknown[];

const pressesOf = (body: unknown): Press[] =>
  widgetsOf(body)
    .flatMap((widget) => (field(widget, "buttonList", "buttons") ?? []) as unknown[])
    .map((button) => {
      const given = (field(button, "onClick", "action", "parameters") ?? []) as { key: string; value: string }[];
      const of = (key: string): string => given.find((one) => one.key === key)?.value ?? "";
      return { label: textField(button, "text"), token: of("token"), field: of("field") };
    });

function seen({ name, body }: Message): SeenMessage {
  const html = widgetsOf(body)
    .map((widget) => textField(widget, "textParagraph", "text"))
    .join("");
  const raw = html.replaceAll("<br>", "\n").replaceAll("\u00A0", " ");
  const text = raw
    .replace(/<\/?(?:b|s|code)>/g, "")
    .replace(/&(?:lt|gt|amp|quot);/g, (entity) => ({ "&lt;": "<", "&gt;": ">", "&quot;": '"' })[entity] ?? "&");
  return { id: name, text, raw, buttons: pressesOf(body).map(({ label, token }) => ({ label, data: token })) };
}

const wake = ({ waiting }: State): void => {
  for (const one of waiting) one();
  waiting.clear();
};

async function pubsub({ path, json, gone }: FakeCall, state: State): Promise<FakeAnswer> {
  const ids = ((field(json, "ackIds") ?? []) as string[]).map((id) => state.events[Number(id)]);
  if (path.endsWith(":acknowledge")) return (ids.forEach((one) => one && (one.isAcknowledged = true)), { json: {} });
  if (path.endsWith(":modifyAckDeadline")) return (ids.forEach((one) => one && (one.isOut = false)), { json: {} });
  const due = () =>
    state.events
      .flatMap((one, at) => (one.isAcknowledged || one.isOut ? [] : [at]))
      .slice(0, Number(field(json, "maxMessages")));
  if (due().length === 0) {
    const awake = Promise.withResolvers<void>();
    state.waiting.add(awake.resolve);
    await Promise.race([awake.promise, gone]);
    state.waiting.delete(awake.resolve);
  }
  const received = due().flatMap((at) => {
    const one = state.events[at];
    if (one === undefined) return [];
    one.isOut = true;
    return [
      {
        ackId: String(at),
        message: { data: Buffer.from(JSON.stringify(one.payload)).toString("base64"), messageId: String(at) },
      },
    ];
  });
  return { json: received.length === 0 ? {} : { receivedMessages: received } };
}

function posted({ json, query, bytes }: FakeCall, space: string, state: State): FakeAnswer {
  if (bytes.length > MESSAGE_BYTES_MAX) return no(400, "message too large");
  if (textField(widgetsOf(json)[0], "textParagraph", "text") === "") return no(400, "empty message");
  const id = query.get("requestId") ?? "";
  const known = state.requests.get(id);
  if (known !== undefined) return { json: { name: known.name } };
  const thread = field(json, "thread", "name") === undefined ? undefined : textField(json, "thread", "name");
  const message = { name: `${space}/messages/m${++state.numbers}`, space, thread, body: json };
  state.messages.push(message);
  state.requests.set(id, message);
  return { json: { name: message.name } };
}

type Claims = { audience?: string; issuer?: string; at?: number; by?: "other" };
type World = {
  state: State;
  troubles: Troubles;
  http: FakeHttp;
  isWebhook: boolean;
  webhook: Webhook | undefined;
  /** Requests follow each other, as they do for a space. */
  lane: Promise<unknown>;
};

export type FakeGoogleChat = VendorWorld & {
  chat: State & {
    signed(payload: object, claims?: Claims): Promise<Request>;
    event(change: object, by?: Writing): object;
  };
};

async function answer(call: FakeCall, world: World): Promise<FakeAnswer> {
  const { path, headers, bytes } = call;
  if (path === "/token") return loggedIn(new URLSearchParams(bytes.toString("utf8")), `${world.http.url}/token`);
  if (path === "/keys") {
    const key = await exportJWK((await keys.google).publicKey);
    return { json: { keys: [{ ...key, kid: "g1", use: "sig" }] } };
  }
  if (headers.authorization !== "Bearer google-access") return no(401, "unauthenticated");
  if (path === `/v1/${SUBSCRIPTION}`) return { json: { name: SUBSCRIPTION } };
  if (path.startsWith(`/v1/${SUBSCRIPTION}:`)) return pubsub(call, world.state);
  return path === "/v1/spaces" ? { json: { spaces: [] } } : chat(call, world);
}

async function loggedIn(form: URLSearchParams, audience: string): Promise<FakeAnswer> {
  const { publicKey } = await keys.account;
  const about = { audience, issuer: EMAIL, currentDate: new Date(NOW * 1_000), clockTolerance: 10 ** 9 };
  const isOurs = await jwtVerify(form.get("assertion") ?? "", publicKey, about).then(
    () => true,
    () => false,
  );
  return isOurs
    ? { json: { access_token: "google-access", expires_in: 3_599 } }
    : { status: 400, json: { error: "invalid_grant" } };
}

function chat(call: FakeCall, { state, troubles }: World): FakeAnswer | Promise<FakeAnswer> {
  const { method, path, bytes, json } = call;
  const [, name] = /^\/v1\/(spaces\/[\w-]+\/messages\/\w+)$/.exec(path) ?? [];
  if (name !== undefined && method === "PATCH") {
    const found = state.messages.find((one) => one.name === name);
    if (found === undefined || bytes.length > MESSAGE_BYTES_MAX) return no(404, "not found");
    found.body = json;
    return { json: { name } };
  }
  const [, space] = /^\/v1\/(spaces\/[\w-]+)\/messages$/.exec(path) ?? [];
  return space === undefined ? no(404, "not found") : troubles.around(() => posted(call, space, state));
}

async function signed(payload: object, claims: Claims = {}): Promise<Request> {
  const { audience = PROJECT, issuer = "chat@system.gserviceaccount.com", at = NOW, by } = claims;
  const { privateKey } = await (by === "other" ? keys.other : keys.google);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "RS256", kid: "g1" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(at)
    .setExpirationTime(at + 3_600)
    .sign(privateKey);
  const body = new TextEncoder().encode(JSON.stringify(payload));
  return { method: "POST", path: "", headers: { authorization: `Bearer ${token}` }, body };
}

function push(one: State["events"][number], world: World): void {
  if (!world.isWebhook) return wake(world.state);
  const work = async (): Promise<void> => {
    const given = await world.webhook?.(await signed(one.payload));
    one.isAcknowledged ||= given?.status === 200;
  };
  world.lane = world.lane.then(work).catch(() => undefined);
}

const spaceOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
  group === undefined ? `spaces/dm${person}` : `spaces/room${group.replace("-", "")}`;

const eventOf = (change: object, by: Writing, state: State): object => ({
  eventTime: new Date((NOW + ++state.numbers) * 1_000).toISOString(),
  space: {
    name: spaceOf(by),
    type: by.group === undefined ? "DM" : "ROOM",
    spaceType: by.group === undefined ? "DIRECT_MESSAGE" : "SPACE",
  },
  user: { name: `users/${by.person ?? "501"}`, displayName: by.name ?? "Alice", type: "HUMAN" },
  ...change,
});

function happen(payload: object, world: World): void {
  const one = { payload, isAcknowledged: false, isOut: false };
  world.state.events.push(one);
  push(one, world);
}

type Pressing = { by: Writing; words?: string; world: World };

function press(message: SeenMessage, button: number, { by, words, world }: Pressing): void {
  const found = world.state.messages.find(({ name }) => name === message.id);
  const pressed = pressesOf(found?.body)[button];
  const parameters = [
    { key: "token", value: pressed?.token },
    { key: "field", value: pressed?.field },
  ];
  const formInputs = words === undefined ? {} : { [pressed?.field ?? ""]: { stringInputs: { value: [words] } } };
  const thread = found?.thread === undefined ? {} : { thread: { name: found.thread }, threadReply: true };
  const clicked = { type: "CARD_CLICKED", message: { name: message.id, ...thread }, common: { formInputs } };
  const action = { actionMethodName: "holdpoint", parameters };
  happen(eventOf({ ...clicked, action }, by, world.state), world);
}

const attached = ({ file }: Writing): object =>
  file === undefined ? {} : { attachment: [{ name: "attachments/1", contentName: file.name }] };

function write(text: string, by: Writing, world: World): void {
  const number = ++world.state.numbers;
  const annotations = [{ type: "USER_MENTION", userMention: { user: { name: "users/app", type: "BOT" } } }];
  const named = { text: `@Hold ${text}`, argumentText: ` ${text}`, annotations };
  const said = by.mentions === true ? named : { text, argumentText: text };
  const started = { thread: { name: `${spaceOf(by)}/threads/t${number}` } };
  const thread = by.thread === undefined ? started : { thread: { name: by.thread }, threadReply: true };
  const message = { name: `${spaceOf(by)}/messages/w${number}`, ...thread, ...said, ...attached(by) };
  happen(eventOf({ type: "MESSAGE", message }, by, world.state), world);
}

function sendAgain(count: number, world: World): void {
  const { events } = world.state;
  const from = events.length - count;
  for (const [at, one] of events.slice().entries()) {
    if (one.isAcknowledged && at < from) continue;
    const again = world.isWebhook || !one.isAcknowledged ? one : { ...one, isAcknowledged: false };
    if (again !== one) events.push(again); // Pub/Sub delivers at least once
    again.isOut = false;
    push(again, world);
  }
}

function vendorOf(world: World): FakeVendor {
  const { state, troubles, http } = world;
  return {
    conversation: spaceOf,
    groupId: (name) => spaceOf({ group: name }),
    attach: (given) => void (world.webhook = given),
    write: (text, by = {}) => write(text, by, world),
    press: (message, button, by = {}) => press(message, button, { by, world }),
    async submit(message, button, { words, ...by }) {
      press(message, button, { words, by, world });
    },
    sendAgain: (count) => sendAgain(count, world),
    acknowledged: () => state.events.filter(({ isAcknowledged }) => isAcknowledged).length,
    messages: (conversation) =>
      state.messages.filter(({ space, thread }) => (thread ?? space) === conversation).map(seen),
    tells: world.isWebhook ? undefined : "poll",
    threads: {
      names: ["spaces/room600/threads/first", "spaces/room600/threads/second"],
      sent: () => state.messages.map((one) => ({ text: seen(one).text, thread: one.thread })),
    },
    ...fakeFrame({ http, troubles, messages: { all: state.messages, idOf: ({ name }) => name } }),
    connections: () => state.waiting.size,
    async close() {
      wake(state);
      await http.close();
    },
  };
}

export async function startFakeGoogleChat(settings: object = {}): Promise<FakeGoogleChat> {
  const state: State = { messages: [], requests: new Map(), events: [], waiting: new Set(), numbers: 0 };
  const http = await startFakeHttp({ answer: (call) => answer(call, world) });
  const isWebhook = field(settings, "mode") === "webhook";
  const troubles = createTroubles(tooMany);
  const world: World = { state, troubles, http, isWebhook, webhook: undefined, lane: Promise.resolve() };
  const pem = await exportPKCS8((await keys.account).privateKey);
  const key = { type: "service_account", client_email: EMAIL, private_key: pem, token_uri: `${http.url}/token` };
  const roots = { chatRoot: http.url, pubsubRoot: http.url, keysUrl: `${http.url}/keys` };
  const base = { kind: "google-chat", serviceAccount: JSON.stringify(key), subscription: SUBSCRIPTION, ...roots };
  return {
    settings: ChannelSettings.parse({ ...base, ...settings }),
    vendor: vendorOf(world),
    chat: Object.assign(state, {
      signed,
      event: (change: object, by: Writing = {}) => eventOf(change, by, state),
    }),
  };
}
