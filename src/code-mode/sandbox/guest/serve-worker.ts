/** A worker's side: takes one cell after another, each in a machine of its own that was restored ahead of it. */
import type { MessagePort } from "node:worker_threads";
import { KINDS, type Message, messageBytes, readMessage } from "../message-bytes.ts";
import { readAnswersOrder, readResumeOrder, readRunOrder, type RunOrder } from "./cell-orders.ts";
import { beginCell, type CellPort, type CellRun, PHASES, resumeCell } from "./cell-run.ts";
import { type Refusal, refuseText } from "./refuse-program.ts";
import { type GuestVm, type Image, restoreVm } from "./guest-vm.ts";
import { unpackSnapshot } from "./snapshot-pages.ts";

/** `phase` is shared with the thread that watches. */
export type WorkerStart = { wasm: WebAssembly.Module; image: Image; phase: Int32Array };

type Current = { cell: number; run?: CellRun };

export function serveWorker(port: MessagePort, { wasm, image, phase }: WorkerStart): void {
  let spare = restoreVm(wasm, image);
  let current: Current | undefined;

  const post = (message: Parameters<typeof messageBytes>[0]): void => {
    const whole = messageBytes(message);
    port.postMessage(whole, [whole.buffer]);
  };
  const portOf = (cell: number): CellPort => ({
    calls: (calls, number) => post({ cell, kind: KINDS.calls, number, text: JSON.stringify(calls) }),
    output: (item) => post({ cell, kind: KINDS.output, text: item }),
    end(outcome, bytes) {
      current = undefined;
      const packed = bytes === undefined ? {} : { bytes };
      post({ cell, kind: KINDS.outcome, text: JSON.stringify(outcome), ...packed });
    },
    phase: (now) => void Atomics.store(phase, 0, now),
  });
  const fail = (cell: number, { error, code }: Refusal): void =>
    portOf(cell).end({ status: "failed", error, code, cutChars: 0, queued: [], asked: [] });

  /** The next cell finds a machine ready. */
  function takeSpare(): Promise<GuestVm> {
    const taken = spare;
    spare = new Promise((resolve, reject) => {
      setImmediate(() => void restoreVm(wasm, image).then(resolve, reject));
    });
    return taken;
  }
  async function run({ cell, number, text }: Message): Promise<void> {
    const untilMs = Date.now() + number;
    const given = readRunOrder(text);
    const program = await programOf(given);
    if ("refusal" in program) return fail(cell, program.refusal);
    const vm = await takeSpare();
    keep(cell, beginCell({ ...given, ...program }, { vm, image, port: portOf(cell), limits: given.limits, untilMs }));
  }
  async function resume({ cell, number, text, bytes }: Message): Promise<void> {
    const untilMs = Date.now() + number;
    const order = readResumeOrder(text);
    const machine = unpackSnapshot(bytes, image, order.limits.memoryLimitBytes);
    if (machine === undefined) return fail(cell, NOT_RESTORED);
    if (machine === "too-large") return fail(cell, TOO_LARGE);
    const vm = await restoreVm(wasm, { ...machine, orders: image.orders });
    keep(cell, resumeCell(order, { vm, image, port: portOf(cell), limits: order.limits, untilMs }));
  }
  /** A cell may have ended while it began. */
  function keep(cell: number, begun: CellRun): void {
    if (current?.cell === cell) current.run = begun;
  }
  function take(message: Message): void {
    const { kind, cell, text } = message;
    if (kind === KINDS.run || kind === KINDS.resume) {
      current = { cell };
      Atomics.store(phase, 0, PHASES.guest);
      const begun = kind === KINDS.run ? run(message) : resume(message);
      void begun
        .catch(() => fail(cell, kind === KINDS.run ? BROKEN : NOT_RESTORED))
        .finally(() => Atomics.store(phase, 0, PHASES.idle));
    } else if (current?.cell !== cell) return;
    else if (kind === KINDS.answers) current.run?.answers(readAnswersOrder(text));
    else if (kind === KINDS.timeOver) current.run?.timeOver();
  }
  port.on("message", (whole: Uint8Array) => take(readMessage(whole)));
}

const NOT_RESTORED: Refusal = {
  code: "snapshot_restore_failed",
  error: "The suspended program cannot be restored: it was kept by another version, or changed.",
};
const TOO_LARGE: Refusal = {
  code: "memory_limit_exceeded",
  error: "The suspended program needs more memory than its limit.",
};
const BROKEN: Refusal = { code: "internal_error", error: "The machine of this cell failed." };

/** JavaScript of what was given. */
async function programOf({ code, language }: RunOrder): Promise<{ code: string } | { refusal: Refusal }> {
  const refusal = refuseText(code);
  if (refusal !== undefined) return { refusal };
  if (language === "javascript") return { code };
  const { stripTypes } = await import("./strip-types.ts");
  return stripTypes(code);
}
