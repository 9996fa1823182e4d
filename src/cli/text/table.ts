/** A table for the terminal: aligned columns under headings, the last one cut to the width that is left. */
import type { Look } from "./paint.ts";
import { clip, padEnd, width } from "./width.ts";

const GAP = 2;
const LAST_COLUMNS_MIN = 8;

export function table(headings: readonly string[], rows: readonly (readonly string[])[], look: Look): string[] {
  const widths = headings.map((heading, at) => Math.max(width(heading), ...rows.map((row) => width(row[at] ?? ""))));
  const before = widths.slice(0, -1).reduce((sum, columns) => sum + columns + GAP, 0);
  const last = look.isPiped === true ? Number.POSITIVE_INFINITY : Math.max(look.columns - before, LAST_COLUMNS_MIN);
  const line = (cells: readonly string[]): string =>
    headings
      .map((_, at) => {
        const cell = cells[at] ?? "";
        return at === headings.length - 1 ? clip(cell, last) : padEnd(cell, (widths[at] ?? 0) + GAP);
      })
      .join("")
      .trimEnd();
  return [look.paint.quiet(line(headings)), ...rows.map(line)];
}
