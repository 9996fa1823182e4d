/**
 * One cell in one machine, from its code or its snapshot to its end. It runs in a worker; whoever watches from outside
 * ends the worker if this does not come back.
 *
 *   begin ──▶ in the guest ──▶ idle (calls, timers) ──answers · timer──▶ in the guest
 *                  │                  └─ nothing but parked calls · time over · yield_control ──▶ packing ──▶ suspended
 *                  └─▶ completed · failed
 */
import { randomFillSync } from "node:crypto";
import type { CellLimits } from "../cell-limits.ts";
import { answersText } from "../call-texts.ts";
import type { ErrorCode } from "../sandbox.ts";
import { type CellEnd, cellEnd, MEMORY, withReserve, type WorkerOutcome } from "./cell-end.ts";
import { lineEnd, readGuestState, type ResumeOrder, type RunOrder } from "./cell-orders.ts";
import type { GuestVm, Image } from "./guest-vm.ts";
import { outputMeter } from "../output-meter.ts";
import { type GuestState, SENT } from "./prelude.ts";
import { acceptProgram, type Refusal } from "./refuse-program.ts";

export type CellPort = {
  /** What is asked now (`readRequests`), valid during the call; `answered`: how many batches of answers have arrived. */
  calls(requests: Uint8Array, answered: number): void;
  output(item: string): void;
  end(outcome: WorkerOutcome, packed?: Uint8Array): void;
  /** What the one who watches may do: end it while it is in the guest, wait for it while it packs. */
  phase(phase: Phase): void;
};
export const PHASES = { idle: 0, guest: 1, packing: 2 } as const;
export type Phase = (typeof PHASES)[keyof typeof PHASES];

export type CellRun = {
  /** As `answersText` writes them, and which they are. */
  answers(callIds: readonly string[], text: string | Uint8Array): void;
  /** Nobody will answer these soon. */
  park(callIds: readonly string[]): void;
  timeOver(): void;
};

type Parts = { vm: GuestVm; image: Image; port: CellPort; limits: CellLimits; untilMs: number };

const NEVER_SETTLES =
  "The program waits for something that nothing can settle: no call and no timer is under way. Check its promises.";
const BATCH = "More calls were started at once than can be in flight (128); none of the last batch was made.";
/** After the time is over an idle machine may still say its value. */
const LAST_WORDS_MS = 25;

/** `code` is JavaScript by now. */
export function beginCell(order: RunOrder, parts: Parts): CellRun {
  const { vm } = parts;
  const run = cellRun(parts);
  run.inGuest(() => {
    const read = acceptProgram(vm, order.code);
    if ("refusal" in read) return run.end.fail(read.refusal.error, codeFor(read.refusal, order.language));
    vm.tell("bind", JSON.stringify({ ...settingsOf(order.limits), bindings: order.bindings }));
    vm.tell("start", "", read.program);
    run.step();
  });
  return run;
}

const codeFor = ({ code }: Refusal, language: string): ErrorCode =>
  code === "invalid_input" && language === "typescript" ? "typescript_transform_failed" : code;

export function resumeCell(order: ResumeOrder, parts: Parts): CellRun {
  const run = cellRun(parts, order.pending);
  run.inGuest(() => {
    parts.vm.tell("resumed", JSON.stringify(settingsOf(order.limits)));
    const answered = order.answers.map(([callId]) => callId);
    run.answers(answered, answersText(order.answers));
  });
  return run;
}

/** Chance is fresh for each cell and after each resume: machines of one image would share it. */
const settingsOf = ({ maxOutputBytes, maxPendingToolCalls }: CellLimits) => ({
  chance: [...randomFillSync(new Int32Array(4))],
  outputCharsMax: maxOutputBytes,
  maxAsked: maxPendingToolCalls,
});

type Steps = CellRun & { end: CellEnd; inGuest(work: () => void): void; step(): void };

type Move = "finish" | "yield" | "pending_tools" | "stuck" | "wait" | { timerAtMs: number };

