/**
 * One WebSocket connection.
 *
 *   waiting ──connect──▶ greeting ──right token──▶ open ──▶ closed
 *      │                    └──wrong token──▶ closed 1008
 *      └──HANDSHAKE_MS_MAX passed, or too many other frames──▶ closed 1008
 */
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { hasScope } from "../../protocol/actor.ts";
import { FRAME_BYTES_MAX, PROTOCOL_VERSION } from "../../protocol/frames.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import type { ResultOf } from "../../protocol/methods.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { Feed } from "../feed.ts";
import { readFrame } from "./frame-reader.ts";
import { type Greeting, type HandshakeParts, shakeHands } from "./handshake.ts";
import { SURFACES } from "../operator.ts";
import type { Caller } from "../method-table.ts";
import { createOutbound, eventOf, type Outbound } from "./outbound.ts";
import { createRateLimit } from "../rate-limit.ts";
import { createRequests, refusalOf, type Report, type Request } from "./requests.ts";
import type { Router } from "../router.ts";
import { type ConnectionSubscriptions, createSubscriptions } from "./subscriptions.ts";

export const HANDSHAKE_MS_MAX = 5_000;
export const FRAMES_BEFORE_HANDSHAKE_MAX = 10;

export type ConnectionParts = HandshakeParts & {
  id: string;
  socket: WebSocket;
  stream: Duplex;
  route: Router;
  feed: Feed;
  version: string;
  requestsPerSecond: number;
  now(): number;
  /** Whether one more operator may connect; strangers do not count. */
  hasRoom(): boolean;
  /** Called once, when the token was right. */
  greeted(greeting: Greeting): void;
  report: Report;
};

export type Connection = {
  /** Whether this token, or this browser's log-in, opened it. */
  isOf(id: OperatorId): boolean;
  /** Takes no further request; resolves when what is under way was answered. */
  finish(): Promise<void>;
  /** Sends the cursor of the last event, and closes. */
  goAway(cursor: number): void;
  revoke(): void;
};

export function createConnection(parts: ConnectionParts): Connection {
  const { socket } = parts;
  const out = createOutbound(socket, parts.stream);
  const rate = createRateLimit(parts.requestsPerSecond, parts.now);
  const subscriptions = createSubscriptions({
    feed: parts.feed,
    send: out.event,
    overflow: () => out.close(1013, "events were missed; resume from your last cursor"),
  });
  const requests = createRequests({ ...parts, out, rate });
  const greeter = createGreeter(parts, out, subscriptions);

  socket.on("message", receive);
  socket.on("ping", () => {
    if (!rate.take()) out.close(1008, "too many pings");
  });
  socket.on("error", () => {}); // a broken frame is the peer's fault, and ws has already closed with the fitting code
  socket.on("close", () => {
    greeter.stop();
    subscriptions.stop();
  });

  function receive(data: RawData, isBinary: boolean): void {
    if (isBinary || !Buffer.isBuffer(data)) return out.close(1003, "text frames only");
    const read = readFrame(data);
    const id = "request" in read ? read.request.id : read.id;
    const refused = requests.refusal(id ?? "");
    if (refused !== undefined) return out.refuse(id, refused.refused);
    if (!("request" in read)) return greeter.stray(id, read.refusal);
    const caller = greeter.caller();
    if (caller === undefined) return void greeter.greet(read.request);
    if (read.request.method === "connect") return out.refuse(id, ALREADY_CONNECTED);
    requests.answer(read.request, caller);
  }

  return {
    isOf: greeter.isOf,
    finish() {
      requests.stopWith(DRAINING);
      return requests.settled();
    },
    goAway(cursor) {
      if (greeter.caller() !== undefined) out.event(eventOf("gateway.draining", { cursor }));
      out.close(1001, `cursor=${cursor}`);
    },
    revoke() {
      requests.stopWith(REVOKED);
      setImmediate(() => out.close(1008, "UNAUTHENTICATED")); // after the answer to whoever revoked their own token
    },
  };
}

