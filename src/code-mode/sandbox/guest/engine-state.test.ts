/**
 * What of the engine can change while it runs, read from its own bytes: a machine is made new by writing its memory and its
 * stack pointer, so there must be nothing else (CM-06). An engine that keeps more fails here, not in somebody's cell.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";

const bytes = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));

const SECTION = { import: 2, table: 4, memory: 5, global: 6, element: 9, code: 10, data: 11 } as const;

type Reader = { at: number };

function unsigned(from: Reader): number {
  let [value, factor] = [0, 1];
  for (;;) {
    const byte = bytes[from.at++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
    factor *= 0x80;
  }
}

function sections(): Map<number, { at: number; end: number }> {
  const found = new Map<number, { at: number; end: number }>();
  for (const from = { at: 8 }; from.at < bytes.length;) {
    const id = unsigned(from);
    const end = unsigned(from) + from.at;
    found.set(id, { at: from.at, end });
    from.at = end;
  }
  return found;
}

const all = sections();
const countIn = (id: number): number => {
  const found = all.get(id);
  return found === undefined ? 0 : unsigned({ at: found.at });
};

const skip = (times: number) => (from: Reader) => {
  for (let n = 0; n < times; n++) unsigned(from);
};
const pass = (count: number) => (from: Reader) => void (from.at += count);
const labels = (from: Reader): void => skip(unsigned(from) + 1)(from);
const types = (from: Reader): void => skip(unsigned(from))(from);

/** What follows an instruction; those that are not here are followed by nothing. */
const OPERANDS = new Map<number, (from: Reader) => void>([
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x12, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].map((op) => [op, skip(1)] as const),
  ...[0x11, 0x13].map((op) => [op, skip(2)] as const),
  [0x0e, labels],
  [0x1c, types],
  ...[0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26].map((op) => [op, skip(1)] as const),
  ...Array.from({ length: 0x3f - 0x28 }, (_none, n) => [0x28 + n, skip(2)] as const),
  [0x43, pass(4)],
  [0x44, pass(8)],
]);
const BULK = 0xfc;
const BULK_OPERANDS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];
/** Instructions with a prefix that this reader does not know would make it lose its place. */
const UNKNOWN_PREFIXES = new Set([0xfb, 0xfd, 0xfe]);

function instruction(from: Reader): number {
  const op = bytes[from.at++] ?? 0;
  if (UNKNOWN_PREFIXES.has(op)) throw new Error(`an instruction behind ${op.toString(16)}`);
  if (op !== BULK) {
    OPERANDS.get(op)?.(from);
    return op;
  }
  const bulk = unsigned(from);
  skip(BULK_OPERANDS[bulk] ?? 0)(from);
  return BULK * 0x100 + bulk;
}

/** How often each instruction is used; those behind the prefix as 0xfc00 and their number. */
function instructions(): Map<number, number> {
  const uses = new Map<number, number>();
  const from = { at: all.get(SECTION.code)?.at ?? 0 };
  const functions = unsigned(from);
  for (let n = 0; n < functions; n++) {
    const end = unsigned(from) + from.at;
    for (let groups = unsigned(from); groups > 0; groups--) skip(2)(from);
    while (from.at < end) {
      const name = instruction(from);
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
    expect(from.at).toBe(end); // it has kept its place
  }
  return uses;
}

describe("the engine's state", () => {
  it("[CM-06] 124: is one memory, one table and one global, the stack pointer, all of them its own", async () => {
    expect([SECTION.memory, SECTION.table, SECTION.global].map(countIn)).toEqual([1, 1, 1]);
    const { imports, exports } = await names();
    expect(imports.filter(({ kind }) => kind !== "function")).toEqual([]);
    expect(exports.filter(({ kind }) => kind === "global")).toEqual([{ name: "__stack_pointer", kind: "global" }]);
  });

  it("[CM-06] 124: no instruction of it changes the table, or uses a part of the module that can be dropped", () => {
    const uses = instructions();
    const tableChanges = [0x26, 0xfc0c, 0xfc0d, 0xfc0e, 0xfc0f, 0xfc11];
    const segmentUses = [0xfc08, 0xfc09];
    expect([...tableChanges, ...segmentUses].filter((op) => uses.has(op))).toEqual([]);
    expect(uses.get(0x24)).toBeGreaterThan(100); // it does read what it looks for: the stack pointer is set all the time
  });
});

type Named = { name: string; kind: string };

async function names(): Promise<{ imports: Named[]; exports: Named[] }> {
  const { compileWasm } = await import("./compile-wasm.ts");
  const wasm = await compileWasm(bytes);
  const api: unknown = Reflect.get(globalThis, "WebAssembly");
  const { Module } = api as { Module: { imports(wasm: object): Named[]; exports(wasm: object): Named[] } };
  return { imports: Module.imports(wasm), exports: Module.exports(wasm) };
}
