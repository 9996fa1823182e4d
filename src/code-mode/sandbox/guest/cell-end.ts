/** How a cell ends or is suspended, and with which code: chosen from what the host knows, never from a cell's own words. */
import type { CellLimits } from "../cell-limits.ts";
import { DEPTH_MAX, isTooDeep } from "../json-depth.ts";
import type { ErrorCode } from "../sandbox.ts";
import { type Queued, readGuestEnd, readQueued } from "./cell-orders.ts";
import { DENIED_IMPORT, GuestLeft, type GuestVm, type Image } from "./guest-vm.ts";
import type { GuestFailure, GuestState } from "./prelude.ts";
import { packSnapshot } from "./snapshot-pages.ts";

export const TIMEOUT = "The program ran longer than its time limit.";
export const MEMORY = "The program needed more memory than its limit.";
const TOO_NESTED = "RangeError: The code is nested deeper than the stack allows.";

/** `asked`: what the machine still waits for, as far as it knows. */
type Common = { cutChars: number; queued: Queued[]; asked: string[] };
/** How a worker reports the end of a cell; a suspended one comes with its packed machine. */
export type WorkerOutcome =
  | (Common & { status: "completed"; valueJson: string; timersCancelled: number })
  | (Common & { status: "failed"; error: string; code?: ErrorCode })
  | (Common & { status: "suspended"; reason: "pending_tools" | "yield" });

export type CellEnd = {
  fail(error: string, code?: ErrorCode): void;
  /** What was thrown out of the guest, or by our own side. */
  failBy(error: unknown): void;
  /** The program returned or threw: its value, or its error in words. */
  finish(): void;
  suspend(reason: "pending_tools" | "yield"): void;
  isOver(): boolean;
};

export type EndParts = {
  vm: GuestVm;
  image: Image;
  limits: CellLimits;
  state(): GuestState | undefined;
  asked: ReadonlySet<string>;
  cutChars(): number;
  /** Once. */
  end(outcome: WorkerOutcome, packed?: Uint8Array): void;
};

const OUTPUT = "output_limit_exceeded";
const FAILURE_CODES: Readonly<Record<GuestFailure["kind"], ErrorCode | undefined>> = {
  thrown: undefined,
  null: undefined,
  value: undefined,
  denied: "module_access_denied",
  call: "nested_tool_failed",
  memory: "memory_limit_exceeded",
  size: OUTPUT,
};

export function cellEnd(parts: EndParts): CellEnd {
  const { vm, limits, asked } = parts;
  let isOver = false;
  function end(outcome: WorkerOutcome, packed?: Uint8Array): void {
    if (isOver) return;
    isOver = true;
    parts.end(outcome, packed);
  }
  const common = (queued: Queued[]): Common => ({ cutChars: parts.cutChars(), queued, asked: [...asked] });
  const queued = (): Queued[] => ((parts.state()?.queued ?? 0) === 0 ? [] : queuedIn(vm));
  const failed = (error: string, code: ErrorCode | undefined, rest: Common): void =>
    end({ status: "failed", error, ...(code === undefined ? {} : { code }), ...rest });
  const fail = (error: string, code?: ErrorCode): void => failed(error, code, common(queued()));

  function failWith({ kind, text, target }: GuestFailure): void {
    const isImport = vm.importsDenied() > 0 && text.startsWith(`Error: ${DENIED_IMPORT}`);
    if (isImport) return fail(text, "module_access_denied");
    // what the engine throws when there is no memory left for the error itself
    if (kind === "null" && vm.wasNearlyFull()) return fail(MEMORY, "memory_limit_exceeded");
    fail(kind === "call" ? `${shownName(target ?? "A call")} failed: ${text}` : text, FAILURE_CODES[kind]);
  }
  return {
    fail,
    failBy(error) {
      if (error instanceof GuestLeft && error.why === "interrupted") return failed(TIMEOUT, "timeout", common([]));
      if (error instanceof GuestLeft && error.why === "overflowed") return failed(TOO_NESTED, undefined, common([]));
      if (isFull(vm)) return failed(MEMORY, "memory_limit_exceeded", common([]));
      failed("The machine of this cell failed.", "internal_error", common([]));
    },
    finish() {
      const made = withReserve(vm, () => readGuestEnd(vm.ask("end")));
      if ("failure" in made) return failWith(made.failure);
      if (Buffer.byteLength(made.value) > limits.maxOutputBytes)
        return fail(`The value is larger than the ${limits.maxOutputBytes} bytes that can be returned.`, OUTPUT);
      if (isTooDeep(made.value)) return fail(`The value is nested deeper than ${DEPTH_MAX} levels.`);
      const timersCancelled = parts.state()?.timers ?? 0;
      end({ status: "completed", valueJson: made.value, timersCancelled, ...common([]) });
    },
    suspend(reason) {
      const rest = common(queued());
      const packed = packSnapshot(vm.snapshot(), parts.image);
      if (packed.length <= limits.maxSnapshotBytes) return end({ status: "suspended", reason, ...rest }, packed);
      const error = `The suspended program takes ${packed.length} bytes; ${limits.maxSnapshotBytes} may be kept.`;
      failed(error, "snapshot_limit_exceeded", rest);
    },
    isOver: () => isOver,
  };
}

/** With a reserve of memory, so that a cell that used up its own can still be asked. */
export function withReserve<Result>(vm: GuestVm, work: () => Result): Result {
  vm.openReserve();
  try {
    return work();
  } finally {
    vm.closeReserve();
  }
}

const NAME_CHARS_MAX = 200;

/** A program calls what it likes: the name is shown on one line and without control characters. */
const shownName = (target: string): string =>
  target
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed();

const queuedIn = (vm: GuestVm): Queued[] =>
  withReserve(vm, () => readQueued(vm.ask("queued")).map(([callId, method, target]) => [callId, method, target]));

function isFull(vm: GuestVm): boolean {
  try {
    return vm.wasNearlyFull();
  } catch {
    return false; // it has trapped
  }
}
