import { afterAll, describe, expect, it } from "vitest";
import { cellWorld, ok } from "../../../test/kit/cells.ts";

const { sandbox, run, value, failure } = cellWorld();
afterAll(() => sandbox.stop());

describe("what a hostile cell cannot reach", () => {
  it("[CM-06] 122, 155: no host, no file, network, process, module, environment, zone", async () => {
    const names =
      "process require module exports global window self fetch XMLHttpRequest WebSocket Buffer Deno Bun importScripts setImmediate WebAssembly Worker navigator location crypto std os scriptArgs print load quit SharedArrayBuffer";
    const code = `const found = {}; for (const name of '${names}'.split(' ')) found[name] = typeof globalThis[name];
      return [found, new Date().getTimezoneOffset(), String(new Date()).includes('GMT+0000')]`;
    const [found, offset, isUtc] = (await value(code)) as [Record<string, string>, number, boolean];
    const there = Object.entries(found).filter(([, type]) => type !== "undefined");
    expect(there).toEqual([
      ["require", "function"], // it throws, and says why
      ["SharedArrayBuffer", "function"], // the engine's own, with nobody to share with
    ]);
    expect([offset, isUtc]).toEqual([0, true]);
  });

  it("[CM-06] 122: constructors lead back into the guest alone", async () => {
    const code = `const seen = [];
      const roots = [text, json, console.log, tools.call, API.read, yield_control, setTimeout, require, tools.call('x').catch(() => 0), Math.random];
      for (const root of roots) {
        const make = root.constructor.constructor;
        for (const source of ['return this', 'return typeof process', 'return typeof require', 'return globalThis'])
          try { const got = make(source)(); seen.push(got === globalThis || typeof got === 'string' ? String(got === globalThis || got) : 'other'); } catch (error) { seen.push(error.name); }
      }
      return [...new Set(seen)].sort()`;
    expect(await value(code)).toEqual(["function", "true", "undefined"]);
  });

  it("[CM-06] 127: stacks, call sites and callers show no function of the prelude and no path", async () => {
    const code = `const seen = [];
      try { Error.prepareStackTrace = (_, sites) => sites; seen.push('set') } catch { seen.push('refused') }
      try { Object.defineProperty(Error, 'prepareStackTrace', { value: (_, sites) => sites }); seen.push('defined') } catch { seen.push('refused') }
      seen.push(typeof new Error('x').stack);
      const spy = { toJSON() { spy.caller = (function f() { return f.caller })(); spy.stack = new Error('y').stack; return 1 } };
      json(spy); seen.push(spy.caller === undefined || spy.caller === null, /prelude/.test(spy.stack) ? 'names the prelude' : 'clean');
      try { text.caller; seen.push('read') } catch { seen.push('refused') }
      try { (function () { return arguments.callee.caller })(); seen.push('sloppy') } catch { seen.push('refused') }
      let thrown; try { tools.call(Symbol('x'), 1n) } catch (error) { thrown = error } 
      await tools.call('x').catch((error) => { seen.push(/node:|\\.ts|\\.js:|\\/work|\\/home/.test(String(error.stack))) });
      return seen`;
    const seen = await value(code);
    expect(seen).toEqual([
      expect.any(String),
      "refused",
      "string",
      true,
      expect.any(String),
      expect.any(String),
      expect.any(String),
      false,
    ]);
    const { error } = await failure("throw new Error('x')");
    expect(error).not.toMatch(/prelude|node:|\.ts/);
  });

  it("[CM-06] 52, 127: e.stack names the cell's own lines and nothing else, however the error came to be", async () => {
    const code = `const seen = {}; const at = (name, e) => { seen[name] = e.stack };
      at('made', new Error('x'));
      const f = () => { throw new TypeError('x') }; try { f() } catch (e) { at('thrown', e) }
      await null; at('afterAwait', new Error('x'));
      json({ toJSON() { at('toJson', new Error('x')); return 1 } });
      text({ toString() { return '' }, toJSON() { at('inText', new Error('x')); return 1 } });
      for (const [name, work] of Object.entries({ setTimeout: () => setTimeout(1), queueMicrotask: () => queueMicrotask(1), require: () => require('fs'),
        decoder: () => new TextDecoder('latin1'), json: () => { const round = {}; round.round = round; json(round) } })) try { work() } catch (e) { at(name, e) }
      await tools.call('x').catch((e) => at('refused', e));
      await API.read('none').catch((e) => at('noFile', e));
      await new Promise((resolve) => setTimeout(() => { at('timer', new Error('x')); resolve() }, 1));
      const o = {}; Error.captureStackTrace(o); at('captured', o);
      const deep = () => deep(); try { deep() } catch (e) { at('deep', e) }
      at('evaluated', eval("new Error('x')"));
      return seen`;
    const seen = (await value(code)) as Record<string, string>;
    const lines = Object.entries(seen).flatMap(([name, stack]) =>
      stack
        .split("\n")
        .filter(Boolean)
        .map((line) => [name, line]),
    );
    const own = /^ {4}at (?:[\w.<> ]+ )?\(cell:\d+:\d+\)$/;
    expect(lines.filter(([, line = ""]) => !own.test(line))).toEqual([]);
    expect(
      Object.entries(seen)
        .filter(([, stack]) => stack === "")
        .map(([name]) => name),
    ).toEqual(["refused"]);
    expect(seen["made"]).toBe("    at (cell:2:22)\n");
  });

  it("[CM-06] 127: neither the engine's own way to stacks nor a renamed function brings back the lines of the prelude", async () => {
    const code = `const seen = []; const { get, set } = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
      delete Error.prototype.stack; const hidden = new Error('x'); seen.push(String(hidden.stack));
      Object.defineProperty(text, 'name', { value: 'mine (cell.js:1:1)' }); Object.defineProperty(json, 'name', { get() { throw 1 } });
      const spy = { toJSON() { seen.push(get.call(new Error('x'))); return 1 } }; text(spy); json(spy);
      seen.push(get.call({}) ?? 'nothing'); try { seen.push(String(get.call(new Proxy(hidden, {})))) } catch (e) { seen.push(e.name) }
      const o = {}; Error.captureStackTrace(o, () => 0); seen.push(o.stack);
      for (const wrong of [1, null, Object.freeze({})]) try { Error.captureStackTrace(wrong); seen.push('taken') } catch (e) { seen.push(e.name) }
      set.call(hidden, 'own'); seen.push(hidden.stack);
      String.prototype.split = String.prototype.trim = () => ['<prelude>']; Array.prototype.join = () => '<prelude>';
      seen.push(get.call(new Error('x')));
      return seen`;
    const seen = (await value(code)) as string[];
    expect(seen.filter((stack) => /prelude|native|\.js|node:/.test(stack))).toEqual([]);
    expect(seen).toContain("own");
    expect(seen.filter((one) => one === "TypeError").length).toBeGreaterThanOrEqual(3);
  });

  it("[CM-06] 126: own __proto__ keys set no prototype, on the way in and on the way out", async () => {
    const call = () => ({ ok: true, json: '{"__proto__":{"polluted":1},"a":{"__proto__":[]}}' });
    const code = `const got = await tools.call('x'); return [got.polluted, Object.getPrototypeOf(got) === Object.prototype, {}.polluted, JSON.parse('{"__proto__": 5}')]`;
    const outcome = await run(code, { call });
    expect(outcome).toMatchObject({ valueJson: '[null,true,null,{"__proto__":5}]' });
  });

  it("[CM-06] 81, 126: breaking every intrinsic and every name changes nothing on the host's side", async () => {
    const code = `const { call } = tools; const say = text, log = console.log, wait = setTimeout, later = queueMicrotask;
      const { defineProperty } = Object, { ownKeys } = Reflect, evil = () => { throw new Error('evil') };
      const owners = [Object.prototype, Array.prototype, Map.prototype, WeakMap.prototype, String.prototype, Promise, Promise.prototype, Function.prototype, Error.prototype, Reflect, Object, JSON, Math, Date];
      const all = []; for (const owner of owners) for (const key of ownKeys(owner)) if (key !== '__proto__' && !(owner === Promise.prototype && key === 'constructor')) all.push([owner, key]);
      for (const key of ['toJSON', 'get', 'set', 'value', 'target', 'program', 'calls']) all.push([Object.prototype, key], [Array.prototype, key]);
      all.push([String.prototype, Symbol.split]);
      const { length } = all;
      for (let n = 0; n < length; n++) try { defineProperty(all[n][0], all[n][1], { __proto__: null, configurable: true, get: evil, set: evil }) } catch {}
      globalThis.text = null; delete globalThis.tools; globalThis.ALL_TOOLS = 'mine';
      say('still here'); log('and', 'here'); later(() => 0);
      const got = await call('a:b:c', 5);
      say(got.target);
      throw 'the end'`;
    const outcome = await run(code, { call: ({ target }) => ok({ target }) });
    expect(outcome).toMatchObject({
      status: "failed",
      error: "the end",
      output: [
        { type: "text", text: "still here" },
        { type: "text", text: "and here" },
        { type: "text", text: "a:b:c" },
      ],
      calls: [{ target: "a:b:c", state: "ok" }],
    });
    expect(await value("return typeof text + typeof tools")).toBe("functionobject");
  });

  it("[CM-06] 128: a cell that breaks what the engine's own JSON needs harms itself alone, and its failure is its own", async () => {
    const code = `for (let n = 0; n < 9; n++) Object.defineProperty(Array.prototype, n, { get() { throw new Error('evil') }, set() { throw new Error('evil') } });
      try { await tools.call('x', { a: [1] }) } catch (error) { text(error.message) } 
      return { a: [1] }`;
    const promises =
      "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('evil') } }); await null; return await tools.call('x')";
    expect(await run(promises, { call: () => ok(1) })).toMatchObject({ error: expect.stringContaining("evil") });
    expect(await run(code, { call: () => ok(1) })).not.toMatchObject({ code: "internal_error" });
  });

  it("[CM-06] 42, 128: a cell cannot choose its status, its code or the answers of others", async () => {
    const code = `json({ status: 'completed', value: 'forged' }); console.log('{"status":"failed","code":"internal_error"}');
      const e = new Error('x'); e.code = 'aborted'; e.status = 'completed'; throw e`;
    expect(await run(code)).toMatchObject({ status: "failed", error: expect.stringContaining("Error: x") });
    expect(await failure(code)).toMatchObject({ code: undefined });
  });

  it("[CM-06] 128: an error of a call that is thrown again keeps its code, one that only looks like it has none", async () => {
    const call = () => ({ ok: false, json: '"no"' });
    expect(
      await failure("try { await tools.call('t') } catch (e) { e.message = 'mine'; throw e }", { call }),
    ).toMatchObject({ code: "nested_tool_failed" });
    expect(
      await failure("try { await tools.call('t') } catch (e) { throw Object.assign(new Error(), e) }", { call }),
    ).toMatchObject({ code: undefined });
  });

  it("[CM-06] 126: getters and traps on arguments and results run inside the guest and its limits", async () => {
    const made: string[] = [];
    const call = ({ argsJson }: { argsJson: string }) => (made.push(argsJson), ok(1));
    const code = `const trap = new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: (_, key) => key === 'toJSON' ? undefined : 'got' });
      await tools.call('x', trap); await tools.call('y', { get a() { return 5 } });
      try { await tools.call('z', { get a() { throw new Error('mine') } }) } catch (e) { return e.message }`;
    expect([await value(code, { call }), made]).toEqual(["mine", ['[{"a":"got"}]', '[{"a":5}]']]);
    expect(
      await failure("await tools.call('x', { get a() { while (true) {} } })", { call, timeoutMs: 100 }),
    ).toMatchObject({ code: "timeout" });
  });

  it("[CM-06] 125: floods of output, logs and answers are bounded and nobody else is harmed", async () => {
    const flood = await run("const big = 'x'.repeat(1e5); for (let n = 0; n < 300; n++) console.log(big); return 1", {
      maxOutputBytes: 2_048,
    });
    expect(Buffer.byteLength(JSON.stringify(flood.output))).toBeLessThan(2_100);
    expect(flood).toMatchObject({ status: "completed", valueJson: "1" });
    const rope = await run("let s = 'x'; for (let n = 0; n < 28; n++) s += s; text(s); return s.length", {
      maxOutputBytes: 2_048,
      timeoutMs: 2_000,
    });
    expect(rope.status === "completed" || rope.status === "failed").toBe(true);
    expect(await value("return 1")).toBe(1);
  });

  it("[CM-06] 35: modules are refused by the engine, also through eval, and a refusal that is caught leaves the cell running", async () => {
    expect(await failure("await import('node:fs')")).toMatchObject({ code: "module_access_denied" });
    expect(await failure("await eval(\"import('x')\")")).toMatchObject({ code: "module_access_denied" });
    expect(await failure("await new Function(\"return import('x')\")()")).toMatchObject({
      code: "module_access_denied",
    });
    expect(await failure("require('fs')")).toMatchObject({ code: "module_access_denied" });
    expect(await value("try { require('fs') } catch {} try { await import('fs') } catch {} return 'alive'")).toBe(
      "alive",
    );
    expect(await failure("try { await import('fs') } catch {} throw new Error('other')")).toMatchObject({
      code: undefined,
    });
    expect(
      await value(
        "const o = { import: 1, export: 2, require: 3 }; /* import x from 'y' */ return o.import + o.export + \"export default\".length",
      ),
    ).toBe(17);
  });

  it("[CM-06] 124, 172: a worker that dies fails its own cell only", async () => {
    const cells = [
      "return 1",
      "while (true) {}",
      "return 2",
      "new Array(2 ** 32 - 1).join()",
      "await tools.call('x').catch(() => 0); return 3",
    ];
    const outcomes = await Promise.all(
      cells.map((code) => run(code, { timeoutMs: code.includes("return") ? 10_000 : 100 })),
    );
    expect(
      outcomes.map((one) => (one.status === "completed" ? one.valueJson : one.status === "failed" ? one.code : "")),
    ).toEqual(["1", "timeout", "2", "timeout", "3"]);
  });
});

