/**
 * A client of the gateway that stays connected.
 *
 *   connecting ──welcome──▶ open ──lost──▶ waiting ──backoff──▶ connecting …
 *       └──refused, or nobody there the first time──▶ closed ◀──close()
 *
 * After a loss it subscribes again from the last event it saw, and repeats the requests that may be repeated.
 */
import type { EventFrame } from "../protocol/frames.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { MethodName, ParamsOf, ResultOf } from "../all-methods.ts";
import { ANSWER_MS_MAX, type Calls, createCalls } from "./calls.ts";
import { createEmitter, type Emitter, type EventName, type HoldpointEvent } from "./events.ts";
import { HoldpointError } from "./holdpoint-error.ts";
import { type Link, type LinkOptions, openLink } from "./link.ts";
import { createSubscribed, type Subscribed } from "./subscribed.ts";

const BACKOFF_FIRST_MS = 200;
const BACKOFF_MS_MAX = 10_000;
/** Amounts to hours of trying. */
const ATTEMPTS_MAX = 2_000;

export type ClientStatus = "connecting" | "open" | "waiting" | "closed";

export type ConnectOptions = LinkOptions & {
  /** False: a lost connection ends the client. */
  reconnect?: boolean;
  /** True: goes on trying even where nobody has answered yet, as a page does that opens before its gateway. */
  patient?: boolean;
  onStatus?(status: ClientStatus): void;
};

export type HoldpointClient = {
  /** Resolves after the handshake; rejects when the gateway refused it or cannot be reached. */
  ready(): Promise<ResultOf<"connect">>;
  call<Name extends Exclude<MethodName, "connect">>(
    method: Name,
    params: ParamsOf<Name>,
    options?: { timeoutMs?: number },
  ): Promise<ResultOf<Name>>;
  /** Listens to events of subscribed sessions; `*` means all of them. Returns the unsubscribe function. */
  on<Name extends EventName>(event: Name, listener: (event: HoldpointEvent<Name>) => void): () => void;
  on(event: string, listener: (event: HoldpointEvent) => void): () => void;
  /** Missed events first, then live ones, over every reconnect, each once. */
  subscribe(sessionId: SessionId, options?: SubscribeOptions): Promise<ResultOf<"sessions.subscribe">>;
  unsubscribe(sessionId: SessionId): Promise<void>;
  status(): ClientStatus;
  close(): void;
};

export type SubscribeOptions = {
  /** Where an earlier subscription ended. */
  afterCursor?: number;
  /** So much was missed that it cannot be sent again: read the session anew. */
  onMissed?(): void;
};

export function connectHoldpoint(options: ConnectOptions): HoldpointClient {
  const calls = createCalls();
  const emitter = createEmitter();
  const subscribed = createSubscribed();
  const keeper = keepConnected(options, { calls, emitter, subscribed });

  async function subscribe(sessionId: SessionId, { afterCursor, onMissed }: SubscribeOptions = {}) {
    subscribed.follow(sessionId, { cursor: afterCursor, onMissed });
    return subscribeAgain({ calls, subscribed }, sessionId).catch((error: unknown) => {
      subscribed.forget(sessionId);
      throw error;
    });
  }

  return {
    ready: keeper.ready,
    async call(method, params, { timeoutMs = ANSWER_MS_MAX } = {}) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made the answer of this method
      return (await calls.add(method, params, timeoutMs)) as ResultOf<typeof method>;
    },
    on: (event: string, listener: (event: never) => void) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an event of this name carries what its name says
      emitter.on(event, listener as (event: HoldpointEvent) => void),
    subscribe,
    async unsubscribe(sessionId) {
      subscribed.forget(sessionId);
      await calls.add("sessions.unsubscribe", { sessionId }, ANSWER_MS_MAX);
    },
    status: keeper.status,
    close: keeper.close,
  };
}

type Shared = { calls: Calls; emitter: Emitter; subscribed: Subscribed };

