/** The bar R22 counts what it says: killed mutants, and survivors that somebody explained. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { explainedSurvivors } from "./explained-survivors.ts";
import { BAR_GROUPS, FURTHER_GROUPS } from "./mutation-groups.ts";
import { readScore } from "./mutation-score.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const source = "const a =\n  b + c;\n";
const place = { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } };
const mutant = (status: string, replacement = "b - c") => ({
  mutatorName: "ArithmeticOperator",
  replacement,
  status,
  location: place,
});
const report = (...mutants: object[]): string => JSON.stringify({ files: { "src/a.ts": { source, mutants } } });
const known = { file: "src/a.ts", code: "b + c", becomes: "b - c", why: "it is the same" };

it("[QA-05] counts what tests killed, also by time, and leaves out what was not tried", () => {
  const mutants = ["Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "CompileError"].map((status) =>
    mutant(status),
  );
  expect(readScore(report(...mutants), [])).toEqual({
    killed: 2,
    all: 4,
    percent: 50,
    unexplained: Array.from({ length: 2 }, () => "src/a.ts:2 ArithmeticOperator: b + c → b - c"),
    inVain: [],
  });
});

it("[QA-05] an explained survivor still counts as one, and an explanation must be needed", () => {
  expect(readScore(report(mutant("Survived"), mutant("Killed", "c")), [known])).toEqual({
    killed: 1,
    all: 2,
    percent: 50,
    unexplained: [],
    inVain: [],
  });
  const inVain = ["src/a.ts b + c → b - c"];
  expect(readScore(report(mutant("Killed")), [known, { ...known, file: "src/other.ts" }])).toMatchObject({ inVain });
});

it.each(Object.entries({ ...BAR_GROUPS, ...FURTHER_GROUPS }))(
  "[QA-05] the group %s has files and tests",
  (_name, group) => {
    for (const glob of [...group.files, ...group.tests])
      expect([glob, globSync(glob, { cwd: ROOT })]).not.toEqual([glob, []]);
  },
);

it("[QA-05] every explained survivor is about code that is still there", () => {
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
  const gone = explainedSurvivors().filter(
    ({ file, code }) => !oneLine(readFileSync(resolve(ROOT, file), "utf8")).includes(code),
  );
  expect(gone).toEqual([]);
});
