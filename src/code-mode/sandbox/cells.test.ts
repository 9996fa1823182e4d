import { afterAll, describe, expect, it } from "vitest";
import { cellWorld, type Given, ok, refused } from "../../../test/kit/cells.ts";
import type { CallRequest } from "./sandbox.ts";

const { sandbox, run, value, failure } = cellWorld();
afterAll(() => sandbox.stop());

const texts = async (code: string, given?: Given): Promise<string[]> =>
  (await run(code, given)).output.map((item) =>
    item.type === "text" ? item.text : `json ${JSON.stringify(item.value)}`,
  );

describe("a cell's result", () => {
  it.each([
    ["return 1 + 1", 2],
    ["const x = await Promise.resolve(5); return x", 5],
    ["1 + 1", null],
    ["// nothing", null],
    ["return undefined", null],
    [
      "return [NaN, Infinity, -0, 12n, new Date(0), () => 1, Symbol('s'), undefined]",
      [null, null, 0, "12", "1970-01-01T00:00:00.000Z", "[function]", "[symbol]", null],
    ],
    ["return { a: undefined, f() {}, b: 1 }", { f: "[function]", b: 1 }],
    ["return () => 1", "[function]"],
    ["return class A {}", "[function]"],
    ["return Symbol('s')", "[symbol]"],
    ["return { then: (done) => done(7) }", 7],
    ["return 'ä\\u0000\\ud800😀'", "ä\u0000\ud800😀"],
  ])("[CM-02] 37, 43, 48: the value of %j is %j", async (code, expected) => {
    expect(await value(code)).toEqual(expected);
  });

  it.each([
    ["const a = {}; a.a = a; return a", /cannot be returned as JSON: TypeError: circular/],
    ["return { get x() { throw new Error('no') } }", /cannot be returned as JSON: Error: no/],
    ["return new Proxy({}, { ownKeys() { throw 'trap' } })", /cannot be returned as JSON: trap/],
  ])("[CM-02] 48: %j fails with a plain error and no code", async (code, error) => {
    expect(await failure(code)).toEqual({ error: expect.stringMatching(error), code: undefined });
  });

  it("[CM-02] 46, 52: what is thrown is worded with the cell's own lines and nothing else", async () => {
    expect(await failure("const f = () => { throw new TypeError('bad') };\n  f();")).toEqual({
      error: "TypeError: bad\n    at f (cell:1:29)\n    at (cell:2:3)",
      code: undefined,
    });
    expect((await failure("throw { a: 1 }")).error).toBe('{"a":1}');
    expect((await failure("throw ''")).error).toBe("An empty value was thrown.");
    const { error } = await failure(
      "const e = new Error('x'.repeat(1e6)); e.stack = '/home/me/secret.js:1:1'; throw e",
    );
    expect(error.length).toBeLessThan(3_000);
    expect(error).not.toContain("/home");
  });

  it("[CM-02] 51: a program that waits for what nothing can settle fails at once with that explanation", async () => {
    expect(await failure("await new Promise(() => {})")).toEqual({
      error: expect.stringContaining("nothing can settle"),
      code: undefined,
    });
  });

  it("[CM-02] 47: timers that are still armed are cancelled and counted; calls that nobody awaits are awaited", async () => {
    const made: string[] = [];
    const outcome = await run("setInterval(() => text('no'), 5000); tools.call('a:b:c'); return 1", {
      call: ({ target }) => (made.push(target), ok(1)),
    });
    expect(outcome).toMatchObject({ status: "completed", valueJson: "1", stats: { timersCancelled: 1 }, output: [] });
    expect([made, outcome.calls]).toEqual([
      ["a:b:c"],
      [{ callId: "c1", method: "call", target: "a:b:c", state: "ok" }],
    ]);
  });

  it("[CM-02][CM-06] 121: nothing survives from one cell to the next", async () => {
    await value("globalThis.left = 1; Object.prototype.left = 2; Array.prototype.push = null; return 1");
    expect(await value("return [typeof left, {}.left === undefined, [].push(1)]")).toEqual(["undefined", true, 1]);
  });
});

