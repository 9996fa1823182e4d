/**
 * Links in mail that stand for a button. A link is signed and expires; opening it changes nothing, because programs that look
 * for dangerous mail open every link: it shows a page with a button, and only that one counts.
 */
import { createHmac, hash } from "node:crypto";
import { z } from "zod";
import type { Button, VendorEvent, WebhookAnswer, WebhookRequest } from "../port.ts";
import { isSameSecret } from "../wire/same-secret.ts";

export const LINK_PATH = "/do";
const LINK_MS = 7 * 86_400_000;

const Linked = z.strictObject({
  /** Whom the mail was sent to. */
  to: z.string(),
  messageId: z.string(),
  token: z.string(),
  label: z.string(),
  asksText: z.boolean(),
  untilMs: z.int(),
});
type Linked = z.infer<typeof Linked>;

const sealOf = (payload: string, secret: string): string =>
  createHmac("sha256", secret).update(payload).digest("base64url");

export type Linking = { to: string; messageId: string; secret: string; nowMs: number };

export function linkOf(
  base: string,
  { token, label, asksText }: Button,
  { to, messageId, secret, nowMs }: Linking,
): string {
  const linked: Linked = { to, messageId, token, label, asksText, untilMs: nowMs + LINK_MS };
  const payload = Buffer.from(JSON.stringify(linked)).toString("base64url");
  return `${base}${LINK_PATH}?p=${payload}&s=${sealOf(payload, secret)}`;
}

/** Undefined where the link is not one of ours, or its time is over. */
export function linkedIn({ query = "" }: WebhookRequest, secret: string, nowMs: number): Linked | undefined {
  const asked = new URLSearchParams(query);
  const payload = asked.get("p") ?? "";
  if (!isSameSecret(asked.get("s") ?? "", sealOf(payload, secret))) return undefined;
  const { data } = Linked.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  return data !== undefined && data.untilMs > nowMs ? data : undefined;
}

/** Who has the link has the mail, so it is a press of whom it was sent to. The same press is the same event. */
export function pressOf({ to, messageId, token }: Linked, body: Uint8Array): VendorEvent {
  const text = new URLSearchParams(Buffer.from(body).toString("utf8")).get("text")?.trim() ?? "";
  const eventId = `link:${hash("sha256", JSON.stringify([messageId, token, text]))}`;
  return {
    kind: "click",
    eventId,
    token,
    messageId,
    handle: eventId,
    ...(text === "" ? {} : { text }),
    conversation: to,
    direct: true,
    person: { id: to, assured: true, name: "" },
  };
}

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? "");

export function askingPage({ label, asksText, to }: Linked): WebhookAnswer {
  const words = asksText ? `<p><textarea name="text" rows="6" cols="60" required maxlength="8000"></textarea></p>` : "";
  const button = `<button type="submit">${escaped(label)}</button>`;
  return page(200, `<p>For ${escaped(to)}:</p><form method="post">${words}${button}</form>`);
}

export const saying = (status: number, text: string): WebhookAnswer => page(status, `<p>${escaped(text)}</p>`);

const page = (status: number, content: string): WebhookAnswer => ({
  status,
  body: `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Holdpoint</title>${content}`,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  },
});
