/** A frame around lines, with a label in its upper edge and, where it fits, one in its lower. */
import type { Look } from "./paint.ts";
import { clip, padEnd, width } from "./width.ts";

type Stroke = (text: string) => string;

/** A line of a box: plain text, and how it is painted once its width has been measured. */
export type Line = { text: string; paint?: Stroke };

export type Box = { label: string; note?: string; lines: readonly Line[]; edge: Stroke };

const SIDES = 4; // "│ " and " │"

export const innerColumns = (look: Look): number => look.columns - SIDES;

export function box({ label, note = "", lines, edge }: Box, look: Look): string[] {
  const inner = innerColumns(look);
  const body = lines.map(({ text, paint }) => {
    const padded = padEnd(text, inner);
    return `${edge("│")} ${paint === undefined ? padded : paint(padded)} ${edge("│")}`;
  });
  return [edge(upper(label, note, look.columns)), ...body, edge(`╰${"─".repeat(look.columns - 2)}╯`)];
}

function upper(label: string, note: string, columns: number): string {
  const room = columns - 6; // corners, and a dash and a blank around the label
  const left = ` ${clip(label, room)} `;
  const right = note !== "" && width(left) + width(note) + 4 <= columns - 4 ? ` ${note} ─` : "";
  return `╭─${left}${"─".repeat(Math.max(columns - 3 - width(left) - width(right), 0))}${right}╮`;
}
