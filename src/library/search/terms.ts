/**
 * Words of a text as terms of the index: small letters without accents, the same for what is indexed and what is asked.
 * Scripts without spaces between words are cut into single signs and pairs of them.
 */

const TERM_CHARS_MAX = 40;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu;

/** `é` and `e` are one letter to whoever searches; marks that belong to a script stay. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{Script=Inherited}/gu, "")
    .normalize("NFKC")
    .toLowerCase();

export function* termsOf(text: string): Generator<string> {
  for (const [word] of folded(text).matchAll(WORD)) {
    const spaced = word.replaceAll(UNSPACED, " ").split(" ");
    for (const part of spaced) if (part !== "") yield cut(part);
    for (const [run] of word.matchAll(UNSPACED)) yield* gramsOf(run);
  }
}

/** What must be found for a word that somebody typed: its pairs, or the word itself as the beginning of one. */
export function* searchedTerms(text: string): Generator<{ term: string; isPrefix: boolean }> {
  for (const [word] of folded(text).matchAll(WORD)) {
    for (const part of word.replaceAll(UNSPACED, " ").split(" ")) {
      if (part !== "") yield { term: cut(part), isPrefix: true };
    }
    for (const [run] of word.matchAll(UNSPACED)) {
      const signs = signsOf(run);
      if (signs.length === 1) yield { term: run, isPrefix: false };
      for (const pair of pairsOf(signs)) yield { term: pair, isPrefix: false };
    }
  }
}

function* gramsOf(run: string): Generator<string> {
  const signs = signsOf(run);
  yield* signs;
  yield* pairsOf(signs);
}

function* pairsOf(signs: readonly string[]): Generator<string> {
  for (const [index, sign] of signs.entries()) {
    const next = signs[index + 1];
    if (next !== undefined) yield sign + next;
  }
}

const cut = (word: string): string => signsOf(word).slice(0, TERM_CHARS_MAX).join("");
/** By code points, so that none is cut in half. */
export const signsOf = (text: string): string[] => Array.from(text);
