/** The sentences of a block, each with the lines that it stands on. */
import type { Block } from "./blocks.ts";
import { maskQuotations } from "./quotations.ts";

export type Sentence = { text: string; firstLine: number; lastLine: number; asks: boolean };

/** An end is followed by what can begin a sentence: "e.g. this" goes on. */
const END = /[.!?…]+["'”’)\]*_]*(?=\s+[^\sa-z]|\s*$)|[。！？；]+[」』”）]*|;(?=\s)|\n(?=\s*\n)/gu;

export function sentencesOf({ text, line }: Block): Sentence[] {
  const masked = maskQuotations(text);
  const sentences: Sentence[] = [];
  let from = 0;
  let at = line;
  const add = (to: number): void => {
    const piece = masked.slice(from, to);
    const firstLine = at + breaksIn(piece.slice(0, piece.length - piece.trimStart().length));
    at += breaksIn(piece);
    from = to;
    if (piece.trim() === "") return;
    const said = piece.trimEnd();
    const lastLine = at - breaksIn(piece.slice(said.length));
    sentences.push({ text: piece, firstLine, lastLine, asks: /[?？]["'”’)\]*_]{0,4}$/.test(said.slice(-5)) });
  };
  for (const found of masked.matchAll(END)) if (found[0] !== "\n") add(found.index + found[0].length);
  add(masked.length);
  return sentences;
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
