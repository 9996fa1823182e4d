/**
 * Draws what stands in a block of mermaid: flowcharts, sequences and states, the kinds that plans hold. Other kinds, and
 * what is not understood line by line, stay the text that they are. No library: that one is 1.5 MB, writes styles that the
 * page's policy forbids, and cannot draw on a page that runs nothing (ADR 0041).
 */
import { drawFlow } from "./draw-flow.ts";
import { drawSequence } from "./draw-sequence.ts";
import { parseFlow } from "./parse-flow.ts";
import { parseSequence } from "./parse-sequence.ts";
import { parseState } from "./parse-state.ts";
import type { SvgShape } from "./svg-tree.ts";

const SOURCE_CHARS_MAX = 12_000;

/** Undefined where it is to be shown as its source. */
export function drawDiagram(source: string): SvgShape | undefined {
  if (source.length > SOURCE_CHARS_MAX) return undefined;
  const lines = linesOf(source);
  const sequence = parseSequence(lines);
  if (sequence !== undefined) return drawSequence(sequence);
  const flow = parseFlow(lines) ?? parseState(lines);
  return flow === undefined ? undefined : drawFlow(flow);
}

/** Without comments, and without the settings that may stand before it. */
function linesOf(source: string): string[] {
  const lines = source
    .replace(/^\s*---\n[\s\S]*?\n---\s*\n/, "")
    .replaceAll(/%%\{[\s\S]*?\}%%/g, "")
    .split("\n")
    .map((line) => line.replace(/\s+%%.*$/, "").trim());
  const first = lines.findIndex((line) => line !== "" && !line.startsWith("%%"));
  return first === -1 ? [] : lines.slice(first);
}
