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
  "PLUGIN_MESSAGE",
  "SCHEDULED_TURN",
  "SCHEDULE_RESULT",
  "SYSTEM",
  "Your active plan",
].map(skeleton);

/** `[PLAN_ANYTHING` too: a marker that a later version or a plugin adds is no less a marker. */
const FAMILY = new RegExp(
  `^(?:${["plan", "question", "subagent", "plugin"].map(skeleton).join("|")})[_\\-‐-―﹍-﹏＿]+\\p{L}`,
  "u",
);

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
  const cuts = [...folded.text.matchAll(OPENER)]
    .filter((opener) => opensMarker(folded.text, opener.index + opener[0].length))
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

function opensMarker(folded: string, from: number): boolean {
  const behind = folded.slice(from, from + MARKER_CHARS_MAX);
  const name = behind.replace(/[^\p{L}\p{N}]/gu, "");
  if (MARKERS.some((marker) => name.startsWith(marker))) return true;
  if (FAMILY.test(behind.replace(/^[^\p{L}\p{N}]+/u, ""))) return true;
  const isTail = folded.length <= from + MARKER_CHARS_MAX;
  return isTail && name.length >= MARKER_START_CHARS_MIN && MARKERS.some((marker) => marker.startsWith(name));
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
