/** Finds tools by what they are called and what they do; a word that is misspelt still finds its tool. */
import type { CatalogEntry } from "./catalog-entry.ts";

const QUERY_CHARS_MAX = 400;
const WORDS_MAX = 16;
/** What a word of the query counts in each place where it is found. */
const WEIGHTS = { exactName: 100, name: 24, namePrefix: 12, nameInside: 8, nameTypo: 6, about: 3, aboutPrefix: 1 };

type Indexed = { entry: CatalogEntry; name: string; nameWords: string[]; aboutWords: string[] };

export type ToolIndex = (query: string, limit: number) => CatalogEntry[];

/** Entries come in the order of their ids; equals stay in it. */
export function createToolIndex(entries: readonly CatalogEntry[]): ToolIndex {
  const indexed: Indexed[] = entries.map((entry) => ({
    entry,
    name: entry.name.toLowerCase(),
    nameWords: wordsOf(`${entry.name} ${entry.sourceName ?? ""}`),
    aboutWords: [...new Set(wordsOf(entry.description))],
  }));
  return (query, limit) => {
    const words = [...new Set(wordsOf(query.slice(0, QUERY_CHARS_MAX)))].slice(0, WORDS_MAX);
    if (words.length === 0) return entries.slice(0, limit);
    const whole = query.trim().toLowerCase();
    return indexed
      .map((one) => ({ entry: one.entry, score: scoreOf(one, words, whole) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ entry }) => entry);
  };
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

function scoreOf({ entry, name, nameWords, aboutWords }: Indexed, words: readonly string[], whole: string): number {
  const exact = name === whole || entry.id.toLowerCase() === whole ? WEIGHTS.exactName : 0;
  const found = words.map((word) => inName(word, nameWords) + inAbout(word, aboutWords));
  const hits = found.filter((score) => score > 0).length;
  return exact + found.reduce((sum, score) => sum + score, 0) * (hits === words.length ? 2 : 1);
}

function inName(word: string, nameWords: readonly string[]): number {
  if (nameWords.includes(word)) return WEIGHTS.name;
  if (nameWords.some((one) => one.startsWith(word))) return WEIGHTS.namePrefix;
  if (word.length > 2 && nameWords.some((one) => one.includes(word))) return WEIGHTS.nameInside;
  return nameWords.some((one) => isMisspelt(word, one)) ? WEIGHTS.nameTypo : 0;
}

function inAbout(word: string, aboutWords: readonly string[]): number {
  if (aboutWords.includes(word)) return WEIGHTS.about;
  return word.length > 2 && aboutWords.some((one) => one.startsWith(word)) ? WEIGHTS.aboutPrefix : 0;
}

/** One slip in a short word, two in a long one. */
function isMisspelt(word: string, meant: string): boolean {
  const slips = Math.min(word.length, meant.length) >= 8 ? 2 : 1;
  if (Math.min(word.length, meant.length) < 4 || Math.abs(word.length - meant.length) > slips) return false;
  return distance(word, meant) <= slips;
}

/** Insertions, deletions, replacements, and two neighbours that changed places. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) row.push(Math.min(...waysTo(rows, { i, j, a, b })));
  }
  return rows[a.length]?.[b.length] ?? 0;
}

function waysTo(rows: readonly number[][], { i, j, a, b }: { i: number; j: number; a: string; b: string }): number[] {
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  const isSame = a[i - 1] === b[j - 1];
  const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  const single = [at(i, j - 1) + 1, at(i - 1, j) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)];
  return isSwapped ? [...single, at(i - 2, j - 2) + 1] : single;
}
