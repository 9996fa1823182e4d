/** Checks on the raw text, before any parser sees it: what people and parsers could read differently is refused. */
import { shellRefusal } from "../verdict.ts";
import type { ShellRefusal } from "../verdict.ts";

export const COMMAND_LENGTH_MAX = 8_000;

// Only tab and newline separate words the way everybody expects.
// oxlint-disable-next-line no-control-regex -- control characters are the subject
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;

// Odd spaces, zero-width and direction marks, fillers, tags, and variation selectors other than the emoji one.
const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0x00a0, 0x00a0],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffc],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const firstInvisible = (text: string): string | undefined => {
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point > 0x7f && INVISIBLE_RANGES.some(([from, to]) => point >= from && point <= to)) return character;
  }
  return undefined;
};

const LONE_SURROGATE = /\p{Surrogate}/u;
const ASCII_ONLY = /^[\t\n\u0020-\u007e]*$/;
const SHELL_CHARACTER = /[\s;&|<>()$`"'\\*?[\]{}~#!=^-]/u;

const hidesShellCharacter = (text: string): boolean => {
  for (const character of text) {
    if (character < "\u0080") continue;
    if (SHELL_CHARACTER.test(character.normalize("NFKC"))) return true;
  }
  return false;
};

const show = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

export const guardText = (command: unknown): ShellRefusal | undefined => {
  if (typeof command !== "string" || command.trim() === "") return shellRefusal("empty", "");
  if (command.length > COMMAND_LENGTH_MAX) return shellRefusal("too-long", `${command.length} characters`);
  if (ASCII_ONLY.test(command)) return undefined;
  const control = CONTROL.exec(command);
  if (control !== null) return shellRefusal("control-character", show(control[0]));
  const invisible = firstInvisible(command);
  if (invisible !== undefined) return shellRefusal("invisible-character", show(invisible));
  if (LONE_SURROGATE.test(command)) return shellRefusal("invisible-character", "lone surrogate");
  if (hidesShellCharacter(command)) return shellRefusal("look-alike-character", command);
  return undefined;
};

/** The same rule for text that quoting decodes (`$'\x00'`), where the raw text looked harmless. */
export const decodedIsClean = (value: string): boolean =>
  !CONTROL.test(value) && firstInvisible(value) === undefined && !LONE_SURROGATE.test(value);