/** What is done with a machine that has nothing more to do by itself. */
function nextMove(state: GuestState, isAllParked: () => boolean): Move {
  const isIdle = state.asked === 0 && state.queued === 0;
  if (state.program === "threw" || (state.program === "returned" && isIdle)) return "finish";
  if (state.yielded) return "yield";
  if (state.program === "running" && state.timerAtMs > 0) return { timerAtMs: state.timerAtMs };
  if (isIdle) return "stuck";
  return isAllParked() ? "pending_tools" : "wait";
}

/** Whatever is done in the machine is seen from outside, and what is thrown there ends the cell. */
function guestEntry(port: CellPort, end: CellEnd): Steps["inGuest"] {
  return (work) => {
    if (end.isOver()) return;
    port.phase(PHASES.guest);
    try {
      work();
    } catch (error) {
      end.failBy(error);
    }
    port.phase(PHASES.idle);
  };
}

function cellRun(parts: Parts, pending: readonly string[] = []): Steps {
  const { vm, port, limits } = parts;
  const asked = new Set(pending);
  const parked = new Set<string>();
  const meter = outputMeter(limits.maxOutputBytes, port.output);
  let timer: NodeJS.Timeout | undefined;
  let [last, answered]: [GuestState | undefined, number] = [undefined, 0];
  vm.limit({ memoryBytes: limits.memoryLimitBytes, untilMs: parts.untilMs });
  vm.onSend((kind, text, chars) => (kind === SENT.json ? meter.json : meter.text)(text, chars));
  const over: CellPort["end"] = (outcome, packed) => {
    clearTimeout(timer);
    port.end(outcome, packed);
  };
  const end = cellEnd({ ...parts, asked, state: () => last, cutChars: meter.cutChars, end: over });

  const inGuest = guestEntry(port, end);
  function step(order?: "answers" | "timer", text?: string | Uint8Array): void {
    if (order !== undefined) vm.tell(order, text);
    vm.drain();
    const state = withReserve(vm, () => vm.read("state", takeState));
    if (state.tooMany) return end.fail(BATCH, "too_many_pending_tool_calls");
    goOn(state);
  }
  /** What is asked leaves while it lies in the machine's memory. */
  function takeState(answer: Buffer): GuestState {
    const headEnd = lineEnd(answer);
    const state = (last = readGuestState(answer, headEnd));
    for (const callId of state.callIds) asked.add(callId);
    if (state.callIds.length > 0) port.calls(answer.subarray(headEnd + 1), answered);
    return state;
  }
  function suspend(reason: "pending_tools" | "yield"): void {
    port.phase(PHASES.packing);
    end.suspend(reason);
  }
  function goOn(state: GuestState): void {
    const move = nextMove(state, () => [...asked].every((callId) => parked.has(callId)));
    if (move === "finish") end.finish();
    else if (move === "stuck") failStuck();
    else if (move === "yield" || move === "pending_tools") suspend(move);
    else if (move !== "wait") armTimer(move.timerAtMs);
  }
  const failStuck = (): void =>
    vm.isNearlyFull() ? end.fail(MEMORY, "memory_limit_exceeded") : end.fail(NEVER_SETTLES);
  function armTimer(atMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => inGuest(() => step("timer")), Math.max(0, atMs - Date.now()));
  }
  return {
    end,
    inGuest,
    step,
    answers(callIds, text) {
      answered += 1;
      for (const callId of callIds) asked.delete(callId);
      inGuest(() => step("answers", text));
    },
    park(callIds) {
      for (const id of callIds) if (asked.has(id)) parked.add(id);
      inGuest(() => step());
    },
    timeOver() {
      inGuest(() => {
        vm.limit({ memoryBytes: limits.memoryLimitBytes, untilMs: Date.now() + LAST_WORDS_MS });
        if (last?.program === "returned") end.finish();
        else suspend("pending_tools");
      });
    },
  };
}
