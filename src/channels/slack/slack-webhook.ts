/** Requests of Slack in events mode: signed and fresh, or refused before anything in them is read. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import type { VendorEvent, WebhookAnswer, WebhookRequest } from "../port.ts";
import { isSameSecret } from "../wire/same-secret.ts";
import { commandEvent, interactionEvent, messageEvent, type SlackMe } from "./slack-event.ts";

const AGE_SECONDS_MAX = 300;
const MS = 1_000;

export type Taking = {
  secret: string | undefined;
  me: SlackMe;
  now(): number;
  deliver(event: VendorEvent): Promise<void>;
};

const Challenge = z.object({ type: z.literal("url_verification"), challenge: z.string().max(1_000) });

export async function slackWebhook(request: WebhookRequest, taking: Taking): Promise<WebhookAnswer> {
  if (!isSigned(request, taking)) return { status: 401, body: "" };
  const text = Buffer.from(request.body).toString("utf8");
  const isForm = String(request.headers["content-type"]).startsWith("application/x-www-form-urlencoded");
  const found = isForm ? inForm(new URLSearchParams(text)) : inJson(text, taking.me);
  if (found === "unreadable") return { status: 400, body: "" };
  if (typeof found === "object" && "challenge" in found)
    return { status: 200, body: found.challenge, headers: { "content-type": "text/plain" } };
  if (found !== undefined) await taking.deliver(found);
  return { status: 200, body: "" };
}

/** Over the bytes that came, with the time in it: an old request is worth nothing, whoever has a copy. */
function isSigned({ headers, body }: WebhookRequest, { secret, now }: Taking): boolean {
  const [given, at] = [headers["x-slack-signature"], headers["x-slack-request-timestamp"]];
  if (secret === undefined || typeof given !== "string" || typeof at !== "string" || !/^\d{1,12}$/.test(at))
    return false;
  if (Math.abs(now() / MS - Number(at)) > AGE_SECONDS_MAX) return false;
  const expected = `v0=${createHmac("sha256", secret).update(`v0:${at}:`).update(body).digest("hex")}`;
  return isSameSecret(given, expected);
}

function inForm(form: URLSearchParams): VendorEvent | "unreadable" | undefined {
  const payload = form.get("payload");
  if (payload === null) return commandEvent(Object.fromEntries(form));
  try {
    return interactionEvent(JSON.parse(payload));
  } catch {
    return "unreadable";
  }
}

function inJson(text: string, me: SlackMe): VendorEvent | { challenge: string } | "unreadable" | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    const { data } = Challenge.safeParse(payload);
    return data ?? messageEvent(payload, me);
  } catch {
    return "unreadable";
  }
}
