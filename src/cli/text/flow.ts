/** Markdown as lines of a terminal: tables are drawn in columns, everything else is wrapped as it stands. */
import { padEnd, width } from "./width.ts";
import { wrap } from "./wrap.ts";

const GAP = 2;
/** Narrower columns are harder to read than a list. */
const CELL_COLUMNS_MIN = 8;

const ROW = /^ *\|.*\| *$/;
const RULE = /^ *\|(?: *:?-+:? *\|)+ *$/;
const FENCE = /^ *(?:```|~~~)/;

export function flow(text: string, columns: number): string[] {
  const lines = text.split("\n");
  const shown: string[] = [];
  let isCode = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || !ROW.test(line) || !RULE.test(lines[at + 1] ?? "")) {
      shown.push(...wrap(line, columns));
      continue;
    }
    const rest = lines.slice(at + 2);
    const count = rest.findIndex((row) => !ROW.test(row));
    const rows = count === -1 ? rest : rest.slice(0, count);
    shown.push(...tableLines({ head: line, rule: lines[at + 1] ?? "", rows }, columns));
    at += 1 + rows.length;
  }
  return shown;
}

type Table = { head: string; rule: string; rows: readonly string[] };

function tableLines({ head, rule, rows }: Table, columns: number): string[] {
  const indent = /^ */.exec(head)?.[0] ?? "";
  const headings = cellsOf(head);
  const body = rows.map(cellsOf).map((cells) => headings.map((_, at) => cells[at] ?? ""));
  const widths = fitted([headings, ...body], columns - indent.length);
  const lines =
    widths === undefined ? listed(headings, body, columns - indent.length) : drawn({ headings, body, widths, rule });
  return lines.map((line) => `${indent}${line}`.trimEnd());
}

/** A bar behind a backslash, or inside of code, is text. */
const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** How wide each column is: as its cells want it, the widest ones narrower until all fit; undefined where they cannot. */
function fitted(rows: readonly (readonly string[])[], columns: number): number[] | undefined {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(1, ...rows.map((row) => width(row[at] ?? ""))));
  const room = columns - GAP * (widths.length - 1);
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    const widest = Math.max(...widths);
    if (widest <= CELL_COLUMNS_MIN) return undefined;
    const at = widths.indexOf(widest);
    const next = Math.max(CELL_COLUMNS_MIN, ...widths.filter((one) => one < widest));
    widths[at] = Math.max(widest - over, next === widest ? widest - 1 : Math.min(next, widest - 1));
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

type Drawn = {
  headings: readonly string[];
  body: readonly (readonly string[])[];
  widths: readonly number[];
  rule: string;
};

function drawn({ headings, body, widths, rule }: Drawn): string[] {
  const isRight = cellsOf(rule).map((cell) => cell.endsWith(":") && !cell.startsWith(":"));
  const line = (cells: readonly string[]): string[] => {
    const wrapped = cells.map((cell, at) => wrap(cell, widths[at] ?? 1));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, row) =>
      wrapped.map((lines, at) => placed(lines[row] ?? "", widths[at] ?? 1, isRight[at] === true)).join(" ".repeat(GAP)),
    );
  };
  return [...line(headings), widths.map((one) => "─".repeat(one)).join(" ".repeat(GAP)), ...body.flatMap(line)];
}

const placed = (text: string, columns: number, isRight: boolean): string =>
  isRight ? " ".repeat(Math.max(columns - width(text), 0)) + text : padEnd(text, columns);

function listed(headings: readonly string[], body: readonly (readonly string[])[], columns: number): string[] {
  return body.flatMap((cells, at) => [
    ...(at === 0 ? [] : [""]),
    ...cells.flatMap((cell, column) => (cell === "" ? [] : wrap(`${headings[column] ?? ""}: ${cell}`, columns))),
  ]);
}
