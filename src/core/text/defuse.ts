/**
 * Envelopes are the server's own voice to the agent: `[PLAN_DECISION]…[/PLAN_DECISION]`. Text from people, agents,
 * tools or files that is placed inside one must not be able to close it or to open another, in any letter case, with
 * look-alike or invisible characters, or with a bracket written in some escape. Such brackets become round ones; all
 * other text stays as it was written.
 */
import { foldCharacter, skeleton } from "./fold-look-alikes.ts";
import { firstChars, oneLine, revealHidden } from "./reveal-hidden.ts";

/** Every marker that this house, or a plugin of its family, puts before the agent. */
const MARKERS = [
  "PLAN_DECISION",
  "PLAN_COMPLETE",
  "PLAN_MODE",
  "PLAN_STATUS",
  "PLAN_NUDGE",
  "PLAN_YIELD",
  "QUESTION_ANSWER",
  "SUBAGENT_RETURN",
  "PLUGIN_MESSAGE",
  "CONVERSATION_SUMMARY",
  "TURN_CONTINUE",
  "CALLER_LOST",
  "SCHEDULED_TURN",
  "SCHEDULE_RESULT",
  "SYSTEM",
  "Your active plan",
].map(skeleton);

/** `[PLAN_ANYTHING` too: a marker that a later version or a plugin adds is no less a marker. */
const FAMILY_NAMES = ["plan", "question", "subagent", "plugin"].map(skeleton);
const FAMILY = new RegExp(`^(?:${FAMILY_NAMES.join("|")})[_\\-‐-―﹍-﹏＿]+\\p{L}`, "u");

const MARKER_CHARS_MAX = 96; // how far behind a bracket its name may stand, spaces and slashes included
const MARKER_START_CHARS_MIN = 4; // a text that ends in less of a marker than this completes none

/** A bracket, or one of the ways to write one. Compared against folded text, where 1, l and | are all "i". */
const OPENERS = ["\\[", "\\x5b", "\\u005b", "\\u{5b}", "&#91;", "&#x5b;", "&lbrack;", "&lsqb;", "%5b", "["];
const CLOSERS = ["\\]", "\\x5d", "\\u005d", "\\u{5d}", "&#93;", "&#x5d;", "&rbrack;", "&rsqb;", "%5d", "]"];
const OPENER = new RegExp(OPENERS.map(foldedPattern).join("|"), "gu");
const CLOSER = new RegExp(CLOSERS.map(foldedPattern).join("|"), "gu");

type Folded = {
  text: string;
  /** For each character of `text`, where its original begins and ends. */
  starts: number[];
  ends: number[];
};

