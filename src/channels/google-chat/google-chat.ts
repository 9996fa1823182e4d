/** Google Chat by its REST API: cards, words written in the card, threads; events by Pub/Sub or by signed requests. */
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type Sending,
  type Sent,
  type VendorIo,
  type VendorPort,
  type WebhookAnswer,
  type WebhookRequest,
} from "../port.ts";
import type { GoogleChatSettings } from "../protocol/vendors/google-chat-settings.ts";
import { bearerIn, createTokenCheck, type VerifyToken } from "../wire/signed-token.ts";
import { type CallGoogle, createGoogleApi, serviceKey } from "./chat-api.ts";
import { cardMessage } from "./chat-card.ts";
import { chatEvent } from "./chat-event.ts";
import { pullEvents } from "./chat-pull.ts";

const ISSUER = "chat@system.gserviceaccount.com";
const Posted = z.looseObject({ name: z.string() });
const Subscription = z.looseObject({ name: z.string() });

type Parts = { settings: GoogleChatSettings; webhookUrl: string | undefined; now(): number };
type Ready = Parts & { call: CallGoogle; email: string };

export const googleChat = defineChannel("google-chat", (parts) => {
  const key = serviceKey(parts.settings.serviceAccount);
  return createGoogleChat({ ...parts, call: createGoogleApi(key, parts.now), email: key.client_email });
});

function createGoogleChat(ready: Ready): VendorPort {
  const { settings, call, now } = ready;
  const stopping = new AbortController();
  const { signal } = stopping;
  const verify = createTokenCheck({
    title: "Google Chat",
    keysUrl: async () => settings.keysUrl,
    issuer: ISSUER,
    audience: settings.projectNumber ?? "",
    now,
  });
  let io: VendorIo | undefined;
  let ended: Promise<void> | undefined;
  return {
    connects: settings.mode === "pubsub",
    check: (checking) => check(ready, checking),
    async start(given) {
      await ask(ready, signal);
      io = given;
      if (settings.mode === "pubsub")
        ended = pullEvents({ call, subscription: subscriptionOf(settings), io: given, signal });
    },
    send: (conversation, out, sending) => send(ready, { conversation, out, sending }),
    async webhook(request) {
      if (io === undefined || settings.mode !== "webhook") return { status: 404, body: "{}" };
      return webhook(request, { io, verify });
    },
    async stop() {
      stopping.abort();
      io = undefined;
      await ended;
    },
  };
}

function subscriptionOf({ subscription, pubsubRoot }: GoogleChatSettings): string {
  if (subscription === undefined) throw new Error("pubsub mode needs the subscription");
  return `${pubsubRoot.replace(/\/$/, "")}/v1/${subscription}`;
}

/** Whether the key is accepted, and what the mode needs is there. */
async function ask({ call, settings, webhookUrl }: Ready, signal: AbortSignal): Promise<void> {
  if (settings.mode === "pubsub") {
    await call({ url: subscriptionOf(settings), method: "GET", signal }, Subscription);
    return;
  }
  if (settings.projectNumber === undefined) throw new Error("webhook mode needs the projectNumber");
  if (webhookUrl === undefined || !webhookUrl.startsWith("https:"))
    throw new Error("webhook mode needs gateway.pageAddress with https, so that Google can reach it");
  await call({ url: `${rootOf(settings)}/v1/spaces?pageSize=1`, method: "GET", signal }, z.unknown());
}

const rootOf = ({ chatRoot }: GoogleChatSettings): string => chatRoot.replace(/\/$/, "");

async function check(ready: Ready, signal: AbortSignal): Promise<Checked> {
  try {
    await ask(ready, signal);
    return { ok: true, me: ready.email };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      problem,
      fix: "Look at the key, at the roles of the service account and at the guide, then try again.",
    };
  }
}

/** Signed by Google for this project, and answered when it is stored. */
async function webhook(request: WebhookRequest, taking: { io: VendorIo; verify: VerifyToken }): Promise<WebhookAnswer> {
  const token = bearerIn(request.headers);
  if (token === undefined || (await taking.verify(token)) === undefined) return { status: 401, body: "{}" };
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(request.body).toString("utf8"));
  } catch {
    return { status: 400, body: "{}" };
  }
  const event = chatEvent(payload);
  if (event !== undefined) await taking.io.deliver(event);
  return { status: 200, body: "{}", headers: { "content-type": "application/json" } };
}

const PLACE = /^(spaces\/[\w-]{1,100})(\/threads\/[\w.-]{1,100})?$/;
const MESSAGE = /^spaces\/[\w-]{1,100}\/messages\/[\w.-]{1,200}$/;

type Leaving = { conversation: string; out: Out; sending: Sending };

async function send(
  { call, settings }: Ready,
  { conversation, out, sending: { key, signal } }: Leaving,
): Promise<Sent> {
  const [, space, thread] = PLACE.exec(conversation) ?? [];
  if (space === undefined) throw new SendError(`${conversation} is no space of Google Chat`, { retry: "never" });
  if (out.kind === "file") throw new SendError("Google Chat takes no files from apps", { retry: "never" });
  const message = cardMessage(out.body, out.kind === "text" ? [] : out.buttons);
  if (out.kind === "edit") {
    if (!MESSAGE.test(out.messageId)) throw new SendError("this is no message of Google Chat", { retry: "never" });
    const url = `${rootOf(settings)}/v1/${out.messageId}?updateMask=cardsV2`;
    await call({ url, method: "PATCH", json: message, signal }, Posted);
    return { messageId: out.messageId };
  }
  // the same thing under the same key is one message; a card that says something else meanwhile is another one
  const requestId = createHash("sha256").update(`${key}\n${out.body.text}`).digest("hex").slice(0, 40);
  const query = new URLSearchParams({ requestId, messageReplyOption: "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD" });
  const json = thread === undefined ? message : { ...message, thread: { name: conversation } };
  const { name } = await call(
    { url: `${rootOf(settings)}/v1/${space}/messages?${query.toString()}`, json, signal },
    Posted,
  );
  return { messageId: name };
}
