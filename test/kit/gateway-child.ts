/** Starts the chaos gateway as a child process, hears what it says, and ends it the hard or the soft way. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PATIENT_MS } from "./patience.ts";

const SCRIPT = fileURLToPath(new URL("../chaos/gateway-process.ts", import.meta.url));
/** As in life: what an earlier start has compiled is not compiled again. */
const COMPILE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/holdpoint", import.meta.url));
const SAID_MAX = 100_000;

type ChildMessage = {
  url?: string;
  token?: string;
  rssBytes?: number;
  modelAskedAtMs?: number;
  lagP99Ms?: number;
  lagMaxMs?: number;
  /** Of the gateway that is attacked: what gave way, and how often what was tried. */
  broke?: string;
  tried?: Record<string, number>;
};

export type GatewayChild = {
  url: string;
  token: string;
  pid: number;
  /** From the spawn to the moment at which it said that it is ready. */
  readyMs: number;
  rssBytes: number;
  said: ChildMessage[];
  /** The next thing it says that has this field. */
  next(field: keyof ChildMessage): Promise<ChildMessage>;
  signal(name: "SIGTERM" | "SIGUSR2" | "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
  /** Resolves with the exit code, or with the signal's name. */
  readonly exited: Promise<number | string>;
};

export type ChildParts = {
  home: string;
  workspace: string;
  toolMs?: number;
  /** Where an earlier one listened; without it, any port that is free. Only the chaos gateway takes it. */
  port?: number;
  /** A program to run it under, with its arguments: a tracer, a namespace. */
  under?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Another gateway than the chaos one. It gets the same orders and says the same things. */
  script?: string;
};

export async function gatewayChild(parts: ChildParts): Promise<GatewayChild> {
  const { home, workspace, toolMs, port, under = [], env = {}, script = SCRIPT } = parts;
  const startedAtMs = performance.now();
  const orders = JSON.stringify({ home, workspace, toolMs, port }); // what is undefined is left out
  const [program = process.execPath, ...args] = under;
  const child = spawn(program, [...args, ...(under.length > 0 ? [process.execPath] : []), script, orders], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
  });
  const said: ChildMessage[] = [];
  const listeners = new Set<(message: ChildMessage) => void>();
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString("utf8")));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as ChildMessage;
    if (said.length < SAID_MAX) said.push(message);
    for (const listener of listeners) listener(message);
  });
  const exited = new Promise<number | string>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown")),
  );

  async function next(field: keyof ChildMessage): Promise<ChildMessage> {
    const heard = Promise.withResolvers<ChildMessage>();
    const listener = (message: ChildMessage): void => void (message[field] !== undefined && heard.resolve(message));
    listeners.add(listener);
    const stop = new AbortController();
    const tooLate = sleep(PATIENT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    const message = await Promise.race([heard.promise, exited, tooLate]);
    listeners.delete(listener);
    stop.abort();
    if (typeof message === "object") return message;
    throw new Error(`the gateway ${message === undefined ? "is silent" : `ended (${message})`}: ${errors.join("")}`);
  }

  const ready = await next("url");
  return {
    url: ready.url ?? "",
    token: ready.token ?? "",
    pid: pidOf(child),
    readyMs: performance.now() - startedAtMs,
    rssBytes: ready.rssBytes ?? 0,
    said,
    next,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    exited,
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the process did not start");
  return child.pid;
}
