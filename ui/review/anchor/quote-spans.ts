/**
 * Words that are shown, and where the same words stand in the text that was written. Between the two lie Markdown, which
 * loses its signs, and hidden characters, which gain visible ones; the words themselves stay, in their order.
 */
import type { TextQuote } from "../../../src/plan-mode/protocol/review.ts";

export type Span = { start: number; end: number };
type Token = Span & { text: string };

/** Scripts that put no spaces between words count letter by letter. */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const WORD = /[\p{L}\p{N}]/u;
/** How far the next word may lie behind the last: a long address of a link stands between them at most. */
const WORDS_AHEAD_MAX = 120;
/** A sign says little, so it is only taken close by. */
const SIGNS_AHEAD_MAX = 6;
const QUOTE_CHARS_MAX = 400;
const CONTEXT_CHARS_MAX = 64;

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({ text: found, start: index, end: index + found.length }));

/** Pairs of a shown token and the written one, in order. */
function aligned(shown: string, written: string): { shown: Token; written: Token }[] {
  const source = tokensOf(written);
  const pairs: { shown: Token; written: Token }[] = [];
  let next = 0;
  for (const token of tokensOf(shown)) {
    const ahead = WORD.test(token.text) ? WORDS_AHEAD_MAX : SIGNS_AHEAD_MAX;
    const found = source.slice(next, next + ahead).findIndex(({ text }) => text === token.text);
    const match = found === -1 ? undefined : source[next + found];
    if (match === undefined) continue;
    pairs.push({ shown: token, written: match });
    next += found + 1;
  }
  return pairs;
}

const touches = (token: Span, { start, end }: Span): boolean => token.start < end && token.end > start;

/** The source of the shown words, in whole words; undefined where none of them was found. */
export function writtenSpan(shown: string, written: string, span: Span): Span | undefined {
  const inside = aligned(shown, written).filter((pair) => touches(pair.shown, span));
  return spanOf(inside.map((pair) => pair.written));
}

/** The reverse: where words of the source are shown. */
export function shownSpan(shown: string, written: string, span: Span): Span | undefined {
  const inside = aligned(shown, written).filter((pair) => touches(pair.written, span));
  return spanOf(inside.map((pair) => pair.shown));
}

function spanOf(tokens: readonly Token[]): Span | undefined {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

/** The words and those around them, as a note keeps them. */
export function quoteAt(written: string, { start, end }: Span): TextQuote {
  const exact = written.slice(start, Math.min(end, start + QUOTE_CHARS_MAX)).toWellFormed();
  const prefix = written.slice(Math.max(0, start - CONTEXT_CHARS_MAX), start).toWellFormed();
  const suffix = written.slice(start + exact.length, start + exact.length + CONTEXT_CHARS_MAX).toWellFormed();
  return { exact, ...(prefix === "" ? {} : { prefix }), ...(suffix === "" ? {} : { suffix }), start };
}

/** Where a quote stands in the text of the revision that it was placed in. */
export function spanOfQuote(written: string, { exact, start }: TextQuote): Span | undefined {
  const there = start !== undefined && written.startsWith(exact, start) ? start : written.indexOf(exact);
  return there === -1 ? undefined : { start: there, end: there + exact.length };
}