describe("what a cell puts out", () => {
  it("[CM-03] 70, 79: text, json and console keep their order; what cannot be shown becomes plain words", async () => {
    const code = `text('a'); json({ b: [1n] }); console.log('c', { d: 1 }, null, undefined, Symbol('x'), () => 1);
      text({ e: 1 }); console.error(new RangeError('f')); const g = {}; g.g = g; text(g); text(12);
      try { json(g) } catch (error) { text(error.name) }`;
    expect(await texts(code)).toEqual([
      "a",
      'json {"b":["1"]}',
      'c {"d":1} null undefined [symbol] [function]',
      '{"e":1}',
      "RangeError: f\n    at (cell:2:41)",
      "[object that cannot be shown]",
      "12",
      "TypeError",
    ]);
  });

  it.each([
    ["new Map([[1, 2]])", "[a Map of 1: return Object.fromEntries(map) or [...map]]"],
    ["new Set([1, 2])", "[a Set of 2: return [...set]]"],
    ["Promise.resolve(1)", "[a promise: await it]"],
    ["new Uint8Array(3)", "[3 bytes: bytes cannot be returned]"],
    ["new Float64Array(2)", "[16 bytes: bytes cannot be returned]"],
    ["new ArrayBuffer(5)", "[5 bytes: bytes cannot be returned]"],
    ["/a+/g", "/a+/g"],
    ["10n", "10"],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
  ])(
    "[CM-02, CM-03] 79: what JSON would write as nothing is named, in the value and in the output: %s",
    async (made, said) => {
      expect(await value(`return { it: ${made} }`)).toEqual({ it: said });
      expect(await texts(`json([${made}])`)).toEqual([`json ${JSON.stringify([said])}`]);
    },
  );

  it("[CM-02, CM-03] 48, 79: an error that is returned is told; functions, classes and symbols are named, in the value and in the output", async () => {
    expect(await value("return { f() {}, k: [class A {}], s: Symbol('x') }")).toEqual({
      f: "[function]",
      k: ["[function]"],
      s: "[symbol]",
    });
    expect(await texts("json({ f() {}, s: Symbol('x') }); json(() => 1)")).toEqual([
      'json {"f":"[function]","s":"[symbol]"}',
      'json "[function]"',
    ]);
    expect(await value("return new RangeError('too far')")).toMatch(/^RangeError: too far/);
    expect(await value("return { f: undefined, n: NaN, o: Object.create(null) }")).toEqual({ n: null, o: {} });
  });

  it("[CM-02] 49: output before a failure is returned with it, also where the worker had to be ended", async () => {
    const outcome = await run("text('before'); new Array(2 ** 32 - 1).join()", { timeoutMs: 100 });
    expect(outcome).toMatchObject({ status: "failed", code: "timeout", output: [{ type: "text", text: "before" }] });
    expect(await texts("text('x'); throw 1")).toEqual(["x"]);
  });

  it("[CM-02][CM-06] 80, 125, 158: output over the limit is cut and the last line says how much is missing", async () => {
    const outcome = await run("text('ä'.repeat(3000)); json([1]); console.log('more'); return 'kept'", {
      maxOutputBytes: 1_024,
    });
    const bytes = Buffer.byteLength(JSON.stringify(outcome.output));
    expect(outcome).toMatchObject({ status: "completed", valueJson: '"kept"' });
    expect(bytes).toBeLessThan(1_100);
    const [first, last] = outcome.output;
    const kept = first?.type === "text" ? first.text.length : 0;
    expect(last).toEqual({ type: "text", text: `[output cut: ${3_000 - kept + 3 + 4} more characters]` });
    expect((await run("for (let n = 0; n < 2e4; n++) text(n)", { maxOutputBytes: 1_024 })).output.length).toBeLessThan(
      50,
    );
  });

  it("[CM-02][CM-06] 80: a value that does not fit fails, and the output is kept", async () => {
    const outcome = await run("text('kept'); return 'x'.repeat(5000)", { maxOutputBytes: 1_024 });
    expect(outcome).toMatchObject({ status: "failed", code: "output_limit_exceeded", output: [{ text: "kept" }] });
    expect(await failure("return 'ä'.repeat(600)", { maxOutputBytes: 1_024 })).toMatchObject({
      code: "output_limit_exceeded",
    });
    const both = await run("text('y'.repeat(900)); return 'x'.repeat(900)", { maxOutputBytes: 1_024 });
    expect(both).toMatchObject({ status: "completed", output: [{ text: "[output cut: 900 more characters]" }] });
  });
});

