/** XMPP by @xmpp/client: direct messages, rooms, corrections (XEP-0308) and receipts. */
import { type Element, xml } from "@xmpp/client";
import { createLane } from "../../lane/lane.ts";
import { type Checked, defineChannel, SendError, type VendorEvent, type VendorIo, type VendorPort } from "../port.ts";
import type { XmppSettings } from "../protocol/vendors/xmpp-settings.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { whenConnected } from "../wire/when-connected.ts";
import { bareOf, isBareAddress } from "./xmpp-address.ts";
import { connectXmpp, type XmppConnection } from "./xmpp-connection.ts";
import { messageEvent } from "./xmpp-event.ts";
import { messageStanza } from "./xmpp-message.ts";
import { type Attempt, createReceiving, notedStream } from "./xmpp-receiving.ts";
import { createRooms, type XmppRooms } from "./xmpp-rooms.ts";
import { createSending } from "./xmpp-sending.ts";
import { NO_STREAM } from "./xmpp-stream.ts";

export const xmpp = defineChannel("xmpp", ({ settings, now }) => createXmpp(settings, now));

function createXmpp(settings: XmppSettings, now: () => number): VendorPort {
  const [stopping, outgoing] = [new AbortController(), createLane()];
  const rooms = roomsOf(settings);
  const sending = createSending();
  let standing = Promise.withResolvers<XmppConnection>();
  let connected: Promise<void> | undefined;
  let numbers = 0;
  const reading = { me: settings.jid, nick: settings.nick, rooms, fallbackId: () => `${now()}:${++numbers}` };

  const read = (stanza: Element, io: VendorIo): VendorEvent | undefined => {
    if (stanza.name === "message") return sending.refused(stanza) ? undefined : messageEvent(stanza, reading);
    const problem = stanza.name === "presence" ? rooms.take(stanza) : undefined;
    if (problem !== undefined) io.report(problem);
    return undefined;
  };

  /** Opens a connection, and all later ones. */
  async function opener(io: VendorIo): Promise<() => Promise<{ closed: Promise<void> }>> {
    const stream = notedStream(await io.cursor.get());
    const receiving = createReceiving({ io, stream, read: (stanza) => read(stanza, io) });
    const lost = async (connection: XmppConnection, attempt: Attempt): Promise<void> => {
      await connection.closed;
      attempt.isOver = true;
      standing = Promise.withResolvers();
      if (stream.id === "") sending.giveUp();
      await receiving.idle(); // what came by this connection counts now or never
    };
    return async () => {
      const attempt: Attempt = { counted: stream.handled, isOver: false, stream: stream.id };
      const isKnown = stream.confirmed !== undefined;
      const began = (): void => {
        rooms.clear();
        receiving.began(attempt);
      };
      const connection = await connectXmpp({
        settings,
        stream,
        events: { ...sending.events, began },
        onStanza: (stanza) => receiving.take(stanza, attempt),
        signal: stopping.signal,
      });
      if (!connection.isManaged()) stream.id = "";
      await receiving.stands(attempt, connection);
      if (!connection.isResumed) await connection.send(xml("presence", {}));
      // after a restart nobody knows who is in the rooms: entering once more has it told
      if (!connection.isResumed || !isKnown) await enterAll(connection, rooms);
      standing.resolve(connection);
      return { closed: lost(connection, attempt) };
    };
  }

  return {
    connects: true,
    check: (signal) => check(settings, signal),
    async start(io) {
      const connect = await opener(io);
      const { ended } = await keepConnected({ connect, report: io.report, signal: stopping.signal });
      connected = ended;
    },
    async send(conversation, out, { key, signal }) {
      if (!isBareAddress(conversation)) throw new SendError(`${conversation} is nobody on XMPP`, { retry: "never" });
      return outgoing(async () => {
        const open = await whenConnected(standing.promise, "XMPP", AbortSignal.any([signal, stopping.signal]));
        const stanza = messageStanza(out, { to: conversation, isRoom: rooms.has(bareOf(conversation)), key });
        await sending.send(stanza, open, stopping.signal);
        return { messageId: out.kind === "edit" ? out.messageId : (stanza.attrs["id"] ?? "") };
      });
    },
    /** The stream is not closed, so that the server keeps what comes until we are back. */
    async stop() {
      stopping.abort();
      sending.giveUp();
      await connected;
    },
  };
}

const roomsOf = ({ groups, nick, jid }: XmppSettings): XmppRooms =>
  createRooms({
    rooms: groups.allow.map((room) => room.toLowerCase()).filter(isBareAddress),
    nick,
    domain: jid.split("@")[1] ?? "",
  });

async function enterAll(connection: XmppConnection, rooms: XmppRooms): Promise<void> {
  const joins = rooms.joins();
  for (const join of joins) await connection.send(join);
  if (joins.length > 0) await connection.ping();
}

async function check(settings: XmppSettings, signal: AbortSignal): Promise<Checked> {
  const nobody = { began: () => undefined, confirmed: () => undefined, lost: () => undefined, isWanted: () => false };
  try {
    const events = { stream: NO_STREAM(), events: nobody, onStanza: () => undefined };
    const open = await connectXmpp({ settings, ...events, signal });
    open.drop();
    return { ok: true, me: open.me };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const isPassword = /not-authorized/.test(said);
    const problem = isPassword ? "The server does not accept this address with this password." : said;
    return { ok: false, problem, fix: "Look at jid, password, service and the server's certificate." };
  }
}
