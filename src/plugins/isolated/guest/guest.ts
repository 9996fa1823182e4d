/** Loads the plugin, keeps its functions under their keys, and runs them when the gateway calls. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Json } from "../../../protocol/json.ts";
import type { FromGuest, FromHost, GuestStart } from "../guest-messages.ts";
import { type Desk, type GuestFunction, jsonOf } from "./desk.ts";
import { createGuestApi } from "./guest-api.ts";

const ERROR_CHARS_MAX = 2_000;
const ASKS_MAX = 256;

type Tell = (message: FromGuest) => void;

export type Guest = { receive(message: FromHost): void; stray(reason: unknown): void };

export function createGuest(tell: Tell): Guest {
  const functions = new Map<string, GuestFunction>();
  const running = new Map<number, AbortController>();
  const asks = openAsks(tell);
  let isRegistering = true;

  const desk: Desk = {
    register(registration, run) {
      if (!isRegistering) throw new Error("A plugin registers while its register function runs, and not later.");
      const key = "key" in registration ? registration.key : undefined;
      if (key !== undefined && functions.has(key)) throw new Error(`${key} is registered twice.`);
      if (key !== undefined && run !== undefined) functions.set(key, run);
      tell({ t: "register", registration });
    },
    serve: (key, run) => void functions.set(key, run),
    forget: (key) => void functions.delete(key),
    ask: asks.ask,
    tell,
  };

  async function start(order: GuestStart): Promise<void> {
    try {
      await load(order, desk);
      isRegistering = false;
      tell({ t: "ready" });
    } catch (error) {
      tell({ t: "failed", error: textOf(error) });
    }
  }

  async function call(n: number, key: string, args: Json): Promise<void> {
    const controller = new AbortController();
    running.set(n, controller);
    try {
      const run = functions.get(key);
      if (run === undefined) throw new Error(`there is no function ${key}`);
      const value = jsonOf(await callNow.run(n, () => run(args, { n, signal: controller.signal })));
      tell({ t: "done", n, ...(value === undefined ? {} : { value }) });
    } catch (error) {
      tell({ t: "threw", n, error: textOf(error) });
    } finally {
      running.delete(n);
    }
  }

  return {
    receive(message) {
      switch (message.t) {
        case "start":
          return void start(message);
        case "call":
          return void call(message.n, message.key, message.args);
        case "abort":
          return running.get(message.n)?.abort();
        case "answer":
          return asks.answered(message.n, message.value);
        case "refused":
          return asks.refused(message.n, message.error);
        case "ping":
          return tell({ t: "pong", n: message.n });
      }
    },
    stray: (reason) => tell({ t: "log", level: "error", message: `nobody caught: ${textOf(reason)}` }),
  };
}

async function load(order: GuestStart, desk: Desk): Promise<void> {
  const loaded: unknown = await import(order.entry);
  const plugin = pluginIn(loaded);
  if (plugin.id !== order.id)
    throw new Error(`its entry is the plugin "${plugin.id}", its manifest says "${order.id}"`);
  const config = plugin.configSchema?.parse(order.config) ?? order.config;
  await plugin.register(createGuestApi(desk, { ...order, config }));
}

/** The call in which the plugin's code runs, through its awaits and timers: the gateway wants to know for whom it is asked. */
const callNow = new AsyncLocalStorage<number>();

type Asked = { resolve(value: Json | undefined): void; reject(error: Error): void };

function openAsks(tell: Tell) {
  const asked = new Map<number, Asked>();
  let counter = 0;
  const take = (n: number): Asked | undefined => {
    const one = asked.get(n);
    asked.delete(n);
    return one;
  };
  const ask: Desk["ask"] = (op, args) => {
    const within = callNow.getStore();
    if (asked.size >= ASKS_MAX) return Promise.reject(new Error("Too many requests are open at once."));
    const n = (counter += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>();
    asked.set(n, { resolve, reject });
    tell({ t: "ask", n, op, args: jsonOf(args) ?? null, ...(within === undefined ? {} : { within }) });
    return promise;
  };
  return {
    ask,
    answered: (n: number, value: Json | undefined) => take(n)?.resolve(value),
    refused: (n: number, error: string) => take(n)?.reject(new Error(error)),
  };
}

type Loaded = {
  id: string;
  configSchema?: { parse(given: unknown): never };
  register(api: unknown): void | Promise<void>;
};

/** `export default definePlugin(…)`, or under the name `plugin`. */
function pluginIn(loaded: unknown): Loaded {
  const found = isTable(loaded) ? (loaded["default"] ?? loaded["plugin"]) : undefined;
  if (!isTable(found) || typeof found["register"] !== "function" || typeof found["id"] !== "string")
    throw new Error("its entry exports no plugin: export default definePlugin({ … })");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at in the line above
  return found as unknown as Loaded;
}

const isTable = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, ERROR_CHARS_MAX);
  } catch {
    return "it threw something that cannot be put into words"; // a trap, or an object without a text
  }
}