describe("a text that is no program", () => {
  it.each(["", "   \n\t "])("[CM-02] 30: %j is empty", async (code) => {
    expect(await failure(code)).toMatchObject({ code: "invalid_input", error: expect.stringContaining("empty") });
  });

  it.each([
    ["ls -la", "shell"],
    ["pwd", "shell"],
    ["$ npm install", "shell"],
    ["git commit -m 'x'", "shell"],
    ["cd /tmp && ls", "shell"],
    ["#!/bin/bash\necho hi", "shell"],
    ["```js\nreturn 1\n```", "fence"],
    ["```\nls\n```", "fence"],
    ["Here is the code:\n```ts\nreturn 1\n```", "fence"],
    ["Sure! This does it.\n\n~~~\nreturn 1\n~~~\nTell me how it went.", "fence"],
  ])("[CM-02] 38: %j is answered with guidance", async (code, word) => {
    const failed = await failure(code);
    expect(failed).toMatchObject({ code: "invalid_input", error: expect.stringContaining(word) });
    expect(failed.error).toContain('{"code": ');
  });

  it("[CM-02, CM-08] 38: words around a fence are answered with guidance in TypeScript, too", async () => {
    const failed = await failure("Here is the code:\n```ts\nreturn 1\n```", { language: "typescript" });
    expect(failed).toMatchObject({ code: "invalid_input", error: expect.stringContaining("fence") });
  });

  it.each([
    ["const date = 1; return date", 1],
    ["const ls = 5, la = 2; return ls -la", 3],
    ["const echo = (x) => x; return echo(7)", 7],
    ["const go = { a: 1 }; return go.a", 1],
  ])("[CM-02] 38: %j is a program for all that", async (code, expected) => {
    expect(await value(code)).toBe(expected);
  });

  it.each([
    ["const a = 1;\nfoo bar", "line 2, column 5"],
    ["let x = ;", "line 1, column 9"],
    ["return 1 }", "line 1"],
    ["}); globalThis.out = 1; (async () => { return 2", "line 1"],
    ["}, async () => {", "line 1"],
    ["} function other() {", "line 1"],
    ["return `open", "line 1"],
    ["/* open", "line 1"],
  ])("[CM-02] 39: %j is a syntax error with its place", async (code, place) => {
    expect(await failure(code)).toMatchObject({ code: "invalid_input", error: expect.stringContaining(place) });
  });

  it("[CM-02] 40: more than 1 MiB of code is refused with its limit", async () => {
    expect(await failure(`return 1 //${"x".repeat(1_048_576)}`)).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("1048576"),
    });
    expect(await value(`return 1 //${"x".repeat(1_000_000)}`)).toBe(1);
  });

  it("[CM-02] 33: another language than the two is unsupported", async () => {
    expect(await failure("return 1", { language: "python" })).toMatchObject({ code: "unsupported_language" });
  });

  it.each([
    "import fs from 'fs'",
    "import 'x'",
    "import * as x from 'y'",
    "import { a } from 'b'; return a",
    "export const x = 1",
    "export default 1",
    "const a = 1; export { a }",
    "return import.meta.url",
  ])("[CM-02] 35: %j is refused as a module", async (code) => {
    expect(await failure(code)).toMatchObject({ code: "module_access_denied" });
    expect(await failure(code, { language: "typescript" })).toMatchObject({ code: "module_access_denied" });
  });
});

