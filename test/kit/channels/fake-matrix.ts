/**
 * A homeserver of Matrix in memory: sync with long polls and limited timelines, transactions that are known again, edits as
 * relations, reactions, media, invites, encrypted rooms. What the next sync begins behind counts as acknowledged.
 */
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

const MATRIX_TOKEN = "syt_test";
const ME = "@hold:example.org";
const EVENT_BYTES_MAX = 65_536;

type Content = Record<string, unknown>;
type Event = { type: string; event_id: string; room: string; sender: string; content: Content; isGone?: boolean };
type State = {
  log: Event[];
  transactions: Map<string, string>;
  media: Map<string, string>;
  encrypted: Set<string>;
  /** Rooms that we are not in any more. */
  forbidden: Set<string>;
  invites: Map<string, object[]>;
  answered: string[];
  since: number;
  limit: number;
  numbers: number;
  waiting: Set<() => void>;
};

const no = (status: number, errcode: string): FakeAnswer => ({ status, json: { errcode, error: "" } });
const tooMany = (afterMs: number): FakeAnswer => ({
  status: 429,
  headers: { "retry-after": String(Math.ceil(afterMs / 1_000)) },
  json: { errcode: "M_LIMIT_EXCEEDED", error: "Too Many Requests", retry_after_ms: afterMs },
});

const wake = ({ waiting }: State): void => {
  for (const one of waiting) one();
  waiting.clear();
};

function put(event: Omit<Event, "event_id">, state: State): string {
  const made = { ...event, event_id: `$e${++state.numbers}` };
  state.log.push(made);
  wake(state);
  return made.event_id;
}

const replacedBy = (id: string, { log }: State): Event | undefined =>
  log.findLast(
    ({ content, sender }) =>
      sender === ME &&
      field(content, "m.relates_to", "rel_type") === "m.replace" &&
      field(content, "m.relates_to", "event_id") === id,
  );

/** As servers bundle it: the newest edit stands beside what it edits. */
function wire({ room: _room, isGone = false, ...event }: Event, state: State): object {
  if (isGone) return { ...event, content: {}, unsigned: { redacted_because: { type: "m.room.redaction" } } };
  const edit = replacedBy(event.event_id, state);
  return edit === undefined
    ? event
    : { ...event, unsigned: { "m.relations": { "m.replace": { content: edit.content } } } };
}

async function sync({ query, gone }: FakeCall, state: State): Promise<FakeAnswer> {
  const given = query.get("since");
  if (given === null) return { json: { next_batch: `s${state.log.length}`, rooms: { invite: invitesOf(state) } } };
  const since = Number(given.slice(1));
  state.since = since;
  if (state.log.length === since && state.invites.size === 0) {
    const awake = Promise.withResolvers<void>();
    state.waiting.add(awake.resolve);
    await Promise.race([awake.promise, gone]);
    state.waiting.delete(awake.resolve);
  }
  const fresh = state.log.slice(since);
  const join: Record<string, object> = {};
  for (const room of new Set(fresh.map((one) => one.room))) {
    const all = fresh.filter((one) => one.room === room);
    const shown = all.slice(-state.limit);
    const first = state.log.findIndex((one) => one === shown[0]);
    const events = shown.map((one) => wire(one, state));
    join[room] = { timeline: { events, limited: shown.length < all.length, prev_batch: `s${first}` } };
  }
  return { json: { next_batch: `s${state.log.length}`, rooms: { join, invite: invitesOf(state) } } };
}

function invitesOf({ invites }: State): object {
  const found = Object.fromEntries([...invites].map(([room, events]) => [room, { invite_state: { events } }]));
  invites.clear();
  return found;
}

/** Backwards from a place to another, two at a time, so that there are pages. */
function messages(room: string, query: URLSearchParams, state: State): FakeAnswer {
  const [from, to] = [Number(query.get("from")?.slice(1)), Number(query.get("to")?.slice(1))];
  const found = state.log
    .flatMap((one, at) => (one.room === room && at < from && at >= to ? [at] : []))
    .slice(-2)
    .toReversed();
  const chunk = found.flatMap((at) => state.log[at] ?? []).map((one) => wire(one, state));
  return { json: { chunk, start: `s${from}`, ...(found.length === 0 ? {} : { end: `s${found.at(-1)}` }) } };
}

