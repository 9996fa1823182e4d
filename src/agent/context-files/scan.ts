/**
 * Looks through text that will enter a prompt for attempts to take the agent over. A finding is no proof: the line is
 * quoted as data and a person is warned; the rest of the file stays as it is.
 */
import { defuse, firstChars, oneLine, revealHidden, skeleton } from "../../plugins/sdk.ts";
import { type FindingKind, PATTERN_RULES, WORD_RULES, type WordRule } from "./rules.ts";

export const FINDINGS_MAX = 50;
const EXCERPT_CHARS_MAX = 160;
/** Instructions are sometimes broken over lines; no rule is longer than this many lines. */
const WINDOW_LINES = 3;

/** `lines` are those that are to be quoted, counted from 1. */
export type Finding = { kind: FindingKind; lines: readonly number[]; excerpt: string };

export function scan(text: string): Finding[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const fold = createFold();
  const spoken = lines
    .map((line, at) => ({ n: at + 1, words: localizedTextOf(line, fold) }))
    .filter(({ words }) => words.length > 0);
  const findings = lines.flatMap((line, at) => lineKinds(line).map((kind) => found(kind, [at + 1], lines)));
  for (const at of spoken.keys()) {
    for (const { kind, count } of wordHits(spoken.slice(at, at + WINDOW_LINES))) {
      findings.push(found(kind, numbersOf(spoken.slice(at, at + count)), lines));
    }
    if (findings.length >= FINDINGS_MAX) break;
  }
  return findings.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0)).slice(0, FINDINGS_MAX);
}

/** A line with text. Empty lines between two of them do not hide a pattern. */
type Spoken = { n: number; words: readonly string[] };

/** From the first line to the last, those between them included. */
function numbersOf(window: readonly Spoken[]): number[] {
  const [first, last] = [window[0]?.n ?? 1, window.at(-1)?.n ?? 1];
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

function found(kind: FindingKind, numbers: readonly number[], lines: readonly string[]): Finding {
  const text = numbers.map((n) => lines[n - 1] ?? "").join(" ");
  return { kind, lines: numbers, excerpt: firstChars(oneLine(defuse(text)), EXCERPT_CHARS_MAX) };
}

/** Findings that one line gives by itself. */
function lineKinds(line: string): FindingKind[] {
  const kinds = new Set(PATTERN_RULES.filter(({ pattern }) => pattern.test(line)).map(({ kind }) => kind));
  const revealed = revealHidden(line);
  if (revealed !== line) kinds.add("hidden-text");
  // what defusing changes beyond hidden characters and special tokens is a bracket of a marker
  if (withoutTokens(defuse(line)) !== withoutTokens(revealed)) kinds.add("envelope");
  return [...kinds];
}

const withoutTokens = (text: string): string =>
  text
    .replace(/< ?\|/g, "<|")
    .replace(/\| ?>/g, "|>")
    .replace(/< ?(?=\/?\s*system)/gi, "<");

type Hit = { kind: FindingKind; count: number };

/** Rules that begin in the first of these lines; each is reported with as many lines as it takes, once. */
function wordHits(window: readonly Spoken[]): Hit[] {
  const begun = rulesBegunBy(window[0]?.words ?? []);
  if (begun.size === 0) return [];
  const said = window.map((_, at) => window.slice(0, at + 1).flatMap((line) => line.words));
  const hits = new Map<FindingKind, Hit>();
  for (const rule of WORD_RULES) {
    const starts = begun.get(rule);
    if (starts === undefined || hits.has(rule.kind)) continue;
    const count = said.findIndex((words) => starts.some((start) => follows(rule, words, start)));
    if (count >= 0) hits.set(rule.kind, { kind: rule.kind, count: count + 1 });
  }
  return [...hits.values()];
}

/** Few words begin a rule; asking each rule about each word would cost most of a scan. */
function rulesBegunBy(words: readonly string[]): ReadonlyMap<WordRule, number[]> {
  const begun = new Map<WordRule, number[]>();
  for (const [at, word] of words.entries()) {
    for (const rule of RULES_BY_FIRST_WORD.get(word) ?? []) {
      const starts = begun.get(rule);
      if (starts === undefined) begun.set(rule, [at]);
      else starts.push(at);
    }
  }
  return begun;
}

function follows({ words, gap }: WordRule, said: readonly string[], start: number): boolean {
  let place = start;
  for (const [index, choices] of foldedChoices(words).entries()) {
    const end = Math.min(said.length, place + (index === 0 ? 1 : gap + 1));
    while (place < end && !choices.has(said[place] ?? "")) place += 1;
    if (place >= end) return false;
    place += 1;
  }
  return true;
}

const FOLDED = new WeakMap<WordRule["words"], readonly ReadonlySet<string>[]>();

function foldedChoices(words: WordRule["words"]): readonly ReadonlySet<string>[] {
  const known = FOLDED.get(words);
  if (known !== undefined) return known;
  const folded = words.map((choices) => new Set(choices.map(skeleton)));
  FOLDED.set(words, folded);
  return folded;
}

const RULES_BY_FIRST_WORD = new Map<string, WordRule[]>();
for (const rule of WORD_RULES) {
  for (const word of foldedChoices(rule.words)[0] ?? [])
    RULES_BY_FIRST_WORD.set(word, [...(RULES_BY_FIRST_WORD.get(word) ?? []), rule]);
}

/** Folded words; letters that were spaced out are put together again, up to the wider gap between two words. */
function localizedTextOf(line: string, fold: Fold): string[] {
  const { gap, between } = PLAIN.test(line) ? PLAIN_SIGNS : SIGNS;
  const chunks = line.split(gap);
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return chunkWords(only.split(between), fold);
  return chunks.flatMap((chunk) => chunkWords(chunk.split(between), fold));
}

/** What separates chunks and words. In plain text the same signs are found without asking about all of Unicode. */
const PLAIN = /^[\t -~]*$/;
const SIGNS = { gap: /[\s\p{Z}]{2,}/u, between: /[^\p{L}\p{N}\p{M}\p{Cf}'’@$|!]+/u };
const PLAIN_SIGNS = { gap: /[\t ]{2,}/, between: /[^A-Za-z0-9'@$|!]+/ };

type Fold = (word: string) => string;

/** Texts repeat their words: each is folded once. */
function createFold(): Fold {
  const folded = new Map<string, string>();
  return (word) => {
    const known = folded.get(word) ?? skeleton(word);
    folded.set(word, known);
    return known;
  };
}

function chunkWords(parts: readonly string[], fold: Fold): string[] {
  const words: string[] = [];
  let spelled = "";
  for (const part of parts) {
    const folded = fold(part);
    if (folded.length <= 2 && Array.from(folded).length === 1) spelled += folded;
    else if (folded !== "") {
      if (spelled.length > 1) words.push(spelled);
      spelled = "";
      words.push(folded);
    }
  }
  return spelled.length > 1 ? [...words, spelled] : words;
}

/** The text with every line of a finding quoted as data, so that it cannot be read as guidance. */
export function quotedAsData(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  const marked = new Map<number, Set<FindingKind>>();
  for (const { kind, lines } of findings) {
    for (const line of lines) marked.set(line, (marked.get(line) ?? new Set()).add(kind));
  }
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line, at) => {
      const kinds = marked.get(at + 1);
      return kinds === undefined
        ? line
        : `> (quoted as data: ${[...kinds].join(", ")}) ${JSON.stringify(revealHidden(line))}`;
    })
    .join("\n");
}
