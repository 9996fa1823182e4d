/**
 * Text of agents, tools, files and other people, made safe for a terminal: nothing in it moves the cursor, colours,
 * hides or reorders what stands around it, and what cannot be seen is shown by its number: `‹U+202E›`.
 */
import { hiddenMark } from "../../protocol/text/hidden-characters.ts";

/**
 * Commands to the cursor and the colours. Of longer sequences (titles, clipboard, links) only the character that opens
 * them is taken: their text stays for the reader, who would otherwise sign what they cannot see.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this file is about
const CURSOR_COMMANDS = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/gu;

/** Emoji may be joined and coloured by characters that are otherwise hidden. */
const EMOJI_JOINT = /(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;
const EMOJI_STYLE = /(?<=[\p{Extended_Pictographic}#*0-9])[\ufe0e\ufe0f]/gu;

const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- the same; and they are meant one by one
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2800]|\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/gu;

/** More marks on one letter than any script writes: a tower that covers the lines around it. */
const TOWER = /(\p{M}{4})\p{M}+/gu;

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const WORD = /[\p{L}\p{Nl}\p{Nd}]+/gu;
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

const BLANK_LINES_MAX = 1;
const KEEP = "\ue000"; // stands in for an emoji's joint while hidden characters are looked for; private use, so never in the result
const KEEP_STYLE = "\ue001";

/** One or more lines. Line breaks stay, long runs of blank lines do not. */
export function sanitise(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll(/[\ue000\ue001]/g, (character) => numbered(character))
    .replace(CURSOR_COMMANDS, "␛")
    .replace(EMOJI_JOINT, KEEP)
    .replace(EMOJI_STYLE, KEEP_STYLE)
    .replaceAll("\t", "    ")
    .replace(HIDDEN, (character) => (character === KEEP || character === KEEP_STYLE ? character : numbered(character)))
    .replaceAll(KEEP, "\u200d")
    .replaceAll(KEEP_STYLE, "\ufe0f")
    .replace(TOWER, "$1⟨…⟩")
    .replace(new RegExp(`\\n(?:[ ]*\\n){${BLANK_LINES_MAX + 1},}`, "g"), "\n\n")
    .split("\n")
    .map(revealLookAlikes)
    .join("\n");
}

/** One line, for titles and lists. */
export const sanitiseLine = (text: string): string =>
  sanitise(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();

/** `gіt` with a Cyrillic і, `ｒｍ` in wide letters: what reads as a Latin word and is none. */
function revealLookAlikes(line: string): string {
  // oxlint-disable-next-line no-control-regex -- everything beyond ASCII
  if (/^[\u0000-\u007f]*$/.test(line)) return line;
  const mixed = line.replace(WORD, (word) => (/[A-Za-z]/.test(word) ? word.replace(LOOK_ALIKE, numbered) : word));
  if (EAST_ASIAN.test(mixed)) return mixed; // wide forms are ordinary letters and commas there
  return mixed.replace(/[\u{ff01}-\u{ff5e}\u{2160}-\u{217f}\u{1d400}-\u{1d7ff}]/gu, numbered);
}

function numbered(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return "␡";
  if (point === 0xa0) return "⍽";
  return hiddenMark(character);
}