describe("what a cell finds", () => {
  it("[CM-03] 69, 70, 175: the globals are there, empty where there are no tools", async () => {
    const names =
      "ALL_TOOLS tools MCP namespaces API text json yield_control console setTimeout clearInterval queueMicrotask TextEncoder TextDecoder";
    expect(
      await value(
        `return [${names
          .split(" ")
          .map((name) => `typeof ${name}`)
          .join()}]`,
      ),
    ).not.toContain("undefined");
    expect(
      await value(
        "return [ALL_TOOLS, Object.keys(tools), Object.keys(MCP), Object.keys(namespaces), await API.list()]",
      ),
    ).toEqual([[], ["search", "describe", "call"], [], [], []]);
  });

  it("[CM-03] 70: timers fire in order, microtasks run, text is coded", async () => {
    const code = `const seen = []; const wait = (ms) => new Promise((done) => setTimeout(done, ms));
      setTimeout((x) => seen.push(x), 2, 'b'); setTimeout(() => seen.push('a'), 0); clearTimeout(setTimeout(() => seen.push('no'), 1));
      let ticks = 0; const every = setInterval(() => { if (++ticks === 3) clearInterval(every); }, 1);
      queueMicrotask(() => seen.push('m')); while (ticks < 3 || seen.length < 3) await wait(1);
      const bytes = new TextEncoder().encode('äß😀\\ud800');
      return [seen, ticks, [...bytes], new TextDecoder().decode(bytes), new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0xff, 0x41]))]`;
    expect(await value(code)).toEqual([
      ["m", "a", "b"],
      3,
      [195, 164, 195, 159, 240, 159, 152, 128, 239, 191, 189],
      "äß😀\ufffd",
      "\ufffdA",
    ]);
    expect(
      await failure("setTimeout(() => { throw new Error('late') }, 0); await new Promise(() => {})"),
    ).toMatchObject({ error: expect.stringContaining("Error: late") });
  });

  it("[CM-03] 74, 75, 83: calls go to the host by id, by safe name and by path, with JSON both ways", async () => {
    const made: CallRequest[] = [];
    const call = (request: CallRequest) => (made.push(request), ok({ __proto__: null, got: request.target }));
    const bindings = {
      allToolsJson: '[{"id":"holdpoint:core:read","name":"read"}]',
      convenience: [
        ["read", "holdpoint:core:read"],
        ["then", "x"],
        ["toJSON", "x"],
        ["constructor", "x"],
        ["call", "x"],
      ] as [string, string][],
      mcp: [["github", { members: [["createIssue", { call: "MCP.github.createIssue" }]] }]] as never,
    };
    const code = `const found = await tools.search('read', { limit: 2 }); await tools.describe('d'); await tools.call('e');
      await tools.read({ path: 'x' }); await MCP.github.createIssue({ title: 't' });
      return [ALL_TOOLS[0].name, found, Object.keys(tools), tools.then, typeof tools.constructor]`;
    expect(await value(code, { call, bindings })).toEqual([
      "read",
      { got: "read" },
      ["search", "describe", "call", "read"],
      null,
      "undefined",
    ]);
    expect(made.map(({ method, target, argsJson }) => [method, target, argsJson])).toEqual([
      ["search", "read", '[{"limit":2}]'],
      ["describe", "d", "[]"],
      ["call", "e", "[{}]"],
      ["call", "holdpoint:core:read", '[{"path":"x"}]'],
      ["namespace", "MCP.github.createIssue", '[{"title":"t"}]'],
    ]);
  });

  it("[CM-03] 84, 85: API files are answered inside, and no path leads out of their table", async () => {
    const bindings = {
      apiFiles: [
        ["mcp/index.d.ts", "one"],
        ["mcp/github.d.ts", "two"],
        ["mcpx/a.d.ts", "three"],
      ] as [string, string][],
    };
    const code = `const bad = []; for (const path of ['mcp/../x', './mcp/index.d.ts', '/etc/passwd', 'nope', '', 5, '__proto__'])
      await API.read(path).catch((error) => bad.push(error.message));
      try { API.read = () => 'changed' } catch {}
      const counts = await Promise.all(["mcp/", "mcp/g", "mcp/github.d.ts", "mcp/x"].map(async (prefix) => (await API.list(prefix)).length));
      return [await API.list('mcp'), await API.read('mcp/github.d.ts'), bad.length, (await API.list()).length, counts]`;
    const outcome = await run(code, { bindings });
    expect(outcome.calls).toEqual([]);
    expect(outcome).toMatchObject({
      valueJson: JSON.stringify([
        [
          { path: "mcp/index.d.ts", chars: 3 },
          { path: "mcp/github.d.ts", chars: 3 },
        ],
        "two",
        7,
        3,
        [2, 1, 1, 0],
      ]),
    });
  });

  it("[CM-07] 98, 103: a namespace is one object under two names, with nested and shared parts", async () => {
    const shared = { members: [["n", { value: { deep: [1] } }]] };
    const node = {
      members: [
        ["a", shared],
        ["b", { same: 1 }],
        ["list", { items: [{ value: 1 }, { call: "Notes.list.1" }] }],
      ],
    };
    const bindings = { namespaces: [["Notes", node]] as never };
    const code =
      "return [Notes === namespaces.Notes, Notes.a === Notes.b, Notes.a.n.deep, await Notes.list[1]('x', 2)]";
    expect(await value(code, { bindings, call: ({ target, argsJson }) => ok(target + argsJson) })).toEqual([
      true,
      true,
      [1],
      'Notes.list.1["x",2]',
    ]);
  });

  it("[CM-08] 129: chance differs from cell to cell, and is spread", async () => {
    const both = await Promise.all([value("return Math.random()"), value("return Math.random()")]);
    expect(new Set(both).size).toBe(2);
    const mean = Number(
      await value("let sum = 0; for (let n = 0; n < 4000; n++) sum += Math.random(); return sum / 4000"),
    );
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  });
});

