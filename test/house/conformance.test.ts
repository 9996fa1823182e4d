/** Every check of the conformance records with a planted violation: a record that nobody holds to the tree proves nothing. */
import { describe, expect, it } from "vitest";
import { openRows } from "../../scripts/conformance.ts";
import { conformanceFiles } from "../../scripts/conformance/documents.ts";
import { prove } from "../../scripts/conformance/prove.ts";
import { readRecords } from "../../scripts/conformance/records.ts";
import { tidy } from "../../scripts/tidy.ts";
import { conformanceFindings } from "../../scripts/tidy/conformance.ts";
import { readTree, type SourceFile } from "../../scripts/tidy/tree.ts";

const TEST = "src/core/plan.test.ts";
const ROW = `      - id: plan-7
        line: 7
        requirement: A plan waits | for a person.
        rules: [PL-01]
        status: works
        tests:
          - "${TEST} › [PL-01] waits"
`;
const document = (rows: string): string =>
  `document: The plan document\nabout: What it is.\norder: 1\nprefix: plan\nareas:\n  - area: Plans\n    rows:\n${rows}`;
const DIFFERS =
  "      - { id: plan-9, line: 9, requirement: Ten minutes., rules: [PL-01], status: differs, deviation: a-day }\n";
const A_DAY = "{ id: a-day, point: How long., instead: A day., why: People sleep. }";

const sources: Record<string, string> = {
  "docs/SPEC.md": "| # | status | rule |\n| --- | --- | --- |\n| PL-01 | built | One. |\n",
  "docs/conformance/plan.yaml": document(ROW + DIFFERS),
  "docs/conformance/deviations.yaml": `deviations:\n  - ${A_DAY}\n`,
  [TEST]: 'it("[PL-01] waits", () => {});\n',
};

const treeOf = (texts: Record<string, string>): SourceFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

/** The documents are written from the planted records, so that only what was planted is wrong. */
function plant(planted: Record<string, string>): ReturnType<typeof conformanceFindings> {
  const files = treeOf({ ...sources, ...planted });
  const written = treeOf(conformanceFiles(readRecords(files))).filter(({ path }) => !Object.hasOwn(planted, path));
  return conformanceFindings([...files, ...written]);
}

const problemsOf = (rows: string): string[] =>
  plant({ "docs/conformance/plan.yaml": document(rows + DIFFERS) }).problems;
const changed = (from: string, to: string): string[] => problemsOf(ROW.replace(from, to));

it("finds nothing wrong where everything is there, and nothing to check where nothing is kept", () => {
  expect(plant({})).toEqual({ problems: [], hints: [] });
  expect(conformanceFindings([])).toEqual({ problems: [], hints: [] });
});

describe("a row", () => {
  it.each([
    [
      "[PL-01] waits",
      "[PL-01] waits no more",
      `${TEST} has no test "[PL-01] waits no more"; the nearest is "[PL-01] waits"`,
    ],
    [TEST, "src/core/gone.test.ts", "there is no test file src/core/gone.test.ts"],
    [TEST, "docs/SPEC.md", "there is no test file docs/SPEC.md"],
    ["[PL-01]\n", "[PL-01, PL-99]\n", "docs/SPEC.md has no rule PL-99"],
    ["        rules: [PL-01]\n", "", "names no rule"],
    ["plan-7", "plan-8", "its id begins with plan-7"],
    [`        tests:\n          - "${TEST} › [PL-01] waits"\n`, "", 'is "works" and names no tests'],
    ["status: works", "status: differs", 'is "differs" and names no deviation'],
    ["status: works", "status: differs\n        deviation: odd", "the deviation odd is unknown"],
    ["status: works", "status: mending", 'is "mending" and names no note'],
    ["status: works", "status: unbuilt", 'is "unbuilt" and names no part'],
    ["status: works", "status: none", 'is "none" and names no note'],
    ["status: works", "status: works\n        note: though", 'is "works" and has a note'],
  ])("is refused with %j as %j", (from, to, problem) => {
    const id = to === "plan-8" ? to : "plan-7";
    expect(changed(from, to)).toEqual([`docs/conformance/plan.yaml: ${id}: ${problem}`]);
  });

  it("stands there once", () => {
    expect(problemsOf(ROW + ROW)).toEqual(["docs/conformance/plan.yaml: plan-7: stands there twice"]);
  });

  it.each([
    ["status: works", "status: done"],
    ["line: 7", "line: seven"],
    ["requirement:", "wish:"],
    [`${TEST} › `, `${TEST} `],
    ["rules: [PL-01]", "rules: [PL-01"],
  ])("has one shape: %j is not %j", (from, to) => {
    expect(changed(from, to).filter((problem) => problem.startsWith("docs/conformance/plan.yaml: "))).not.toEqual([]);
  });

  it("is proven by no test that is switched off, and by none that only a comment or a string names", () => {
    for (const text of [
      'it.skip("[PL-01] waits", () => {});',
      '// it("[PL-01] waits", () => {});',
      'say("[PL-01] waits");',
    ]) {
      expect(plant({ [TEST]: text }).problems).toEqual([
        `docs/conformance/plan.yaml: plan-7: ${TEST} has no test "[PL-01] waits"`,
      ]);
    }
  });

  it("is proven by a test in whatever way it is made", () => {
    for (const text of [
      'it.each(rows)("[PL-01] waits", () => {});',
      'browserTest("[PL-01] waits", { timeout: 1 }, async () => {});',
      'it.skipIf(isRoot)("[PL-01] waits", function () {});',
    ]) {
      expect(plant({ [TEST]: text }).problems).toEqual([]);
    }
    const rows = ROW.replace("[PL-01] waits", "[PL-01] waits … ms");
    const planted = {
      "docs/conformance/plan.yaml": document(rows + DIFFERS),
      [TEST]: "it(`[PL-01] waits ${n} ms`, () => {});",
    };
    expect(plant(planted).problems).toEqual([]);
  });
});

