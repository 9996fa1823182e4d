/** docs/SPEC.md against the tests: a rule that counts as built is one that some test name cites. */
import type { Node } from "./syntax-nodes.ts";
import { first, nodesOf, stringOf, targetsOf } from "./syntax-nodes.ts";
import { isSwitchedOff } from "./test-titles.ts";
import type { Findings, SourceFile } from "./tree.ts";
import { isContract, isTest } from "./tree.ts";

export const SPEC = "docs/SPEC.md";
const RULE_ROW = /^\| *((?:[A-Z]{2}-|I)\d{2}) *\| *([^|]*?) *\|/gm;
const RULE = /^(?:[A-Z]{2}-|I)\d{2}$/;

type Rule = { id: string; status: string };
type Citation = { id: string; path: string };

export function specFindings(files: SourceFile[]): Findings {
  const spec = files.find((file) => file.path === SPEC);
  if (!spec) return { problems: [`${SPEC}: is missing`], hints: [] };
  const rules = rulesOf(spec.text);
  const citations = citationsOf(files);
  const cited = new Set(citations.map(({ id }) => id));
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const early = [...cited].filter((id) => known.get(id)?.status === "open").toSorted();
  return {
    problems: [
      ...rowProblems(rules),
      ...rules
        .filter(({ id, status }) => status === "built" && !cited.has(id))
        .map(({ id }) => `${SPEC}: ${id} is marked built and no test cites it`),
      ...citations
        .filter(({ id }) => !known.has(id))
        .map(({ id, path }) => `${path}: cites ${id}, which ${SPEC} lacks`),
    ],
    hints: early.length === 0 ? [] : [`${SPEC}: open, yet cited by tests: ${early.join(", ")}`],
  };
}

export const rulesOf = (text: string): Rule[] =>
  [...text.matchAll(RULE_ROW)].map(([, id = "", status = ""]) => ({ id, status }));

function rowProblems(rules: Rule[]): string[] {
  const twice = [...Map.groupBy(rules, ({ id }) => id)].filter(([, rows]) => rows.length > 1);
  const odd = rules.filter(({ status }) => status !== "open" && status !== "built");
  return [
    ...(rules.length === 0 ? [`${SPEC}: holds no rules`] : []),
    ...twice.map(([id]) => `${SPEC}: ${id} stands there twice`),
    ...odd.map(({ id, status }) => `${SPEC}: ${id} is "${status}", neither open nor built`),
  ];
}

/** A contract suite proves something only through a test that runs it. The tests of the checks plant citations. */
function citationsOf(files: SourceFile[]): Citation[] {
  const tests = files.filter((file) => isTest(file) && /^(?:src|ui|test|examples)\//.test(file.path));
  const proving = tests.filter((file) => !file.path.startsWith("test/house/"));
  return [...proving, ...reachedFrom(proving, files.filter(isContract))].flatMap((file) =>
    nodesOf(file)
      .flatMap(citedBy)
      .map((id) => ({ id, path: file.path })),
  );
}

/** The contract suites that tests import, and those that these import in turn. */
function reachedFrom(files: SourceFile[], contracts: SourceFile[]): SourceFile[] {
  const named = new Set(files.flatMap(targetsOf));
  const reached = contracts.filter((file) => named.has(file.path));
  if (reached.length === 0) return [];
  const left = contracts.filter((file) => !named.has(file.path));
  return [...reached, ...reachedFrom(reached, left)];
}

/** `it("[PL-10] …")`, `it.each(rows)("[PL-10, I03] …")`: ids in brackets at the head of a call's first argument. */
function citedBy(node: Node): string[] {
  if (node.type !== "CallExpression" || isSwitchedOff(node["callee"])) return [];
  const head = /^(?:\[[^\]]*\] ?)+/.exec(stringOf(first(node["arguments"])) ?? "")?.[0] ?? "";
  return head.split(/[^A-Za-z0-9-]+/).filter((word) => RULE.test(word));
}
