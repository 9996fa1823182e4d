/** Two texts as one in the form that every tool reads: `---`, `+++`, `@@`. */
import { diffArrays } from "diff/lib/diff/array.js";

const CONTEXT_LINES = 3;
/** Beyond this many changed lines a text counts as rewritten. */
const EDITS_MAX = 1_000;

type Sign = " " | "-" | "+";
type Line = { sign: Sign; text: string; old: number; now: number };

/** Empty where nothing differs. */
export function unifiedText(
  before: readonly string[],
  after: readonly string[],
  names: { from: string; to: string },
): string {
  const lines = numbered(compareLines(before, after));
  const hunks = hunksOf(lines);
  if (hunks.length === 0) return "";
  return [`--- ${names.from}`, `+++ ${names.to}`, ...hunks.flatMap(hunkText)].join("\n");
}

/** Line by line, in order: what both have, what is gone, what is new. */
export function compareLines(before: readonly string[], after: readonly string[]): { sign: Sign; text: string }[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: EDITS_MAX });
  if (changes === undefined) return [...signed("-", before), ...signed("+", after)];
  return changes.flatMap(({ added, removed, value }) => signed(added ? "+" : removed ? "-" : " ", value));
}

const signed = (sign: Sign, texts: readonly string[]): { sign: Sign; text: string }[] =>
  texts.map((text) => ({ sign, text }));

/** Each with how many lines of either text stand before it. */
function numbered(lines: readonly { sign: Sign; text: string }[]): Line[] {
  let [old, now] = [0, 0];
  return lines.map(({ sign, text }) => {
    const line = { sign, text, old, now };
    if (sign !== "+") old += 1;
    if (sign !== "-") now += 1;
    return line;
  });
}

/** Changes with the lines around them; those whose surroundings meet are one. */
function hunksOf(lines: readonly Line[]): Line[][] {
  const hunks: { first: number; last: number }[] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    const [first, last] = [Math.max(0, index - CONTEXT_LINES), Math.min(lines.length - 1, index + CONTEXT_LINES)];
    const open = hunks.at(-1);
    if (open !== undefined && first <= open.last + 1) open.last = last;
    else hunks.push({ first, last });
  }
  return hunks.map(({ first, last }) => lines.slice(first, last + 1));
}

/** A hunk's place: what is empty stands behind the line before it. */
const at = (lines: number, before: number): string => `${lines === 0 ? before : before + 1},${lines}`;

function hunkText(hunk: readonly Line[]): string[] {
  const count = (sign: Sign): number => hunk.filter((line) => line.sign !== sign).length;
  const [olds, nows] = [count("+"), count("-")];
  const [first] = hunk;
  return [
    `@@ -${at(olds, first?.old ?? 0)} +${at(nows, first?.now ?? 0)} @@`,
    ...hunk.map(({ sign, text }) => `${sign}${text}`),
  ];
}
