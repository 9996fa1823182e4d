/** Finds the words that a note points at in a text that may have changed. */
import { CONTEXT_CHARS_MAX, QUOTE_CHARS_MAX, type Standing, type TextQuote } from "../../protocol/review.ts";
import { firstChars } from "../../../plugins/sdk.ts";
import { type Word, wordsOf } from "../compare/words.ts";

/** Places where the very words stand that are looked at; a text that repeats them more often is no help anyway. */
const PLACES_MAX = 1_000;
/** Of the quoted words, this part must stand together somewhere to count as the same passage. */
const SHARE_MIN = 0.6;
/** Fewer words than this say too little to be recognised by likeness. */
const LIKE_WORDS_MIN = 3;

export type Found = { quote: TextQuote; standing: Standing };

export function findQuote(text: string, quote: TextQuote): Found {
  const start = exactPlace(text, quote);
  if (start !== undefined) return { quote: quoteAt(text, start, start + quote.exact.length), standing: "exact" };
  const like = likePlace(text, quote);
  return like === undefined
    ? { quote, standing: "orphaned" }
    : { quote: quoteAt(text, like.start, like.end), standing: "moved" };
}

/** Of several places the one whose surroundings fit best, then the nearest. */
function exactPlace(text: string, quote: TextQuote): number | undefined {
  let best: { place: number; fit: number; far: number } | undefined;
  let place = text.indexOf(quote.exact);
  for (let count = 0; place !== -1 && count < PLACES_MAX; count += 1) {
    const fit = fitAround(text, place, quote);
    const far = Math.abs(place - (quote.start ?? place));
    if (best === undefined || fit > best.fit || (fit === best.fit && far < best.far)) best = { place, fit, far };
    place = text.indexOf(quote.exact, place + 1);
  }
  return best?.place;
}

function fitAround(text: string, place: number, { exact, prefix = "", suffix = "" }: TextQuote): number {
  const [before, behind] = [text.slice(0, place), text.slice(place + exact.length)];
  let fit = 0;
  while (fit < prefix.length && before.at(-1 - fit) === prefix.at(-1 - fit)) fit += 1;
  let after = 0;
  while (after < suffix.length && behind[after] === suffix[after]) after += 1;
  return fit + after;
}

/** A window of as many words as were quoted slides over the text; the one that shares most words with the quote wins. */
function likePlace(text: string, quote: TextQuote): { start: number; end: number } | undefined {
  const sought = wordsOf(quote.exact).map((word) => word.text);
  if (sought.length < LIKE_WORDS_MIN) return undefined;
  const words = wordsOf(text);
  const wanted = new Map<string, number>();
  for (const word of sought) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  const best = bestWindow(words, wanted, sought.length);
  if (best === undefined || best.shared / sought.length < SHARE_MIN) return undefined;
  const inside = words.slice(best.first, best.first + sought.length).filter((word) => wanted.has(word.text));
  const [first, last] = [inside[0], inside.at(-1)];
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

function bestWindow(words: readonly Word[], wanted: ReadonlyMap<string, number>, size: number) {
  const open = new Map(wanted);
  let shared = 0;
  let best: { first: number; shared: number } | undefined;
  const take = (word: string, step: 1 | -1): void => {
    const left = open.get(word);
    if (left === undefined) return;
    if (step === 1 ? left > 0 : left >= 0) shared += step;
    open.set(word, left - step);
  };
  for (const [index, { text }] of words.entries()) {
    take(text, 1);
    const gone = words[index - size];
    if (gone !== undefined) take(gone.text, -1);
    if (best === undefined || shared > best.shared) best = { first: Math.max(0, index - size + 1), shared };
  }
  return best;
}

function quoteAt(text: string, start: number, end: number): TextQuote {
  const exact = firstChars(text.slice(start, end), QUOTE_CHARS_MAX);
  const prefix = text.slice(Math.max(0, start - CONTEXT_CHARS_MAX), start);
  const suffix = text.slice(start + exact.length, start + exact.length + CONTEXT_CHARS_MAX);
  return { exact, ...(prefix === "" ? {} : { prefix }), ...(suffix === "" ? {} : { suffix }), start };
}
