/**
 * One plugin's process, as the gateway holds it.
 *
 *   starting ──ready──▶ serving ──▶ over      (it failed, crashed, hung, flooded us, or was told to end)
 */
import type { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { parseForeignJson } from "../packages/foreign-json.ts";
import { floodGuard, GuestError, type GuestLimits } from "./guest-limits.ts";
import { launch, letGo } from "./launch.ts";
import { LINE_BYTES_MAX, lineReader } from "./lines.ts";
import { type CallOptions, type OpenCalls, openCalls } from "./open-calls.ts";
import { FromGuest, type FromHost, Registration, REGISTRATIONS_MAX } from "./guest-messages.ts";

const DEPTH_MAX = 40;
const SDK_ENTRY = new URL("../sdk.ts", import.meta.url);

export type GuestOrder = {
  id: string;
  /** The plugin's folder, free of symlinks, and its entry in it. */
  folder: string;
  entry: string;
  config: JsonObject;
  /** It may reach other machines. */
  network: boolean;
  limits: GuestLimits;
};

type Ask = { op: string; args: Json; within: number | undefined };

export type GuestEvents = {
  ask(ask: Ask): Promise<Json | undefined>;
  chunk(within: number, text: string): void;
  log(level: "debug" | "info" | "warn" | "error", message: string, fields?: JsonObject): void;
  /** Called once, when it is over for any reason but `end`. */
  over(reason: GuestError): void;
};

export type GuestProcess = {
  registrations: readonly Registration[];
  call(key: string, args: Json, options: CallOptions): Promise<Json | undefined>;
  end(): Promise<void>;
};

/** Started, its code loaded, `register` run to its end; otherwise a GuestError, and no process is left. */
export async function startGuest(order: GuestOrder, events: GuestEvents): Promise<GuestProcess> {
  const { id, limits } = order;
  const launched = await launch({ ...order, print: (line) => events.log("info", line) });
  const { child, channel } = launched;
  const started = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  const registrations: Registration[] = [];
  let isOver = false;

  function over(reason: GuestError | undefined): void {
    if (isOver) return;
    isOver = true;
    child.kill("SIGKILL");
    channel.destroy();
    const error = reason ?? new GuestError(`The plugin ${id} was ended.`);
    started.reject(error);
    calls.rejectAll(error);
    if (reason !== undefined) events.over(reason);
  }
  const broke = (what: string): void => over(new GuestError(`The plugin ${id} ${what}; its process was ended.`));
  const say = (message: FromHost): void => {
    if (channel.writable) channel.write(`${JSON.stringify(message)}\n`);
  };
  const bounded = quietly(events, limits);
  const calls = openCalls({ id, limits, say, hangs: () => broke("does not answer any more") });
  const answer = answering({ events: bounded, limits, channel, say });
  const receive = receiving({ id, calls, events: bounded, answer, registrations, broke, over, ready: started.resolve });
  channel.on("data", messagesFrom({ limits, receive, broke, isOver: () => isOver }));
  channel.on("error", () => undefined); // the exit reports it
  child.on("error", (error) => over(new GuestError(`The plugin ${id} cannot be started: ${error.message}`)));
  child.on("exit", (code, signal) => {
    exited.resolve();
    const how = signal ?? `exit code ${code ?? "unknown"}`;
    over(new GuestError(`The process of the plugin ${id} ended by itself (${how}).`));
  });

  const tooSlow = setTimeout(() => broke(`did not finish loading within ${limits.startMs} ms`), limits.startMs);
  const entry = pathToFileURL(join(order.folder, order.entry)).href;
  say({ t: "start", id, entry, sdk: SDK_ENTRY.href, config: order.config });
  try {
    await started.promise;
  } finally {
    clearTimeout(tooSlow);
  }
  letGo(launched);
  return {
    registrations,
    async call(key, args, options) {
      if (isOver) throw new GuestError(`The plugin ${id} is not running.`);
      if (calls.size >= limits.callsMax || channel.writableLength > limits.unreadBytesMax)
        throw new GuestError(`The plugin ${id} is too busy.`);
      if (JSON.stringify(args).length > LINE_BYTES_MAX / 2) throw new GuestError(`What ${id} is asked is too large.`);
      return calls.make(key, args, options);
    },
    end() {
      child.ref(); // somebody waits for it now
      over(undefined);
      return exited.promise;
    },
  };
}

type Listening = {
  limits: GuestLimits;
  receive(message: FromGuest): void;
  broke(what: string): void;
  isOver(): boolean;
};

function messagesFrom({ limits, receive, broke, isOver }: Listening): (chunk: Buffer) => void {
  const floods = floodGuard(limits);
  return lineReader({
    onLine(line) {
      if (isOver()) return;
      if (floods(line.length)) return broke("floods the gateway with messages");
      const json = parseForeignJson(line, { bytesMax: LINE_BYTES_MAX, depthMax: DEPTH_MAX });
      const message = json.ok ? FromGuest.safeParse(json.value) : undefined;
      if (message?.success !== true) return broke("sent what is no message");
      receive(message.data);
    },
    onTooLong: () => broke(`sent a message of more than ${LINE_BYTES_MAX} bytes`),
  });
}

type Receiving = {
  id: string;
  calls: OpenCalls;
  events: GuestEvents;
  answer(ask: Extract<FromGuest, { t: "ask" }>): Promise<void>;
  registrations: Registration[];
  broke(what: string): void;
  over(reason: GuestError): void;
  ready(): void;
};

function receiving({ id, calls, events, answer, registrations, broke, over, ready }: Receiving) {
  function register(given: unknown): void {
    const parsed = Registration.safeParse(given);
    const [issue] = parsed.error?.issues ?? [];
    const fault = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
    if (!parsed.success) return broke(`registered what does not fit (${fault})`);
    if (registrations.length >= REGISTRATIONS_MAX) return broke(`registered more than ${REGISTRATIONS_MAX} things`);
    registrations.push(parsed.data);
  }
  return (message: FromGuest): void => {
    switch (message.t) {
      case "register":
        return register(message.registration);
      case "ready":
        return ready();
      case "failed":
        return over(new GuestError(`The plugin ${id} could not be loaded: ${message.error}`));
      case "done":
        return calls.done(message.n, message.value);
      case "threw":
        return calls.threw(message.n, new GuestError(`${id}: ${message.error}`));
      case "ask":
        return void answer(message);
      case "chunk":
        return events.chunk(message.within, message.text);
      case "log":
        return events.log(message.level, message.message, message.fields);
      case "pong":
        return calls.pong(message.n);
    }
  };
}

/** What it writes to the log beyond the rate is dropped: a log is no place to hide something in. */
function quietly(events: GuestEvents, limits: GuestLimits): GuestEvents {
  const tooMany = floodGuard({ ...limits, messagesPerSecondMax: limits.outputLinesPerSecondMax });
  return {
    ...events,
    log(...line) {
      if (!tooMany(line[1].length)) events.log(...line);
    },
  };
}

type Answering = { events: GuestEvents; limits: GuestLimits; channel: Socket; say(message: FromHost): void };

/** While too many of its requests are open, reading from it pauses. */
function answering({ events, limits, channel, say }: Answering): Receiving["answer"] {
  let open = 0;
  return async ({ n, op, args, within }) => {
    open += 1;
    if (open >= limits.asksMax) channel.pause();
    try {
      const value = await events.ask({ op, args, within });
      say({ t: "answer", n, value });
    } catch (error) {
      say({ t: "refused", n, error: error instanceof Error ? error.message : String(error) });
    } finally {
      open -= 1;
      if (open < limits.asksMax && !channel.destroyed) channel.resume();
    }
  };
}
