/** Passages by how well they answer a question: BM25, the plain old measure. No index is kept; memory is small. */

export type Passage = { path: string; fromLine: number; toLine: number; text: string };
export type Ranked = Passage & { score: number };

/** Usual values: how soon repetition stops counting, and how much length is held against a passage. */
const K1 = 1.2;
const B = 0.75;
const WORDS = /[\p{L}\p{N}]+/gu;
const QUERY_WORDS_MAX = 32;

const localizedTextOf = (text: string): string[] => text.normalize("NFKC").toLowerCase().match(WORDS)?.map(stem) ?? [];

/** Only the plural's s: enough for most questions, and it cannot join words that have nothing in common. */
const stem = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

/** Best first; passages in which none of the words occurs are left out. Equal ones keep their order. */
export function rank(passages: readonly Passage[], query: string, limit: number): Ranked[] {
  const asked = [...new Set(localizedTextOf(query))].slice(0, QUERY_WORDS_MAX);
  const counted = passages.map((passage) => ({ passage, ...count(passage.text) }));
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const weights = new Map(
    asked.map((word) => [word, weight(counted.filter(({ times }) => times.has(word)).length, counted.length)]),
  );
  return counted
    .map(({ passage, times, length }) => {
      const score = asked.reduce((sum, word) => {
        const n = times.get(word) ?? 0;
        return (
          sum +
          ((weights.get(word) ?? 0) * n * (K1 + 1)) / (n + K1 * (1 - B + (B * length) / Math.max(1, averageLength)))
        );
      }, 0);
      return { ...passage, score: Math.round(score * 1_000) / 1_000 };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

function count(text: string): { times: Map<string, number>; length: number } {
  const times = new Map<string, number>();
  const words = localizedTextOf(text);
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return { times, length: words.length };
}

/** A word that stands in few passages says more. */
const weight = (having: number, all: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5));
