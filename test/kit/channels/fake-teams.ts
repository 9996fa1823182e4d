/**
 * Microsoft's side of Teams in memory: log-in, keys, connector, and the signed requests that it makes. Its cards are typed by
 * @microsoft/teams.cards. It refuses unknown tokens, cards that are too large, actions of unknown kinds, messages that are gone.
 */
import type { IAdaptiveCard, IExecuteAction, IRichTextBlock, IShowCardAction, ITextRun } from "@microsoft/teams.cards";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
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

export const TEAMS = { appId: "11111111-aaaa-bbbb-cccc-000000000001", password: "s3cret", tenantId: "tenant-1" };
const BOT = `28:${TEAMS.appId}`;
const CARD_BYTES_MAX = 28 * 1024;
const ISSUER = "https://api.botframework.com";
const NOW = Date.UTC(2026, 0, 5, 9) / 1_000;

/** Made once: a key takes longer than all that it is used for. */
const keys = { own: generateKeyPair("RS256"), other: generateKeyPair("RS256") };

type Message = { id: string; conversation: string; text: string; card: IAdaptiveCard | undefined };
type Webhook = Parameters<NonNullable<FakeVendor["attach"]>>[0];
type Request = Parameters<Webhook>[0];
type Press = { title: string; data: { token: string; field: string }; asksText: boolean };
type State = {
  messages: Message[];
  sent: { activity: object; isAcknowledged: boolean }[];
  toasts: string[];
  numbers: number;
};

const no = (status: number): FakeAnswer => ({ status, json: { error: { code: "BadSyntax" } } });
const tooMany = (afterMs: number): FakeAnswer => ({
  status: 429,
  headers: { "retry-after": String(afterMs / 1_000) },
  json: {},
});

function pressesOf(card: IAdaptiveCard | undefined): Press[] {
  return (card?.actions ?? []).map((action) => {
    const shown = action as IShowCardAction | IExecuteAction;
    const execute = (shown.type === "Action.ShowCard" ? shown.card?.actions?.[0] : shown) as IExecuteAction;
    return {
      title: execute.title ?? "",
      data: execute.data as unknown as Press["data"],
      asksText: shown.type === "Action.ShowCard",
    };
  });
}

const linesOf = (card: IAdaptiveCard | undefined): string =>
  (card?.body ?? [])
    .map((block) => ((block as IRichTextBlock).inlines as ITextRun[]).map(({ text }) => text).join(""))
    .join("\n");

function problemOf(json: unknown): FakeAnswer | undefined {
  const card = field(json, "attachments", 0, "content") as IAdaptiveCard | undefined;
  if (card === undefined) return textField(json, "text") === "" ? no(400) : undefined;
  const isOdd = (card.actions ?? []).some(({ type }) => type !== "Action.Execute" && type !== "Action.ShowCard");
  const isFlat = (card.body ?? []).every((block) => block.type === "RichTextBlock");
  return isOdd || !isFlat || JSON.stringify(card).length > CARD_BYTES_MAX ? no(400) : undefined;
}

const seen = ({ id, text, card }: Message): SeenMessage => {
  const raw = card === undefined ? text : linesOf(card);
  return {
    id,
    text: raw.replace(/[\u200B\u2060]/g, ""),
    raw,
    buttons: pressesOf(card).map(({ title, data }) => ({ label: title, data: data.token })),
  };
};

type Claims = { audience?: string; issuer?: string; serviceUrl?: string; at?: number; by?: "other" };
type World = {
  state: State;
  troubles: Troubles;
  http: FakeHttp;
  serviceUrl: string;
  webhook: Webhook | undefined;
  /** Requests follow each other, as they do for a conversation. */
  lane: Promise<unknown>;
};

export type FakeTeams = VendorWorld & {
  teams: State & { signed(activity: object, claims?: Claims): Promise<Request>; activity(change?: object): object };
};

async function answer(call: FakeCall, world: World): Promise<FakeAnswer> {
  const { path, bytes } = call;
  switch (path) {
    case `/${TEAMS.tenantId}/oauth2/v2.0/token`:
      return loggedIn(new URLSearchParams(bytes.toString("utf8")));
    case "/openid":
      return { json: { issuer: ISSUER, jwks_uri: `${world.http.url}/keys` } };
    case "/keys": {
      const key = await exportJWK((await keys.own).publicKey);
      return { json: { keys: [{ ...key, kid: "k1", use: "sig", endorsements: ["msteams"] }] } };
    }
    default:
      return connector(call, world);
  }
}

function loggedIn(form: URLSearchParams): FakeAnswer {
  const given = [form.get("client_id"), form.get("client_secret"), form.get("scope")].join(" ");
  return given === `${TEAMS.appId} ${TEAMS.password} https://api.botframework.com/.default`
    ? { json: { token_type: "Bearer", expires_in: 3_599, access_token: "bot-access" } }
    : { status: 401, json: { error: "invalid_client" } };
}

function connector({ method, path, headers, json }: FakeCall, { state, troubles }: World) {
  const [, encoded = "", , id] = /^\/teams\/v3\/conversations\/([^/]+)\/activities(\/(\w+))?$/.exec(path) ?? [];
  if (encoded === "") return no(404);
  if (headers.authorization !== "Bearer bot-access") return no(401);
  const card = field(json, "attachments", 0, "content") as IAdaptiveCard | undefined;
  const made = { text: textField(json, "text"), card };
  const take = (): FakeAnswer => {
    const problem = problemOf(json);
    if (problem !== undefined) return problem;
    const known = state.messages.find((one) => one.id === id);
    if (method === "PUT") return known === undefined ? no(404) : (Object.assign(known, made), { json: { id } });
    const message = { id: `a${++state.numbers}`, conversation: decodeURIComponent(encoded), ...made };
    state.messages.push(message);
    return { status: 201, json: { id: message.id } };
  };
  return method === "PUT" ? take() : troubles.around(take);
}