/** Plain text with nothing in it that could be a bracket, an escape of one, or a special token: most of what is written. */
const HARMLESS = /^[\t\n !-$'-;=?-Z^-z~]*$/;

/** A person's or an agent's text, safe inside an envelope. */
export function defuse(text: string): string {
  if (HARMLESS.test(text)) return text;
  const folded = foldText(text);
  const openers = [...folded.text.matchAll(OPENER)];
  const letters = lettersBehind(folded.text, openers);
  const cuts = openers
    .filter((opener) => opensMarker(folded.text, letters, opener.index + opener[0].length))
    .flatMap((opener) => markerCuts(folded, opener));
  const opened = applyCuts(text, cuts);
  return revealHidden(opened)
    .replace(/<(?=\|)|<(?=\/?\s*system[-_ ]?reminder)/gi, "< ")
    .replace(/(?<=\|)>/g, " >");
}

/** In one line, for titles and names. */
export const defuseLine = (text: string, charsMax: number): string => oneLine(defuse(firstChars(text, charsMax)));

/** Showing hidden characters makes a text longer; a quotation stays well below what an injection may hold. */
const QUOTE_CHARS_MAX = 24_000;

/** As a quotation: each line marked, so that none can pass for a line of the envelope itself. */
export function quoted(text: string): string {
  const lines = defuse(text)
    .trim()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
  return lines.length <= QUOTE_CHARS_MAX ? lines : `${firstChars(lines, QUOTE_CHARS_MAX)}\n(the rest was cut)`;
}

/** The letters and digits near brackets, found once for all of them: one bracket then costs a few comparisons. */
type Letters = {
  text: string;
  /** Where each of them stands. */
  at: number[];
  /** For the place behind each bracket, how many letters were found before it. */
  before: Map<number, number>;
};

function lettersBehind(folded: string, openers: readonly RegExpExecArray[]): Letters {
  const letters: Letters = { text: "", at: [], before: new Map() };
  let done = 0;
  const read = (to: number): void => {
    for (const character of folded.slice(done, to)) {
      if (isLetterOrDigit(character)) {
        for (let unit = 0; unit < character.length; unit++) letters.at.push(done + unit);
        letters.text += character;
      }
      done += character.length;
    }
  };
  let end = 0;
  for (const opener of openers) {
    const from = opener.index + opener[0].length;
    read(Math.min(end, from));
    done = Math.max(done, from); // nothing in between is near a bracket
    letters.before.set(from, letters.at.length);
    end = from + MARKER_CHARS_MAX;
  }
  read(Math.min(end, folded.length));
  return letters;
}

const LETTERS = new Map<string, boolean>();

function isLetterOrDigit(character: string): boolean {
  const known = LETTERS.get(character);
  if (known !== undefined) return known;
  const isLetter = /[\p{L}\p{N}]/u.test(character);
  if (LETTERS.size < KEPT_MAX) LETTERS.set(character, isLetter);
  return isLetter;
}

function opensMarker(folded: string, letters: Letters, from: number): boolean {
  const end = from + MARKER_CHARS_MAX;
  const first = letters.before.get(from) ?? letters.at.length;
  const isNear = (marker: string): boolean => (letters.at[first + marker.length - 1] ?? end) < end;
  const begins = (marker: string): boolean => letters.text.startsWith(marker, first) && isNear(marker);
  if (MARKERS.some(begins)) return true;
  if (FAMILY_NAMES.some(begins) && FAMILY.test(folded.slice(letters.at[first], end))) return true;
  if (folded.length > end) return false;
  const name = letters.text.slice(first);
  return name.length >= MARKER_START_CHARS_MIN && MARKERS.some((marker) => marker.startsWith(name));
}

type Cut = { from: number; to: number; put: string };

function markerCuts(folded: Folded, opener: RegExpExecArray): Cut[] {
  const from = opener.index + opener[0].length;
  const closer = [...folded.text.slice(from, from + MARKER_CHARS_MAX).matchAll(CLOSER)][0];
  const cuts = [cutAt(folded, { index: opener.index, length: opener[0].length, put: "(" })];
  if (closer !== undefined)
    cuts.push(cutAt(folded, { index: from + closer.index, length: closer[0].length, put: ")" }));
  return cuts;
}

function cutAt(folded: Folded, { index, length, put }: { index: number; length: number; put: string }): Cut {
  return { from: folded.starts[index] ?? 0, to: folded.ends[index + length - 1] ?? 0, put };
}

function applyCuts(text: string, cuts: readonly Cut[]): string {
  let done = 0;
  let out = "";
  for (const cut of cuts.toSorted((a, b) => a.from - b.from)) {
    if (cut.from < done) continue; // two markers that share a bracket
    out += text.slice(done, cut.from) + cut.put;
    done = cut.to;
  }
  return out + text.slice(done);
}

function foldText(text: string): Folded {
  const folded: Folded = { text: "", starts: [], ends: [] };
  let at = 0;
  for (const character of text) {
    const plain = foldedCharacter(character);
    for (let unit = 0; unit < plain.length; unit++) {
      folded.starts.push(at);
      folded.ends.push(at + character.length);
    }
    folded.text += plain;
    at += character.length;
  }
  return folded;
}

const KEPT_MAX = 4_096;
const KEPT = new Map<string, string>();

function foldedCharacter(character: string): string {
  const known = KEPT.get(character);
  if (known !== undefined) return known;
  const folded = asBracket(foldCharacter(character));
  if (KEPT.size < KEPT_MAX) KEPT.set(character, folded); // texts repeat their characters
  return folded;
}

/** Any opening or closing sign that is not round, curly or a quotation mark may be read as a square bracket. */
function asBracket(plain: string): string {
  return plain.replace(/(?![({‚„])\p{Ps}|[⎡⎢⎣]/gu, "[").replace(/(?![)}])\p{Pe}|[⎤⎥⎦]/gu, "]");
}

function foldedPattern(written: string): string {
  return asBracket(Array.from(written).map(foldCharacter).join("")).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
