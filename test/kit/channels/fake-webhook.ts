/** A program that speaks standard-webhooks: it checks and makes signatures with the standard's own package. */
import { Webhook } from "standardwebhooks";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import type { WebhookRequest } from "../../../src/channels/port.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { fakeFrame } from "./fake-frame.ts";
import {
  createTroubles,
  type FakeAnswer,
  type FakeCall,
  field,
  startFakeHttp,
  textField,
  type Troubles,
} from "./fake-http.ts";
import { createHookSender } from "./hook-sender.ts";

export const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NOW = Date.UTC(2026, 0, 5, 9);

export function signedHook(
  body: object | string,
  how: { id?: string; at?: number; secret?: string } = {},
): WebhookRequest {
  const { id = "evt_1", at = NOW, secret = WEBHOOK_SECRET } = how;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const signature = new Webhook(secret).sign(id, new Date(at), text);
  return {
    method: "POST",
    path: "",
    headers: { "webhook-id": id, "webhook-timestamp": String(Math.floor(at / 1_000)), "webhook-signature": signature },
    body: new TextEncoder().encode(text),
  };
}

type Shown = SeenMessage & { conversation: string };

type State = { messages: Shown[]; forms: unknown[]; ids: string[] };

/** Undefined where it was taken. */
function take({ json }: FakeCall, { messages, forms, ids }: State, troubles: Troubles): FakeAnswer | undefined {
  const id = textField(json, "id");
  const type = textField(json, "type");
  if (type === "form") return void forms.push(json);
  if (ids.includes(id)) return undefined; // seen before
  if (type === "file" && troubles.filesRefused()) return { status: 415 };
  const given = (field(json, "buttons") ?? []) as { label: string; token: string }[];
  const buttons = given.map(({ label, token }) => ({ label, data: token }));
  const text = textField(json, "text");
  if (type === "edit") {
    const known = messages.find((one) => one.id === textField(json, "messageId"));
    if (known === undefined) return { status: 410 };
    Object.assign(known, { text, raw: text, buttons });
  } else {
    const file = field(json, "file");
    const shown = { id, conversation: textField(json, "conversation"), text, raw: text, buttons };
    const decoded = Buffer.from(textField(file, "base64"), "base64").toString("utf8");
    messages.push(file === undefined ? shown : { ...shown, file: { name: textField(file, "name"), text: decoded } });
  }
  ids.push(id);
  return undefined;
}

/** A program names its threads as it likes: a conversation of a group that is not called like the group. */
const THREADS = ["thread 1 of -600", "thread 2 of -600"] as const;

const placeOf = ({ person = "501", group, thread }: Writing) =>
  group === undefined ? { conversation: person } : { conversation: thread ?? group, group };
const byOf = (by: Writing) => ({ ...placeOf(by), person: { id: by.person ?? "501", name: by.name ?? "Alice" } });

function answerTo(call: FakeCall, state: State, troubles: Troubles): FakeAnswer | Promise<FakeAnswer> {
  if (!isSigned(call)) return { status: 401 };
  if (textField(call.json, "type") === "ping") return { status: 200 };
  return troubles.around(() => take(call, state, troubles) ?? { status: 200 });
}

const click = ({ id, buttons }: SeenMessage, n: number, by: Writing) => ({
  type: "click",
  ...byOf(by),
  token: buttons[n]?.data ?? "",
  messageId: id,
});

export async function startFakeWebhook(): Promise<VendorWorld & { forms: unknown[]; ids: string[] }> {
  const state: State = { messages: [], forms: [], ids: [] };
  const { messages, forms, ids } = state;
  const hooks = createHookSender();
  const troubles = createTroubles((afterMs) => ({ status: 429, headers: { "retry-after": String(afterMs / 1_000) } }));
  let numbers = 0;
  const http = await startFakeHttp({ answer: (call) => answerTo(call, state, troubles) });
  const send = (body: object): void => {
    const id = `evt_${++numbers}`;
    hooks.send(() => signedHook(body, { id }));
  };
  return {
    forms,
    ids,
    settings: ChannelSettings.parse({ kind: "webhook", url: http.url, secret: WEBHOOK_SECRET }),
    vendor: {
      ...hooks,
      conversation: (of) => placeOf(of).conversation,
      write: (text, by = {}) =>
        send({
          type: "message",
          ...byOf(by),
          text,
          ...(by.mentions === true ? { addressed: true } : {}),
          ...(by.replyTo === undefined ? {} : { replyTo: by.replyTo }),
        }),
      press: (message, n, by = {}) => send(click(message, n, by)),
      async submit(message, n, { words, ...by }) {
        send({ ...click(message, n, by), text: words });
      },
      messages: (conversation) => messages.filter((one) => one.conversation === conversation),
      threads: {
        names: THREADS,
        sent: () =>
          messages.map(({ text, conversation }) => ({ text, thread: THREADS.find((one) => one === conversation) })),
      },
      ...fakeFrame({ http, troubles, messages: { all: messages, idOf: ({ id }) => id } }),
    },
  };
}

/** The package compares with the real clock, and the tests have one of their own: its signature is compared instead. */
function isSigned({ headers, bytes }: FakeCall): boolean {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": given } = headers;
  const signer = new Webhook(WEBHOOK_SECRET);
  return signer.sign(String(id), new Date(Number(at) * 1_000), bytes.toString("utf8")) === given;
}
