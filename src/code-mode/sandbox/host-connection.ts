/**
 * The process of the sandbox as the gateway holds it: started, ready, ended.
 *
 *   starting ──ready──▶ up ──end() · died · spoke nonsense──▶ over   (every open cell is told)
 */
import { createRequire } from "node:module";
import { z } from "zod";
import type { GuestPipes, GuestProcesses } from "../../plugins/sdk.ts";
import type { Build } from "./seal.ts";
import { KINDS, type Message, messageReader, readMessage } from "./message-bytes.ts";

const START_MS_MAX = 15_000;
/** Of the main thread; machines and workers are outside of it. */
const HEAP_MEGABYTES = 128;
const HOST_ENTRY = new URL("./guest/code-host.ts", import.meta.url);

export type HostConnection = {
  build: Build;
  pid: number | undefined;
  send(whole: Uint8Array): void;
  /** `over` is called once if the process ends before `close`. */
  open(cell: number, listener: CellListener): void;
  close(cell: number): void;
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void;
  end(): Promise<void>;
};
export type CellListener = { message(message: Message): void; over(why: string): void };

const Ready = z.object({ moduleHash: z.string(), imageHash: z.string() });

export async function connectHost(processes: GuestProcesses, onOver: () => void): Promise<HostConnection> {
  const wasm = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  const program = { entry: HOST_ENTRY, args: [wasm], readable: [wasm], heapMegabytes: HEAP_MEGABYTES };
  const pipes = await processes.launch(program);
  const cells = new Map<number, CellListener>();
  const started = Promise.withResolvers<Build>();
  let isOver = false;
  function over(why: string): void {
    if (isOver) return;
    isOver = true;
    pipes.kill();
    started.reject(new Error(`the sandbox of code mode is not there: ${why}`));
    onOver();
    for (const listener of cells.values()) listener.over(why);
    cells.clear();
  }
  function take(whole: Uint8Array): void {
    const message = readMessage(whole);
    if (message.kind === KINDS.ready) started.resolve(Ready.parse(JSON.parse(message.text)));
    else cells.get(message.cell)?.message(message);
  }
  const guarded = (whole: Uint8Array): void => {
    try {
      take(whole);
    } catch {
      over("it sent what is no message");
    }
  };
  pipes.stdout.on("data", messageReader({ onMessage: guarded, onBroken: () => over("it sent what is no message") }));
  void pipes.exited.then((how) => over(pipes.lastWords() === "" ? how : `${how}: ${pipes.lastWords()}`));
  const build = await inTime(started.promise, over);
  return {
    build,
    pid: pipes.pid,
    send: (whole) => void pipes.stdin.write(whole),
    open: (cell, listener) => (isOver ? listener.over("it ended") : void cells.set(cell, listener)),
    close: (cell) => void cells.delete(cell),
    hold: (isHeld) => pipes.hold(isHeld),
    end: () => endPipes(pipes, over),
  };
}

async function inTime(started: Promise<Build>, over: (why: string) => void): Promise<Build> {
  const late = setTimeout(() => over(`it was not ready after ${START_MS_MAX} ms`), START_MS_MAX);
  return started.finally(() => clearTimeout(late));
}

async function endPipes(pipes: GuestPipes, over: (why: string) => void): Promise<void> {
  pipes.hold(true); // somebody waits for it now
  over("it was ended");
  await pipes.exited;
}