describe("TypeScript", () => {
  const typescript = { language: "typescript" };

  it.each([
    ["const x: number = 1; return x as unknown as string satisfies string", 1],
    ["enum Colour { Red, Green = 5, Blue }\nreturn [Colour.Blue, Colour[0]]", [6, "Red"]],
    [
      "class P { constructor(private x: number, readonly y = 2) {} sum(): number { return this.x + this.y } }\nreturn new P(1).sum()",
      3,
    ],
    ["function id<T extends object>(value: T): T { return value }\nreturn id<{ a: 1 }>({ a: 1 })", { a: 1 }],
    ["import type { X } from 'y';\ninterface I { namespace: string }\ntype T = I | X;\nreturn 1", 1],
    ["const namespace = 5, module = { export: 1 }; return namespace + module.export // namespace N {}", 6],
    [
      "abstract class A { abstract f(): void }\ndeclare global { var z: number }\nreturn await Promise.resolve<number>(4)",
      4,
    ],
  ])("[CM-08] 131: %j runs", async (code, expected) => {
    expect(await value(code, typescript)).toEqual(expected);
  });

  it("[CM-08] 131: lines are kept", async () => {
    const code =
      "interface A {\n  a: string;\n}\nenum E { X }\nconst f = (x: A): never => {\n  throw new Error(x.a);\n};\nf({ a: 'here' });";
    expect((await failure(code, typescript)).error).toMatch(
      /^Error: here\n {4}at f \(cell:6:\d+\)\n {4}at \(cell:8:\d+\)$/,
    );
  });

  it.each([
    ["namespace N { export const x = 1 }", "namespace"],
    ["namespace N.M {}", "namespace"],
    ["module M {}", "module"],
    ["declare module 'x' {}", "module"],
    ["class A { @dec x = 1 }", "Decorators"],
    ["let x: = 5", "line 1, column 8"],
    ["const a: number = 1;\nfoo bar baz", "line 2"],
  ])("[CM-08] 39, 132, 133: %j is refused by name", async (code, word) => {
    expect(await failure(code, typescript)).toMatchObject({
      code: "typescript_transform_failed",
      error: expect.stringContaining(word),
    });
  });

  it("[CM-08] 132: export of a namespace and import = are refused, never dropped", async () => {
    expect(await failure("export namespace A.B {}", typescript)).toMatchObject({ code: "module_access_denied" });
    expect(await failure("import fs = require('fs')", typescript)).toMatchObject({ code: "module_access_denied" });
    expect(await failure("import type from 'x'; return 1", typescript)).toMatchObject({ code: "module_access_denied" });
  });
});
