/**
 * One connection to a server: TLS, log-in, and a stream that is resumed where the server still has it, or begun.
 *
 *   connect ─▶ TLS ─▶ log-in ─▶ resume ─▶ ready
 *                                 └─▶ bind ─▶ enable ─▶ ready
 */
import { StringDecoder } from "node:string_decoder";
import { checkServerIdentity, TLSSocket } from "node:tls";
import { type Client, client as createClient, type Element, xml } from "@xmpp/client";
import type { XmppSettings } from "../protocol/vendors/xmpp-settings.ts";
import { isStreamRefused, manageStream, offersStream, type StreamEvents, type StreamState } from "./xmpp-stream.ts";

const READY_MS_MAX = 15_000;
const PING_MS_MAX = 15_000;
/** How often a server without stream management is asked for a sign of life. */
const ASK_MS = 60_000;
const STREAMS = "http://etherx.jabber.org/streams";

export type XmppConnection = {
  /** Our address without its resource. */
  me: string;
  /** Whether the stream of an earlier connection goes on. */
  isResumed: boolean;
  send(stanza: Element): Promise<void>;
  /** Whether the server confirms what it has taken; else it is asked by `ping`. */
  isManaged(): boolean;
  /** Answered when the server has read all that was sent before. */
  ping(): Promise<void>;
  /** Cuts the connection: the server keeps the stream for a while. */
  drop(): void;
  closed: Promise<void>;
};

export type XmppConnecting = {
  settings: XmppSettings;
  stream: StreamState;
  events: StreamEvents;
  /** Each stanza, in its order. */
  onStanza(stanza: Element): void;
  signal: AbortSignal;
};

export async function connectXmpp({
  settings,
  stream,
  events,
  onStanza,
  signal,
}: XmppConnecting): Promise<XmppConnection> {
  const client = newClient(settings);
  const ended = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<boolean>();
  const fail = (error: unknown): void => ready.reject(error);
  client.on("error", fail);
  client.on("stanza", onStanza);
  const drop = (): void => {
    const { socket } = client;
    if (socket === null) return ended.resolve();
    (socket.socket ?? socket).destroy?.();
  };
  client.on("disconnect", () => {
    ready.reject(new Error("the server closed the connection"));
    ended.resolve();
  });
  manageStream(client, stream, events);
  watchReady(client, (isResumed) => ready.resolve(isResumed));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(READY_MS_MAX)]);
  const callOff = (): void => [fail(new Error("the server did not answer in time")), drop()].at(-1);
  limit.addEventListener("abort", callOff, { once: true });
  if (limit.aborted) callOff();
  try {
    const { service, domain } = client.options;
    // the library itself does not notice that a connection ends while it waits for its opening
    const opened = client.connect(service).then(() => client.open({ domain }));
    opened.catch(fail);
    const isResumed = await ready.promise;
    signal.addEventListener("abort", drop, { once: true });
    const connection = standing(client, { isResumed, drop, closed: ended.promise });
    if (!connection.isManaged()) keepAsking(connection);
    return connection;
  } catch (error) {
    drop();
    throw error;
  } finally {
    limit.removeEventListener("abort", callOff);
  }
}

function newClient(settings: XmppSettings): Client {
  const [username = "", domain = ""] = settings.jid.split("@");
  const client = createClient({
    service: settings.service ?? domain,
    domain,
    username,
    async credentials(...[authenticate, mechanisms, , entity]) {
      if (settings.tls) requireTls(entity, settings);
      const wanted = mechanisms.find((name) => name !== "ANONYMOUS" && (entity.isSecure() || name !== "PLAIN"));
      if (wanted === undefined) throw new Error("the server offers no way to log in that we know");
      const userAgent = xml("user-agent", { id: USER_AGENT });
      await authenticate({ username, password: settings.password }, wanted, userAgent);
    },
  });
  client.reconnect.stop(); // a connection is opened again by whoever opened this one
  client.timeout = READY_MS_MAX;
  const decoder = new StringDecoder("utf8"); // the library would break characters that two packets share
  const onData = (data: Buffer): void => client.parser?.write(decoder.write(data));
  return Object.assign(client, { ["_onData"]: onData });
}

const USER_AGENT = "6e6b4b2e-5a4c-4f0e-9d53-686f6c647074";

/** The DNS may be forged, so the certificate must be the domain's, or that of the server which was configured. */
function requireTls(entity: Client, { service, jid }: XmppSettings): void {
  const socket = entity.socket?.socket;
  if (!entity.isSecure() || !(socket instanceof TLSSocket)) throw new Error("the server offers no TLS");
  const names = [jid.split("@")[1] ?? "", ...(service === undefined ? [] : [new URL(service).hostname])];
  const certificate = socket.getPeerCertificate();
  const isOurs = names.some((name) => checkServerIdentity(name, certificate) === undefined);
  if (!isOurs) throw new Error(`the server's certificate is not one of ${names.join(" or ")}`);
}

/** Calls back when the stream can be used: bound, and managed where the server offers it. */
function watchReady(client: Client, ready: (isResumed: boolean) => void): void {
  const sm = client.streamManagement;
  let isOnline = false;
  let isOffered = false;
  const look = (): void => (isOnline && (sm.enabled || !isOffered) ? ready(false) : undefined);
  client.on("element", (element: Element) => {
    if (element.is("features", STREAMS)) isOffered = offersStream(element);
    if (isOnline && isStreamRefused(element)) isOffered = false;
    setImmediate(look); // the library notes it in a later turn
  });
  client.on("online", () => {
    isOnline = true;
    look();
  });
  sm.on("resumed", () => ready(true));
}

function standing(
  client: Client,
  { isResumed, drop, closed }: Pick<XmppConnection, "isResumed" | "drop" | "closed">,
): XmppConnection {
  return {
    me: client.jid?.bare().toString() ?? "",
    isResumed,
    send: (stanza) => client.send(stanza),
    isManaged: () => client.streamManagement.enabled,
    async ping() {
      const ping = xml("iq", { type: "get", to: client.options.domain }, xml("ping", { xmlns: "urn:xmpp:ping" }));
      await client.iqCaller.request(ping, PING_MS_MAX).catch((error: unknown) => {
        if (!isAnswer(error)) throw error; // a server that does not know pings has read it all the same
      });
    },
    drop,
    closed,
  };
}

const isAnswer = (error: unknown): boolean => error instanceof Error && error.name === "StanzaError";

function keepAsking({ ping, drop, closed }: XmppConnection): void {
  const timer = setInterval(() => void ping().catch(drop), ASK_MS);
  void closed.then(() => clearInterval(timer));
}