describe("calls of a cell", () => {
  it("[CM-04] 102, 115: a refused call can be caught; uncaught it is nested_tool_failed with its tool and reason", async () => {
    const call = () => refused("Plan first.");
    expect(
      await value(
        "try { await tools.call('a:b:c') } catch (e) { return [e.name, e.message, e.toolId, e instanceof Error] }",
        { call },
      ),
    ).toEqual(["ToolError", "Plan first.", "a:b:c", true]);
    const outcome = await run("await tools.call('a:b:c')", { call });
    expect(outcome).toMatchObject({
      status: "failed",
      code: "nested_tool_failed",
      error: expect.stringMatching(/^a:b:c failed: ToolError: Plan first\./),
      calls: [{ callId: "c1", target: "a:b:c", state: "error" }],
    });
    expect(await failure("const e = new Error('Plan first.'); e.name = 'ToolError'; throw e", { call })).toMatchObject({
      code: undefined,
    });
  });

  it("[CM-04] 115: a failed call of a server or a namespace is named in readable words, without control characters", async () => {
    const call = () => refused("No.");
    const node = (path: string[]) => ({ members: [["go", { call: path.join("\u001f") }]] });
    const bindings = {
      mcp: [["shop", node(["mcp", "web-shop", "tool:buy_one"])]],
      namespaces: [["Issues", node(["ns", "issues", "open", "go"])]],
    } as never;
    const code =
      "const ids = []; for (const f of [MCP.shop.go, Issues.go]) await f().catch((e) => ids.push(e.toolId)); return ids";
    expect(await value(code, { call, bindings })).toEqual(["mcp:web-shop:buy_one", "issues.open.go"]);
    const said = async (program: string) => (await failure(program, { call, bindings })).error;
    expect(await said("await MCP.shop.go()")).toMatch(/^mcp:web-shop:buy_one failed: ToolError: No\./);
    expect(await said("await Issues.go()")).toMatch(/^issues\.open\.go failed: ToolError: No\./);
    expect(await said("await tools.call('a\\u001b[31m\\nb')")).toMatch(/^a\[31m b failed: ToolError: No\./);
  });

  it("[CM-02] 116: so many at a time; the others wait inside of the cell", async () => {
    let now = 0;
    let most = 0;
    const call = async () => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now -= 1;
      return ok(1);
    };
    const code = "return (await Promise.all(Array.from({ length: 100 }, (_, n) => tools.call('t' + n)))).length";
    expect([await value(code, { call, maxPendingToolCalls: 4 }), most]).toEqual([100, 4]);
  });

  it("[CM-02] 116: a batch beyond what can be in flight is refused whole before any of it is made", async () => {
    const made: string[] = [];
    const outcome = await run("await Promise.all(Array.from({ length: 129 }, (_, n) => tools.call('t' + n)))", {
      call: ({ target }) => (made.push(target), ok(1)),
    });
    expect(outcome).toMatchObject({ status: "failed", code: "too_many_pending_tool_calls" });
    expect([made, new Set(outcome.calls.map(({ state }) => state))]).toEqual([[], new Set(["not_started"])]);
  });

  it("[CM-04] 117, 125: what is too large is cut on its way in, and refused on its way out", async () => {
    const call = () => ok("x".repeat(5_000_000));
    expect(
      await value("const text = await tools.call('big'); return [text.length < 4300000, text.slice(-30)]", { call }),
    ).toEqual([true, expect.stringMatching(/cut: \d+ more characters\]$/)]);
    expect(await value("try { await tools.call('x', 'y'.repeat(2e6)) } catch (e) { return e.message }")).toMatch(
      /larger than/,
    );
  });

  it("[CM-04] 118, 136: aborting ends the cell at once, also in an endless loop", async () => {
    const stop = new AbortController();
    const host = { signal: stop.signal, output: () => stop.abort() };
    expect(await failure("text('now'); while (true) {}", { host })).toMatchObject({ code: "aborted" });
    expect(await failure("return 1", { host: { signal: AbortSignal.abort() } })).toMatchObject({ code: "aborted" });
    expect(await value("return 'the next one'")).toBe("the next one");
  });
});

