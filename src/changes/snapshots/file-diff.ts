/** The difference between two contents of a file, as text, within limits of size and time. */
import { structuredPatch } from "diff";

const SIDE_BYTES_MAX = 1_048_576;
const EDITS_MAX = 20_000;
const DIFF_MS_MAX = 400;
const LINES_MAX = 4_000;
const LINE_CHARS_MAX = 2_000;
const PROBED_BYTES = 8_000;
const CONTEXT_LINES = 3;

export type DiffLine = { sign: " " | "+" | "-" | "@"; text: string };
export type FileDiff = {
  kind: "text" | "binary" | "too-large" | "not-kept";
  lines: DiffLine[];
  added: number;
  removed: number;
  /** Lines that were left out at the end. */
  more: number;
};

const without = (kind: FileDiff["kind"]): FileDiff => ({ kind, lines: [], added: 0, removed: 0, more: 0 });

/** Null: there was no file; undefined: its content was not kept. */
export type Side = Buffer | null | undefined;

export function diffFile(before: Side, after: Side): FileDiff {
  if (before === undefined || after === undefined) return without("not-kept");
  const [one, other] = [before ?? Buffer.alloc(0), after ?? Buffer.alloc(0)];
  if (isBinary(one) || isBinary(other)) return without("binary");
  if (one.length > SIDE_BYTES_MAX || other.length > SIDE_BYTES_MAX) return without("too-large");
  const patch = structuredPatch("", "", one.toString("utf8"), other.toString("utf8"), "", "", {
    context: CONTEXT_LINES,
    maxEditLength: EDITS_MAX,
    timeout: DIFF_MS_MAX,
  });
  if (patch === undefined) return without("too-large");
  const all = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }): DiffLine[] => [
    { sign: "@", text: `-${oldStart},${oldLines} +${newStart},${newLines}` },
    ...lines.map(lineOf),
  ]);
  const count = (sign: DiffLine["sign"]): number => all.filter((line) => line.sign === sign).length;
  const shown = all.slice(0, LINES_MAX);
  return { kind: "text", lines: shown, added: count("+"), removed: count("-"), more: all.length - shown.length };
}

/** `\ No newline at end of file` stands beside the line that it is about. */
function lineOf(line: string): DiffLine {
  const first = line[0];
  const sign = first === "+" || first === "-" ? first : " ";
  return { sign, text: (first === "\\" ? line : line.slice(1)).slice(0, LINE_CHARS_MAX) };
}

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, PROBED_BYTES).includes(0);
