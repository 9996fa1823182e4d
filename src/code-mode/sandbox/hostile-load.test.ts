/** Cells that try to harm others by how much or how deeply: the gateway's loop and memory, and the cells beside them (CM-06). */
import { afterAll, describe, expect, it } from "vitest";
import { cellHost, cellWorld, ok } from "../../../test/kit/cells.ts";
import { createCallLedger } from "./call-ledger.ts";
import { outputMeter } from "./output-meter.ts";
import { isTooDeep } from "./json-depth.ts";
import { KINDS, messageBytes, messageReader } from "./message-bytes.ts";
import { readOutput } from "./worker-messages.ts";

const { sandbox, run, value, failure } = cellWorld();
afterAll(() => sandbox.stop());

const nest = (depth: number): string => `let deep = []; for (let n = 0; n < ${depth}; n++) deep = [deep];`;

describe("depth", () => {
  it("[CM-02][CM-06] 48: a value that is nested too deeply fails plainly, and output of that kind becomes text", async () => {
    expect(await failure(`${nest(3_000)} return deep`)).toEqual({
      error: "The value is nested deeper than 200 levels.",
      code: undefined,
    });
    expect(await value(`${nest(150)} return deep`)).toEqual(expect.any(Array));
    const outcome = await run(`${nest(3_000)} json(deep); json([1]); return 1`);
    expect(outcome).toMatchObject({ status: "completed", output: [{ type: "text" }, { type: "json", value: [1] }] });
  });

  it("[CM-06] 48, 125: brackets are counted outside of texts alone, and the gateway reads nothing deeper from a worker", () => {
    expect(isTooDeep(`["${"[".repeat(1_000)}\\"${"{".repeat(1_000)}"]`)).toBe(false);
    expect(isTooDeep("[{}],".repeat(1_000))).toBe(false);
    expect(isTooDeep("[".repeat(201))).toBe(true);
    expect(() => readOutput(`{"type":"json","value":${"[".repeat(500)}${"]".repeat(500)}}`)).toThrow("no output");
  });

  it.each([
    "return eval('('.repeat(1e5) + ')'.repeat(1e5))",
    "return new Function('return ' + '[['.repeat(1e5))()",
    `return ${"(".repeat(5e4)}1${")".repeat(5e4)}`,
  ])(
    "[CM-06] 46, 51, 124: code that overflows the engine's own stack is the program's failure: %.40s",
    async (code) => {
      expect(await failure(code)).toEqual({ error: expect.stringMatching(/^RangeError: /), code: undefined });
      expect(await value("return 1")).toBe(1);
    },
  );

  it("[CM-06] 46, 127: an error that cannot be asked anything is the program's failure", async () => {
    const traps = "{ get() { throw 1 }, getPrototypeOf() { throw 2 }, getOwnPropertyDescriptor() { throw 3 } }";
    const { code, error } = await failure(`throw new Proxy(new Error('x'), ${traps})`);
    expect([code, error]).toEqual([undefined, "[object that cannot be shown]"]);
  });
});

describe("amounts", () => {
  it("[CM-06] 125: of a search only its limit crosses, and arguments are no larger than a call may be", async () => {
    const made: string[] = [];
    const call = ({ argsJson }: { argsJson: string }) => (made.push(argsJson), ok([]));
    await value("await tools.search('x', { limit: 3, pad: 'x'.repeat(1e5) }); return await tools.search('y', 7)", {
      call,
    });
    expect(made).toEqual(['[{"limit":3}]', "[{}]"]);
    const tooLarge = "return await tools.call('x', { pad: 'x'.repeat(3e5) }).catch((error) => error.message)";
    expect(await value(tooLarge, { call })).toContain("262144");
  });

  it("[CM-06] 125: what a program has been told and what it asked is kept no longer than it is needed", async () => {
    const sent: number[] = [];
    const host = cellHost({ call: () => ok("x".repeat(1_000)) });
    const ledger = createCallLedger({ host, kept: undefined, send: ({ answers }) => sent.push(answers.length) });
    for (let n = 1; n <= 1_000; n++) {
      ledger.take([[`c${n}`, "call", "a:b:c", "[]"]], n - 1);
      await expect.poll(() => sent.length, { interval: 0 }).toBe(n);
    }
    const ids = Array.from({ length: 1_000 }, (_, n) => `c${n + 1}`);
    const { undelivered, pending, receipts } = ledger.kept(ids);
    expect(undelivered.map(([callId]) => callId)).toEqual(["c1000"]);
    expect([pending, receipts.length, receipts.at(-1)?.callId]).toEqual([[], 256, "c1000"]);
  });

  it("[CM-06] 125: answers that are large together are several messages", async () => {
    const sent: number[] = [];
    const host = cellHost({ call: () => ok("x".repeat(4_000_000)) });
    const ledger = createCallLedger({ host, kept: undefined, send: ({ answers }) => sent.push(answers.length) });
    ledger.take(
      Array.from({ length: 7 }, (_, n) => [`c${n}`, "call", "a:b:c", "[]"]),
      0,
    );
    await expect.poll(() => sent).toEqual([3, 3, 1]);
  });

  it("[CM-06] 125: output is so many pieces at most", () => {
    let count = 0;
    const meter = outputMeter(10_485_760, () => (count += 1));
    for (let n = 0; n < 20_000; n++) meter.text("x", 1);
    expect([count, meter.cutChars()]).toEqual([10_000, 10_000]);
  });

  it("[CM-06] 125: pieces of a large message are joined once, however many they are", () => {
    const whole = messageBytes({ cell: 1, kind: KINDS.outcome, bytes: new Uint8Array(8 * 1_048_576) });
    const sizes: number[] = [];
    const read = messageReader({ onMessage: ({ length }) => sizes.push(length), onBroken: () => sizes.push(-1) });
    for (let at = 0; at < whole.length; at += 1_024) read(whole.subarray(at, at + 1_024));
    read(Buffer.concat([messageBytes({ cell: 2, kind: KINDS.ready }), messageBytes({ cell: 3, kind: KINDS.ready })]));
    expect(sizes).toEqual([whole.length, 17, 17]);
  });
});

describe("more cells than workers", () => {
  it("[CM-06] 123, 124, 172: wait for a worker without their time running, and get one though all others had to be ended", async () => {
    const loop = "new Array(2 ** 32 - 1).join()";
    const stuck = Array.from({ length: 16 }, () => failure(loop, { timeoutMs: 300 }));
    const queued = Array.from({ length: 20 }, (_, n) => value(`return ${n}`, { timeoutMs: 10_000 }));
    expect((await Promise.all(stuck)).map(({ code }) => code)).toEqual(Array.from({ length: 16 }, () => "timeout"));
    expect(await Promise.all(queued)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});
