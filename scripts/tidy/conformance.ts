/** docs/conformance against the tree: every test, rule and deviation that a row names is there, and the documents made of it are up to date. */
import { conformanceFiles, splitTest } from "../conformance/documents.ts";
import { type Document, type Records, type Row, readRecords, rowsOf } from "../conformance/records.ts";
import { rulesOf, SPEC } from "./spec.ts";
import { titlesOf } from "./test-titles.ts";
import { type Findings, type SourceFile, isContract, isTest } from "./tree.ts";

type Known = { rules: Set<string>; deviations: Set<string>; files: Map<string, SourceFile> };

export function conformanceFindings(files: SourceFile[]): Findings {
  const records = readRecords(files);
  const written = new Map(files.map((file) => [file.path, file]));
  const isKept = records.documents.length > 0 || records.problems.length > 0 || written.has("docs/CONFORMANCE.md");
  if (!isKept) return { problems: [], hints: [] };
  const known: Known = {
    rules: new Set(rulesOf(written.get(SPEC)?.text ?? "").map(({ id }) => id)),
    deviations: new Set(records.deviations.map(({ id }) => id)),
    files: written,
  };
  return {
    problems: [
      ...records.problems,
      ...records.documents.flatMap((document) => documentProblems(document, known)),
      ...deviationProblems(records),
      // what cannot be read cannot be compared either
      ...(records.problems.length > 0 ? [] : staleProblems(records, written)),
    ],
    hints: openHints(records),
  };
}

function documentProblems(document: Document, known: Known): string[] {
  const rows = rowsOf(document);
  const twice = [...Map.groupBy(rows, ({ id }) => id)].filter(([, group]) => group.length > 1);
  const problems = [
    ...twice.map(([id]) => `${id}: stands there twice`),
    ...rows.flatMap((row) => rowProblems(row, document.prefix, known).map((problem) => `${row.id}: ${problem}`)),
  ];
  return problems.map((problem) => `${document.path}: ${problem}`);
}

const rowProblems = (row: Row, prefix: string, known: Known): string[] => [
  ...(new RegExp(`^${prefix}-${row.line}[a-z]?$`).test(row.id) ? [] : [`its id begins with ${prefix}-${row.line}`]),
  ...row.rules.filter((rule) => !known.rules.has(rule)).map((rule) => `${SPEC} has no rule ${rule}`),
  ...statusProblems(row, known),
  ...row.tests.flatMap((test) => testProblems(test, known.files)),
];

/** What each status needs to say, and that a row says nothing that belongs to another status. */
function statusProblems(row: Row, { deviations }: Known): string[] {
  const { status, deviation } = row;
  const needs = { works: "tests", differs: "deviation", mending: "note", unbuilt: "part", none: "note" } as const;
  const has = { tests: row.tests.length > 0, deviation: deviation, note: row.note, part: row.part };
  const extra = (["deviation", "note", "part"] as const).filter((field) => has[field] && needs[status] !== field);
  return [
    ...(has[needs[status]] ? [] : [`is "${status}" and names no ${needs[status]}`]),
    ...(status === "none" || row.rules.length > 0 ? [] : ["names no rule"]),
    ...extra.map((field) => `is "${status}" and has a ${field}`),
    ...(deviation === undefined || deviations.has(deviation) ? [] : [`the deviation ${deviation} is unknown`]),
  ];
}

function testProblems(test: string, files: Map<string, SourceFile>): string[] {
  const [path, title] = splitTest(test);
  const file = files.get(path);
  if (file === undefined || !(isTest(file) || isContract(file))) return [`there is no test file ${path}`];
  const titles = titlesOf(file);
  if (titles.has(title)) return [];
  const near = nearest(title, [...titles]);
  return [`${path} has no test "${title}"${near === undefined ? "" : `; the nearest is "${near}"`}`];
}

/** The title that shares most words, for who renamed one. */
function nearest(title: string, titles: string[]): string | undefined {
  const words = new Set(title.split(/\W+/));
  const shared = (other: string): number => other.split(/\W+/).filter((word) => words.has(word)).length;
  return titles.toSorted((a, b) => shared(b) - shared(a)).find((other) => shared(other) > 1);
}

function deviationProblems({ documents, deviations }: Records): string[] {
  const used = new Set(documents.flatMap(rowsOf).map(({ deviation }) => deviation));
  const twice = [...Map.groupBy(deviations, ({ id }) => id)].filter(([, group]) => group.length > 1);
  return [
    ...twice.map(([id]) => `docs/conformance/deviations.yaml: ${id} stands there twice`),
    ...deviations
      .filter(({ id }) => !used.has(id))
      .map(({ id }) => `docs/conformance/deviations.yaml: no row names ${id}`),
  ];
}

const staleProblems = (records: Records, files: Map<string, SourceFile>): string[] =>
  Object.entries(conformanceFiles(records))
    .filter(([path, text]) => files.get(path)?.text !== text)
    .map(([path]) => `${path}: is out of date, run npm run fix`);

function openHints({ documents }: Records): string[] {
  const open = documents.flatMap(rowsOf).filter(({ status }) => status === "mending").length;
  return open === 0 ? [] : [`docs/conformance: ${open} rows are being mended: node scripts/conformance.ts --open`];
}
