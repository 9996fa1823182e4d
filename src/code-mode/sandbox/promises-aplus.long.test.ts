/**
 * The cases of the Promises/A+ suite, run inside cells. The suite is fetched from the registry, because it brings a runner of
 * 2016 as its dependency; where it is not to be had the test is skipped. test262 itself is on no registry, and is not run.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cellWorld } from "../../../test/kit/cells.ts";

const PACKAGE = "promises-aplus-tests@2.1.2";
const FETCH_MS_MAX = 120_000;
/** As the suite counts them. */
const CASES = 872;

const world = cellWorld();
const folder = mkdtempSync(join(tmpdir(), "holdpoint-aplus-"));
let why = "";
beforeAll(() => {
  try {
    const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, PACKAGE], {
      encoding: "utf8",
      timeout: FETCH_MS_MAX,
      stdio: ["ignore", "pipe", "pipe"],
    });
    execFileSync("tar", ["-xzf", join(folder, packed.trim()), "-C", folder]);
  } catch (error) {
    why = `${PACKAGE} is not to be had: ${String(error).slice(0, 200)}`;
  }
}, FETCH_MS_MAX * 2);
afterAll(async () => {
  await world.sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The little of the suite's libraries that its cases use. */
const LIBRARIES = String.raw`
  const assert = (holds, words) => { if (!holds) throw new Error("it does not hold: " + words); };
  assert.strictEqual = (given, wanted) => { if (!Object.is(given, wanted) && given !== wanted) throw new Error("not the same: " + String(given)); };
  assert.notStrictEqual = (given, other) => { if (given === other) throw new Error("the same"); };
  let callCount = 0;
  const spy = (work) => {
    const made = function (...given) { made.calls.push({ given, at: ++callCount }); return work === undefined ? made.value : work.apply(this, given); };
    made.calls = [];
    made.returns = (value) => { made.value = value; return made; };
    made.throws = (error) => { work = () => { throw error ?? new Error("thrown"); }; return made; };
    return made;
  };
  const matches = (given, wanted) => wanted !== null && typeof wanted === "object" && "same" in wanted ? given === wanted.same : given === wanted;
  const sinon = {
    spy, stub: () => spy(), match: { same: (same) => ({ same }) },
    assert: {
      notCalled(one) { assert(one.calls.length === 0, "not called"); },
      calledWith(one, ...wanted) { assert(one.calls.some(({ given }) => wanted.every((value, at) => matches(given[at], value))), "called with"); },
      callOrder(...all) { const at = all.map((one) => one.calls[0].at); assert(at.every((value, n) => n === 0 || at[n - 1] < value), "called in order"); },
    },
  };
`;
/** Most cases only wait, so they run side by side; those of one block, or of one hook, share variables and run one after the other. */
const RUNNER = String.raw`
  const CASE_MS_MAX = 20000, AT_A_TIME = 200;
  const cases = [];
  let block = { name: "", before: [], after: [] };
  const describe = (name, work) => {
    const outer = block;
    block = { name: outer.name + " " + name, before: [...outer.before], after: [...outer.after] };
    work();
    block = outer;
  };
  const specify = (name, work) => { const { before, after } = block; cases.push({ name: block.name + " " + name, work, before, after, block }); };
  const beforeEach = (work) => block.before.push(work), afterEach = (work) => block.after.push(work);
  const run = ({ name, work, before, after }) => new Promise((ended) => {
    const late = setTimeout(() => ended(name + ": it did not end"), CASE_MS_MAX);
    const end = (error) => { clearTimeout(late); for (const hook of after) hook(); ended(error === undefined ? "" : name + ": " + error); };
    try {
      for (const hook of before) hook();
      if (work.length === 0) { work(); end(); } else work(end);
    } catch (error) { end(error); }
  });
`;

function program(): string {
  const at = join(folder, "package", "lib", "tests");
  const files = [
    ...readdirSync(join(at, "helpers")).map((name) => `helpers/${name}`),
    ...readdirSync(at).filter((name) => name.endsWith(".js")),
  ];
  const modules = files.map(
    (name) =>
      `modules[${JSON.stringify(name)}] = function (require, exports, module, global) {${readFileSync(join(at, name), "utf8")}\n};`,
  );
  return `${LIBRARIES}${RUNNER}
  const adapter = { resolved: (value) => Promise.resolve(value), rejected: (reason) => Promise.reject(reason), deferred: () => Promise.withResolvers() };
  globalThis.adapter = adapter;
  const modules = {}, loaded = {};
  ${modules.join("\n")}
  const load = (name) => {
    if (name === "assert") return assert;
    if (name === "sinon") return sinon;
    const path = name.replace("./", "") + (name.endsWith(".js") ? "" : ".js");
    if (loaded[path] === undefined) { const module = loaded[path] = { exports: {} }; modules[path](load, module.exports, module, globalThis); }
    return loaded[path].exports;
  };
  for (const name of Object.keys(modules)) if (!name.startsWith("helpers/")) load(name);
  const lines = [...Map.groupBy(cases, (one) => one.before[0] ?? one.block).values()];
  const failed = [];
  const inTurn = async (line) => { for (const one of line) { const words = await run(one); if (words !== "") failed.push(words); } };
  for (let from = 0; from < lines.length; from += AT_A_TIME) await Promise.all(lines.slice(from, from + AT_A_TIME).map(inTurn));
  return { cases: cases.length, failed };`;
}

it("[CM-06] 121: the promises of a cell pass the Promises/A+ suite", async ({ skip }) => {
  skip(why !== "", why);
  expect(await world.value(program(), { timeoutMs: 60_000 })).toEqual({ cases: CASES, failed: [] });
});
