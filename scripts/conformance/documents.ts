/** docs/CONFORMANCE.md and docs/DEVIATIONS.md, written from the records. */
import type { Deviation, Document, Records, Row, Status } from "./records.ts";
import { rowsOf, STATUSES, TEST_SEPARATOR } from "./records.ts";

const CONFORMANCE = "docs/CONFORMANCE.md";
const DEVIATIONS = "docs/DEVIATIONS.md";

/** File → what it must hold. */
export const conformanceFiles = (records: Records): Record<string, string> => ({
  [CONFORMANCE]: conformanceDocument(records),
  [DEVIATIONS]: deviationsDocument(records),
});

const STATUS_TITLES: Record<Status, string> = {
  works: "works",
  differs: "differs on purpose",
  mending: "being mended",
  unbuilt: "not yet built",
  none: "nothing to prove",
};

function conformanceDocument({ documents }: Records): string {
  return `# Conformance

What the documents that Holdpoint is built from ask for, in our words, with the line that says so, the rule of
[SPEC.md](SPEC.md) that it became, and the test that proves it. Made from [conformance/](conformance/) by \`npm run fix\`:
do not edit. \`npm run check\` fails when a test that is named here is gone, a rule or a
[deviation](DEVIATIONS.md) is unknown, or this file is out of date.

${table(["document", ...STATUSES.map((status) => STATUS_TITLES[status])], documents.map(countsOf))}${documents.map(documentSection).join("")}`;
}

function countsOf(document: Document): string[] {
  const rows = rowsOf(document);
  const count = (status: Status): string => String(rows.filter((row) => row.status === status).length);
  return [`[${document.document}](#${anchorOf(document.document)})`, ...STATUSES.map(count)];
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

const documentSection = ({ document, about, areas }: Document): string => `
## ${document}

${about}
${areas
  .map(({ area, rows }) => `\n### ${area}\n\n${table(["line", "requirement", "rule", "proof"], rows.map(cellsOf))}`)
  .join("")}`;

const cellsOf = (row: Row): string[] => [
  String(row.line),
  row.requirement,
  row.rules.join(", "),
  [...answerOf(row), ...row.tests.map(proofOf)].join("<br>"),
];

function answerOf({ status, deviation, part, note }: Row): string[] {
  if (status === "works") return [];
  if (status === "differs") return [`differs: [${deviation}](DEVIATIONS.md#${deviation})`];
  if (status === "unbuilt") return [`not yet built: ${part}`];
  if (status === "mending") return [`being mended: ${note}`];
  return [`nothing to prove: ${note}`];
}

function proofOf(test: string): string {
  const [path, title] = splitTest(test);
  return `\`${path}\` ${literal(title)}`; // no link: the package has the documents and not the tests
}

export function splitTest(test: string): [path: string, title: string] {
  const at = test.indexOf(TEST_SEPARATOR);
  return [test.slice(0, at), test.slice(at + TEST_SEPARATOR.length)];
}

/** Signs that Markdown would take for its own. */
const literal = (text: string): string => text.replace(/[*_`\\[\]]/g, "\\$&").replaceAll("<", "&lt;");

const table = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => "---"), ...rows].map(tableLine).join("");

const tableLine = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;

function deviationsDocument({ documents, deviations }: Records): string {
  const rows = deviations.map((deviation) => [
    `<a id="${deviation.id}"></a>${deviation.point}`,
    sourcesOf(deviation, documents),
    deviation.instead,
    deviation.why,
  ]);
  return `# Deviations

Where Holdpoint does something else than the documents that it is built from, on purpose. Everything else that they ask
for stands in [CONFORMANCE.md](CONFORMANCE.md). Made from [conformance/deviations.yaml](conformance/deviations.yaml) by
\`npm run fix\`: do not edit.

${table(["point", "document and line", "what we do instead", "why"], rows)}`;
}

const sourcesOf = ({ id }: Deviation, documents: Document[]): string =>
  documents
    .map((document) => ({ document, rows: rowsOf(document).filter(({ deviation }) => deviation === id) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ document, rows }) => `${document.document}: ${[...new Set(rows.map(({ line }) => line))].join(", ")}`)
    .join("; ");
