/** The long tests: each section names files that exist and that repeat themselves, and orders that make no sense are refused. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { SECTIONS } from "../../scripts/test-long.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ordered = (script: string, args: readonly string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [resolve(ROOT, script), ...args], { encoding: "utf8" });
  return { status, last: stdout.trimEnd().split("\n").at(-1) };
};

const REPEATED = Object.entries(SECTIONS).filter(([, { tests }]) => tests > 0);

it("every long test has its section", () => {
  const named = Object.values(SECTIONS).flatMap(({ files }) => files);
  const found = globSync(["{src,test,examples,ui}/**/*.long.test.ts"], { cwd: ROOT });
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((file) => !named.includes(file))).toEqual([]);
});

it.each(REPEATED)("%s is made of tests that repeat themselves", (_name, { files, tests }) => {
  const texts = files.map((file) => readFileSync(resolve(ROOT, file), "utf8"));
  expect(texts.filter((text) => !text.includes("kit/repetitions.ts"))).toEqual([]);
  const loops = texts.flatMap((text) => text.match(/\b(?:repetitions|repeated|isLong)\b(?=\(| \? ids)/g) ?? []);
  expect(loops.length).toBeGreaterThan(0);
  expect(tests).toBeGreaterThanOrEqual(files.length);
});

it.each([["nonsense"], ["chaos", "--minutes", "0"], ["fuzz", "--seed", "many"]])("refuses %j", (...args) => {
  expect(ordered("scripts/test-long.ts", args)).toEqual({ status: 64, last: "" });
});

it("a file that fails in one of its repetitions fails them all, and a count that is none is refused", () => {
  const { status, last } = ordered("scripts/repeat-test.ts", ["test/house/no-such.test.ts", "--times", "1"]);
  expect({ status, last }).toEqual({ status: 1, last: expect.stringContaining(": 0 of 1 passed;") });
  expect(ordered("scripts/repeat-test.ts", ["test/house/x.test.ts", "--times", "0"]).status).toBe(64);
});
