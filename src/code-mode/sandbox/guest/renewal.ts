/**
 * Makes a machine that has had a cell what it was before. The state of an instance is its memory and one global, the stack pointer: the
 * engine has no other that can change (`engine-state.test.ts`). Both are written.
 */
export const PAGE_BYTES = 4_096;

/** False: it cannot be done any more. */
export type Renewal = () => boolean;
export const NEVER: Renewal = () => false;

export type EngineState = { memory: { buffer: ArrayBuffer }; __stack_pointer: { value: number } };

/** Goes back to what the engine is now; a memory that has grown by then cannot be made smaller. */
export function renewalOf({ memory, __stack_pointer: stackPointer }: EngineState, image: Uint8Array): Renewal {
  const now = new Uint8Array(memory.buffer);
  const at = stackPointer.value;
  const changed = changedPages(now, image).map((from) => [from, now.slice(from, from + PAGE_BYTES)] as const);
  return () => {
    if (memory.buffer.byteLength !== image.length) return false;
    const bytes = new Uint8Array(memory.buffer);
    bytes.set(image);
    for (const [from, page] of changed) bytes.set(page, from);
    stackPointer.value = at;
    return true;
  };
}

/** Where each page begins that differs. */
export function changedPages(memory: Uint8Array, image: Uint8Array): number[] {
  const changed: number[] = [];
  for (let from = 0; from < memory.length; from += PAGE_BYTES) if (!isSame(memory, image, from)) changed.push(from);
  return changed;
}

function isSame(memory: Uint8Array, image: Uint8Array, from: number): boolean {
  if (from >= image.length) return isZero(memory, from);
  const to = from + PAGE_BYTES;
  return Buffer.from(memory.buffer, memory.byteOffset + from, PAGE_BYTES).equals(image.subarray(from, to));
}

const ZEROS = Buffer.alloc(PAGE_BYTES);
/** Where memory has grown it is zero by itself. */
const isZero = (memory: Uint8Array, from: number): boolean =>
  ZEROS.equals(memory.subarray(from, Math.min(memory.length, from + PAGE_BYTES)));
