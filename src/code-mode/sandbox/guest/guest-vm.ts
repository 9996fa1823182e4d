/**
 * One virtual machine in which one cell runs. All start from one image: the engine with the prelude evaluated in it,
 * which is the same bytes in every process of the same build.
 */
import { createHash } from "node:crypto";
import { EvalFlags, JSException, type JSValueHandle, QuickJS, type Snapshot, type WasiOptions } from "quickjs-wasi";
import { CELL_FILE, PRELUDE, PRELUDE_FILE } from "./prelude.ts";
import { type Given, machineText, type TextEngine } from "./machine-text.ts";
import { type EngineState, NEVER, type Renewal, renewalOf } from "./renewal.ts";

/** More, and errors of the host's own stack would get into the guest. */
const STACK_BYTES_MAX = 262_144;
/** For putting into words what failed when a cell has used up its memory. */
const RESERVE_BYTES = 4_194_304;
/** Of its limit: where memory is short of what was asked for it is never used up to the last byte. */
const NEARLY = 0.8;
const FAILED_JOBS_MAX = 1_000;
const SEND = "send";

export const DENIED_IMPORT = "import is not available in a cell: there are no modules. Use tools, MCP and API.";

export type Image = Omit<Snapshot, "extensions"> & {
  /** The function of the prelude that takes orders. */
  orders: number;
};

/** The same time and the same chance for every image, so that images are equal. */
const atRest: WasiOptions = (memory) => ({
  ...silent(memory),
  clock_time_get(_clock: number, _precision: bigint, at: number) {
    new DataView(memory.buffer).setBigUint64(at, 0n, true);
    return 0;
  },
  random_get(at: number, length: number) {
    new Uint8Array(memory.buffer, at, length).fill(7);
    return 0;
  },
});

/** What the engine itself prints is dropped: it would get between our messages. */
const silent: WasiOptions = (memory) => ({
  fd_write(...given: [file: number, parts: number, count: number, writtenAt: number]) {
    new DataView(memory.buffer).setUint32(given[3], 0, true);
    return 0;
  },
});

export async function createImage(wasm: WebAssembly.Module): Promise<Image> {
  const vm = await QuickJS.create({ wasm, wasi: atRest, timezoneOffset: 0, maxStackSize: STACK_BYTES_MAX });
  const send = vm.newFunction(SEND, () => vm.undefined);
  const prelude = vm.evalCode(PRELUDE, PRELUDE_FILE);
  const orders = vm.exportHandle(vm.callFunction(prelude, vm.undefined, send));
  send.dispose();
  prelude.dispose();
  vm.runGC();
  const { memory, stackPointer, runtimePtr, contextPtr } = vm.snapshot();
  vm.dispose();
  return { memory, stackPointer, runtimePtr, contextPtr, orders };
}

export const imageHash = ({ memory, orders }: Image): string =>
  createHash("sha256").update(memory).update(String(orders)).digest("hex");

/** Why a cell's code was left: `overflowed` when code was nested deeper than the engine's own stack. */
export type Leave = "interrupted" | "overflowed" | "trapped" | "threw";
export class GuestLeft extends Error {
  readonly why: Leave;
  constructor(why: Leave, options?: ErrorOptions) {
    super(why, options);
    this.why = why;
  }
}

/** `chars` is how long the text was before the guest's side cut it. */
type Send = (kind: number, text: string, chars: number) => void;

export type GuestVm = {
  /** Gives the prelude an order; jobs are not run. The text is well-formed, or bytes of one that is. */
  tell(name: Order, text?: string | Uint8Array, program?: JSValueHandle): void;
  ask(name: Question): string;
  /** What is asked is read as bytes, which are the machine's own again when `read` returns. */
  read<Read>(name: Question, read: (answer: Buffer) => Read): Read;
  /** Runs jobs until there are none. */
  drain(): void;
  /** Parses, and throws what the engine says of code that it cannot read. */
  parse(code: string): void;
  evaluate(code: string): JSValueHandle;
  /** From now on, for this cell. */
  limit(limits: { memoryBytes: number; untilMs: number }): void;
  onSend(send: Send): void;
  /** Lets the prelude put into words what failed, though the cell has used up its memory. */
  openReserve(): void;
  closeReserve(): void;
  isNearlyFull(): boolean;
  /** Whether its memory has ever been about as large as its limit. */
  wasNearlyFull(): boolean;
  importsDenied(): number;
  snapshot(): Snapshot;
  /** What `renew` goes back to is what it is now. */
  remember(): void;
  /** Whether that can still be had. */
  isRenewable(): boolean;
  /** Makes it what it was, byte for byte. False: that cannot be had any more, and another is to be restored. */
  renew(): boolean;
};

/** What the prelude can be ordered to do, and asked for. */
const ORDERS = ["bind", "start", "timer", "answers", "resumed"] as const;
const QUESTIONS = ["state", "end", "queued"] as const;
type Order = (typeof ORDERS)[number];
type Question = (typeof QUESTIONS)[number];

const optionsOf = (wasm: WebAssembly.Module) => ({
  wasm,
  wasi: silent,
  timezoneOffset: 0,
  maxStackSize: STACK_BYTES_MAX,
});

