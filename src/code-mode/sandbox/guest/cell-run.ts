/**
 * One cell in one machine, from its code or its snapshot to its end. It runs in a worker; whoever watches from outside
 * ends the worker if this does not come back.
 *
 *   begin ──▶ in the guest ──▶ idle (calls, timers) ──answers · timer──▶ in the guest
 *                  │                  └─ nothing but parked calls · time over · yield_control ──▶ packing ──▶ suspended
 *                  └─▶ completed · failed
 */
import { randomFillSync } from "node:crypto";
import type { CellBindings, ErrorCode } from "../sandbox.ts";
import type { CellLimits } from "../cell-limits.ts";
import { type Refusal, refuseProgram, wholeProgram } from "./check-code.ts";
import { DENIED_IMPORT, GuestLeft, type GuestVm, type Image } from "./guest-vm.ts";
import { type OutputMeter, outputMeter } from "./output-meter.ts";
import { type GuestEnd, type GuestFailure, type GuestState, SENT } from "./prelude.ts";
import { packSnapshot } from "./snapshot-pages.ts";

export type RunOrder = { code: string; language: string; bindings: CellBindings; limits: CellLimits };
export type ResumeOrder = { answers: [string, boolean, string][]; pending: string[]; limits: CellLimits };
export type AnswersOrder = { answers: [string, boolean, string][]; parked: string[] };

type Queued = [callId: string, method: string, target: string];
/** `asked`: what the machine still waits for, as far as it knows. */
type Common = { cutChars: number; queued: Queued[]; asked: string[] };
/** How a worker reports the end of a cell; a suspended one comes with its packed machine. */
export type WorkerOutcome =
  | (Common & { status: "completed"; valueJson: string; timersCancelled: number })
  | (Common & { status: "failed"; error: string; code?: ErrorCode })
  | (Common & { status: "suspended"; reason: "pending_tools" | "yield" });

export type CellPort = {
  calls(calls: GuestState["calls"]): void;
  output(item: string): void;
  end(outcome: WorkerOutcome, packed?: Uint8Array): void;
  /** What the one who watches may do: end it while it is in the guest, wait for it while it packs. */
  phase(phase: Phase): void;
};
export const PHASES = { idle: 0, guest: 1, packing: 2 } as const;
export type Phase = (typeof PHASES)[keyof typeof PHASES];

export type CellRun = {
  answers(order: AnswersOrder): void;
  timeOver(): void;
};

type Parts = { vm: GuestVm; image: Image; port: CellPort; limits: CellLimits; untilMs: number };

const NEVER_SETTLES =
  "The program waits for something that nothing can settle: no call and no timer is under way. Check its promises.";
const TIMEOUT = "The program ran longer than its time limit.";
const MEMORY = "The program needed more memory than its limit.";
const BATCH = "More calls were started at once than can be in flight (128); none of the last batch was made.";

/** `code` is JavaScript by now. */
export function beginCell(order: RunOrder, parts: Parts): CellRun {
  const run = cellRun(parts);
  run.inGuest(() => {
    const refusal = refuseProgram(parts.vm, order.code);
    if (refusal !== undefined) return run.fail(refusal.error, codeFor(refusal, order.language));
    parts.vm.order("bind", JSON.stringify({ ...settingsOf(order.limits), bindings: order.bindings }));
    parts.vm.order("start", "", parts.vm.evaluate(wholeProgram(order.code)));
    run.step();
  });
  return run;
}

const codeFor = ({ code }: Refusal, language: string): ErrorCode =>
  code === "invalid_input" && language === "typescript" ? "typescript_transform_failed" : code;

export function resumeCell(order: ResumeOrder, parts: Parts): CellRun {
  const run = cellRun(parts, order.pending);
  run.inGuest(() => {
    parts.vm.order("resumed", JSON.stringify(settingsOf(order.limits)));
    run.answers({ answers: order.answers, parked: [] });
  });
  return run;
}

/** Chance is fresh for each cell and after each resume: machines of one image would share it. */
const settingsOf = ({ maxOutputBytes, maxPendingToolCalls }: CellLimits) => ({
  chance: [...randomFillSync(new Int32Array(4))],
  outputCharsMax: maxOutputBytes,
  maxAsked: maxPendingToolCalls,
});

type Steps = CellRun & {
  inGuest(work: () => void): void;
  step(): void;
  fail(error: string, code?: ErrorCode): void;
};

