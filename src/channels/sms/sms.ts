/** SMS by Twilio: two REST calls and one HMAC, so its package (22 MiB) is not loaded for them. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type VendorEvent,
  type VendorIo,
  type VendorPort,
  type WebhookRequest,
} from "../port.ts";
import type { SmsSettings } from "../protocol/vendors/sms-settings.ts";
import { isSameSecret } from "../wire/same-secret.ts";
import { isOk, refusedBy, vendorRequest, type VendorAnswer } from "../wire/vendor-request.ts";
import { untakenFile } from "../wire/untaken-file.ts";

const TITLE = "Twilio";
/** Nothing is answered in the response itself: what there is to say is sent. */
const TWIML = { status: 200, body: "<Response/>", headers: { "content-type": "text/xml" } };
const STATUS_PATH = "/status";

const Failed = z.object({ message: z.string() });
const Created = z.object({ sid: z.string().min(1) });
const Account = z.object({ friendly_name: z.string(), status: z.string() });

export const sms = defineChannel("sms", ({ settings, webhookUrl }) => createSms(settings, webhookUrl));

function createSms(settings: SmsSettings, webhookUrl: string | undefined): VendorPort {
  const { accountSid, authToken, number, apiRoot } = settings;
  const account = `${apiRoot.replace(/\/$/, "")}/2010-04-01/Accounts/${accountSid}`;
  const headers = { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}` };
  let receiving: VendorIo | undefined;

  return {
    async check(signal) {
      try {
        const answer = await vendorRequest(`${account}.json`, { title: TITLE, method: "GET", headers, signal });
        return checkedBy(answer, number);
      } catch (error) {
        return {
          ok: false,
          problem: error instanceof Error ? error.message : String(error),
          fix: "Look whether this machine reaches api.twilio.com.",
        };
      }
    },
    async start(io) {
      if (webhookUrl === undefined || !webhookUrl.startsWith("https:"))
        throw new Error("SMS needs gateway.pageAddress with https, so that Twilio can reach it");
      receiving = io;
    },
    async send(conversation, out, { signal }) {
      const form = { To: conversation, From: number, Body: textOf(out) };
      const status = webhookUrl === undefined ? {} : { StatusCallback: `${webhookUrl}${STATUS_PATH}` };
      const body = new URLSearchParams({ ...form, ...status });
      const answer = await vendorRequest(`${account}/Messages.json`, { title: TITLE, headers, body, signal });
      if (!isOk(answer)) throw refusedBy(TITLE, answer, Failed.safeParse(answer.body).data?.message ?? "");
      const { data } = Created.safeParse(answer.body);
      if (data === undefined)
        throw new SendError("Twilio did not say what it sent.", { retry: "later", maybeSent: true });
      return { messageId: data.sid };
    },
    async webhook(request) {
      const fields = new URLSearchParams(Buffer.from(request.body).toString("utf8"));
      const signed = `${webhookUrl ?? ""}${request.path}`;
      if (webhookUrl === undefined || !isSigned(request, { url: signed, fields, authToken }))
        return { status: 403, body: "" };
      const event = request.path === STATUS_PATH ? receiptEvent(fields) : messageEvent(fields);
      if (receiving === undefined) return { status: 503, body: "" };
      if (event !== undefined) await receiving.deliver(event);
      return TWIML;
    },
    async stop() {
      receiving = undefined;
    },
  };
}

/** The number is what people write to. */
function checkedBy(answer: VendorAnswer, number: string): Checked {
  const { data } = Account.safeParse(answer.body);
  if (isOk(answer) && data !== undefined)
    return { ok: true, me: `${number} of ${data.friendly_name} (${data.status})` };
  const problem =
    answer.status === 401 ? "Twilio does not know this SID and token." : `Twilio: status ${answer.status}`;
  return { ok: false, problem, fix: "Copy both from the console of Twilio: console.twilio.com" };
}

/** There are neither buttons nor edits nor files here: the bridge sends texts, codes stand in the card. */
const textOf = (out: Out): string => (out.kind === "file" ? out.file.caption.text : out.body.text);

type Signed = { url: string; fields: URLSearchParams; authToken: string };

/** Over the address that Twilio was given, never over what a Host header says, and all fields in the order of their names. */
function isSigned({ headers }: WebhookRequest, { url, fields, authToken }: Signed): boolean {
  const given = headers["x-twilio-signature"];
  if (typeof given !== "string") return false;
  const names = [...new Set(fields.keys())].toSorted();
  const all = names.flatMap((name) => [...new Set(fields.getAll(name))].toSorted().map((value) => `${name}${value}`));
  return isSameSecret(
    given,
    createHmac("sha1", authToken)
      .update(`${url}${all.join("")}`)
      .digest("base64"),
  );
}

function messageEvent(fields: URLSearchParams): VendorEvent | undefined {
  const [sid, from, text] = ["MessageSid", "From", "Body"].map((name) => fields.get(name) ?? "");
  if (sid === undefined || sid === "" || from === undefined || from === "" || text === undefined) return undefined;
  return {
    kind: "message",
    eventId: `message:${sid}`,
    text: text.trim(),
    addressed: true,
    ...untakenFile(Number(fields.get("NumMedia") ?? 0) > 0),
    conversation: from,
    direct: true,
    person: { id: from, assured: false, name: fields.get("ProfileName") ?? from },
  };
}

const STATES: Readonly<Record<string, "delivered" | "read" | "failed">> = {
  delivered: "delivered",
  read: "read",
  failed: "failed",
  undelivered: "failed",
};

function receiptEvent(fields: URLSearchParams): VendorEvent | undefined {
  const [messageId = "", status = "", to = ""] = ["MessageSid", "MessageStatus", "To"].map(
    (name) => fields.get(name) ?? "",
  );
  const state = STATES[status];
  if (state === undefined || messageId === "") return undefined;
  const detail = fields.get("ErrorCode");
  return {
    kind: "receipt",
    eventId: `receipt:${messageId}:${status}`,
    messageId,
    state,
    ...(detail === null ? {} : { detail: `error ${detail}`.slice(0, 200) }),
    conversation: to,
    direct: true,
    person: { id: to, assured: false, name: "" },
  };
}
