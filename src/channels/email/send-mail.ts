/** One mail by SMTP: HTML and plain text, links in place of buttons, a file as an attachment. */
import { hash } from "node:crypto";
import { createTransport, type Transporter } from "nodemailer";
import { z } from "zod";
import { type Button, type Out, SendError, type Sent } from "../port.ts";
import type { EmailSettings } from "../protocol/vendors/email-settings.ts";
import { type Linking, linkOf } from "./decision-links.ts";

const SUBJECT_CHARS_MAX = 120;
const WAIT_MS = 20_000;

export function openTransport({
  smtpHost,
  smtpPort,
  smtpSecurity,
  address,
  user = address,
  password,
}: EmailSettings): Transporter {
  return createTransport({
    host: smtpHost,
    port: smtpPort,
    secure: smtpSecurity === "tls",
    requireTLS: smtpSecurity === "starttls",
    ignoreTLS: smtpSecurity === "none",
    ...(password === undefined ? {} : { auth: { user, pass: password } }),
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export type Mail = { to: string; out: Out; key: string };
export type MailingParts = {
  transport: Transporter;
  settings: EmailSettings;
  linkBase: string | undefined;
  nowMs: number;
};

export async function sendMail(
  { to, out, key }: Mail,
  { transport, settings, linkBase, nowMs }: MailingParts,
): Promise<Sent> {
  const { address, linkSecret: secret } = settings;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const messageId = `<hp.${hash("sha256", JSON.stringify([to, key, out.kind, nowMs])).slice(0, 32)}@${domain}>`;
  const { text, attachments } = contentOf(out);
  const links = "buttons" in out ? linksOf(out.buttons, linkBase, { to, messageId, secret, nowMs }) : [];
  try {
    await transport.sendMail({
      from: address,
      to,
      subject: subjectOf(text),
      messageId,
      html: htmlOf(text, links),
      text: [plainOf(text), ...links.map(({ label, url }) => `${label}: ${url}`)].join("\n"),
      attachments,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    });
    return { messageId };
  } catch (error) {
    throw mailFailure(error);
  }
}

function contentOf(out: Out): {
  text: string;
  attachments: { filename: string; contentType: string; content: Buffer }[];
} {
  if (out.kind !== "file") return { text: out.body.text, attachments: [] };
  const { name, mediaType, bytes, caption } = out.file;
  return { text: caption.text, attachments: [{ filename: name, contentType: mediaType, content: Buffer.from(bytes) }] };
}

type Link = { label: string; url: string };

/** Without an address that people can open there are no links: the card names codes to answer with. */
const linksOf = (buttons: readonly Button[], base: string | undefined, linking: Linking): Link[] =>
  base === undefined ? [] : buttons.map((button) => ({ label: button.label, url: linkOf(base, button, linking) }));

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? "");

/** What was rendered is HTML already, except for the ends of its lines. */
const htmlOf = (text: string, links: readonly Link[]): string =>
  [
    `<div id="holdpoint">${text.replaceAll("\n", "<br>\n")}</div>`,
    ...links.map(({ label, url }) => `<p><a href="${escaped(url)}">${escaped(label)}</a></p>`),
  ].join("\n");

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };

const plainOf = (html: string): string =>
  html.replace(/<\/?(?:b|s|code)>/g, "").replace(/&(?:lt|gt|amp|quot);/g, (entity) => ENTITIES[entity] ?? "");

const subjectOf = (text: string): string => {
  const [first = ""] = plainOf(text).trim().split("\n");
  return first.slice(0, SUBJECT_CHARS_MAX).trim() || "Holdpoint";
};

const SmtpError = z.object({
  responseCode: z.number().optional(),
  response: z.string().default(""),
  code: z.string().default(""),
});

/** A code is the server's own word that it took nothing. Without one nobody knows, unless there was no connection at all. */
export function mailFailure(error: unknown): SendError {
  const { responseCode, response = "", code = "" } = SmtpError.safeParse(error).data ?? {};
  const message = `Mail: ${error instanceof Error ? error.message : String(error)}`;
  if (responseCode !== undefined) {
    const [, seconds] = /(\d{1,5}) sec/i.exec(response) ?? [];
    const after = seconds === undefined ? {} : { afterMs: Number(seconds) * 1_000 };
    const isLater = responseCode < 500 || code === "EAUTH";
    return new SendError(message, { retry: isLater ? "later" : "never", ...after });
  }
  const isBefore = code === "EDNS" || code === "EAUTH" || /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(message);
  return new SendError(message, { retry: "later", maybeSent: !isBefore });
}
