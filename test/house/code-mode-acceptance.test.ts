/** The acceptance list of code mode has 176 statements, and each is named by a test: "[CM-05] 54, 159: …". */
import { join } from "node:path";
import { expect, it } from "vitest";
import { titlesOf } from "../../scripts/tidy/test-titles.ts";
import { isTest, readTree, type SourceFile } from "../../scripts/tidy/tree.ts";

const STATEMENTS = 176;
const HEAD = /^(?:\[[^\]]*\] ?)*\[[^\]]*CM-\d\d[^\]]*\](?: ?\[[^\]]*\])* ([\d–, ]+):/u;

function named(files: readonly SourceFile[]): Set<number> {
  const titles = files.filter(isTest).flatMap((file) => [...titlesOf(file)]);
  return new Set(titles.flatMap((title) => numbersIn(HEAD.exec(title)?.[1] ?? "")));
}

const numbersIn = (text: string): number[] =>
  text.split(",").flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split("–").map(Number);
    return part.trim() === "" ? [] : Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });

const all = Array.from({ length: STATEMENTS }, (_, n) => n + 1);

it("every statement of the list is named by a test", () => {
  const found = named(readTree(join(import.meta.dirname, "../..")).filter(({ text }) => /\[[^\]]*CM-0/.test(text)));
  expect(all.filter((number) => !found.has(number))).toEqual([]);
  expect([...found].filter((number) => !all.includes(number))).toEqual([]);
});

it("a test that is switched off names nothing, and ranges count whole", () => {
  const text =
    'it("[CM-02] 18–20, 26: a", () => {}); it.skip("[CM-02] 27: b", () => {}); it("[PL-01] 30: c", () => {});';
  expect([...named([{ path: "src/a.test.ts", text }])]).toEqual([18, 19, 20, 26]);
});
