/** Who is who in the rooms that we are in: by the presence of each occupant, where the room shows real addresses. */
import { type Element, xml } from "@xmpp/client";
import type { VendorEvent } from "../port.ts";
import { bareOf, resourceOf } from "./xmpp-address.ts";

const MUC = "http://jabber.org/protocol/muc";
const MUC_USER = "http://jabber.org/protocol/muc#user";
const OCCUPANT_ID = "urn:xmpp:occupant-id:0";
const OCCUPANTS_MAX = 5_000;

export type XmppRooms = {
  has(room: string): boolean;
  /** What to send to enter all of them. What was written before is not asked for: nobody vouches for who wrote it. */
  joins(): Element[];
  /** Takes a presence of a room; returns what is wrong where it is one of an entry that was refused. */
  take(presence: Element): string | undefined;
  person(message: Element): VendorEvent["person"];
  /** Nobody is known any more: after a connection whose stream was not resumed. */
  clear(): void;
};

type RoomsParts = { rooms: readonly string[]; nick: string; domain: string };

export function createRooms({ rooms, nick, domain }: RoomsParts): XmppRooms {
  const known = new Set(rooms);
  const occupants = new Map<string, string>();
  return {
    has: (room) => known.has(room),
    joins: () =>
      rooms.map((room) =>
        xml("presence", { to: `${room}/${nick}` }, xml("x", { xmlns: MUC }, xml("history", { maxstanzas: 0 }))),
      ),
    take(presence) {
      const from = presence.attrs["from"] ?? "";
      if (!known.has(bareOf(from))) return undefined;
      if (presence.attrs["type"] === "error") return `The room ${bareOf(from)} does not let us in.`;
      const jid = presence.getChild("x", MUC_USER)?.getChild("item")?.attrs["jid"];
      if (presence.attrs["type"] === "unavailable" || jid === undefined) occupants.delete(from);
      else if (occupants.size < OCCUPANTS_MAX) occupants.set(from, bareOf(jid));
      return undefined;
    },
    person(message) {
      const from = message.attrs["from"] ?? "";
      const jid = occupants.get(from);
      const name = resourceOf(from);
      // a room of somebody else's server could claim anything about who is in it
      if (jid !== undefined && isWithin(bareOf(from), domain) && !isPast(message))
        return { id: jid, assured: true, name };
      const occupant = message.getChild("occupant-id", OCCUPANT_ID)?.attrs["id"] ?? name;
      return { id: `${bareOf(from)}/${occupant}`, assured: false, name };
    },
    clear: () => occupants.clear(),
  };
}

/** Out of the room's history: whoever has the name now need not be who wrote it. */
const isPast = (message: Element): boolean =>
  bareOf(message.getChild("delay", "urn:xmpp:delay")?.attrs["from"] ?? "") === bareOf(message.attrs["from"] ?? "");

function isWithin(room: string, domain: string): boolean {
  const host = room.split("@").at(-1) ?? "";
  return host === domain || host.endsWith(`.${domain}`);
}