function cellRun(parts: Parts, pending: readonly string[] = []): Steps {
  const { vm, port, limits } = parts;
  const asked = new Set(pending);
  const parked = new Set<string>();
  const meter: OutputMeter = outputMeter(limits.maxOutputBytes, port.output);
  let timer: NodeJS.Timeout | undefined;
  let last: GuestState | undefined;
  let isOver = false;
  vm.limit({ memoryBytes: limits.memoryLimitBytes, untilMs: parts.untilMs });
  vm.onSend((kind, text, chars) => (kind === SENT.json ? meter.json : meter.text)(text, chars));

  function end(outcome: WorkerOutcome, packed?: Uint8Array): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    vm.dispose();
    port.end(outcome, packed);
  }
  const common = (queued: Queued[] = []): Common => ({ cutChars: meter.cutChars(), queued, asked: [...asked] });
  const fail = (error: string, code?: ErrorCode): void =>
    end({ status: "failed", error, ...(code === undefined ? {} : { code }), ...common(queuedIn(vm, last)) });

  function inGuest(work: () => void): void {
    if (isOver) return;
    port.phase(PHASES.guest);
    try {
      work();
    } catch (error) {
      const { text, code } = failureOf(error, vm);
      end({ status: "failed", error: text, code, ...common() });
    }
    port.phase(PHASES.idle);
  }
  function finish(): void {
    const made = withReserve(vm, () => readEnd(vm.order("end")));
    if ("failure" in made) return failWith(made.failure);
    if (Buffer.byteLength(made.value) > limits.maxOutputBytes)
      return fail(`The value is larger than the ${limits.maxOutputBytes} bytes that can be returned.`, OUTPUT);
    end({ status: "completed", valueJson: made.value, timersCancelled: last?.timers ?? 0, ...common() });
  }
  function failWith({ kind, text, target }: GuestFailure): void {
    const isImport = vm.importsDenied() > 0 && text.startsWith(`Error: ${DENIED_IMPORT}`);
    if (isImport) return fail(text, "module_access_denied");
    return fail(kind === "call" ? `${target ?? "A call"} failed: ${text}` : text, FAILURE_CODES[kind]);
  }
  function suspend(reason: "pending_tools" | "yield"): void {
    port.phase(PHASES.packing);
    const queued = queuedIn(vm, last);
    const packed = packSnapshot(vm.snapshot(), parts.image);
    if (packed.length > limits.maxSnapshotBytes)
      return fail(`The suspended program takes ${packed.length} bytes; ${limits.maxSnapshotBytes} may be kept.`, SIZE);
    end({ status: "suspended", reason, ...common(queued) }, packed);
  }
  function step(): void {
    if (isOver) return;
    vm.drain();
    const state = withReserve(vm, () => readState(vm.order("state")));
    last = state;
    if (state.tooMany) return fail(BATCH, "too_many_pending_tool_calls");
    for (const [callId] of state.calls) asked.add(callId);
    if (state.calls.length > 0) port.calls(state.calls);
    goOn(state);
  }
  function goOn(state: GuestState): void {
    const isIdle = state.asked === 0 && state.queued === 0;
    if (state.program === "threw" || (state.program === "returned" && isIdle)) return finish();
    if (state.yielded) return suspend("yield");
    const timerAtMs = state.program === "running" ? state.timerAtMs : null;
    if (isIdle && timerAtMs === null)
      return vm.isNearlyFull() ? fail(MEMORY, "memory_limit_exceeded") : fail(NEVER_SETTLES);
    if (timerAtMs !== null) return armTimer(timerAtMs);
    if ([...asked].every((callId) => parked.has(callId))) suspend("pending_tools");
  }
  function armTimer(atMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => inGuest(() => (vm.order("timer"), step())), Math.max(0, atMs - Date.now()));
  }
  return {
    inGuest,
    step,
    fail,
    answers({ answers, parked: ids }) {
      for (const id of ids) if (asked.has(id)) parked.add(id);
      for (const [callId] of answers) asked.delete(callId);
      inGuest(() => {
        if (answers.length > 0) vm.order("answers", JSON.stringify(answers));
        step();
      });
    },
    timeOver() {
      inGuest(() => {
        vm.limit({ memoryBytes: limits.memoryLimitBytes, untilMs: Date.now() + LAST_WORDS_MS });
        if (last?.program === "returned") finish();
        else suspend("pending_tools");
      });
    },
  };
}

const OUTPUT = "output_limit_exceeded";
const SIZE = "snapshot_limit_exceeded";
/** After the time is over an idle machine may still say its value, or be packed. */
const LAST_WORDS_MS = 25;

const FAILURE_CODES: Readonly<Record<GuestFailure["kind"], ErrorCode | undefined>> = {
  thrown: undefined,
  value: undefined,
  denied: "module_access_denied",
  call: "nested_tool_failed",
  memory: "memory_limit_exceeded",
  size: OUTPUT,
};

/** With a reserve of memory, so that a cell that used up its own can still be asked. */
function withReserve<Result>(vm: GuestVm, work: () => Result): Result {
  vm.openReserve();
  try {
    return work();
  } finally {
    vm.closeReserve();
  }
}

/** The prelude's own text, written by code that a cell cannot change. */
const readState = (text: string): GuestState => JSON.parse(text) as GuestState;
const readEnd = (text: string): GuestEnd => JSON.parse(text) as GuestEnd;

function queuedIn(vm: GuestVm, last: GuestState | undefined): Queued[] {
  if (last === undefined || last.queued === 0) return [];
  const list = JSON.parse(vm.order("queued")) as Queued[];
  return list.map(([callId, method, target]) => [callId, method, target]);
}

function failureOf(error: unknown, vm: GuestVm): { text: string; code: ErrorCode } {
  if (error instanceof GuestLeft && error.why === "interrupted") return { text: TIMEOUT, code: "timeout" };
  if (isFull(vm)) return { text: MEMORY, code: "memory_limit_exceeded" };
  return { text: "The machine of this cell failed.", code: "internal_error" };
}

function isFull(vm: GuestVm): boolean {
  try {
    return vm.isNearlyFull();
  } catch {
    return false; // it has trapped
  }
}
