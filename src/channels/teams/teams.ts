/** Microsoft Teams by the Bot Framework's connector: Adaptive Cards, words written in the card, threads. Its requests are signed. */
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type Sent,
  type VendorEvent,
  type VendorIo,
  type VendorPort,
  type WebhookAnswer,
  type WebhookRequest,
} from "../port.ts";
import type { TeamsSettings } from "../protocol/vendors/teams-settings.ts";
import { type AccessToken, createAccessToken } from "../wire/access-token.ts";
import { createHeldAnswers, type HeldAnswers } from "../wire/held-answers.ts";
import { bearerIn, createTokenCheck, type VerifyToken } from "../wire/signed-token.ts";
import { answerIn, isOk, refusedBy, vendorRequest } from "../wire/vendor-request.ts";
import { adaptiveCard, CARD_TYPE } from "./teams-card.ts";
import { Activity, teamsEvent, tenantOf } from "./teams-event.ts";

const TITLE = "Teams";
const ISSUER = "https://api.botframework.com";
const SCOPE = "https://api.botframework.com/.default";
/** How long a press waits for the word that is shown to who pressed. */
const HOLD_MS = 1_500;

const Token = z.object({ access_token: z.string(), expires_in: z.number() });
const OpenId = z.object({ jwks_uri: z.url() });
const Posted = z.looseObject({ id: z.string().default("") });

type Parts = { settings: TeamsSettings; webhookUrl: string | undefined; now(): number };

export const teams = defineChannel("teams", (parts) => createTeams(parts));

function createTeams(parts: Parts): VendorPort {
  const { settings, now } = parts;
  const access = createAccessToken((signal) => askToken(settings, signal), now);
  const held = createHeldAnswers<string>();
  const keysUrl = (signal: AbortSignal): Promise<string> => keysOf(settings.openIdUrl, signal);
  const verify = createTokenCheck({ title: TITLE, keysUrl, issuer: ISSUER, audience: settings.appId, now });
  let io: VendorIo | undefined;
  return {
    check: (signal) => check(parts, access, signal),
    async start(given) {
      addressOf(parts);
      await access(AbortSignal.timeout(START_MS_MAX));
      io = given;
    },
    send: (conversation, out, { signal }) => send({ settings, access, conversation, out, signal }),
    async toast(handle, text) {
      held.answer(handle, text);
    },
    async webhook(request) {
      if (io === undefined) return { status: 503, body: "{}" };
      return webhook(request, { io, verify, held, tenantId: settings.tenantId });
    },
    async stop() {
      io = undefined;
      held.close();
    },
  };
}

const START_MS_MAX = 15_000;

function addressOf({ webhookUrl }: Parts): void {
  if (webhookUrl === undefined || !webhookUrl.startsWith("https:"))
    throw new Error("Teams needs gateway.pageAddress with https, so that Microsoft's servers can reach it");
}

