/**
 * A process of its own, in a sandbox, that works for the gateway until it has had nothing to do for a while.
 *
 *   absent ──first call──▶ up ──idle · end()──▶ absent
 *                           └──died · spoke nonsense──▶ absent   (what was asked is answered with RunnerEnded)
 */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { frameOf, readFrames } from "./frames.ts";
import { type Enclosed, spawnEnclosed } from "./spawn-enclosed.ts";

const IDLE_MS = 60_000;
/** How long whoever called off a question waits for its answer: a disk that hangs gives none. */
const CALLED_OFF_MS_MAX = 5_000;
const LAST_WORDS_CHARS_MAX = 2_000;

type Clock = { now(): number; wakeAt(atMs: number, wake: () => void): () => void };

export type RunnerOrder = {
  /** The process as it is to be started. */
  program(): Promise<Enclosed>;
  clock: Clock;
};

export type Runner = {
  /** Resolves to what the process answered. `RunnerEnded` when it cannot be known what became of the question. */
  call(question: object, signal: AbortSignal): Promise<unknown>;
  end(): Promise<void>;
  /** Whether somebody waits for an answer. */
  isBusy(): boolean;
};

/** The process ended before it answered: whether it did what it was asked is unknown. */
export class RunnerEnded extends Error {}

type Child = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
type Waiting = { resolve(answer: unknown): void; reject(error: Error): void };
type Up = { child: Child; waiting: Map<number, Waiting>; exited: Promise<void> };

export function createRunner({ program, clock }: RunnerOrder): Runner {
  let up: Promise<Up> | undefined;
  let open = 0;
  let count = 0;
  let callOffIdle: (() => void) | undefined;

  function start(): Promise<Up> {
    const forget = (): void => {
      if (up === starting) up = undefined;
    };
    const starting = program().then((enclosed) => startProcess(enclosed, forget));
    starting.catch(forget); // whoever asked is told; the next question tries anew
    return starting;
  }
  async function end(): Promise<void> {
    callOffIdle?.();
    const ending = up;
    up = undefined;
    const ended = await ending?.catch(() => undefined); // whoever asked has been answered
    if (ended === undefined) return;
    hold(ended.child, true); // somebody waits for it now
    ended.child.kill("SIGKILL");
    await ended.exited;
  }
  function rest(): void {
    callOffIdle?.();
    void up?.then(
      ({ child }) => open === 0 && hold(child, false),
      () => undefined, // whoever asked has been answered
    );
    callOffIdle = clock.wakeAt(clock.now() + IDLE_MS, () => {
      if (open === 0) void end();
    });
  }
  async function ask(question: object, signal: AbortSignal): Promise<unknown> {
    const { child, waiting } = await (up ??= start());
    hold(child, true);
    const id = ++count;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    let callOffWaiting: (() => void) | undefined;
    const cancel = (): void => {
      child.stdin.write(frameOf({ id, cancel: true }));
      callOffWaiting = clock.wakeAt(clock.now() + CALLED_OFF_MS_MAX, () => {
        waiting.delete(id);
        reject(new RunnerEnded("it was called off and did not answer"));
      });
    };
    signal.addEventListener("abort", cancel, { once: true });
    child.stdin.write(frameOf({ id, question }));
    if (signal.aborted) cancel(); // while the process was starting
    return promise.finally(() => {
      signal.removeEventListener("abort", cancel);
      callOffWaiting?.();
    });
  }
  return {
    async call(question, signal) {
      open += 1;
      callOffIdle?.();
      try {
        return await ask(question, signal);
      } finally {
        open -= 1;
        if (open === 0) rest();
      }
    },
    end,
    isBusy: () => open > 0,
  };
}

/** `onOver` is called when it answers nothing any more. */
function startProcess(enclosed: Enclosed, onOver: () => void): Up {
  const child = spawnEnclosed(enclosed, { cwd: "/", env: {}, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  if (!isPiped(child)) throw new RunnerEnded("the system gave no pipes to its process");
  const exit = Promise.withResolvers<void>();
  const here: Up = { child, waiting: new Map(), exited: exit.promise };
  const over = (why: string): void => {
    onOver();
    child.kill("SIGKILL");
    for (const { reject } of here.waiting.values()) reject(new RunnerEnded(why));
    here.waiting.clear();
  };
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-LAST_WORDS_CHARS_MAX);
  });
  child.stdin.on("error", () => undefined); // the exit reports it
  child.once("error", (error) => over(`it cannot be started: ${error.message}`));
  child.once("close", (code, by) => {
    over(`it ended (${by ?? `exit code ${code}`})${words === "" ? "" : `: ${words.trim()}`}`);
    exit.resolve();
  });
  readFrames(child.stdout, { onFrame: (message) => answer(here, message), onBroken: (why) => over(`it sent ${why}`) });
  return here;
}

const isPiped = (child: ChildProcess): child is Child =>
  child.stdin !== null && child.stdout !== null && child.stderr !== null;

function answer({ waiting }: Up, message: unknown): void {
  if (message === null || typeof message !== "object" || !("id" in message)) return;
  const asked = waiting.get(Number(message.id));
  waiting.delete(Number(message.id));
  if ("failed" in message) asked?.reject(new Error(String(message.failed)));
  else asked?.resolve("output" in message ? message.output : undefined);
}

/** While it has nothing to do it must not keep a gateway alive that has nothing else to do. */
function hold(child: Child, isHeld: boolean): void {
  for (const part of [child, child.stdin, child.stdout, child.stderr]) {
    if ("ref" in part && "unref" in part && typeof part.ref === "function" && typeof part.unref === "function") {
      if (isHeld) part.ref();
      else part.unref();
    }
  }
}
