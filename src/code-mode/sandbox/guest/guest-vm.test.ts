/** Machines: one that has had a cell is made what it was before, or is given up (CM-06). */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { compileWasm } from "./compile-wasm.ts";
import { createImage, GuestLeft, type GuestVm, type Image, restoreVm } from "./guest-vm.ts";
import { wholeProgram } from "./refuse-program.ts";

const MEBIBYTES = 1_048_576;
const given: { wasm?: WebAssembly.Module; image?: Image } = {};

beforeAll(async () => {
  given.wasm = await compileWasm(readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm")));
  given.image = await createImage(given.wasm);
});

async function machine(): Promise<GuestVm> {
  const { wasm, image } = given;
  if (wasm === undefined || image === undefined) throw new Error("there is no image");
  return restoreVm(wasm, image);
}

async function spare(): Promise<GuestVm> {
  const vm = await machine();
  vm.remember();
  return vm;
}

const SETTINGS = { chance: [1, 2, 3, 4], outputCharsMax: 1_000, maxAsked: 16 };
const NOTHING = { allToolsJson: "[]", convenience: [], apiFiles: [], mcp: [], namespaces: [] };

function play(vm: GuestVm, code: string): string {
  vm.limit({ memoryBytes: 64 * MEBIBYTES, untilMs: Date.now() + 10_000 });
  vm.onSend(() => undefined);
  vm.tell("bind", JSON.stringify({ ...SETTINGS, bindings: NOTHING }));
  vm.tell("start", "", vm.evaluate(wholeProgram(code)));
  vm.drain();
  vm.ask("state");
  return vm.ask("end");
}

const HOSTILE = [
  "globalThis.left = 'secret'; Object.prototype.left = 1; Array.prototype.push = () => 0; return 1",
  "JSON.stringify = () => 'x'; Promise.prototype.then = null; delete globalThis.tools; return 2",
  "const keep = []; for (let n = 0; n < 500; n++) keep.push({ n }); globalThis.keep = keep; throw new Error('no')",
  "const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1)); try { deep(1e6) } catch {} return 'x'.repeat(1000)",
  "tools.call('a:b:c'); setTimeout(() => 1, 5); text('out'); await new Promise(() => 0)",
];

describe("a machine that has had a cell", () => {
  it.each(HOSTILE)("[CM-06] 124, 172: is byte for byte one that never had any: %.50s", async (code) => {
    const [fresh, used] = [await spare(), await spare()];
    play(used, code);
    expect(used.renew()).toBe(true);
    const [expected, seen] = [fresh.snapshot(), used.snapshot()];
    expect(Buffer.compare(seen.memory, expected.memory)).toBe(0);
    expect({ ...seen, memory: 0 }).toEqual({ ...expected, memory: 0 });
  });

  it("[CM-06] 124, 172: counts and runs the next cell as the first one did", async () => {
    const vm = await spare();
    const code = "return [typeof left, Object.keys(globalThis).length, [].left, Math.random()]";
    const first = play(vm, code);
    for (const hostile of HOSTILE) {
      expect(vm.renew()).toBe(true);
      play(vm, hostile);
    }
    expect(vm.renew()).toBe(true);
    expect(play(vm, code)).toBe(first);
  });

  it("[CM-06] 124: is given up where its memory has grown", async () => {
    const vm = await spare();
    play(vm, `globalThis.large = new Uint8Array(${8 * MEBIBYTES}).fill(7); return 1`);
    expect(vm.renew()).toBe(false);
  });

  it("[CM-06] 45, 124: is given up where it was interrupted, or code of it was refused", async () => {
    const late = await spare();
    late.limit({ memoryBytes: 64 * MEBIBYTES, untilMs: Date.now() });
    expect(() => late.evaluate("for (;;) {}")).toThrow(GuestLeft);
    expect(late.renew()).toBe(false);
    const broken = await spare();
    expect(() => broken.parse("}")).toThrow("unexpected token");
    expect(broken.renew()).toBe(false);
  });

  it("[CM-05] 61: is given up where it came from a suspended cell", async () => {
    const vm = await machine();
    expect(vm.renew()).toBe(false);
  });
});