function inRoom(call: FakeCall, world: World): FakeAnswer | Promise<FakeAnswer> {
  const { state } = world;
  const [, encoded = "", rest = ""] = /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/(.*)$/.exec(call.path) ?? [];
  const room = decodeURIComponent(encoded);
  const [verb = ""] = rest.split("/");
  if (state.forbidden.has(room)) return no(403, "M_FORBIDDEN");
  switch (verb) {
    case "joined_members": {
      const people = room.startsWith("!d") ? ["@a:example.org"] : ["@a:example.org", "@b:example.org"];
      return { json: { joined: Object.fromEntries([ME, ...people].map((one) => [one, {}])) } };
    }
    case "state":
      return state.encrypted.has(room) ? { json: { algorithm: "m.megolm.v1.aes-sha2" } } : no(404, "M_NOT_FOUND");
    case "join":
    case "leave":
      state.answered.push(`${verb} ${room}`);
      return { json: { room_id: room } };
    case "messages":
      return messages(room, call.query, state);
    case "event": {
      const id = decodeURIComponent(rest.slice("event/".length));
      const found = state.log.find((one) => one.event_id === id && one.room === room);
      return found === undefined ? no(404, "M_NOT_FOUND") : { json: wire(found, state) };
    }
    case "send":
      return sent(call, { room, rest }, world);
    default:
      return no(404, "M_UNRECOGNIZED");
  }
}

function sent(call: FakeCall, { room, rest }: { room: string; rest: string }, { state, troubles }: World) {
  const [, type = "", txn = ""] = rest.split("/");
  const take = (): FakeAnswer => {
    if (call.bytes.length > EVENT_BYTES_MAX - 1_000) return no(413, "M_TOO_LARGE");
    const known = state.transactions.get(`${type} ${txn}`);
    const event_id = known ?? put({ type, room, sender: ME, content: call.json as Content }, state);
    state.transactions.set(`${type} ${txn}`, event_id);
    return { json: { event_id } };
  };
  const isQuiet = type === "m.reaction" || field(call.json, "m.new_content") !== undefined;
  return isQuiet ? take() : troubles.around(take);
}

const plainOf = (html: string): string =>
  html
    .replace(/<\/?(?:b|s|code)>/g, "")
    .replace(/&(?:lt|gt|amp|quot);/g, (entity) => ({ "&lt;": "<", "&gt;": ">", "&quot;": '"' })[entity] ?? "&");

function seen(event: Event, state: State): SeenMessage {
  const content = (field(replacedBy(event.event_id, state)?.content, "m.new_content") ?? event.content) as Content;
  const raw = textField(content, "formatted_body").replaceAll("<br>", "\n").replaceAll("\u00A0", " ");
  const buttons = (content["io.holdpoint.buttons"] ?? []) as { label: string; token: string }[];
  const file =
    content["msgtype"] === "m.file"
      ? { name: textField(content, "filename"), text: state.media.get(textField(content, "url")) ?? "" }
      : undefined;
  return {
    id: event.event_id,
    text: plainOf(raw),
    raw,
    buttons: buttons.map(({ label, token }) => ({ label, data: token })),
    file,
  };
}

type Happening = { room: string; sender?: string; type?: string; content: Content };
type World = { state: State; troubles: Troubles; http: FakeHttp };

export type FakeMatrix = VendorWorld & { matrix: State & { happen(event: Happening): string } };

function answer(call: FakeCall, world: World): FakeAnswer | Promise<FakeAnswer> {
  const { state, troubles } = world;
  const { path, headers, query, bytes } = call;
  if (headers.authorization !== `Bearer ${MATRIX_TOKEN}`) return no(401, "M_UNKNOWN_TOKEN");
  if (path === "/_matrix/client/v3/account/whoami") return { json: { user_id: ME, device_id: "D1" } };
  if (path.startsWith("/_matrix/client/v3/profile/")) return { json: { displayname: "Hold" } };
  if (path === "/_matrix/client/v3/sync") return sync(call, state);
  const [, loaded] = /^\/_matrix\/client\/v1\/media\/download\/(.+)$/.exec(path) ?? [];
  if (loaded !== undefined) return { bytes: Buffer.from(state.media.get(`mxc://${loaded}`) ?? "") };
  if (path !== "/_matrix/media/v3/upload") return inRoom(call, world);
  if (troubles.filesRefused()) return no(403, "M_FORBIDDEN");
  const uri = `mxc://example.org/${query.get("filename") ?? ""}-${++state.numbers}`;
  state.media.set(uri, bytes.toString("utf8"));
  return { json: { content_uri: uri } };
}

const roomOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
  group === undefined ? `!d${person}:example.org` : `!g${group.replace("-", "")}:example.org`;
const userOf = ({ person = "501" }: Writing): string => `@u${person}:example.org`;
const isPersons = ({ sender }: Event): boolean => sender !== ME;

const threadOf = ({ content }: Event): string | undefined =>
  field(content, "m.relates_to", "rel_type") === "m.thread"
    ? textField(content, "m.relates_to", "event_id")
    : undefined;

const isShown = ({ type, sender, content, isGone }: Event): boolean =>
  type === "m.room.message" && sender === ME && isGone !== true && content["m.new_content"] === undefined;

function isShownIn(conversation: string, event: Event): boolean {
  const thread = threadOf(event);
  const place = thread === undefined ? event.room : `${event.room}:thread:${thread}`;
  return isShown(event) && place === conversation;
}

/** In a thread each message also answers one, for clients that know no threads. */
function relationOf({ replyTo, thread }: Writing): object {
  if (thread !== undefined) {
    const fallback = { is_falling_back: true, "m.in_reply_to": { event_id: thread } };
    return { "m.relates_to": { rel_type: "m.thread", event_id: thread, ...fallback } };
  }
  return replyTo === undefined ? {} : { "m.relates_to": { "m.in_reply_to": { event_id: replyTo } } };
}

function sentFile({ name: filename, text }: NonNullable<Writing["file"]>, state: State) {
  const url = `mxc://example.org/sent${++state.numbers}`;
  state.media.set(url, text);
  return { msgtype: "m.file", filename, url, info: { size: text.length } };
}

function write(text: string, by: Writing, state: State): void {
  const named = by.mentions === true ? { body: `Hold: ${text}`, "m.mentions": { user_ids: [ME] } } : { body: text };
  const content = {
    msgtype: "m.text",
    ...named,
    ...relationOf(by),
    ...(by.file === undefined ? {} : sentFile(by.file, state)),
  };
  put({ type: "m.room.message", room: roomOf(by), sender: userOf(by), content }, state);
}

function vendorOf({ state, troubles, http }: World): FakeVendor {
  return {
    conversation: roomOf,
    groupId: (name) => roomOf({ group: name }),
    write: (text, by = {}) => write(text, by, state),
    press(message, button, by = {}) {
      const relation = { rel_type: "m.annotation", event_id: message.id, key: `${button + 1}\uFE0F\u20E3` };
      put({ type: "m.reaction", room: roomOf(by), sender: userOf(by), content: { "m.relates_to": relation } }, state);
    },
    sendAgain: () => undefined, // a server sends again what the next sync asks for, and nothing else
    acknowledged: () => state.log.slice(0, state.since).filter(isPersons).length,
    messages: (conversation) => state.log.filter((one) => isShownIn(conversation, one)).map((one) => seen(one, state)),
    tells: "poll",
    threads: {
      names: ["$first", "$second"],
      sent: () => state.log.filter(isShown).map((one) => ({ text: seen(one, state).text, thread: threadOf(one) })),
    },
    ...fakeFrame({ http, troubles }),
    remove(_conversation, id) {
      for (const one of state.log) if (one.event_id === id) one.isGone = true;
    },
    connections: () => state.waiting.size,
    async close() {
      wake(state);
      await http.close();
    },
  };
}

export async function startFakeMatrix(settings: object = {}): Promise<FakeMatrix> {
  const state: State = {
    log: [],
    transactions: new Map(),
    media: new Map(),
    encrypted: new Set(),
    forbidden: new Set(),
    invites: new Map(),
    answered: [],
    since: 0,
    limit: 50,
    numbers: 0,
    waiting: new Set(),
  };
  const http = await startFakeHttp({ answer: (call) => answer(call, world) });
  const world: World = { state, troubles: createTroubles(tooMany), http };
  const base = { kind: "matrix", homeserver: http.url, accessToken: MATRIX_TOKEN };
  const happen = ({ room, sender = "@u501:example.org", type = "m.room.message", content }: Happening): string =>
    put({ type, room, sender, content }, state);
  return {
    settings: ChannelSettings.parse({ ...base, ...settings }),
    vendor: vendorOf(world),
    matrix: Object.assign(state, { happen }),
  };
}
