/** Compares two Markdown texts block by block: paragraphs, lists, tables and pieces of code that stayed, changed or moved. */
import type { BlockChange, DiffPart } from "../../protocol/plan-diff.ts";
import { changeOf, isSame } from "./compare-steps.ts";
import { movedPairs, pairTexts } from "./pair-texts.ts";
import { textDiff } from "./text-diff.ts";
import { compareLines } from "./unified-text.ts";

const FENCE = /^ {0,3}(?<fence>`{3,}|~{3,})/;
/** More blocks than anybody writes; what lies behind them is one. */
const BLOCKS_MAX = 400;

type Reading = { blocks: string[][]; fence: string | undefined };

/** Blank lines part blocks, but not inside of a fence. */
export function blocksOf(text: string): string[] {
  const reading: Reading = { blocks: [[]], fence: undefined };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (reading.fence === undefined) readLine(line, reading);
    else readFenced(line, reading);
  }
  return reading.blocks.filter((lines) => lines.some((line) => line.trim() !== "")).map((lines) => lines.join("\n"));
}

function readLine(line: string, reading: Reading): void {
  const { blocks } = reading;
  reading.fence = FENCE.exec(line)?.groups?.["fence"];
  const isFull = blocks.length >= BLOCKS_MAX;
  if (line.trim() === "" && !isFull) blocks.push([]);
  else if (reading.fence !== undefined && !isFull) blocks.push([line]);
  else blocks.at(-1)?.push(line);
}

function readFenced(line: string, reading: Reading): void {
  const { blocks, fence = "" } = reading;
  blocks.at(-1)?.push(line);
  if (FENCE.exec(line)?.groups?.["fence"]?.startsWith(fence) !== true) return;
  reading.fence = undefined;
  if (blocks.length < BLOCKS_MAX) blocks.push([]);
}

export function compareBlocks(before: readonly string[], after: readonly string[]): BlockChange[] {
  const pairs = pairTexts(before, after);
  const moved = movedPairs(pairs);
  return pairs.map((pair) => {
    const text = blockDiff(
      pair.from === null ? "" : (before[pair.from] ?? ""),
      pair.to === null ? "" : (after[pair.to] ?? ""),
    );
    return { change: changeOf(pair, isSame(text)), moved: pair.to !== null && moved.has(pair.to), text };
  });
}

/** Code and tables line by line: half a line of either could not be drawn. */
function blockDiff(before: string, after: string): DiffPart[] {
  const isByLine = [before, after].every((text) => FENCE.test(text)) || [before, after].every(isTable);
  if (!isByLine) return textDiff(before, after);
  const [old, now] = [before.split("\n"), after.split("\n")];
  return compareLines(old, now).map(({ sign, text }) => ({
    op: sign === "+" ? "added" : sign === "-" ? "removed" : "same",
    text: `${text}\n`,
  }));
}

const isTable = (text: string): boolean => /^ *\|.*\| *(?:\n|$)/.test(text);