async function askToken({ appId, appPassword, tenantId, loginRoot }: TeamsSettings, signal: AbortSignal) {
  const url = `${loginRoot.replace(/\/$/, "")}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: appId,
    client_secret: appPassword,
    scope: SCOPE,
  });
  const answer = await vendorRequest(url, { title: TITLE, body, signal });
  if (!isOk(answer))
    throw new SendError("Microsoft does not accept application id, secret and tenant.", { retry: "later" });
  const { access_token: token, expires_in: expiresInSeconds } = answerIn(TITLE, answer.body, Token);
  return { token, expiresInSeconds };
}

async function keysOf(openIdUrl: string, signal: AbortSignal): Promise<string> {
  const answer = await vendorRequest(openIdUrl, { title: TITLE, method: "GET", signal });
  if (!isOk(answer)) throw refusedBy(TITLE, answer, "its keys cannot be read");
  return answerIn(TITLE, answer.body, OpenId).jwks_uri;
}

async function check(parts: Parts, access: AccessToken, signal: AbortSignal): Promise<Checked> {
  try {
    await access(signal);
    await keysOf(parts.settings.openIdUrl, signal);
    addressOf(parts);
    return { ok: true, me: `bot ${parts.settings.appId}` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem,
      fix: "Look at the bot in the Azure portal and at gateway.pageAddress, then try again.",
    };
  }
}

type Taking = { io: VendorIo; verify: VerifyToken; held: HeldAnswers<string>; tenantId: string };

/** Signed by Microsoft, for this bot, for this address of its own, by a key that counts for Teams, and of our tenant. */
async function webhook({ headers, body }: WebhookRequest, taking: Taking): Promise<WebhookAnswer> {
  const token = bearerIn(headers);
  const signed = token === undefined ? undefined : await taking.verify(token);
  if (signed === undefined) return { status: 401, body: "{}" };
  const { data: activity } = Activity.safeParse(jsonIn(body));
  if (activity === undefined) return { status: 400, body: "{}" };
  const { payload, key } = signed;
  const isEndorsed = key.endorsements?.includes(activity.channelId) === true;
  if (payload["serviceurl"] !== activity.serviceUrl || !isEndorsed || activity.channelId !== "msteams")
    return { status: 403, body: "{}" };
  const event = teamsEvent(activity);
  if (event === undefined) return { status: 200, body: "{}" };
  if (tenantOf(activity) !== taking.tenantId) return { status: 403, body: "{}" };
  return event.kind === "click" ? pressed(event, taking) : stored(event, taking);
}

async function stored(event: VendorEvent, { io }: Taking): Promise<WebhookAnswer> {
  await io.deliver(event);
  return { status: 200, body: "{}" };
}

async function pressed(event: Extract<VendorEvent, { kind: "click" }>, { io, held }: Taking): Promise<WebhookAnswer> {
  const handle = event.handle ?? "";
  const said = held.wait(handle, HOLD_MS);
  try {
    await io.deliver(event);
  } catch (error) {
    held.answer(handle, "");
    throw error;
  }
  const value = (await said) ?? "";
  const body = JSON.stringify({ statusCode: 200, type: "application/vnd.microsoft.activity.message", value });
  return { status: 200, body, headers: { "content-type": "application/json" } };
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}

const PLACE = /^[^\s/?#]{1,400}$/;

type Leaving = { settings: TeamsSettings; access: AccessToken; conversation: string; out: Out; signal: AbortSignal };

async function send({ settings, access, conversation, out, signal }: Leaving): Promise<Sent> {
  if (!PLACE.test(conversation)) throw new SendError(`${conversation} is no conversation of Teams`, { retry: "never" });
  const token = await access(signal).catch((error: unknown) => {
    // nothing was sent yet, whatever became of the request for the token
    throw new SendError(error instanceof Error ? error.message : String(error), { retry: "later" });
  });
  const path = `${settings.serviceUrl.replace(/\/$/, "")}/v3/conversations/${encodeURIComponent(conversation)}/activities`;
  const headers = { authorization: `Bearer ${token}` };
  const isEdit = out.kind === "edit";
  const url = isEdit ? `${path}/${encodeURIComponent(out.messageId)}` : path;
  const json = activityOf(out);
  const answer = await vendorRequest(url, { title: TITLE, method: isEdit ? "PUT" : "POST", headers, json, signal });
  if (!isOk(answer)) throw refusedBy(TITLE, answer, "");
  return { messageId: isEdit ? out.messageId : answerIn(TITLE, answer.body, Posted).id };
}

function activityOf(out: Out): object {
  switch (out.kind) {
    case "text":
      return { type: "message", textFormat: "plain", text: out.body.text };
    case "card":
    case "edit":
      return {
        type: "message",
        attachments: [{ contentType: CARD_TYPE, content: adaptiveCard(out.body.text, out.buttons) }],
      };
    case "file":
      throw new SendError("Teams takes no files from bots", { retry: "never" });
  }
}
