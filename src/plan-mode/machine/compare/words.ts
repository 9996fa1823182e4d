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
  let size = 0;
  for (const token of tokensOf(text)) {
    if (token.trim() === "") continue;
    const word = token.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
    size += 1;
    if (size === LIKENESS_WORDS_MAX) break;
  }
  return { counts, size };
}

/** Remembers the bags of one comparison, in which the same texts are looked at from both sides. */
export function createBags(): (text: string) => Bag {
  const known = new Map<string, Bag>();
  return (text) => {
    const bag = known.get(text) ?? bagOf(text);
    known.set(text, bag);
    return bag;
  };
}

const LETTER = /\p{L}/u;
/** A bracket or a number says little: steps are numbered anew when one is put in. */
const SIGN_WEIGHT = 0.1;

/** From 0, nothing in common, to 1, the same words. */
export type Likeness = (a: Bag, b: Bag) => number;

/** Words that most of these texts hold say little about one of them: "extract", "after step", every bracket. */
export function likenessIn(bags: readonly Bag[]): Likeness {
  const holders = new Map<string, number>();
  for (const { counts } of bags) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  // each word and each text once: between five hundred steps the same ones are asked for a quarter of a million times
  const weights = new Map(holders.entries().map(([word, held]) => [word, weightOf(word, bags.length / held)]));
  const totals = new Map<Bag, number>();

  function totalOf(bag: Bag): number {
    const known = totals.get(bag);
    if (known !== undefined) return known;
    let total = 0;
    for (const [word, count] of bag.counts) total += (weights.get(word) ?? 0) * count;
    totals.set(bag, total);
    return total;
  }

  return (a, b) => {
    if (a.size + b.size === 0) return 1;
    let common = 0;
    for (const [word, count] of a.counts) {
      const other = b.counts.get(word);
      if (other !== undefined) common += (weights.get(word) ?? 0) * Math.min(count, other);
    }
    return (2 * common) / (totalOf(a) + totalOf(b));
  };
}

const weightOf = (word: string, rarity: number): number => (LETTER.test(word) ? 1 : SIGN_WEIGHT) * Math.log(1 + rarity);
