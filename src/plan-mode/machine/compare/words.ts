/** Texts as words, and how alike two of them are. */

/** Scripts that put no spaces between words count letter by letter. */
const TOKEN = /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

export type Word = { text: string; start: number; end: number };

/** Every character of the text in one of the pieces, spaces too: joined they are the text again. */
export const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** Without the spaces, in small letters, with their places. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  for (const token of tokensOf(text)) {
    if (token.trim() !== "") words.push({ text: token.toLowerCase(), start: at, end: at + token.length });
    at += token.length;
  }
  return words;
}

/** Enough of a text to know it by: likeness of long texts is judged by their beginnings. */
const LIKENESS_WORDS_MAX = 60;

export type Bag = { counts: ReadonlyMap<string, number>; size: number };

export function bagOf(text: string): Bag {
  const counts = new Map<string, number>();
  const words = wordsOf(text).slice(0, LIKENESS_WORDS_MAX);
  for (const word of words) counts.set(word.text, (counts.get(word.text) ?? 0) + 1);
  return { counts, size: words.length };
}

const LETTER = /\p{L}/u;
/** A bracket or a number says little: steps are numbered anew when one is put in. */
const SIGN_WEIGHT = 0.1;

/** How much a word says about the text that it stands in. */
export type Weight = (word: string) => number;

/** Words that most of these texts hold say little about one of them: "extract", "after step", every bracket. */
export function weightIn(bags: readonly Bag[]): Weight {
  const holders = new Map<string, number>();
  for (const { counts } of bags) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  // each word once: between five hundred steps the same ones are asked for a quarter of a million times
  const weights = new Map(holders.entries().map(([word, held]) => [word, weightOf(word, bags.length / held)]));
  return (word) => weights.get(word) ?? weightOf(word, bags.length);
}

const weightOf = (word: string, rarity: number): number => (LETTER.test(word) ? 1 : SIGN_WEIGHT) * Math.log(1 + rarity);

/** From 0, nothing in common, to 1, the same words. */
export function likeness(a: Bag, b: Bag, weight: Weight): number {
  if (a.size + b.size === 0) return 1;
  let [common, all] = [0, 0];
  for (const [word, count] of a.counts) {
    const says = weight(word);
    common += says * Math.min(count, b.counts.get(word) ?? 0);
    all += says * count;
  }
  for (const [word, count] of b.counts) all += weight(word) * count;
  return (2 * common) / all;
}
