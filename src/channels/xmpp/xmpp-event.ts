/** A stanza of somebody → what happened. */
import { hash } from "node:crypto";
import type { Element } from "@xmpp/client";
import type { VendorEvent } from "../port.ts";
import { isCommand } from "../wire/is-command.ts";
import { nameCut } from "../wire/name-cut.ts";
import { bareOf, resourceOf } from "./xmpp-address.ts";
import type { XmppRooms } from "./xmpp-rooms.ts";

const RECEIPTS = "urn:xmpp:receipts";
const MARKERS = "urn:xmpp:chat-markers:0";
const MUC_USER = "http://jabber.org/protocol/muc#user";
const STANZA_ID = "urn:xmpp:sid:0";
const CORRECTION = "urn:xmpp:message-correct:0";
const ENCRYPTED: readonly string[] = ["urn:xmpp:omemo:2", "eu.siacs.conversations.axolotl", "urn:xmpp:eme:0"];

export type Reading = {
  /** Our address, and what we are called in rooms. */
  me: string;
  nick: string;
  rooms: XmppRooms;
  /** For stanzas that nobody gave an id. */
  fallbackId(): string;
};

export function messageEvent(stanza: Element, reading: Reading): VendorEvent | undefined {
  const { from = "", type } = stanza.attrs;
  const sender = bareOf(from);
  if (from === "" || sender === reading.me) return undefined;
  if (type === "groupchat") return roomEvent(stanza, reading);
  // private words of somebody in a room come from the room's address, behind which anybody may be
  if (reading.rooms.has(sender) || stanza.getChild("x", MUC_USER) !== undefined) return undefined;
  const person = { id: sender, assured: true, name: sender.split("@")[0] ?? "" };
  const place = { conversation: sender, direct: true, person };
  if (type === "error") return failedEvent(stanza, place);
  return receiptEvent(stanza, place) ?? directEvent(stanza, place, reading);
}

const SAID: readonly (string | undefined)[] = [undefined, "chat", "normal"];

function directEvent(stanza: Element, place: InPlace, reading: Reading): VendorEvent | undefined {
  const text = SAID.includes(stanza.attrs["type"]) ? textOf(stanza) : undefined;
  if (text === undefined) return undefined;
  return { kind: "message", eventId: eventId(stanza, reading.me, reading), text, addressed: true, ...place };
}

function roomEvent(stanza: Element, { rooms, nick, fallbackId }: Reading): VendorEvent | undefined {
  const from = stanza.attrs["from"] ?? "";
  const room = bareOf(from);
  const text = textOf(stanza);
  if (text === undefined || resourceOf(from) === "" || resourceOf(from) === nick || !rooms.has(room)) return undefined;
  const named = nameCut(text, nick);
  return {
    kind: "message",
    eventId: eventId(stanza, room, { fallbackId }),
    text: named ?? text,
    addressed: named !== undefined || isCommand(text),
    conversation: room,
    direct: false,
    group: room,
    person: rooms.person(stanza),
  };
}

type InPlace = Pick<VendorEvent, "conversation" | "direct" | "person">;

/** A correction is no new message: what was said once is not commanded by changing it. */
function textOf(stanza: Element): string | undefined {
  if (stanza.getChild("replace", CORRECTION) !== undefined) return undefined;
  // what stands there for those who cannot decrypt is not what was said
  if (stanza.getChildElements().some((child) => ENCRYPTED.includes(child.getNS() ?? ""))) return undefined;
  const text = stanza.getChildText("body")?.trim() ?? "";
  return text === "" ? undefined : text;
}

function receiptEvent(stanza: Element, place: InPlace): VendorEvent | undefined {
  const received = stanza.getChild("received", RECEIPTS) ?? stanza.getChild("received", MARKERS);
  const displayed = stanza.getChild("displayed", MARKERS);
  const messageId = (displayed ?? received)?.attrs["id"];
  if (messageId === undefined) return undefined;
  const state = displayed === undefined ? "delivered" : "read";
  return { kind: "receipt", eventId: hashed(state, place.conversation, messageId), messageId, state, ...place };
}

function failedEvent(stanza: Element, place: InPlace): VendorEvent | undefined {
  const messageId = stanza.attrs["id"];
  if (messageId === undefined) return undefined;
  const detail = errorIn(stanza).text;
  const failedId = hashed("failed", place.conversation, messageId);
  return { kind: "receipt", eventId: failedId, messageId, state: "failed", detail, ...place };
}

export type StanzaProblem = { isWait: boolean; text: string };

/** What a stanza of the type `error` says; words of the server, else the name of the condition. */
export function errorIn(stanza: Element): StanzaProblem {
  const error = stanza.getChild("error");
  const text = error?.getChildText("text") ?? error?.getChildElements()[0]?.name ?? "refused";
  return { isWait: error?.attrs["type"] === "wait", text: text.slice(0, 200) };
}

/** The id that our server or the room gave it; a client's own may come twice for two texts. */
function eventId(stanza: Element, by: string, { fallbackId }: Pick<Reading, "fallbackId">): string {
  const from = bareOf(stanza.attrs["from"] ?? "");
  const given = stanza.getChildren("stanza-id", STANZA_ID).find((one) => bareOf(one.attrs["by"] ?? "") === by)?.attrs[
    "id"
  ];
  if (given !== undefined) return hashed("message", from, given);
  return hashed("message", from, `${stanza.attrs["id"] ?? fallbackId()} ${stanza.getChildText("body") ?? ""}`);
}

const hashed = (...parts: readonly string[]): string => `${parts[0]}:${hash("sha256", parts.join("\n")).slice(0, 32)}`;
