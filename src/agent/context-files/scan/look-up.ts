/** The lexicons of all languages as one table: word → ideas, beginnings → ideas, first word → phrases. */
import { skeleton } from "../../../plugins/sdk.ts";
import { type Concept, CONCEPTS, type Lexicon } from "./concept.ts";
import { foldWord } from "./fold-word.ts";
import { LEXICONS } from "./lexicons.ts";

export type Tag = { concept: Concept; languages: number };
/** `rest`: what follows the first word; `~` lets words stand between. */
export type Phrase = { rest: readonly string[]; tag: Tag };
/** `word` as it is compared. */
export type Entry = { word: string; tags: readonly Tag[]; phrases: readonly Phrase[] };
type Piece = { piece: string; tag: Tag };
type Row = { tags: Tag[]; phrases: Phrase[] };
type Tables = {
  exact: Map<string, Row>;
  beginnings: Map<string, Row>;
  disguised: Map<string, Row>;
  /** From the skeleton of an English word to the word. */
  plain: Map<string, string>;
  pieces: Map<string, Piece[]>;
};

const LANGUAGES: readonly string[] = Object.keys(LEXICONS).filter((name) => name !== "any");
const ALL_LANGUAGES: number = 2 ** LANGUAGES.length - 1;
export const bitOf = (language: string): number => 1 << LANGUAGES.indexOf(language);
/** Both writings of Chinese are one language here: texts mix them. */
export const CHINESE_BITS: number = bitOf("zh-CN") | bitOf("zh-TW");
export const ENGLISH_BIT: number = bitOf("en");

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const BEGINNING_CHARS_MIN = 1;
const BEGINNING_CHARS_MAX = 16;
export const NOTHING: Entry = { word: "", tags: [], phrases: [] };
const NO_PIECES: readonly Piece[] = [];

let made: Tables | undefined;

/** Made at the first scan: a gateway that has no files to scan does not wait for it. */
function tables(): Tables {
  made ??= makeTables();
  return made;
}

function bitsOf(language: string): number {
  if (language === "any") return ALL_LANGUAGES;
  return (bitOf(language) & CHINESE_BITS) === 0 ? bitOf(language) : CHINESE_BITS;
}

function makeTables(): Tables {
  const all: Tables = {
    exact: new Map(),
    beginnings: new Map(),
    disguised: new Map(),
    plain: new Map(),
    pieces: new Map(),
  };
  for (const [language, lexicon] of Object.entries<Lexicon>(LEXICONS)) {
    const languages = bitsOf(language);
    for (const concept of CONCEPTS) {
      for (const entry of lexicon[concept]?.split("|") ?? []) add(all, entry.trim(), { concept, languages });
    }
  }
  return all;
}

function add(all: Tables, entry: string, tag: Tag): void {
  if (entry === "") return;
  if (WITHOUT_SPACES.test(entry)) {
    const first = entry.charAt(0);
    const pieces = all.pieces.get(first) ?? [];
    pieces.push({ piece: entry, tag });
    all.pieces.set(first, pieces);
    return;
  }
  const [first = "", ...rest] = entry.split(" ").map((part) => (part === "~" ? part : foldPart(part)));
  const isBeginning = first.endsWith("*");
  const key = isBeginning ? first.slice(0, -1) : first;
  put(isBeginning ? all.beginnings : all.exact, key, { rest, tag });
  if ((tag.languages & ENGLISH_BIT) === 0) return;
  put(all.disguised, skeleton(key), { rest, tag }); // English is what is disguised
  for (const part of [key, ...rest]) all.plain.set(skeleton(part), part.replace("*", ""));
}

const foldPart = (part: string): string => (part.endsWith("*") ? `${foldWord(part.slice(0, -1))}*` : foldWord(part));

function put(table: Map<string, Row>, key: string, { rest, tag }: Phrase): void {
  const row = table.get(key) ?? { tags: [], phrases: [] };
  table.set(key, row);
  if (rest.length > 0) {
    row.phrases.push({ rest, tag });
    return;
  }
  const same = row.tags.find(({ concept }) => concept === tag.concept);
  if (same === undefined) row.tags.push({ ...tag });
  else same.languages |= tag.languages;
}

/** What a folded word may mean. A word that only stands inside phrases is kept for them. */
export function lookUp(word: string): Entry {
  const { exact, beginnings } = tables();
  const rows = [exact.get(word)];
  for (let chars = BEGINNING_CHARS_MIN; chars <= Math.min(word.length, BEGINNING_CHARS_MAX); chars += 1)
    rows.push(beginnings.get(word.slice(0, chars)));
  return joined(word, rows);
}

function joined(word: string, rows: readonly (Row | undefined)[]): Entry {
  const found = rows.filter((row) => row !== undefined);
  return { word, tags: found.flatMap(({ tags }) => tags), phrases: found.flatMap(({ phrases }) => phrases) };
}

/** For words with look-alike or hidden letters, by their skeleton. */
export function lookUpDisguised(bare: string): Entry {
  const { disguised, plain } = tables();
  return joined(plain.get(bare) ?? bare, [disguised.get(bare)]);
}

export const piecesFrom = (character: string): readonly Piece[] => tables().pieces.get(character) ?? NO_PIECES;