async function signed(activity: object, claims: Claims, serviceUrl: string): Promise<Request> {
  const { audience = TEAMS.appId, issuer = ISSUER, at = NOW, by } = claims;
  const { privateKey } = await (by === "other" ? keys.other : keys.own);
  const token = await new SignJWT({ serviceurl: claims.serviceUrl ?? serviceUrl })
    .setProtectedHeader({ alg: "RS256", kid: "k1", typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setNotBefore(at)
    .setExpirationTime(at + 3_600)
    .sign(privateKey);
  const body = new TextEncoder().encode(JSON.stringify(activity));
  return { method: "POST", path: "", headers: { authorization: `Bearer ${token}` }, body };
}

function push(one: State["sent"][number], world: World): void {
  const work = async (): Promise<void> => {
    const given = await world.webhook?.(await signed(one.activity, {}, world.serviceUrl));
    if (given?.status !== 200) return;
    one.isAcknowledged = true;
    const said = textField(JSON.parse(given.body), "value");
    if (said !== "") world.state.toasts.push(said);
  };
  world.lane = world.lane.then(work).catch(() => undefined);
}

function conversationOf({ person = "501", group, thread }: Pick<Writing, "person" | "group" | "thread">): string {
  if (group === undefined) return `a:${person}`;
  const channel = `19:${group.replace("-", "")}@thread.tacv2`;
  return thread === undefined ? channel : `${channel};messageid=${thread}`;
}

const activityOf = (change: object, by: Writing, { state, serviceUrl }: World) => ({
  type: "message",
  id: `i${++state.numbers}`,
  channelId: "msteams",
  serviceUrl,
  from: { id: `29:${by.person ?? "501"}`, name: by.name ?? "Alice", aadObjectId: `aad-${by.person ?? "501"}` },
  recipient: { id: BOT, name: "Hold" },
  conversation: {
    id: conversationOf(by),
    conversationType: by.group === undefined ? "personal" : "channel",
    tenantId: TEAMS.tenantId,
  },
  channelData: { tenant: { id: TEAMS.tenantId } },
  ...change,
});

function happen(activity: object, world: World): void {
  const one = { activity, isAcknowledged: false };
  world.state.sent.push(one);
  push(one, world);
}

type Pressing = { by: Writing; words?: string; world: World };

function press(message: SeenMessage, button: number, { by, words, world }: Pressing): void {
  const found = pressesOf(world.state.messages.find(({ id }) => id === message.id)?.card)[button];
  const filled = words === undefined || found === undefined ? {} : { [found.data.field]: words };
  const action = {
    type: "Action.Execute",
    title: found?.title,
    verb: "holdpoint",
    data: { ...found?.data, ...filled },
  };
  const invoke = { type: "invoke", name: "adaptiveCard/action", replyToId: message.id };
  happen(activityOf({ ...invoke, value: { action, trigger: "manual" } }, by, world), world);
}

function write(text: string, by: Writing, world: World): void {
  const mention = { type: "mention", text: "<at>Hold</at>", mentioned: { id: BOT, name: "Hold" } };
  const said = by.mentions === true ? { text: `<at>Hold</at> ${text}`, entities: [mention] } : { text };
  const html = { contentType: "text/html", content: `<p>${text}</p>` };
  const info = { contentType: "application/vnd.microsoft.teams.file.download.info", name: by.file?.name };
  const attachments = by.file === undefined ? [html] : [html, info];
  happen(activityOf({ ...said, attachments }, by, world), world);
}

function vendorOf(world: World): FakeVendor {
  const { state, troubles, http } = world;
  return {
    conversation: conversationOf,
    groupId: (name) => conversationOf({ group: name }),
    attach: (given) => void (world.webhook = given),
    write: (text, by = {}) => write(text, by, world),
    press: (message, button, by = {}) => press(message, button, { by, world }),
    async submit(message, button, { words, ...by }) {
      press(message, button, { words, by, world });
    },
    ...sentUntilAcknowledged(state.sent, (one) => push(one, world)),
    messages: (conversation) => state.messages.filter((one) => one.conversation === conversation).map(seen),
    threads: {
      names: ["1700", "1701"],
      sent: () =>
        state.messages.map((one) => ({
          text: seen(one).text,
          thread: /;messageid=(\d+)$/.exec(one.conversation)?.[1],
        })),
    },
    ...fakeFrame({ http, troubles, toasts: state.toasts, messages: { all: state.messages, idOf: ({ id }) => id } }),
  };
}

export async function startFakeTeams(settings: object = {}): Promise<FakeTeams> {
  const state: State = { messages: [], sent: [], toasts: [], numbers: 0 };
  const http = await startFakeHttp({ answer: (call) => answer(call, world) });
  const serviceUrl = `${http.url}/teams`;
  const troubles = createTroubles(tooMany);
  const world: World = { state, troubles, http, serviceUrl, webhook: undefined, lane: Promise.resolve() };
  const addresses = { serviceUrl, loginRoot: http.url, openIdUrl: `${http.url}/openid` };
  const bot = { appId: TEAMS.appId, appPassword: TEAMS.password, tenantId: TEAMS.tenantId };
  return {
    settings: ChannelSettings.parse({ kind: "teams", ...bot, ...addresses, ...settings }),
    vendor: vendorOf(world),
    teams: Object.assign(state, {
      signed: (activity: object, claims: Claims = {}) => signed(activity, claims, serviceUrl),
      activity: (change: object = {}) => activityOf(change, {}, world),
    }),
  };
}
