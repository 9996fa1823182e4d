/** A server of XMPP in memory: SCRAM-SHA-1, binding, stream management with resumption, rooms; clients that know corrections. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Element, xml } from "@xmpp/client";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { scramServer } from "./scram-server.ts";

const STREAM = "http://etherx.jabber.org/streams";
const SASL = "urn:ietf:params:xml:ns:xmpp-sasl";
const BIND = "urn:ietf:params:xml:ns:xmpp-bind";
const SM = "urn:xmpp:sm:3";
const STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas";
const STANZA_BYTES_MAX = 262_144;
const DOMAIN = "example.org";
const ME = `holdpoint@${DOMAIN}`;

type Due = "before" | "after" | "cut" | { afterMs: number };

/** A stream that can be resumed: what it sent since it began, and how much of it was confirmed. */
type Session = { id: string; sent: string[]; confirmed: number; received: number; socket: Socket | undefined };

export type XmppServer = {
  messages: (SeenMessage & { to: string })[];
  sessions: Map<string, Session>;
  current: Session | undefined;
  sockets: Set<Socket>;
  /** Rooms in which we are, with those whose presence was told. */
  rooms: Map<string, Set<string>>;
  /** Stanzas as we sent them. */
  taken: string[];
  due: Due[];
  numbers: number;
  password: string;
  isManaged: boolean;
  /** Sends a stanza to the account. */
  send(stanza: Element): void;
  presence(occupant: string, jid: string | undefined, type?: string): void;
};

const put = (server: XmppServer, stanza: Element): void => {
  const { current } = server;
  const text = stanza.toString();
  if (!server.isManaged || current === undefined) return void [...server.sockets].at(-1)?.write(text);
  current.sent.push(text);
  current.socket?.write(`${text}<r xmlns='${SM}'/>`);
};

function enable(server: XmppServer, socket: Socket): string {
  const id = `sm${++server.numbers}`;
  server.current = { id, sent: [], confirmed: 0, received: 0, socket };
  server.sessions.set(id, server.current);
  return `<enabled xmlns='${SM}' id='${id}' resume='true'/>`;
}

/** Sends again what was not confirmed. A count that is lower than one before is an error of ours. */
function resume(server: XmppServer, { attrs }: Element, socket: Socket): string {
  const session = server.sessions.get(attrs["previd"] ?? "");
  const handled = Number(attrs["h"]);
  if (session === undefined) return `<failed xmlns='${SM}'><item-not-found xmlns='${STANZAS}'/></failed>`;
  if (handled < session.confirmed || handled > session.sent.length) throw new Error(`resumed at ${handled}`);
  session.socket?.destroy();
  session.socket = socket;
  session.confirmed = handled;
  server.current = session;
  const again = session.sent.slice(handled).join("");
  return `<resumed xmlns='${SM}' h='${session.received}' previd='${session.id}'/>${again}<r xmlns='${SM}'/>`;
}

function seen(server: XmppServer, stanza: Element): void {
  const to = (stanza.attrs["to"] ?? "").split("/")[0] ?? "";
  const text = stanza.getChildText("body") ?? "";
  const replaced = stanza.getChild("replace", "urn:xmpp:message-correct:0")?.attrs["id"];
  const old = server.messages.find(({ id, to: there }) => id === replaced && there === to);
  if (old !== undefined) return void Object.assign(old, { text, raw: text });
  server.messages.push({ id: stanza.attrs["id"] ?? "", to, text, raw: text, buttons: [] });
}

function message(server: XmppServer, stanza: Element, socket: Socket): void {
  if (Buffer.byteLength(stanza.toString()) > STANZA_BYTES_MAX) return void socket.destroy();
  const { to = "", id, type } = stanza.attrs;
  if (type === "groupchat" && !server.rooms.has(to))
    return put(
      server,
      xml("message", { from: to, to: ME, id, type: "error" }, errorOf("cancel", "You are not in it.")),
    );
  const next = server.due.shift();
  if (typeof next === "object") {
    const words = `Please wait ${next.afterMs / 1_000} seconds`;
    return put(server, xml("message", { from: to, to: ME, id, type: "error" }, errorOf("wait", words)));
  }
  if (next !== "before") seen(server, stanza);
  if (next === undefined) return;
  if (next === "cut") {
    if (server.current !== undefined) server.current.received += 1;
  } else server.sessions.clear(); // the server itself began anew, and knows of no stream
  socket.destroy();
}

