/**
 * Microsoft's side of Teams in memory: log-in, keys, connector, and the signed requests that it makes. Its cards are typed by
 * @microsoft/teams.cards. It refuses unknown tokens, cards that are too large, actions of unknown kinds, messages that are gone.
 */
import type { IAdaptiveCard, IExecuteAction, IRichTextBlock, IShowCardAction, ITextRun } from "@microsoft/teams.cards";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { FakeVendor, SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { createTroubles, type FakeAnswer, type FakeCall, field, startFakeHttp, textField } from "./fake-http.ts";

export const TEAMS = { appId: "11111111-aaaa-bbbb-cccc-000000000001", password: "s3cret", tenantId: "tenant-1" };
const BOT = `28:${TEAMS.appId}`;
const CARD_BYTES_MAX = 28 * 1024;
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
export type FakeTeams = VendorWorld & {
  teams: State & {
    signed(activity: object, claims?: Claims): Promise<Request>;
    activity(change?: object): object & { serviceUrl: string };
  };
};

export async function startFakeTeams(settings: object = {}): Promise<FakeTeams> {
  const state: State = { messages: [], sent: [], toasts: [], numbers: 0 };
  const troubles = createTroubles(tooMany);
  let webhook: Webhook | undefined;
  const [own, other] = [await keys.own, await keys.other];

  async function answer({ method, path, headers, json, bytes }: FakeCall): Promise<FakeAnswer> {
    if (path === `/${TEAMS.tenantId}/oauth2/v2.0/token`) {
      const form = new URLSearchParams(bytes.toString("utf8"));
      const isKnown =
        form.get("client_id") === TEAMS.appId &&
        form.get("client_secret") === TEAMS.password &&
        form.get("scope") === "https://api.botframework.com/.default";
      return isKnown
        ? { json: { token_type: "Bearer", expires_in: 3_599, access_token: "bot-access" } }
        : { status: 401, json: { error: "invalid_client" } };
    }
    if (path === "/openid") return { json: { issuer: "https://api.botframework.com", jwks_uri: `${http.url}/keys` } };
    if (path === "/keys")
      return {
        json: { keys: [{ ...(await exportJWK(own.publicKey)), kid: "k1", use: "sig", endorsements: ["msteams"] }] },
      };
    const [, encoded = "", , id] = /^\/teams\/v3\/conversations\/([^/]+)\/activities(\/(\w+))?$/.exec(path) ?? [];
    if (encoded === "") return no(404);
    if (headers.authorization !== "Bearer bot-access") return no(401);
    const problem = problemOf(json);
    const made = {
      text: textField(json, "text"),
      card: field(json, "attachments", 0, "content") as IAdaptiveCard | undefined,
    };
    if (method === "PUT") {
      const found = state.messages.find((one) => one.id === id);
      if (found === undefined) return no(404);
      if (problem === undefined) Object.assign(found, made);
      return problem ?? { json: { id } };
    }
    return troubles.around(() => {
      if (problem !== undefined) return problem;
      const message = { id: `a${++state.numbers}`, conversation: decodeURIComponent(encoded), ...made };
      state.messages.push(message);
      return { status: 201, json: { id: message.id } };
    });
  }
  const http = await startFakeHttp({ answer });
  const serviceUrl = `${http.url}/teams`;

  async function signed(activity: object, claims: Claims = {}): Promise<Request> {
    const { audience = TEAMS.appId, issuer = "https://api.botframework.com", at = NOW, by } = claims;
    const token = await new SignJWT({ serviceurl: claims.serviceUrl ?? serviceUrl })
      .setProtectedHeader({ alg: "RS256", kid: "k1", typ: "JWT" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setNotBefore(at)
      .setExpirationTime(at + 3_600)
      .sign(by === "other" ? other.privateKey : own.privateKey);
    return {
      method: "POST",
      path: "",
      headers: { authorization: `Bearer ${token}` },
      body: new TextEncoder().encode(JSON.stringify(activity)),
    };
  }
  async function push(one: State["sent"][number]): Promise<void> {
    const given = await webhook?.(await signed(one.activity));
    if (given?.status !== 200) return;
    one.isAcknowledged = true;
    const said = textField(JSON.parse(given.body), "value");
    if (said !== "") state.toasts.push(said);
  }
  /** In the order in which it happens, as the connector does for a conversation. */
  let lane: Promise<unknown> = Promise.resolve();
  function later(one: State["sent"][number]): void {
    lane = lane.then(() => push(one)).catch(() => undefined);
  }
  const conversationOf = ({ person = "501", group }: Pick<Writing, "person" | "group">): string =>
    group === undefined ? `a:${person}` : `19:${group.replace("-", "")}@thread.tacv2`;
  const activity = (change: object = {}, by: Writing = {}) => ({
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
  function happen(made: object): void {
    const one = { activity: made, isAcknowledged: false };
    state.sent.push(one);
    later(one);
  }
  function press(message: SeenMessage, button: number, { words, ...by }: Writing & { words?: string }): void {
    const found = pressesOf(state.messages.find(({ id }) => id === message.id)?.card)[button];
    const data = {
      ...found?.data,
      ...(words === undefined || found === undefined ? {} : { [found.data.field]: words }),
    };
    const value = {
      action: { type: "Action.Execute", title: found?.title, verb: "holdpoint", data },
      trigger: "manual",
    };
    happen(activity({ type: "invoke", name: "adaptiveCard/action", replyToId: message.id, value }, by));
  }
  const vendor: FakeVendor = {
    conversation: conversationOf,
    groupId: (name) => conversationOf({ group: name }),
    attach: (given) => void (webhook = given),
    write(text, by = {}) {
      const mention = { type: "mention", text: "<at>Hold</at>", mentioned: { id: BOT, name: "Hold" } };
      happen(activity(by.mentions === true ? { text: `<at>Hold</at> ${text}`, entities: [mention] } : { text }, by));
    },
    press: (message, button, by = {}) => press(message, button, by),
    async submit(message, button, filled) {
      press(message, button, filled);
    },
    sendAgain: (count) =>
      state.sent.filter((one, at) => !one.isAcknowledged || at >= state.sent.length - count).forEach(later),
    acknowledged: () => state.sent.filter(({ isAcknowledged }) => isAcknowledged).length,
    messages: (conversation) => state.messages.filter((one) => one.conversation === conversation).map(seen),
    toasts: () => state.toasts,
    ...troubles,
    remove: (_conversation, id) =>
      void state.messages.splice(
        state.messages.findIndex((one) => one.id === id),
        1,
      ),
    connections: () => 0,
    close: () => http.close(),
  };
  const addresses = { serviceUrl, loginRoot: http.url, openIdUrl: `${http.url}/openid` };
  const base = {
    kind: "teams",
    appId: TEAMS.appId,
    appPassword: TEAMS.password,
    tenantId: TEAMS.tenantId,
    ...addresses,
    ...settings,
  };
  return { settings: ChannelSettings.parse(base), vendor, teams: Object.assign(state, { signed, activity }) };
}