async function subscribeAgain(
  { calls, subscribed }: Pick<Shared, "calls" | "subscribed">,
  sessionId: SessionId,
): Promise<ResultOf<"sessions.subscribe">> {
  const followed = subscribed.entries().find(([id]) => id === sessionId)?.[1];
  const afterCursor = followed?.cursor;
  const params = afterCursor === undefined ? { sessionId } : { sessionId, afterCursor };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it
  const result = (await calls.add("sessions.subscribe", params, ANSWER_MS_MAX)) as ResultOf<"sessions.subscribe">;
  subscribed.reached(sessionId, result);
  if (!result.resumed) followed?.onMissed?.();
  return result;
}

type Keeper = { ready(): Promise<ResultOf<"connect">>; status(): ClientStatus; close(): void };

function keepConnected(options: ConnectOptions, { calls, emitter, subscribed }: Shared): Keeper {
  const first = Promise.withResolvers<ResultOf<"connect">>();
  first.promise.catch(() => {}); // without `ready`, the first call reports the failure
  let status: ClientStatus = "connecting";
  let greeted = false;
  let attempts = 0;
  let renewed = false;
  let link: Link | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function become(next: ClientStatus): void {
    if (status === next) return;
    status = next;
    options.onStatus?.(next);
  }

  function open(renew = false): void {
    become("connecting");
    link = openLink(
      { ...options, renew },
      {
        welcomed,
        answered: calls.settle,
        happened: (frame) => emitEvent(frame, { emitter, subscribed }),
        closed,
      },
    );
  }

  function welcomed(greeting: ResultOf<"connect">): void {
    attempts = 0;
    if (greeted) for (const [id] of subscribed.entries()) subscribeAgain({ calls, subscribed }, id).catch(() => {});
    greeted = true;
    become("open");
    calls.sendVia((text) => link?.send(text));
    first.resolve(greeting);
  }

  function closed({ refused, code, reason }: { refused?: HoldpointError; code: number; reason: string }): void {
    if (status === "closed") return;
    calls.connectionLost();
    const wantsNewTab = refused?.details["newTab"] === true && !renewed;
    renewed = wantsNewTab;
    if (wantsNewTab) return open(true); // the gateway was restarted: this tab asks for another secret, once
    attempts += 1;
    const mayReturn =
      (greeted || options.patient === true) &&
      options.reconnect !== false &&
      attempts < ATTEMPTS_MAX &&
      !isFinal(refused, code);
    if (!mayReturn) return end(refused ?? lostFor(code, reason, options.url));
    become("waiting");
    timer = setTimeout(() => open(), backoffMs(attempts));
  }

  function end(error: HoldpointError): void {
    clearTimeout(timer);
    become("closed");
    first.reject(error);
    calls.end(error);
    link?.close();
  }

  open();
  return {
    ready: () => first.promise,
    status: () => status,
    close: () => {
      if (status !== "closed") end(new HoldpointError({ code: "CLOSED", message: "This client was closed." }));
    },
  };
}

/** A wrong or revoked token does not become right by trying again. */
const isFinal = (refused: HoldpointError | undefined, code: number): boolean =>
  refused === undefined ? code === 1008 : !refused.retry;

function lostFor(code: number, reason: string, url: string): HoldpointError {
  if (code === 1008)
    return new HoldpointError({ code: "UNAUTHENTICATED", message: `The gateway ended this connection: ${reason}` });
  return new HoldpointError({
    code: "UNREACHABLE",
    message: `No gateway answers at ${url}. Start one with: holdpoint start`,
    retry: true,
  });
}

/** Spread out, so that a thousand clients do not come back in the same instant. */
const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** (attempts - 1), BACKOFF_MS_MAX) * (0.5 + Math.random() / 2);

function emitEvent(frame: EventFrame, { emitter, subscribed }: Pick<Shared, "emitter" | "subscribed">): void {
  const { event, payload, cursor } = frame;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return;
  if (!subscribed.isNew(payload["sessionId"], cursor)) return;
  emitter.emit(cursor === undefined ? { event, payload } : { event, payload, cursor });
}
