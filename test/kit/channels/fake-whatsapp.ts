/** The WhatsApp Cloud API in memory: it refuses its limits of buttons, rows, bodies and captions, and signs as Meta does. */
import { createHmac } from "node:crypto";
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
import { readAsWhatsapp } from "./vendor-readers.ts";

export const META = { phone: "106540352242922", token: "EAAB", secret: "app-secret", verify: "our-word" };

export function metaHook(value: object, { secret = META.secret, phone = META.phone } = {}): WebhookRequest {
  const metadata = { display_phone_number: "15550783881", phone_number_id: phone };
  const changes = [{ field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } }];
  const text = JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "1", changes }] });
  return {
    method: "POST",
    path: "",
    headers: { "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(text).digest("hex")}` },
    body: new TextEncoder().encode(text),
  };
}

const failed = (code: number, message: string, status = 400): FakeAnswer => ({
  status,
  json: { error: { code, message } },
});

type Row = { id: string; title: string };

/** What Meta would not take; undefined where all is well. */
function problemIn(json: unknown): string | undefined {
  const body = textField(json, "interactive", "body", "text");
  const buttons = ((field(json, "interactive", "action", "buttons") ?? []) as { reply: Row }[]).map(
    ({ reply }) => reply,
  );
  const rows = (field(json, "interactive", "action", "sections", 0, "rows") ?? []) as Row[];
  const tests: [boolean, string][] = [
    [textField(json, "text", "body").length > 4_096, "text.body must be at most 4096"],
    [textField(json, "type") === "text" && textField(json, "text", "body") === "", "text.body is required"],
    [body.length > 1_024, "interactive.body must be at most 1024"],
    [
      buttons.length > 3 || buttons.some(({ id, title }) => id.length > 256 || title.length > 20 || title === ""),
      "buttons",
    ],
    [rows.length > 10 || rows.some(({ id, title }) => id.length > 200 || title.length > 24), "rows"],
    [textField(json, "document", "caption").length > 1_024, "caption"],
  ];
  return tests.find(([isSo]) => isSo)?.[1];
}

type State = {
  messages: (SeenMessage & { to: string })[];
  media: Map<string, { name: string; text: string }>;
  templates: unknown[];
  numbers: number;
  isClosed: boolean;
};

/** Entities of HTML are shown as they are. */
const plainOf = (raw: string): string => raw.replaceAll("`", "");

const wordsIn = (json: unknown): string =>
  [
    ["text", "body"],
    ["interactive", "body", "text"],
    ["document", "caption"],
  ]
    .map((path) => textField(json, ...path))
    .find((text) => text !== "") ?? "";

function sent({ json }: FakeCall, state: State): FakeAnswer {
  if (textField(json, "messaging_product") !== "whatsapp") return failed(100, "messaging_product is required");
  if (textField(json, "type") === "template") {
    state.templates.push(field(json, "template"));
    return { json: { messages: [{ id: "wamid.t" }] } };
  }
  const problem = problemIn(json);
  if (problem !== undefined) return failed(131_009, `Parameter value is not valid: ${problem}`);
  if (state.isClosed) return failed(131_047, "Re-engagement message");
  const buttons = ((field(json, "interactive", "action", "buttons") ?? []) as { reply: Row }[]).map(
    ({ reply }) => reply,
  );
  const rows = (field(json, "interactive", "action", "sections", 0, "rows") ?? []) as Row[];
  const file = state.media.get(textField(json, "document", "id"));
  const raw = wordsIn(json);
  const id = `wamid.${++state.numbers}`;
  state.messages.push({
    id,
    to: textField(json, "to"),
    text: plainOf(raw),
    raw,
    buttons: [...buttons, ...rows].map((one) => ({ label: one.title, data: one.id })),
    ...(file === undefined ? {} : { file }),
  });
  return { json: { messaging_product: "whatsapp", contacts: [{ wa_id: textField(json, "to") }], messages: [{ id }] } };
}

async function uploaded(call: FakeCall, state: State): Promise<FakeAnswer> {
  const file = (await call.form()).get("file");
  if (!(file instanceof File)) return failed(100, "file is required");
  const id = `media${++state.numbers}`;
  state.media.set(id, { name: file.name, text: await file.text() });
  return { json: { id } };
}

const tooMany = (afterMs: number): FakeAnswer => ({
  status: 400,
  headers: { "retry-after": String(afterMs / 1_000) },
  json: { error: { code: 131_056, message: "pair rate limit hit" } },
});
const waId = ({ person = "501" }: Writing): string => `1555${person.padStart(6, "0")}`;

function answerTo(call: FakeCall, state: State, troubles: Troubles): FakeAnswer | Promise<FakeAnswer> {
  if (call.headers.authorization !== `Bearer ${META.token}`) return failed(190, "Invalid OAuth access token.", 401);
  if (call.path === `/${META.phone}/media`)
    return troubles.filesRefused() ? failed(131_053, "Media upload error") : uploaded(call, state);
  if (call.path === `/${META.phone}/messages`) return troubles.around(() => sent(call, state));
  if (call.path !== `/${META.phone}`) return failed(100, "Unsupported request");
  return { json: { display_phone_number: "+1 555 078 3881", verified_name: "Holdpoint" } };
}

export async function startFakeWhatsapp(
  settings: object = {},
): Promise<VendorWorld & { templates: unknown[]; close24(): void }> {
  const state: State = { messages: [], media: new Map(), templates: [], numbers: 0, isClosed: false };
  const hooks = createHookSender();
  const troubles = createTroubles(tooMany);
  const http = await startFakeHttp({ answer: (call) => answerTo(call, state, troubles) });
  const post = (by: Writing, message: object): void => {
    const id = `wamid.in${++state.numbers}`;
    const contacts = [{ wa_id: waId(by), profile: { name: by.name ?? "Alice" } }];
    const context = by.replyTo === undefined ? {} : { context: { from: "15550783881", id: by.replyTo } };
    const whole = { from: waId(by), id, timestamp: "1767603600", ...context, ...message };
    hooks.send(() => metaHook({ contacts, messages: [whole] }));
  };
  return {
    templates: state.templates,
    close24: () => void (state.isClosed = true),
    settings: ChannelSettings.parse({
      kind: "whatsapp",
      phoneNumberId: META.phone,
      accessToken: META.token,
      appSecret: META.secret,
      verifyToken: META.verify,
      apiRoot: http.url,
      ...settings,
    }),
    vendor: {
      ...hooks,
      conversation: waId,
      write: (text, by = {}) =>
        post(
          by,
          by.file === undefined
            ? { type: "text", text: { body: text } }
            : { type: "document", document: { id: "d1", filename: by.file.name, caption: text } },
        ),
      press: ({ id, buttons }, n, by = {}) => {
        const { label: title = "", data = "" } = buttons[n] ?? {};
        const kind = buttons.length > 3 ? "list_reply" : "button_reply";
        post({ ...by, replyTo: id }, { type: "interactive", interactive: { type: kind, [kind]: { id: data, title } } });
      },
      meanings: (foreign) => readAsWhatsapp(foreign).found,
      messages: (conversation) => state.messages.filter(({ to }) => to === conversation),
      threads: { none: "a context names the message that is answered, in the one conversation with a number" },
      ...fakeFrame({ http, troubles }),
    },
  };
}
