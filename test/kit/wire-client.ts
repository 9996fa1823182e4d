/**
 * The protocol by hand: one WebSocket, requests out, answers in, nothing repeated and nothing hidden. Chaos tests and
 * benchmarks need to know exactly which request was answered, so they do not use the client that reconnects by itself.
 */
import { WebSocket } from "ws";
import type { EventFrame } from "../../src/protocol/frames.ts";
import { PROTOCOL_VERSION } from "../../src/protocol/frames.ts";
import type { MethodName, ParamsOf, ResultOf } from "../../src/all-methods.ts";
import type { Refusal } from "../../src/protocol/refusal.ts";

export type Answer<Name extends MethodName> = { ok: true; payload: ResultOf<Name> } | { ok: false; error: Refusal };

export type WireClient = {
  /** Resolves with the answer, or with undefined when the connection ended first: then nobody knows. */
  request<Name extends MethodName>(method: Name, params: ParamsOf<Name>): Promise<Answer<Name> | undefined>;
  /** As `request`, for what must be answered with yes. */
  must<Name extends MethodName>(method: Name, params: ParamsOf<Name>): Promise<ResultOf<Name>>;
  onEvent(listener: (event: EventFrame) => void): () => void;
  /** The close code, once the connection has ended. */
  readonly closed: Promise<number>;
  close(): void;
};

type Frame = { type: "res"; id: string; ok: boolean; payload?: unknown; error?: Refusal } | EventFrame;

/** By a token, or as the tab of a browser that is logged in. */
type WireCredential = { token: string } | { tabSecret: string; headers: Record<string, string> };

export async function wireClient(gateway: { url: string; name?: string } & WireCredential): Promise<WireClient> {
  const headers = "token" in gateway ? {} : { headers: gateway.headers };
  const socket = new WebSocket(`${gateway.url.replace(/^http/, "ws")}/ws`, { perMessageDeflate: false, ...headers });
  const waiting = new Map<string, (frame: Frame | undefined) => void>();
  const listeners = new Set<(event: EventFrame) => void>();
  const closed = Promise.withResolvers<number>();
  let count = 0;

  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString("utf8")) as Frame;
    if (frame.type === "event") {
      for (const listener of listeners) listener(frame);
      return;
    }
    waiting.get(frame.id)?.(frame);
    waiting.delete(frame.id);
  });
  socket.on("close", (code: number) => {
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
    closed.resolve(code);
  });

  function ask(method: string, params: unknown): Promise<Frame | undefined> {
    const { promise, resolve } = Promise.withResolvers<Frame | undefined>();
    if (socket.readyState !== WebSocket.OPEN) resolve(undefined);
    else {
      const id = String(count++);
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ type: "req", id, method, params }));
    }
    return promise;
  }

  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => undefined); // a killed gateway resets the connection; `close` follows and says all

  const client: WireClient = {
    request: (method, params) => ask(method, params) as Promise<Answer<typeof method> | undefined>,
    async must(method, params) {
      const answer = await client.request(method, params);
      if (answer?.ok !== true) throw new Error(`${method}: ${answer === undefined ? "no answer" : answer.error.code}`);
      return answer.payload;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    closed: closed.promise,
    close: () => socket.close(),
  };
  await client.must("connect", {
    minProtocol: PROTOCOL_VERSION,
    maxProtocol: PROTOCOL_VERSION,
    client: { name: gateway.name ?? "wire", version: "0" },
    auth: "token" in gateway ? { token: gateway.token } : { tabSecret: gateway.tabSecret },
  });
  return client;
}
