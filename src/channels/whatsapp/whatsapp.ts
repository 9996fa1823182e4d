/** WhatsApp by Meta's Cloud API: three REST calls and one HMAC, done with fetch. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type Sent,
  type VendorIo,
  type VendorPort,
  type WebhookAnswer,
  type WebhookRequest,
} from "../port.ts";
import type { WhatsappSettings } from "../protocol/vendors/whatsapp-settings.ts";
import { isSameSecret } from "../wire/same-secret.ts";
import { isOk, refusedBy, vendorRequest, type VendorAnswer, type VendorRequest } from "../wire/vendor-request.ts";
import { whatsappEvents } from "./whatsapp-event.ts";
import { shownText, whatsappMessage } from "./whatsapp-message.ts";

const TITLE = "WhatsApp";
/** The person has not written for 24 hours. */
const OUTSIDE_WINDOW = 131_047;
/** Too many to this person, or from this number; Meta says no time. */
const TOO_MANY = new Set([130_429, 131_048, 131_056, 80_007, 4]);
const TOO_MANY_MS = 6_000;

const Failed = z.object({ error: z.object({ code: z.number(), message: z.string() }) });
const Accepted = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) });
const Uploaded = z.object({ id: z.string().min(1) });
const PhoneNumber = z.object({ display_phone_number: z.string(), verified_name: z.string().optional() });

export const whatsapp = defineChannel("whatsapp", ({ settings }) => createWhatsapp(settings));

function createWhatsapp(settings: WhatsappSettings): VendorPort {
  const { phoneNumberId, accessToken, apiRoot, verifyToken, appSecret } = settings;
  const root = `${apiRoot.replace(/\/$/, "")}/${phoneNumberId}`;
  const authorization = { authorization: `Bearer ${accessToken}` };
  const ask = (path: string, request: Omit<VendorRequest, "title">): Promise<VendorAnswer> =>
    vendorRequest(`${root}${path}`, { title: TITLE, headers: authorization, ...request });
  let receiving: VendorIo | undefined;

  return {
    check: (signal) => check((path) => ask(path, { method: "GET", signal })),
    async start(io) {
      receiving = io;
    },
    send: (conversation, out, { signal }) => send({ conversation, out, signal }, { ask, settings }),
    async webhook(request) {
      if (request.method === "GET") return verified(request, verifyToken);
      if (!isSigned(request, appSecret)) return { status: 401, body: "" };
      const events = whatsappEvents(jsonIn(request.body), phoneNumberId);
      if (events === undefined) return { status: 400, body: "" };
      if (receiving === undefined) return { status: 503, body: "" };
      for (const event of events) await receiving.deliver(event);
      return { status: 200, body: "" };
    },
    async stop() {
      receiving = undefined;
    },
  };
}

async function check(ask: (path: string) => Promise<VendorAnswer>): Promise<Checked> {
  try {
    const answer = await ask("?fields=display_phone_number,verified_name");
    const { data } = PhoneNumber.safeParse(answer.body);
    if (isOk(answer) && data !== undefined)
      return { ok: true, me: `${data.display_phone_number} ${data.verified_name ?? ""}`.trim() };
    const problem = Failed.safeParse(answer.body).data?.error.message ?? `status ${answer.status}`;
    return {
      ok: false,
      problem: `WhatsApp: ${problem}`,
      fix: "Look at the id of the number and the token in API Setup.",
    };
  } catch (error) {
    return {
      ok: false,
      problem: error instanceof Error ? error.message : String(error),
      fix: "Look whether this machine reaches graph.facebook.com.",
    };
  }
}

/** Meta asks for it once, when the address is given to it. */
function verified({ query = "" }: WebhookRequest, verifyToken: string): WebhookAnswer {
  const asked = new URLSearchParams(query);
  const isOurs =
    asked.get("hub.mode") === "subscribe" && isSameSecret(asked.get("hub.verify_token") ?? "", verifyToken);
  if (!isOurs) return { status: 403, body: "" };
  const challenge = (asked.get("hub.challenge") ?? "").replace(/[^\w-]/g, "").slice(0, 200);
  return { status: 200, body: challenge, headers: { "content-type": "text/plain" } };
}

function isSigned({ headers, body }: WebhookRequest, appSecret: string): boolean {
  const given = headers["x-hub-signature-256"];
  if (typeof given !== "string") return false;
  return isSameSecret(given, `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`);
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}

type Ask = (path: string, request: Omit<VendorRequest, "title">) => Promise<VendorAnswer>;
type Leaving = { conversation: string; out: Out; signal: AbortSignal };
type By = { ask: Ask; settings: WhatsappSettings };

async function send({ conversation: to, out, signal }: Leaving, { ask, settings }: By): Promise<Sent> {
  const message = out.kind === "file" ? await documentOf(out.file, ask, signal) : whatsappMessage(out);
  const json = { messaging_product: "whatsapp", recipient_type: "individual", to, ...message };
  const answer = await ask("/messages", { json, signal });
  if (isOk(answer)) return sentAs(answer);
  const failed = failureOf(answer);
  if (failed.isOutside && settings.template !== undefined) {
    const { name, language } = settings.template;
    const template = { name, language: { code: language } };
    await ask("/messages", { json: { messaging_product: "whatsapp", to, type: "template", template }, signal });
  }
  throw failed.error;
}

function sentAs({ body }: VendorAnswer): Sent {
  const [first] = Accepted.safeParse(body).data?.messages ?? [];
  if (first === undefined)
    throw new SendError("WhatsApp did not say what it sent.", { retry: "later", maybeSent: true });
  return { messageId: first.id };
}

/** A template only opens the conversation again: what was to be sent stays unsent, and people elsewhere are told. */
function failureOf(answer: VendorAnswer): { error: SendError; isOutside: boolean } {
  const { code = 0, message = "" } = Failed.safeParse(answer.body).data?.error ?? {};
  if (TOO_MANY.has(code)) {
    const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
    const afterMs = Number.isFinite(seconds) ? seconds * 1_000 : TOO_MANY_MS;
    return { error: new SendError(`WhatsApp: ${message}`, { retry: "later", afterMs }), isOutside: false };
  }
  return { error: refusedBy(TITLE, answer, message), isOutside: code === OUTSIDE_WINDOW };
}

async function documentOf(
  file: Extract<Out, { kind: "file" }>["file"],
  ask: Ask,
  signal: AbortSignal,
): Promise<object> {
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new File([new Uint8Array(file.bytes)], file.name, { type: "text/plain" }));
  const answer = await ask("/media", { body: form, signal });
  const { data } = Uploaded.safeParse(answer.body);
  if (!isOk(answer) || data === undefined) throw failureOf(answer).error;
  return { type: "document", document: { id: data.id, filename: file.name, caption: shownText(file.caption.text) } };
}
