/** One connection, from opening to closing, with the handshake at its beginning. The next one is another link. */
import type { Scope } from "../protocol/actor.ts";
import type { EventFrame, PROTOCOL_VERSION, ResponseFrame, ServerFrame } from "../protocol/frames.ts";
import type { ParamsOf, ResultOf } from "../all-methods.ts";
import { HoldpointError } from "./holdpoint-error.ts";

/** Written here once more, because importing it would bring a schema library into every page; the type keeps them equal. */
const PROTOCOL: typeof PROTOCOL_VERSION = 1;
const HANDSHAKE_ID = "connect";
const HANDSHAKE_MS_MAX = 10_000;
const LOST_EVENT_CODE = 4000;

/** A program shows its token; a page the secret of its tab, which a new one replaces when the gateway forgot it. */
export type Credential = { token: string } | { tabSecret(renew: boolean): Promise<string> };

export type LinkOptions = Credential & {
  /** `http://…` or `ws://…`, as the gateway prints it. */
  url: string;
  clientName: string;
  clientVersion?: string;
  /** Where the person is: cli, web, … */
  surface?: string;
  /** Fewer than the token has; never more. */
  scopes?: Scope[];
};

export type LinkListener = {
  welcomed(greeting: ResultOf<"connect">): void;
  answered(frame: ResponseFrame): void;
  happened(frame: EventFrame): void;
  /** Called once; `refused` when the gateway refused the handshake. */
  closed(end: { code: number; reason: string; refused?: HoldpointError }): void;
};

export type Link = { send(text: string): void; close(): void };

export function openLink(options: LinkOptions & { renew?: boolean }, listener: LinkListener): Link {
  const socket = new WebSocket(socketUrl(options.url));
  let welcomed = false;
  let refused: HoldpointError | undefined;
  let seq = 0;
  const deadline = setTimeout(() => socket.close(), HANDSHAKE_MS_MAX);

  socket.addEventListener("open", () => {
    authOf(options).then(greet, (error: unknown) => {
      refused = error instanceof HoldpointError ? error : new HoldpointError(noSecret(error));
      socket.close();
    });
  });

  function greet(auth: ParamsOf<"connect">["auth"]): void {
    if (socket.readyState !== WebSocket.OPEN) return; // lost meanwhile; its listeners were notified
    const params = greeting(options, auth);
    socket.send(JSON.stringify({ type: "req", id: HANDSHAKE_ID, method: "connect", params }));
  }

  socket.addEventListener("message", ({ data }) => receive(JSON.parse(String(data))));
  socket.addEventListener("close", ({ code, reason }) => {
    clearTimeout(deadline);
    listener.closed({ code, reason, ...(refused === undefined ? {} : { refused }) });
  });

  function receive(frame: ServerFrame): void {
    if (frame.type === "event") return onEvent(frame);
    if (welcomed) return listener.answered(frame);
    clearTimeout(deadline);
    if (!frame.ok) {
      refused = new HoldpointError(frame.error);
      return socket.close();
    }
    welcomed = true;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it, and the version was agreed on
    listener.welcomed(frame.payload as ResultOf<"connect">);
  }

  function onEvent(frame: EventFrame): void {
    seq += 1;
    if (frame.seq === seq) return listener.happened(frame);
    socket.close(LOST_EVENT_CODE, "an event was lost on the way"); // the next link reads it again from the store
  }

  return {
    /** Nothing is sent into a closing socket; callers that wait for an answer are notified when it has closed. */
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(1000, "done"),
  };
}

async function authOf(options: Credential & { renew?: boolean }): Promise<ParamsOf<"connect">["auth"]> {
  if ("token" in options) return { token: options.token };
  return { tabSecret: await options.tabSecret(options.renew ?? false) };
}

const noSecret = (error: unknown) =>
  ({ code: "UNREACHABLE", message: error instanceof Error ? error.message : String(error), retry: true }) as const;

function greeting(
  { clientName, clientVersion, surface, scopes }: LinkOptions,
  auth: ParamsOf<"connect">["auth"],
): ParamsOf<"connect"> {
  return {
    minProtocol: PROTOCOL,
    maxProtocol: PROTOCOL,
    client: { name: clientName, version: clientVersion ?? "0", surface: surface ?? "api" },
    auth,
    ...(scopes === undefined ? {} : { scopes }),
  };
}

/** The token goes nowhere but to the address that the caller named: no query, no redirect. */
function socketUrl(text: string): string {
  const url = new URL(text);
  const protocol = url.protocol.replace(/^http/, "ws");
  return `${protocol}//${url.host}/ws`;
}