export async function restoreVm(wasm: WebAssembly.Module, image: Image): Promise<GuestVm> {
  let untilMs = Number.POSITIVE_INFINITY;
  let memoryBytes = Number.POSITIVE_INFINITY;
  let denied = 0;
  let isInterrupted = false;
  let send: Send | undefined;
  const load = (): never => {
    denied += 1;
    throw pathless(DENIED_IMPORT);
  };
  const interruptHandler = (): boolean => (isInterrupted ||= Date.now() >= untilMs);
  const hooks = { interruptHandler, moduleLoader: { load } };
  const vm = await QuickJS.restore({ ...image, extensions: [] }, { ...optionsOf(wasm), ...hooks });
  hear(vm, (...sent) => send?.(...sent));
  const engine = engineOf(vm);
  const { call } = machineText(vm, engine, image.orders);
  const named = orderNames(vm);
  const asked = (name: Question): Given => ({ name: named(name), text: "", program: vm.undefined.ptr });
  let renewMemory: Renewal = NEVER;
  let isSound = true;
  const inside = <Result>(work: () => Result): Result => {
    try {
      const result = work();
      if (isInterrupted) throw new GuestLeft("interrupted");
      return result;
    } catch (error) {
      isSound = false;
      throw isInterrupted ? new GuestLeft("interrupted") : leftBy(error);
    }
  };
  const isRenewable = (): boolean =>
    isSound && !isInterrupted && engine.memory.buffer.byteLength === image.memory.length;
  const setMemory = (bytes: number): void => engine.qjs_set_memory_limit(bytes);
  return {
    tell: (name, text = "", { ptr: program } = vm.undefined) =>
      inside(() => call({ name: named(name), text, program })),
    ask: (name) => inside(() => call(asked(name), (answer) => answer.toString())),
    read: (name, read) => inside(() => call(asked(name), read)),
    drain: () => inside(() => drainJobs(vm, () => isInterrupted)),
    parse: (code) => inside(() => vm.evalCode(code, CELL_FILE, EvalFlags.COMPILE_ONLY).dispose()),
    evaluate: (code) => inside(() => vm.evalCode(code, CELL_FILE)),
    limit(limits) {
      ({ untilMs, memoryBytes } = limits);
      setMemory(memoryBytes);
    },
    onSend(given) {
      send = given;
    },
    openReserve: () => setMemory(memoryBytes + RESERVE_BYTES),
    closeReserve: () => setMemory(memoryBytes),
    isNearlyFull: () => vm.getMemoryUsage().mallocSize > memoryBytes * NEARLY,
    wasNearlyFull: () => engine.memory.buffer.byteLength > memoryBytes * NEARLY,
    importsDenied: () => denied,
    snapshot() {
      vm.runGC();
      return vm.snapshot();
    },
    remember() {
      for (const name of [...ORDERS, ...QUESTIONS]) named(name);
      void [vm.global, vm.undefined, vm.null, vm.true, vm.false]; // the package keeps them from their first use on
      renewMemory = renewalOf(engine, image.memory);
    },
    isRenewable,
    renew() {
      if (!isRenewable() || !renewMemory()) return false;
      [untilMs, memoryBytes, denied, send] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, undefined];
      return true;
    },
  };
}

/** What was thrown, by the way in which the guest was left. */
const leftBy = (error: unknown): unknown =>
  isTrap(error) ? new GuestLeft(error instanceof RangeError ? "overflowed" : "trapped", { cause: error }) : error;

function hear(vm: QuickJS, send: Send): void {
  vm.registerHostCallback(SEND, (kind, text, chars) => {
    if (kind !== undefined && chars !== undefined && (text?.isString ?? false))
      send(kind.toNumber(), text.toString(), chars.toNumber());
    return vm.undefined;
  });
}

/** Names of orders as values of the machine, each made once. */
function orderNames(vm: QuickJS): (name: Order | Question) => number {
  const names = new Map<Order | Question, number>();
  return (name) => {
    const known = names.get(name) ?? vm.newString(name).ptr;
    names.set(name, known);
    return known;
  };
}

/** The package copies the stack of an error into the guest: it must not name paths of this machine. */
function pathless(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}

/** A job that throws ends alone; the engine puts what it threw into words, inside the guest and its limits. */
function drainJobs(vm: QuickJS, isInterrupted: () => boolean): void {
  for (let failed = 0; ; failed++) {
    try {
      vm.executePendingJobs();
      return;
    } catch (error) {
      if (isTrap(error) || isInterrupted() || failed >= FAILED_JOBS_MAX) throw error;
    }
  }
}

/** After these the machine's memory cannot be trusted to be in order. */
const isTrap = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof Error && error.name === "RuntimeError" && !(error instanceof JSException));

type Engine = EngineState & TextEngine & { qjs_set_memory_limit(bytes: number): void };
const ENGINE_FUNCTIONS = [
  "qjs_set_memory_limit",
  "wasm_malloc",
  "wasm_free",
  "qjs_new_string",
  "qjs_call",
  "qjs_is_exception",
  "qjs_get_string_len",
  "qjs_free_cstring",
  "qjs_free_value",
];
const isEngine = (value: unknown): value is Engine =>
  value !== null &&
  typeof value === "object" &&
  ENGINE_FUNCTIONS.every((name) => name in value) &&
  "memory" in value &&
  "__stack_pointer" in value;

/** The package sets a limit only when a machine is restored, and ours are restored ahead of their cell. */
function engineOf(vm: QuickJS): Engine {
  const engine: unknown = Reflect.get(vm, "exports");
  if (!isEngine(engine)) throw new Error("quickjs-wasi has another engine");
  return engine;
}
