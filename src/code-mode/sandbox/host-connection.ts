/**
 * The process of the sandbox as the gateway holds it: started, ready, ended.
 *
 *   starting ──ready──▶ up ──end() · died · spoke nonsense──▶ over   (every open cell is told)
 */
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { z } from "zod";
import { FIRST_LANE_DESCRIPTOR, type GuestPipes, type GuestProcesses, type GuestProgram } from "../../plugins/sdk.ts";
import type { Build } from "./seal.ts";
import { type CellListener, cellRoutes } from "./cell-routes.ts";
import { type HeardLane, heardLane } from "./heard-lane.ts";
import { KINDS, messageReader, readMessage } from "./message-bytes.ts";

const START_MS_MAX = 15_000;
/** Of the main thread; machines and workers are outside of it. */
const HEAP_MEGABYTES = 128;
/** Each for one worker; one that was ended takes its lane along, and its successor speaks through the main thread. */
const LANES = 16;
const HOST_ENTRY = new URL("./guest/code-host.ts", import.meta.url);

export type HostConnection = {
  build: Build;
  pid: number | undefined;
  send(whole: Uint8Array): void;
  /** Hands over the message that a cell begins with: to a worker that was lent, or to the process, which finds one. */
  begin(cell: number, first: Uint8Array): void;
  /** To a cell that runs: over the lane of its worker, where that is known when the first one is sent. */
  answer(cell: number, whole: Uint8Array): void;
  /** `over` is called once if the process ends before `close`. */
  open(cell: number, listener: CellListener): void;
  close(cell: number): void;
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void;
  end(): Promise<void>;
};
const Ready = z.object({ moduleHash: z.string(), imageHash: z.string() });

export type HostParts = { processes: GuestProcesses; lanes?: number | undefined; onOver(): void };

export async function connectHost({ processes, lanes = LANES, onOver }: HostParts): Promise<HostConnection> {
  const pipes = await processes.launch(hostProgram(lanes));
  const started = Promise.withResolvers<Build>();
  let isOver = false;
  const heard = pipes.lanes.map(heardLane);
  const routes = cellRoutes(pipes.stdin, heard);
  function over(why: string): void {
    if (isOver) return;
    isOver = true;
    pipes.kill();
    started.reject(new Error(`the sandbox of code mode is not there: ${why}`));
    onOver();
    routes.over(why);
  }
  function take(whole: Uint8Array, lane?: HeardLane): void {
    const message = readMessage(whole);
    if (message.kind === KINDS.ready && lane === undefined) started.resolve(Ready.parse(JSON.parse(message.text)));
    else routes.take(message, lane);
  }
  const onBroken = (): void => over("it sent what is no message");
  readFrom(pipes.stdout, { take, onBroken });
  for (const lane of heard) readFrom(lane.socket, { take: (whole) => (take(whole, lane), lane.heard()), onBroken });
  void pipes.exited.then((how) => over(pipes.lastWords() === "" ? how : `${how}: ${pipes.lastWords()}`));
  const build = await inTime(started.promise, over);
  const { begin, answer, close } = routes;
  return {
    build,
    pid: pipes.pid,
    send: (whole) => void pipes.stdin.write(whole),
    begin,
    answer,
    open: (cell, listener) => (isOver ? listener.over("it ended") : routes.open(cell, listener)),
    close,
    hold: holding(pipes),
    end: () => endPipes(pipes, over),
  };
}

type Taking = { take(whole: Uint8Array): void; onBroken(): void };

function readFrom(from: Readable, { take, onBroken }: Taking): void {
  const onMessage = (whole: Uint8Array): void => {
    try {
      take(whole);
    } catch {
      onBroken();
    }
  };
  from.on("data", messageReader({ onMessage, onBroken }));
}

function hostProgram(lanes: number): GuestProgram {
  const wasm = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  const args = [wasm, String(FIRST_LANE_DESCRIPTOR), String(lanes)];
  return { entry: HOST_ENTRY, args, readable: [wasm], heapMegabytes: HEAP_MEGABYTES, lanes };
}

function holding(pipes: GuestPipes): (isHeld: boolean) => void {
  let isHeldNow = true; // as it is from its start
  return (isHeld) => {
    if (isHeld !== isHeldNow) pipes.hold(isHeld);
    isHeldNow = isHeld;
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