it("knows every deviation once, and none that no row names", () => {
  const problems = (list: string): string[] => plant({ "docs/conformance/deviations.yaml": list }).problems;
  expect(problems(`deviations:\n  - ${A_DAY}\n  - ${A_DAY}\n`)).toEqual([
    "docs/conformance/deviations.yaml: a-day stands there twice",
  ]);
  expect(problems(`deviations:\n  - ${A_DAY}\n  - ${A_DAY.replace("a-day", "b")}\n`)).toEqual([
    "docs/conformance/deviations.yaml: no row names b",
  ]);
  expect(problems("deviations: []\n")).toEqual(["docs/conformance/plan.yaml: plan-9: the deviation a-day is unknown"]);
});

it("wants the two documents as they are written, also when the records are gone", () => {
  for (const path of ["docs/CONFORMANCE.md", "docs/DEVIATIONS.md"]) {
    expect(plant({ [path]: "old" }).problems).toEqual([`${path}: is out of date, run npm run fix`]);
  }
  expect(conformanceFindings(treeOf({ "docs/CONFORMANCE.md": "old" })).problems).toEqual([
    "docs/CONFORMANCE.md: is out of date, run npm run fix",
    "docs/DEVIATIONS.md: is out of date, run npm run fix",
  ]);
});

it("writes rows as tables in which no sign of a text breaks out", () => {
  const written = conformanceFiles(readRecords(treeOf(sources)));
  expect(written["docs/CONFORMANCE.md"]).toContain(
    "| 7 | A plan waits \\| for a person. | PL-01 | `src/core/plan.test.ts` \\[PL-01\\] waits |\n" +
      "| 9 | Ten minutes. | PL-01 | differs: [a-day](DEVIATIONS.md#a-day) |\n",
  );
  expect(written["docs/DEVIATIONS.md"]).toContain(
    '| <a id="a-day"></a>How long. | The plan document: 9 | A day. | People sleep. |\n',
  );
});

it("hints at rows that are being mended, and lists them with their file and rule", () => {
  const mending = ROW.replace("status: works", "status: mending\n        note: Not yet.");
  const planted = { "docs/conformance/plan.yaml": document(mending + DIFFERS) };
  expect(plant(planted).hints).toEqual([
    "docs/conformance: 1 rows are being mended: node scripts/conformance.ts --open",
  ]);
  expect(openRows(readRecords(treeOf({ ...sources, ...planted })))).toEqual([
    "docs/conformance/plan.yaml plan-7 [PL-01] A plan waits | for a person. ~ Not yet.",
  ]);
});

describe("a proof", () => {
  const mending = ROW.replace("status: works", "status: mending\n        note: Not yet.").replace(/ {8}tests:[^]*/, "");
  const more = 'it("[PL-01] waits", () => {});\nit("[PL-01] waits for ever", () => {});\n';
  const files = treeOf({ ...sources, "docs/conformance/plan.yaml": document(mending + DIFFERS), [TEST]: more });
  const proven = (id: string, ...tests: string[]) => prove(files, readRecords(files), { id, tests });

  it("makes a row work, leaves the others as they are, and is found by a few words", () => {
    const text = document(ROW.replace('waits"', 'waits for ever"') + DIFFERS);
    const written = proven("plan-7", `${TEST} › for ever`);
    if (typeof written === "string") throw new Error(written);
    expect(written.path).toBe("docs/conformance/plan.yaml");
    const tree = [...files.filter(({ path }) => path !== written.path), written];
    expect(readRecords(tree)).toEqual(readRecords(treeOf({ ...sources, "docs/conformance/plan.yaml": text })));
  });

  it("is refused where it names no row, no test, or more than one", () => {
    expect(proven("plan-8", `${TEST} › for ever`)).toBe("there is no row plan-8");
    expect(proven("plan-7")).toBe("name the tests that prove plan-7");
    expect(proven("plan-7", `${TEST} › is gone`)).toBe("names 0 tests: []");
    expect(proven("plan-7", `${TEST} › PL-01`)).toBe('names 2 tests: ["[PL-01] waits","[PL-01] waits for ever"]');
  });
});

it("is part of tidy, and the real records are read", () => {
  const [problem] = conformanceFindings(treeOf({ "docs/CONFORMANCE.md": "old" })).problems;
  expect(tidy(treeOf({ "docs/CONFORMANCE.md": "old" })).problems).toContain(problem);
  const { documents, deviations, problems } = readRecords(readTree("."));
  expect(problems).toEqual([]);
  expect(documents.map(({ path }) => path)).toEqual([
    "docs/conformance/plan-mode.yaml",
    "docs/conformance/resolve-notify.yaml",
    "docs/conformance/plugin-commands.yaml",
    "docs/conformance/code-mode.yaml",
  ]);
  expect(deviations.length).toBeGreaterThan(20);
});