type Greeter = {
  /** Known as soon as the token was right. */
  isOf(id: OperatorId): boolean;
  /** Undefined until the client has been welcomed. */
  caller(): Caller | undefined;
  greet(request: Request): Promise<void>;
  /** Answers a frame that is no request; a peer without a token may only send a few of them. */
  stray(id: string | null, refusal: Refusal): void;
  stop(): void;
};

function createGreeter(parts: ConnectionParts, out: Outbound, subscriptions: ConnectionSubscriptions): Greeter {
  const deadline = setTimeout(() => out.close(1008, "connect first, and soon"), HANDSHAKE_MS_MAX);
  const ids = new Set<OperatorId>();
  let caller: Caller | undefined;
  let greeting = false;
  let strays = 0;

  function stray(id: string | null, refusal: Refusal): void {
    out.refuse(id, refusal);
    strays += 1;
    if (caller === undefined && strays >= FRAMES_BEFORE_HANDSHAKE_MAX) out.close(1008, "connect first");
  }

  function turnAway(id: string): void {
    out.refuse(id, FULL);
    out.close(1013, "too many connections");
  }

  async function welcome(id: string, greeted: Greeting): Promise<void> {
    const { operator: proven, params } = greeted;
    const { surface: ofToken = SURFACES.token, ...operator } = proven;
    const surface = operator.device === undefined ? ofToken : SURFACES.login;
    clearTimeout(deadline);
    ids.add(operator.id);
    if (operator.device !== undefined) ids.add(operator.device);
    parts.greeted(greeted);
    const resume = hasScope(operator.scopes, "operator.read") ? params.resume : undefined;
    const { cursor, resumed, release } = await subscriptions.prepare(resume?.sessionIds ?? [], resume?.cursor);
    const result: ResultOf<"connect"> = {
      protocol: PROTOCOL_VERSION,
      server: { name: "holdpoint", version: parts.version },
      connectionId: parts.id,
      operator,
      cursor,
      resumed: resumed && resume !== undefined,
      limits: { frameBytesMax: FRAME_BYTES_MAX, requestsPerSecond: parts.requestsPerSecond },
    };
    const actor = { kind: "operator" as const, ...operator, surface };
    caller = { actor, connectionId: parts.id, subscriptions };
    out.answer(id, result);
    release();
  }

  return {
    isOf: (id) => ids.has(id),
    caller: () => caller,
    stray,
    async greet({ id, method, params }) {
      if (method !== "connect" || greeting) return stray(id, HANDSHAKE_REQUIRED);
      greeting = true;
      try {
        const greeted = await shakeHands(params, parts);
        if (!("refused" in greeted)) return parts.hasRoom() ? await welcome(id, greeted) : turnAway(id);
        stray(id, greeted.refused);
        if (FINAL.has(greeted.refused.code)) out.close(1008, greeted.refused.code);
      } catch (error) {
        const refusal = refusalOf(error, () => parts.report(error, method));
        out.refuse(id, refusal);
        out.close(refusal.retry === true ? TRY_AGAIN_LATER : 1011, refusal.code);
      } finally {
        greeting = false;
      }
    },
    stop: () => clearTimeout(deadline),
  };
}

const TRY_AGAIN_LATER = 1013;

/** After these the connection ends; after a mistake in the request its sender may correct it. */
const FINAL: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "RATE_LIMITED"]);

const HANDSHAKE_REQUIRED: Refusal = {
  code: "HANDSHAKE_REQUIRED",
  message: "The first request of a connection is connect, and the next one waits for its answer.",
};
const FULL: Refusal = {
  code: "QUEUE_FULL",
  message: "Too many connections are open. Close one, or raise gateway.connectionsMax.",
  retry: true,
};
const ALREADY_CONNECTED: Refusal = {
  code: "INVALID_REQUEST",
  message: "This connection is connected already. Open another one for another token.",
};
const DRAINING: Refusal = {
  code: "DRAINING",
  message: "The gateway is stopping. Reconnect and try again.",
  retry: true,
};
const REVOKED: Refusal = {
  code: "UNAUTHENTICATED",
  message: "This token was revoked. Ask an operator for another.",
};
