/** A worker's side: takes one cell after another, each in a machine that no cell has been in, or that was made so again. */
import type { MessagePort } from "node:worker_threads";
import { answeredIds } from "../call-texts.ts";
import { KINDS, type Message, messageBytes, type NewMessage, ownCopy, readMessage } from "../message-bytes.ts";
import { readParked, readResumeOrder, readRunOrder, type RunOrder } from "./cell-orders.ts";
import { openLane } from "./lane-reader.ts";
import { beginCell, type CellPort, type CellRun, PHASES, resumeCell } from "./cell-run.ts";
import { type Refusal, refuseText } from "./refuse-program.ts";
import { type GuestVm, restoreVm } from "./guest-vm.ts";
import { spareMachine } from "./spare-machine.ts";
import { unpackSnapshot } from "./snapshot-pages.ts";
import { PROGRESS, type WorkerStart } from "./worker-start.ts";

/**
 * `vm`: of a cell that was begun here; one that is resumed has brought its own. `early`: what came before it had begun. `isLent`: the gateway
 * gave it to this worker itself.
 */
type Current = { cell: number; run?: CellRun; vm?: GuestVm; early: Message[]; isLent: boolean };

export function serveWorker(port: MessagePort, { wasm, image, progress, lane }: WorkerStart): void {
  const spare = spareMachine(wasm, image);
  let current: Current | undefined;

  const direct = lane === undefined ? undefined : openLane(lane.descriptor, (whole) => take(readMessage(whole), true));
  /** `sent` is called when the lane has all of it: from then on this worker may be ended without a loss. */
  const post = (message: NewMessage, sent?: () => void): void => {
    const whole = messageBytes(message);
    if (direct === undefined) return postCopy(port, whole);
    Atomics.add(progress, PROGRESS.posted, 1); // before it is written: what was written is never left out of the count
    direct.write(whole, sent);
  };
  const portOf = (cell: number): CellPort => ({
    calls: (requests, number) => post({ cell, kind: KINDS.calls, number, text: requests }),
    output: (item) => post({ cell, kind: KINDS.output, text: item }),
    end(outcome, bytes) {
      const { vm: used, isLent = false } = current ?? {};
      current = undefined;
      if (used !== undefined) spare.giveBack(used);
      const number = used === undefined || used.isRenewable() ? 0 : 1; // whoever has a cell next had better take another worker
      const packed = bytes === undefined ? {} : { bytes };
      post({ cell, kind: KINDS.outcome, number, text: JSON.stringify(outcome), ...packed }, () => {
        Atomics.store(progress, PROGRESS.done, cell); // read when the gateway's next cell comes before the message
        if (!isLent) port.postMessage(null); // the gateway gave it this cell, and will say so when it gives it another
      });
    },
    phase: (now) => void Atomics.store(progress, PROGRESS.phase, now),
  });
  const fail = (cell: number, { error, code }: Refusal): void =>
    portOf(cell).end({ status: "failed", error, code, cutChars: 0, queued: [], asked: [] });

  async function run({ cell, number, text }: Message): Promise<void> {
    const untilMs = Date.now() + number;
    const given = readRunOrder(text);
    const program = await programOf(given);
    if ("refusal" in program) return fail(cell, program.refusal);
    const vm = await spare.take();
    if (current?.cell === cell) current.vm = vm;
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
    if (current?.cell !== cell) return;
    current.run = begun;
    for (const message of current.early.splice(0)) take(message);
  }
  function take(message: Message, isLent = false): void {
    const { kind, cell, text } = message;
    if (kind === KINDS.run || kind === KINDS.resume) {
      current = { cell, early: [], isLent };
      Atomics.store(progress, PROGRESS.phase, PHASES.guest);
      const begun = kind === KINDS.run ? run(message) : resume(message);
      void begun
        .catch(() => fail(cell, kind === KINDS.run ? BROKEN : NOT_RESTORED))
        .finally(() => Atomics.store(progress, PROGRESS.phase, PHASES.idle));
    } else if (current?.cell !== cell) return;
    else if (current.run === undefined) current.early.push({ ...message, bytes: ownCopy(message.bytes) });
    else if (kind === KINDS.answers) current.run.answers(answeredIds(message.bytes), message.bytes);
    else if (kind === KINDS.parked) current.run.park(readParked(text));
    else if (kind === KINDS.timeOver) current.run.timeOver();
  }
  port.on("message", (whole: Uint8Array) => take(readMessage(whole)));
}

function postCopy(port: MessagePort, whole: Uint8Array): void {
  const own = ownCopy(whole);
  port.postMessage(own, [own.buffer]);
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
