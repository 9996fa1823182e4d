/** The calls that a plugin's process has not answered yet. There is a timer for each of them, and none besides. */
import type { Json } from "../../protocol/json.ts";
import { GuestError, type GuestLimits } from "./guest-limits.ts";
import type { FromHost } from "./guest-messages.ts";

export type CallOptions = {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called with the call's number, which the plugin quotes in requests that it makes meanwhile. */
  began?(n: number): void;
};

export type OpenCallParts = {
  id: string;
  limits: GuestLimits;
  say(message: FromHost): void;
  /** It does not even answer a ping. */
  hangs(): void;
};

export type OpenCalls = {
  readonly size: number;
  /** Rejects with a GuestError when the plugin throws, takes too long, or is gone. */
  make(key: string, args: Json, options: CallOptions): Promise<Json | undefined>;
  done(n: number, value: Json | undefined): void;
  threw(n: number, error: GuestError): void;
  pong(n: number): void;
  rejectAll(error: GuestError): void;
};

type Call = { resolve(value: Json | undefined): void; reject(error: Error): void };

export function openCalls({ id, limits, say, hangs }: OpenCallParts): OpenCalls {
  const calls = new Map<number, Call>();
  const ping: { n?: number; timer?: NodeJS.Timeout } = {};
  let counter = 0;

  /** An answer that came too late, or to no call, settles nothing. */
  function settle(n: number, work: (call: Call) => void): void {
    const call = calls.get(n);
    calls.delete(n);
    if (call !== undefined) work(call);
  }

  /** A plugin that is merely slow goes on; one that does not answer this either is ended. */
  function areYouThere(): void {
    if (ping.timer !== undefined) return;
    ping.n = counter += 1;
    ping.timer = setTimeout(hangs, limits.pingMs);
    say({ t: "ping", n: ping.n });
  }
  function endPing(): void {
    clearTimeout(ping.timer);
    delete ping.timer;
  }

  return {
    get size() {
      return calls.size;
    },
    async make(key, args, { timeoutMs, signal, began }) {
      if (signal?.aborted === true) throw new GuestError(`${id} was told to stop.`);
      const n = (counter += 1);
      const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>();
      calls.set(n, { resolve, reject });
      const stop = (reason: string): void => {
        settle(n, (call) => call.reject(new GuestError(`${id} ${reason}.`)));
        say({ t: "abort", n });
        areYouThere();
      };
      const timer = setTimeout(() => stop(`took longer than ${timeoutMs} ms`), timeoutMs);
      const onAbort = (): void => stop("was told to stop");
      signal?.addEventListener("abort", onAbort, { once: true });
      began?.(n);
      say({ t: "call", n, key, args });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      }
    },
    done: (n, value) => settle(n, (call) => call.resolve(value)),
    threw: (n, error) => settle(n, (call) => call.reject(error)),
    pong(n) {
      if (n === ping.n) endPing();
    },
    rejectAll(error) {
      endPing();
      for (const call of calls.values()) call.reject(error);
      calls.clear();
    },
  };
}