const errorOf = (type: string, text: string): Element =>
  xml("error", { type }, xml("policy-violation", { xmlns: STANZAS }), xml("text", { xmlns: STANZAS }, text));

function enter(server: XmppServer, to: string): void {
  server.rooms.set(to.split("/")[0] ?? "", new Set());
  server.presence(to, ME);
}

/** What is answered to one element. */
function answer(server: XmppServer, element: Element, socket: Socket): void {
  const { current } = server;
  if (element.is("r", SM)) return void socket.write(`<a xmlns='${SM}' h='${current?.received ?? 0}'/>`);
  if (element.is("a", SM)) return confirm(current, Number(element.attrs["h"]));
  server.taken.push(element.toString());
  const before = current?.received;
  stanzaIn(server, element, socket);
  if (current !== undefined && current.received === before && !socket.destroyed) current.received += 1;
}

function stanzaIn(server: XmppServer, element: Element, socket: Socket): void {
  const { to, id } = element.attrs;
  if (element.is("message")) return message(server, element, socket);
  if (element.is("presence")) return to === undefined ? undefined : enter(server, to);
  if (element.attrs["type"] === "get") put(server, xml("iq", { type: "result", id }));
}

function confirm(session: Session | undefined, handled: number): void {
  if (session === undefined) return;
  if (handled < session.confirmed || handled > session.sent.length) throw new Error(`confirmed ${handled}`);
  session.confirmed = handled;
}

const header = (features: string): string =>
  `<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='${STREAM}' from='${DOMAIN}' id='s' version='1.0'><stream:features>${features}</stream:features>`;

function serve(server: XmppServer, socket: Socket): void {
  const scram = scramServer(server.password);
  const sm = server.isManaged ? `<sm xmlns='${SM}'/>` : "";
  let isIn = false;
  const begin = (): Listening => {
    const parser = new xml.Parser();
    parser.on("start", () =>
      socket.write(
        header(
          isIn
            ? `<bind xmlns='${BIND}'/>${sm}`
            : `<mechanisms xmlns='${SASL}'><mechanism>SCRAM-SHA-1</mechanism></mechanisms>`,
        ),
      ),
    );
    parser.on("element", (element: Element) => take(element));
    parser.on("end", () => socket.end("</stream:stream>"));
    return parser;
  };
  const take = (element: Element): void => {
    const said = Buffer.from(element.text(), "base64").toString("utf8");
    if (element.is("auth", SASL))
      return void socket.write(`<challenge xmlns='${SASL}'>${encoded(scram.first(said))}</challenge>`);
    if (element.is("response", SASL)) {
      const last = scram.last(said);
      if (last === undefined) return void socket.write(`<failure xmlns='${SASL}'><not-authorized/></failure>`);
      isIn = true;
      parser = begin();
      return void socket.write(`<success xmlns='${SASL}'>${encoded(last)}</success>`);
    }
    if (element.getChild("bind", BIND) !== undefined)
      return void socket.write(
        `<iq type='result' id='${element.attrs["id"]}'><bind xmlns='${BIND}'><jid>${ME}/r${++server.numbers}</jid></bind></iq>`,
      );
    if (element.is("enable", SM)) return void socket.write(enable(server, socket));
    if (element.is("resume", SM)) return void socket.write(resume(server, element, socket));
    answer(server, element, socket);
  };
  let parser = begin();
  socket.setEncoding("utf8").on("data", (chunk: string) => parser.write(chunk.replace(/^<\?xml[^>]*\?>/, "")));
}

const encoded = (text: string): string => Buffer.from(text).toString("base64");

type Listening = { write(text: string): void };

const addressOf = ({ person = "501" }: Writing): string => `p${person}@${DOMAIN}`;
const roomOf = (group: string): string => (group.includes("@") ? group : `c${group.replace("-", "")}@rooms.${DOMAIN}`);

