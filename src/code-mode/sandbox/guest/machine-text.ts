/**
 * Orders to a machine and what it answers, as bytes of its memory. It is what the package does for any function, without what only
 * others need: the text is JSON and well-formed, its memory is looked at once, and nothing is made for the collector.
 */
import { JSException, type QuickJS } from "quickjs-wasi";

/** Of the engine; pointers are numbers. */
export type TextEngine = {
  memory: { buffer: ArrayBuffer };
  wasm_malloc(bytes: number): number;
  wasm_free(at: number): void;
  qjs_new_string(at: number, bytes: number): number;
  qjs_call(called: number, self: number, count: number, given: number): number;
  qjs_is_exception(value: number): number;
  qjs_get_string_len(value: number, lengthAt: number): number;
  qjs_free_cstring(at: number): void;
  qjs_free_value(value: number): void;
};

/** Values of the machine. */
export type Given = { name: number; text: string | Uint8Array; program: number };

/** Calls the function with a name, a text and a value; `read` is given its answer, which lies there only until it returns. */
export type MachineText = { call(given: Given): void; call<Read>(given: Given, read: (answer: Buffer) => Read): Read };

const POINTER_BYTES = 4;
const ARGUMENTS = 3;

export function machineText(vm: QuickJS, engine: TextEngine, called: number): MachineText {
  const argumentsAt = allocated(engine, (ARGUMENTS + 1) * POINTER_BYTES);
  const lengthAt = argumentsAt + ARGUMENTS * POINTER_BYTES;
  const nothing = vm.undefined.ptr;
  let memory = Buffer.from(engine.memory.buffer);
  /** Another one since it has grown. */
  const current = (): Buffer =>
    memory.length > 0 && memory.buffer === engine.memory.buffer ? memory : (memory = Buffer.from(engine.memory.buffer));

  function stringOf(text: string | Uint8Array): number {
    const bytes = typeof text === "string" ? Buffer.byteLength(text) : text.length;
    const at = allocated(engine, bytes);
    if (typeof text === "string") current().write(text, at);
    else current().set(text, at);
    const made = engine.qjs_new_string(at, bytes);
    engine.wasm_free(at);
    if (engine.qjs_is_exception(made) !== 0) throw new JSException(vm.getException());
    return made;
  }
  function readAnswer<Read>(answer: number, read: (answer: Buffer) => Read): Read {
    const at = engine.qjs_get_string_len(answer, lengthAt);
    if (at === 0) throw new JSException(vm.getException());
    try {
      const bytes = current().readUInt32LE(lengthAt);
      return read(current().subarray(at, at + bytes));
    } finally {
      engine.qjs_free_cstring(at);
    }
  }
  function call<Read>({ name, text, program }: Given, read?: (answer: Buffer) => Read): Read | undefined {
    const given = text.length === 0 ? nothing : stringOf(text);
    const now = current();
    now.writeUInt32LE(name, argumentsAt);
    now.writeUInt32LE(given, argumentsAt + POINTER_BYTES);
    now.writeUInt32LE(program, argumentsAt + 2 * POINTER_BYTES);
    const answer = engine.qjs_call(called, nothing, ARGUMENTS, argumentsAt);
    try {
      if (engine.qjs_is_exception(answer) !== 0) throw new JSException(vm.getException());
      return read === undefined ? undefined : readAnswer(answer, read);
    } finally {
      engine.qjs_free_value(answer);
      if (given !== nothing) engine.qjs_free_value(given);
    }
  }
  return { call };
}

function allocated(engine: TextEngine, bytes: number): number {
  const at = engine.wasm_malloc(Math.max(1, bytes));
  if (at === 0) throw new Error("the machine has no memory left");
  return at;
}
