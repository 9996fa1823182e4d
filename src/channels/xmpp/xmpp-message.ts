/** What is sent → a stanza. */
import { hash } from "node:crypto";
import { type Element, xml } from "@xmpp/client";
import type { Out } from "../port.ts";

/** An item has one id however often it is sent, so that clients which look at it show it once. */
export function messageStanza(out: Out, { to, isRoom, key }: { to: string; isRoom: boolean; key: string }): Element {
  const text = out.kind === "file" ? out.file.caption.text : out.body.text;
  const id = `hp-${hash("sha256", `${out.kind} ${key}`).slice(0, 32)}`;
  return xml(
    "message",
    { to, type: isRoom ? "groupchat" : "chat", id },
    xml("body", {}, xmlText(text)),
    xml("origin-id", { xmlns: "urn:xmpp:sid:0", id }),
    ...(out.kind === "edit" ? [xml("replace", { xmlns: "urn:xmpp:message-correct:0", id: out.messageId })] : []),
    ...(isRoom ? [] : [xml("request", { xmlns: "urn:xmpp:receipts" }), xml("markable", { xmlns: MARKERS })]),
  );
}

const MARKERS = "urn:xmpp:chat-markers:0";

/** One character that XML does not have would end the whole stream. */
function xmlText(text: string): string {
  return Array.from(text.toWellFormed(), (char) => (isXml(char.codePointAt(0) ?? 0) ? char : "")).join("");
}

const isXml = (code: number): boolean =>
  code >= 0x20 ? (code & 0xffff) !== 0xfffe && (code & 0xffff) !== 0xffff : code === 9 || code === 10 || code === 13;
