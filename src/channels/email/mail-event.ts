/** A mail → what happened. An answer of a machine, a list's mail and our own are nothing; who wrote it is only as sure as DMARC. */
import { type Attachment, type HeaderLines, type ParsedMail, simpleParser } from "mailparser";
import type { IncomingFile, VendorEvent } from "../port.ts";

export type MailParts = { eventId: string; me: string; trusted: readonly string[] };

export async function mailEvent(source: Buffer, { eventId, me, trusted }: MailParts): Promise<VendorEvent | undefined> {
  const mail = await simpleParser(source, { skipImageLinks: true, skipTextToHtml: true });
  const { inReplyTo, text = "", headerLines } = mail;
  const sender = senderOf(mail);
  if (sender === undefined || sender.address === me.toLowerCase() || isByMachine(headerLines)) return undefined;
  const { address, name } = sender;
  const files = mail.attachments.flatMap(fileOf);
  return {
    kind: "message",
    eventId,
    text: ownWords(text),
    addressed: true,
    ...(inReplyTo === undefined ? {} : { replyTo: inReplyTo }),
    ...(files.length === 0 ? {} : { files }),
    conversation: address,
    direct: true,
    person: { id: address, assured: isAuthenticated(headerLines, { address, trusted }), name },
  };
}

/** Not what belongs to the look of the mail: pictures inside it, and signatures of programs. */
const fileOf = ({ related, contentType, filename = "file", size, content }: Attachment): IncomingFile[] =>
  related || /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/.test(contentType)
    ? []
    : [{ name: filename, size, bytes: content }];

/** One address in one header: of several, readers and servers take different ones. */
function senderOf({ from, headerLines }: ParsedMail): { address: string; name: string } | undefined {
  const [first, ...others] = from?.value ?? [];
  const address = first?.address?.toLowerCase();
  const froms = headerLines.filter(({ key }) => key === "from").length;
  return address === undefined || others.length > 0 || froms !== 1 ? undefined : { address, name: first?.name ?? "" };
}

const valueOf = ({ line }: HeaderLines[number]): string =>
  line
    .slice(line.indexOf(":") + 1)
    .replace(/\s+/g, " ")
    .trim();

function isByMachine(lines: HeaderLines): boolean {
  const value = (name: string): string => lines.filter(({ key }) => key === name).map(valueOf)[0] ?? "";
  const submitted = value("auto-submitted").toLowerCase();
  const isAutomatic = submitted !== "" && !submitted.startsWith("no");
  return isAutomatic || /^(?:bulk|junk|list)/i.test(value("precedence")) || value("list-id") !== "";
}

/** Words in brackets and quotes are remarks, and anybody's. */
const withoutRemarks = (text: string): string => {
  let [before, after] = [text, text.replace(/\([^()]*\)/g, " ")];
  while (before !== after) [before, after] = [after, after.replace(/\([^()]*\)/g, " ")];
  return after.replace(/"[^"]*"/g, " ");
};

/**
 * Only the header at the very top is by our own server, which adds it last and takes away what pretends to be its own
 * (RFC 8601). Any other may have been written by whoever sent the mail.
 */
function isAuthenticated(
  lines: HeaderLines,
  { address, trusted }: { address: string; trusted: readonly string[] },
): boolean {
  const top = lines.find(({ key }) => key === "authentication-results");
  if (top === undefined) return false;
  const [server = "", ...results] = withoutRemarks(valueOf(top))
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const [name = ""] = server.split(" ");
  if (!trusted.some((one) => one.toLowerCase() === name)) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const dmarc = results.filter((one) => /^dmarc\s*=/.test(one));
  return dmarc.length === 1 && dmarc.every((one) => /^dmarc\s*=\s*pass(?:\s|$)/.test(one) && isFrom(one, domain));
}

const isFrom = (result: string, domain: string): boolean => {
  const [, named] = /header\.from\s*=\s*([^\s;]+)/.exec(result) ?? [];
  return named === domain;
};

const QUOTES = [
  /^>/,
  /^On .{1,200} wrote:\s*$/s,
  /^-{2,}\s*(?:Original Message|Forwarded)/i,
  /^From:\s/,
  /^_{10,}$/,
  /^-- $/,
];

/** What they wrote themselves, above what they quote. */
function ownWords(text: string): string {
  const lines = text.replaceAll("\r", "").split("\n");
  const end = lines.findIndex((line) => QUOTES.some((quote) => quote.test(line)));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .join("\n")
    .trim();
}