function newServer(password: string, isManaged: boolean): XmppServer {
  const server: XmppServer = {
    messages: [],
    sessions: new Map(),
    current: undefined,
    sockets: new Set(),
    rooms: new Map(),
    taken: [],
    due: [],
    numbers: 0,
    password,
    isManaged,
    send: (stanza) => put(server, stanza),
    presence(occupant, jid, type) {
      const item = xml("item", { affiliation: "member", role: "participant", jid });
      const muc = xml("x", { xmlns: "http://jabber.org/protocol/muc#user" }, item);
      put(server, xml("presence", { from: occupant, to: ME, type }, muc));
    },
  };
  return server;
}

/** What somebody writes, as their client and their server make it. */
function written(server: XmppServer, text: string, by: Writing): Element | undefined {
  const id = `w${++server.numbers}`;
  const archive = by.group === undefined ? ME : roomOf(by.group);
  const ids = xml("stanza-id", { xmlns: "urn:xmpp:sid:0", by: archive, id: `s${id}` });
  const label = by.replyTo === undefined ? [] : [xml("thread", {}, `about ${by.replyTo}`)];
  if (by.group === undefined)
    return xml(
      "message",
      { from: `${addressOf(by)}/phone`, to: ME, type: "chat", id },
      xml("body", {}, text),
      ids,
      ...label,
    );
  const room = roomOf(by.group);
  const told = server.rooms.get(room);
  if (told === undefined) return undefined; // nothing comes out of a room in which we are not
  const nick = `p${by.person ?? "501"}`;
  if (!told.has(nick)) server.presence(`${room}/${nick}`, `${addressOf(by)}/phone`);
  told.add(nick);
  const named = by.mentions === true ? `holdpoint: ${text}` : text;
  return xml(
    "message",
    { from: `${room}/${nick}`, to: ME, type: "groupchat", id },
    xml("body", {}, named),
    ids,
    ...label,
  );
}

export type XmppWorld = VendorWorld & { server: XmppServer };

export async function startFakeXmpp(
  settings: object = {},
  { password = "s3cret", isManaged = true }: { password?: string; isManaged?: boolean } = {},
): Promise<XmppWorld> {
  const server = newServer(password, isManaged);
  const listener = createServer((socket) => {
    server.sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      server.sockets.delete(socket);
      if (server.current?.socket === socket) server.current.socket = undefined;
    });
    serve(server, socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const sent: Element[] = [];
  return {
    server,
    settings: ChannelSettings.parse({
      kind: "xmpp",
      jid: ME,
      password: "s3cret",
      service: `xmpp://127.0.0.1:${port}`,
      tls: false,
      ...settings,
    }),
    vendor: {
      groupId: roomOf,
      conversation: (of) => (of.group === undefined ? addressOf(of) : roomOf(of.group)),
      write(text, by = {}) {
        const stanza = written(server, text, by);
        if (stanza === undefined) return;
        sent.push(stanza);
        put(server, stanza);
      },
      press: () => undefined,
      // what was not confirmed comes again by itself when the stream is resumed
      sendAgain: (count) => (count === 0 ? [] : sent.slice(-count)).forEach((stanza) => put(server, stanza)),
      acknowledged: () =>
        [...server.sessions.values()].reduce(
          (sum, { sent: all, confirmed }) =>
            sum + all.slice(0, confirmed).filter((text) => text.startsWith("<message")).length,
          0,
        ),
      messages: (conversation) => server.messages.filter(({ to }) => to === conversation),
      tells: "socket",
      threads: { none: "a stanza may carry a label of a thread, which is no place: it goes to the same address" },
      toasts: () => [],
      limit: (afterMs, times) => void server.due.push(...Array.from({ length: times }, () => ({ afterMs }))),
      cut: (when) => void server.due.push(when),
      refuseFiles: () => undefined,
      remove(conversation, messageId) {
        server.messages = server.messages.filter(({ id, to }) => id !== messageId || to !== conversation);
      },
      connections: () => server.sockets.size,
      async close() {
        for (const socket of server.sockets) socket.destroy();
        await new Promise((resolve) => listener.close(resolve));
      },
    },
  };
}
