/** Twilio in memory: the Messages resource of its REST API, and webhooks that it signs as Twilio does. */
import { createHmac } from "node:crypto";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import type { WebhookRequest } from "../../../src/channels/port.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { fakeFrame } from "./fake-frame.ts";
import { createTroubles, type FakeAnswer, type FakeCall, startFakeHttp } from "./fake-http.ts";
import { createHookSender } from "./hook-sender.ts";

export const TWILIO = { sid: "AC00000000000000000000000000000000", token: "twilio-token", number: "+15005550006" };
export const SMS_HOOK = "https://gateway.example/hooks/sms/main";
const BODY_MAX = 1_600;

export function twilioHook(
  fields: Record<string, string>,
  { token = TWILIO.token, url = SMS_HOOK, path = "" }: { token?: string; url?: string; path?: string } = {},
): WebhookRequest {
  const signed = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}${fields[name]}`)
    .join("");
  const signature = createHmac("sha1", token).update(`${url}${path}${signed}`).digest("base64");
  return {
    method: "POST",
    path,
    headers: { "x-twilio-signature": signature, "content-type": "application/x-www-form-urlencoded" },
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
  };
}

type State = { messages: (SeenMessage & { to: string })[]; callbacks: string[]; numbers: number };

const refused = (code: number, message: string, status = 400): FakeAnswer => ({
  status,
  json: { code, message, status },
});

function created({ bytes }: FakeCall, state: State): FakeAnswer {
  const form = new URLSearchParams(bytes.toString("utf8"));
  const [to, text] = [form.get("To") ?? "", form.get("Body") ?? ""];
  if (text.length > BODY_MAX) return refused(21_617, "The concatenated message body exceeds the 1600 character limit");
  if (text === "" || form.get("From") !== TWILIO.number) return refused(21_602, "Message body is required");
  state.callbacks.push(form.get("StatusCallback") ?? "");
  const id = `SM${String(++state.numbers).padStart(32, "0")}`;
  state.messages.push({ id, to, text, raw: text, buttons: [] });
  return { status: 201, json: { sid: id, status: "queued", to, body: text } };
}

const numberOf = ({ person = "501" }: Writing): string => `+1500555${person.padStart(4, "0")}`;
const BASIC = `Basic ${Buffer.from(`${TWILIO.sid}:${TWILIO.token}`).toString("base64")}`;
const ACCOUNT = `/2010-04-01/Accounts/${TWILIO.sid}`;

export async function startFakeTwilio(): Promise<VendorWorld & { callbacks: string[] }> {
  const state: State = { messages: [], callbacks: [], numbers: 0 };
  const hooks = createHookSender();
  const troubles = createTroubles((afterMs) => ({
    status: 429,
    headers: { "retry-after": String(afterMs / 1_000) },
    json: { code: 20_429, message: "Too Many Requests", status: 429 },
  }));
  const http = await startFakeHttp({
    answer(call) {
      if (call.headers.authorization !== BASIC) return refused(20_003, "Authenticate", 401);
      if (call.path === `${ACCOUNT}.json`) return { json: { friendly_name: "Holdpoint", status: "active" } };
      if (call.path !== `${ACCOUNT}/Messages.json`) return { status: 404, json: {} };
      return troubles.around(() => created(call, state));
    },
  });
  const { sid: accountSid, token: authToken, number } = TWILIO;
  return {
    callbacks: state.callbacks,
    settings: ChannelSettings.parse({ kind: "sms", accountSid, authToken, number, apiRoot: http.url }),
    vendor: {
      ...hooks,
      conversation: numberOf,
      write(text, by = {}) {
        const MessageSid = `SM${String(++state.numbers).padStart(32, "9")}`;
        const fields = {
          MessageSid,
          AccountSid: accountSid,
          From: numberOf(by),
          To: number,
          Body: text,
          NumMedia: by.file === undefined ? "0" : "1",
        };
        hooks.send(() => twilioHook(fields));
      },
      press: () => undefined,
      messages: (conversation) => state.messages.filter(({ to }) => to === conversation),
      threads: { none: "a message has two numbers, and nothing below them" },
      ...fakeFrame({ http, troubles }),
    },
  };
}
