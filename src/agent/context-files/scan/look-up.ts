/** The lexicons of all languages as one table: word → ideas, beginnings → ideas, first word → phrases. */
import { skeleton } from "../../../plugins/sdk.ts";
import { type Concept, CONCEPTS } from "./concept.ts";
import { foldWord } from "./fold-word.ts";
import { LEXICONS } from "./lexicons.ts";

export type Tag = { concept: Concept; languages: number };
/** A word behind the first: `begins` where it is only the beginning of one, `isFar` where words may stand before it. */
export type Part = { word: string; begins: boolean; isFar: boolean };
/** `rest`: what follows the first word. */
export type Phrase = { rest: readonly Part[]; tag: Tag };
/** `word` as it is compared. */
export type Entry = { word: string; tags: readonly Tag[]; phrases: Phrases };
/** By the word that must come next, each with its place in the whole list; `far`: those that need no certain one. */
export type Phrases = { near: ReadonlyMap<string, readonly Placed[]>; far: readonly Placed[] };
type Placed = { place: number; phrase: Phrase };
type Piece = { piece: string; tag: Tag };
type Row = { tags: Tag[]; phrases: Phrase[] };
/** What begins with one word, as the lexicons write it: most of it is never looked at, so it is read when its word is. */
type Unread = { entries: string[]; tags: Tag[]; row?: Row };
type Words = { exact: Map<string, Unread>; beginnings: Map<string, Unread> };
type Disguised = {
  rows: Map<string, Row>;
  /** From the skeleton of an English word to the word. */
  plain: Map<string, string>;
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
export const NO_PHRASES: Phrases = { near: new Map(), far: [] };
export const NOTHING: Entry = { word: "", tags: [], phrases: NO_PHRASES };
const NO_PIECES: readonly Piece[] = [];

/** Each is made when the first word needs it: most texts hold neither other scripts nor disguises. */
const latinWords = once(() => wordsWhere(isLatin));
const otherWords = once(() => wordsWhere((word) => !isLatin(word)));
const pieces = once(makePieces);
const disguised = once(makeDisguised);

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** By its first letter, which a word and its entry have in common. */
const isLatin = (word: string): boolean => word.charCodeAt(0) < 0x250 || LATIN_BEHIND.test(word);
const LATIN_BEHIND = /^[\u1E00-\u1EFF]/;

function bitsOf(language: string): number {
  if (language === "any") return ALL_LANGUAGES;
  return (bitOf(language) & CHINESE_BITS) === 0 ? bitOf(language) : CHINESE_BITS;
}

const LANGUAGES_AND_ANY: readonly string[] = Object.keys(LEXICONS);
/** Folding changes nothing of it. */
const IS_FOLDED = /^[a-z0-9 ~*|-]*$/;

type List = { entries: readonly string[]; tag: Tag; isFolded: boolean; hasPieces: boolean };

function lists(of: readonly string[]): List[] {
  return of.flatMap((language) => {
    const languages = bitsOf(language);
    return CONCEPTS.flatMap((concept): List[] => {
      const list = LEXICONS[language]?.[concept];
      if (list === undefined) return [];
      const isFolded = IS_FOLDED.test(list);
      const entries = list.split("|").map((entry) => entry.trim());
      return [{ entries, tag: { concept, languages }, isFolded, hasPieces: !isFolded && WITHOUT_SPACES.test(list) }];
    });
  });
}

function wordsWhere(isWanted: (entry: string) => boolean): Words {
  const words: Words = { exact: new Map(), beginnings: new Map() };
  for (const { entries, tag, isFolded, hasPieces } of lists(LANGUAGES_AND_ANY)) {
    for (const entry of entries) {
      if (entry === "" || !isWanted(entry) || (hasPieces && WITHOUT_SPACES.test(entry))) continue;
      const space = entry.indexOf(" ");
      const first = space < 0 ? entry : entry.slice(0, space);
      const bare = withoutStar(first);
      const key = isFolded ? bare : foldWord(bare);
      const table = bare === first ? words.exact : words.beginnings;
      const same = table.get(key);
      if (same === undefined) table.set(key, { entries: [entry], tags: [tag] });
      else {
        same.entries.push(entry);
        same.tags.push(tag);
      }
    }
  }
  return words;
}

function rowOf(unread: Unread | undefined): Row | undefined {
  if (unread === undefined || unread.row !== undefined) return unread?.row;
  const row: Row = { tags: [], phrases: [] };
  for (const [at, tag] of unread.tags.entries()) put(row, { rest: partsOf(unread.entries[at] ?? "").rest, tag });
  unread.row = row;
  return row;
}

/** English is what is disguised; what all languages borrow is English, too. */
function makeDisguised(): Disguised {
  const all: Disguised = { rows: new Map(), plain: new Map() };
  for (const { entries, tag, hasPieces } of lists(["en", "any"])) {
    for (const entry of entries) {
      if (entry === "" || (hasPieces && WITHOUT_SPACES.test(entry))) continue;
      const { key, rest } = partsOf(entry);
      const bare = skeleton(key);
      const row = all.rows.get(bare) ?? { tags: [], phrases: [] };
      all.rows.set(bare, row);
      put(row, { rest, tag });
      all.plain.set(bare, key);
      for (const { word } of rest) all.plain.set(skeleton(word), word);
    }
  }
  return all;
}

function makePieces(): Map<string, Piece[]> {
  const all = new Map<string, Piece[]>();
  for (const { entries, tag, hasPieces } of lists(LANGUAGES_AND_ANY)) {
    if (!hasPieces) continue;
    for (const piece of entries) {
      if (!WITHOUT_SPACES.test(piece)) continue;
      const first = piece.charAt(0);
      const same = all.get(first);
      if (same === undefined) all.set(first, [{ piece, tag }]);
      else same.push({ piece, tag });
    }
  }
  return all;
}

function partsOf(entry: string): { key: string; rest: Part[] } {
  const [first = "", ...others] = entry.split(" ");
  const rest: Part[] = [];
  let isFar = false;
  for (const part of others) {
    if (part !== "~") rest.push({ word: foldWord(withoutStar(part)), begins: part.endsWith("*"), isFar });
    isFar = part === "~";
  }
  return { key: foldWord(withoutStar(first)), rest };
}

const withoutStar = (part: string): string => (part.endsWith("*") ? part.slice(0, -1) : part);

function put(row: Row, { rest, tag }: Phrase): void {
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
  const { exact, beginnings } = isLatin(word) ? latinWords() : otherWords();
  const rows = [rowOf(exact.get(word))];
  for (let chars = BEGINNING_CHARS_MIN; chars <= Math.min(word.length, BEGINNING_CHARS_MAX); chars += 1)
    rows.push(rowOf(beginnings.get(word.slice(0, chars))));
  return joined(word, rows);
}

function joined(word: string, rows: readonly (Row | undefined)[]): Entry {
  const found = rows.filter((row) => row !== undefined);
  return { word, tags: found.flatMap(({ tags }) => tags), phrases: byNext(found.flatMap(({ phrases }) => phrases)) };
}

function byNext(phrases: readonly Phrase[]): Phrases {
  if (phrases.length === 0) return NO_PHRASES;
  const near = new Map<string, Placed[]>();
  const far: Placed[] = [];
  for (const [place, phrase] of phrases.entries()) {
    const [next] = phrase.rest;
    const isNear = next !== undefined && !next.begins && !next.isFar;
    const same = isNear ? near.get(next.word) : far;
    if (same === undefined) near.set(next?.word ?? "", [{ place, phrase }]);
    else same.push({ place, phrase });
  }
  return { near, far };
}

const NONE: readonly Placed[] = [];

/** Those that may begin where this word comes next, in the order of the lexicons. */
export function phrasesBefore({ near, far }: Phrases, next: string | undefined): readonly Placed[] {
  const wanted = (next === undefined ? undefined : near.get(next)) ?? NONE;
  if (wanted.length === 0) return far;
  return far.length === 0 ? wanted : [...wanted, ...far].toSorted((a, b) => a.place - b.place);
}

/** For words with look-alike or hidden letters, by their skeleton. */
export function lookUpDisguised(bare: string): Entry {
  const { rows, plain } = disguised();
  return joined(plain.get(bare) ?? bare, [rows.get(bare)]);
}

export const piecesFrom = (character: string): readonly Piece[] => pieces().get(character) ?? NO_PIECES;
