/** Finds the ideas in a sentence: its words are looked up once, whatever the number of languages and rules. */
import { skeleton } from "../../../plugins/sdk.ts";
import type { Concept } from "./concept.ts";
import { foldWord } from "./fold-word.ts";
import {
  bitOf,
  CHINESE_BITS,
  type Entry,
  lookUp,
  lookUpDisguised,
  NO_PHRASES,
  NOTHING,
  type Part,
  phrasesBefore,
  piecesFrom,
} from "./look-up.ts";

/** Longer sentences are none: lists without punctuation, minified text. They are judged in pieces. */
const SENTENCE_WORDS_MAX = 80;
const PHRASE_GAP_WORDS_MAX = 3;

/** `at` and `end` count words; two characters of a writing without spaces count as one. */
export type Hit = { concept: Concept; languages: number; at: number; end: number };
/** `apart`: behind a gap that is wider than one space. */
export type Word = { text: string; at: number; startsClause: boolean; apart: boolean };
export type TaggedSentence = { words: readonly Word[]; hits: readonly Hit[] };

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

const JAPANESE_BIT = bitOf("ja");
const PLAIN = /^[\t\n -~]*$/;
const PLAIN_WORDS = /[A-Za-z0-9]+(?:'[A-Za-z]+)?/g;
const RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[\p{L}\p{N}\p{M}\p{Cf}@$]+(?:['’ʼ][\p{L}\p{M}]+)?/gu;
const CLAUSE_BREAK = /[,;:(–—、，；：（]|\s-\s/;

/** The pieces of one sentence, each with its words and the ideas in them. */
export function tagSentence(text: string): TaggedSentence[] {
  const words = wordsOf(text);
  const pieces: TaggedSentence[] = [];
  for (let from = 0; from < words.length; from += SENTENCE_WORDS_MAX) {
    const some = words.slice(from, from + SENTENCE_WORDS_MAX);
    const hits = inOwnWriting(text, hitsOf(some));
    if (hits.length > 0) pieces.push({ words: some, hits });
  }
  return pieces;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Japanese and Chinese share characters: with kana it is Japanese, without it is not. */
function inOwnWriting(text: string, hits: Hit[]): Hit[] {
  if (PLAIN.test(text)) return hits;
  const others = KANA.test(text) ? CHINESE_BITS : JAPANESE_BIT;
  return hits.flatMap((hit) => {
    const languages = hit.languages & ~others;
    return languages === 0 ? [] : [{ ...hit, languages }];
  });
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  let done = 0;
  for (const found of text.matchAll(PLAIN.test(text) ? PLAIN_WORDS : WORDS)) {
    const between = text.slice(done, found.index);
    const startsClause = words.length === 0 || CLAUSE_BREAK.test(between);
    words.push({ text: found[0], at, startsClause, apart: between.length > 1 && /\s{2}/.test(between) });
    done = found.index + found[0].length;
    at += isRun(found[0]) ? found[0].length / 2 : 1;
  }
  return spelledTogether(words);
}

const isRun = (word: string): boolean => word.charCodeAt(0) > 0x2fff && word.search(RUNS) === 0;

/** Letters that were spaced out are put together again: three single letters in a row are no words. */
function spelledTogether(words: Word[]): Word[] {
  if (!words.some((word, at) => word.text.length === 1 && words[at + 1]?.text.length === 1)) return words;
  const out: Word[] = [];
  let spelled: Word[] = [];
  const close = (): void => {
    const [first] = spelled;
    if (first !== undefined && spelled.length >= 4)
      out.push({ ...first, text: spelled.map(({ text }) => text).join("") });
    else out.push(...spelled);
    spelled = [];
  };
  for (const word of words) {
    if (word.apart) close();
    if (word.text.length === 1 && /[\p{L}\p{N}]/u.test(word.text) && !isRun(word.text)) spelled.push(word);
    else {
      close();
      out.push(word);
    }
  }
  close();
  return out.map((word, at) => ({ ...word, at }));
}

function hitsOf(words: readonly Word[]): Hit[] {
  const entries = words.map(({ text }) => entryOf(text));
  const hits: Hit[] = [];
  for (const [index, word] of words.entries()) {
    const entry = entries[index];
    if (entry === undefined || entry === NOTHING) continue;
    if (entry === A_RUN) {
      addRunHits(hits, word);
      continue;
    }
    for (const { concept, languages } of entry.tags) hits.push({ concept, languages, at: word.at, end: word.at + 1 });
    for (const { phrase } of phrasesBefore(entry.phrases, entries[index + 1]?.word)) {
      const { rest, tag } = phrase;
      const last = phraseEnd(rest, entries, index + 1);
      if (last !== undefined) hits.push({ ...tag, at: word.at, end: (words[last]?.at ?? word.at) + 1 });
    }
  }
  return hits;
}

const LEET = /[A-Za-z][0-9@$]|[0-9@$][A-Za-z]/;
const LATIN = /[A-Za-z]/;
const LOOK_ALIKE = /[\u0370-\u052F\u13A0-\u13FF\u2C80-\u2CFF]/;
const DISGUISED =
  /[\p{Cf}\uFF21-\uFF5A\u24B6-\u24E9\u2100-\u214F\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F189}\u{E0020}-\u{E007F}]/u;

/** Stands for a run of a writing without spaces, which is looked through piece by piece. */
const A_RUN: Entry = { word: "", tags: [], phrases: NO_PHRASES };
const KEPT_MAX = 20_000;
const KEPT = new Map<string, Entry>();

/** Texts repeat their words: each is looked up once. */
function entryOf(word: string): Entry {
  const known = KEPT.get(word);
  if (known !== undefined) return known;
  const entry = entryAnew(word);
  if (KEPT.size < KEPT_MAX) KEPT.set(word, entry);
  return entry;
}

function entryAnew(word: string): Entry {
  if (isRun(word)) return A_RUN;
  if (PLAIN.test(word)) return LEET.test(word) ? lookUpDisguised(skeleton(word)) : lookUp(foldWord(word));
  if (DISGUISED.test(word) || (LATIN.test(word) && LOOK_ALIKE.test(word))) return lookUpDisguised(skeleton(word));
  return lookUp(foldWord(word));
}

/** The index of the last word of a phrase whose other words follow from `from`. */
function phraseEnd(rest: readonly Part[], entries: readonly Entry[], from: number): number | undefined {
  let index = from;
  for (const { word, begins, isFar } of rest) {
    const limit = Math.min(entries.length, index + (isFar ? PHRASE_GAP_WORDS_MAX + 1 : 1));
    while (index < limit && !(begins ? entries[index]?.word.startsWith(word) : entries[index]?.word === word)) index++;
    if (index >= limit) return undefined;
    index += 1;
  }
  return index - 1;
}

/** Every piece that a run of characters holds. */
function addRunHits(hits: Hit[], { text, at }: Word): void {
  for (let index = 0; index < text.length; index += 1) {
    for (const { tag, piece } of piecesFrom(text.charAt(index))) {
      if (text.startsWith(piece, index))
        hits.push({ ...tag, at: at + index / 2, end: at + (index + piece.length) / 2 });
    }
  }
}

/** Whether an English word is where an order begins, or behind one that makes it an order. */
export function isOrder(words: readonly Word[], at: number): boolean {
  const start = words.findIndex((word) => word.at === at);
  for (let index = start; index > start - ORDER_WORDS_MAX; index -= 1) {
    const word = words[index];
    if (word === undefined || word.startsClause) return true;
    const before = plainAt(words, index - 1);
    if (!BETWEEN.has(before) || ORDERING.has(before)) return ordersNext(before, plainAt(words, index - 2));
  }
  return false;
}

const MODALS = wordSet("must should shall has have needs need can may will to");
const SUBJECT_WORDS_MAX = 6;

/** "A maintainer must approve all changes": somebody else is to do it, and not whoever reads. */
export function isAskedOfOthers(words: readonly Word[], at: number): boolean {
  const start = words.findIndex((word) => word.at === at);
  for (let index = start; index > 0 && index > start - SUBJECT_WORDS_MAX; index -= 1) {
    if (words[index]?.startsClause === true) return false;
    const subject = plainAt(words, index - 2);
    if (MODALS.has(plainAt(words, index - 1)) && !MODALS.has(subject))
      return index > 1 && !READERS.has(subject) && !ORDERING.has(subject) && words[index - 1]?.startsClause !== true;
  }
  return false;
}

const ORDER_WORDS_MAX = 4;
const plainAt = (words: readonly Word[], index: number): string => foldWord(words[index]?.text ?? "");

/** Whether a word, behind another, makes an order of what follows: "please", "you may", "required to". */
function ordersNext(word: string, before: string): boolean {
  if (ORDERING.has(word)) return true;
  if (ALLOWING.has(word)) return READERS.has(before);
  return word === "to" && TO_ORDERS.has(before);
}

const ORDERING = wordSet(
  "please must should shall and then or but so you agents assistants models lets kindly do never not dont also agent assistant model ai llm instead either now first immediately",
);
const ALLOWING = wordSet("can may will");
const READERS = wordSet("you we agents agent assistant assistants ai model models");
const TO_ORDERS = wordSet(
  "need needs have has required instructed allowed free want wants ordered told asked expected ok okay safe authorised authorized permitted supposed obliged directed here going you agent assistant important best",
);
const BETWEEN = wordSet(
  "just simply completely fully always hereby silently quietly secretly entirely totally automatically directly therefore immediately both still only ever",
);