describe("the limits of a cell", () => {
  it.each([
    ["while (true) {}", "an endless loop"],
    ["new Array(2 ** 32 - 1).join()", "a native loop that the engine does not interrupt"],
    ["await (async () => { for (;;) await null })()", "a storm of microtasks"],
    ["const again = () => setTimeout(again, 0); again(); while (true) await null", "timers and microtasks"],
    ["/^(a+)+$/.test('a'.repeat(60) + 'b')", "a hungry pattern"],
    ["return { toJSON() { while (true) {} } }", "a value that never ends"],
    ["[1, 2, 3].sort(() => { while (true) {} })", "a loop inside of the engine"],
  ])("[CM-06] 18, 120, 123, 156: %s (%s) ends with timeout", async (code) => {
    expect(await failure(code, { timeoutMs: 100 })).toMatchObject({ code: "timeout" });
  });

  it("[CM-06] 123: code that only takes long to be read is inside of the time limit", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `let v${n};`).join("\n");
    expect(await failure(lines, { timeoutMs: 100 })).toMatchObject({ code: "timeout" });
  });

  it.each([
    ["const a = []; while (true) a.push('x'.repeat(1000) + a.length)"],
    ["globalThis.keep = []; while (true) keep.push({ a: keep.length })"],
    ["new ArrayBuffer(5e8)"],
    ["let s = 'x'; while (true) s += s"],
    ["await Promise.all(Array.from({ length: 1e6 }, (_, n) => new Promise((done) => setTimeout(done, 1e6))))"],
    ["new Uint8Array(3e7).fill(1); return 'x'.repeat(3e7).split('')"],
  ])("[CM-06] 19, 124, 157: %j ends with its own failure, and the next cell is unharmed", async (code) => {
    const { code: why, error } = await failure(code, { memoryLimitBytes: 4_194_304, timeoutMs: 5_000 });
    expect(why ?? error).toMatch(/^memory_limit_exceeded$|too many timers/);
    expect(await value("return 1")).toBe(1);
  });

  it("[CM-06] 124: running out of memory or stack can be caught", async () => {
    const code = `let kinds = []; try { new ArrayBuffer(5e8) } catch (e) { kinds.push(e.message) }
      const deep = () => deep(); try { deep() } catch (e) { kinds.push(e.name) } return kinds`;
    expect(await value(code)).toEqual(["out of memory", "RangeError"]);
    expect(await failure("const deep = () => deep(); deep()")).toMatchObject({
      code: undefined,
      error: expect.stringContaining("RangeError"),
    });
  });

  it("[CM-06] 128: codes come from what the host knows, not from words that a cell can write", async () => {
    for (const code of [
      "const e = new Error('out of memory'); e.name = 'InternalError'; throw e",
      "throw new Error('interrupted')",
      "const e = new Error('import is not available in a cell: there are no modules. Use tools, MCP and API.'); throw e",
      "throw { code: 'internal_error', status: 'completed' }",
    ]) {
      expect(await failure(code)).toMatchObject({ code: undefined });
    }
    expect(await value("return typeof InternalError")).toBe("undefined");
  });
});
