/**
 * Discord's gateway. The number of the last event is noted when that event is stored; after a lost connection, a restart or an
 * event that could not be stored, the session is resumed behind it and Discord sends again what came after.
 *
 *   hello ─▶ resume (session noted) ─▶ what was missed ─▶ RESUMED
 *        └─▶ identify (none, or Discord forgot it) ─▶ READY
 */
import { z } from "zod";
import type { VendorEvent, VendorIo } from "../port.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { jsonCodec, openSocket, type Socket } from "../wire/open-socket.ts";

/** Messages in servers, direct messages, and what stands in them. */
const INTENTS = (1 << 9) | (1 << 12) | (1 << 15);
const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  beaten: 11,
};
/** Any code but 1000 and 1001 keeps the session. */
const KEEP_SESSION = 4_000;
const UNKNOWN_SESSION: readonly number[] = [4_007, 4_009];
const WHY: Readonly<Record<number, string>> = {
  4004: "Discord does not know this token.",
  4013: "Discord does not know these intents.",
  4014: "Discord does not allow the bot to read messages: switch on Message Content Intent in the developer portal.",
};

const Message = z.object({
  op: z.number(),
  d: z.unknown().optional(),
  s: z.number().nullish(),
  t: z.string().nullish(),
});
const Hello = z.object({ heartbeat_interval: z.number() });
const Ready = z.object({ session_id: z.string(), resume_gateway_url: z.string() });

const Session = z.object({ id: z.string(), url: z.string(), seq: z.number() });
type Session = z.infer<typeof Session>;

export type Gateway = {
  token: string;
  /** Where a new session begins. */
  url(): Promise<string>;
  io: VendorIo;
  eventIn(name: string, data: unknown): VendorEvent | undefined;
  signal: AbortSignal;
};

/** Resolves when Discord has accepted us. */
export async function discordGateway(gateway: Gateway): Promise<{ ended: Promise<void> }> {
  const { io, signal } = gateway;
  const noted = await io.cursor.get();
  const place = { session: Session.safeParse(noted === undefined ? undefined : JSON.parse(noted)).data };
  return keepConnected({ connect: () => connect(gateway, place), report: io.report, signal });
}

type Connection = Gateway & { place: { session: Session | undefined }; ready: PromiseWithResolvers<void> };

async function connect(gateway: Gateway, place: Connection["place"]): Promise<Socket> {
  const ready = Promise.withResolvers<void>();
  const connection = { ...gateway, place, ready };
  const url = `${(place.session?.url ?? (await gateway.url())).replace(/\/$/, "")}/?v=10&encoding=json`;
  let stopBeating: (() => void) | undefined;
  const socket = await openSocket(url, {
    codec: jsonCodec,
    signal: gateway.signal,
    failed: (error) => gateway.io.report(error instanceof Error ? error.message : String(error)),
    async take(received, open) {
      const message = Message.parse(received);
      if (message.op !== OP.hello) return take(message, open, connection);
      stopBeating = beat(Hello.parse(message.d).heartbeat_interval, () => sendBeat(open, place));
      open.send(greeting(connection));
    },
  });
  const end = (code: number): void => {
    stopBeating?.();
    if (UNKNOWN_SESSION.includes(code)) place.session = undefined;
    ready.reject(new Error(WHY[code] ?? `Discord closed the connection (${code})`));
  };
  void socket.closed.then(end);
  await ready.promise;
  return socket;
}

function greeting({ token, place: { session } }: Connection): object {
  if (session !== undefined) return { op: OP.resume, d: { token, session_id: session.id, seq: session.seq } };
  const properties = { os: process.platform, browser: "holdpoint", device: "holdpoint" };
  return { op: OP.identify, d: { token, intents: INTENTS, properties } };
}

async function take({ op, d, s, t }: z.infer<typeof Message>, socket: Socket, connection: Connection): Promise<void> {
  const { place } = connection;
  switch (op) {
    case OP.heartbeat:
      return sendBeat(socket, place);
    case OP.reconnect:
      return socket.close(KEEP_SESSION);
    case OP.invalidSession:
      if (d !== true) place.session = undefined;
      return socket.close(KEEP_SESSION);
    case OP.dispatch:
      return dispatched({ name: t ?? "", data: d, seq: s ?? 0 }, connection);
    default:
      return undefined;
  }
}

type Dispatched = { name: string; data: unknown; seq: number };

async function dispatched({ name, data, seq }: Dispatched, { place, io, ready, eventIn }: Connection): Promise<void> {
  if (name === "READY") {
    const { session_id: id, resume_gateway_url: url } = Ready.parse(data);
    place.session = { id, url, seq };
    await io.cursor.set(JSON.stringify(place.session));
  }
  if (name === "READY" || name === "RESUMED") ready.resolve();
  const event = eventIn(name, data);
  if (event !== undefined) await io.deliver(event);
  if (place.session === undefined) return;
  place.session = { ...place.session, seq: Math.max(place.session.seq, seq) };
  if (event !== undefined) await io.cursor.set(JSON.stringify(place.session));
}

/** Says which event was the last that is stored. */
const sendBeat = (socket: Socket, { session }: Connection["place"]): void =>
  socket.send({ op: OP.heartbeat, d: session?.seq ?? null });

function beat(everyMs: number, send: () => void): () => void {
  const timer = setInterval(send, everyMs);
  const first = setTimeout(send, everyMs * Math.random()); // as Discord asks, so that not everybody beats at once
  return () => {
    clearInterval(timer);
    clearTimeout(first);
  };
}
