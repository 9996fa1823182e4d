/** Texts as people and agents may read them: what cannot be seen is shown, and one line stays one line. */
import { showHidden } from "../../protocol/text/hidden-characters.ts";

/** Format, control, private and unassigned characters, lone surrogates, blank letters; line break and tab stay. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|[\u2028\u2029\u2800]|(?![\n\t])\p{Cc}/gu;

/** Every hidden character as ‹U+200B›; Windows line ends become plain ones; emoji stay whole. */
export const revealHidden = (text: string): string => showHidden(text).replaceAll("\r\n", "\n");

/** Whether a reader would see nothing at all. */
export const isBlank = (text: string): boolean => text.replace(HIDDEN, "").trim() === "";

/** For places that are one line by format: breaks become spaces, the rest is shown. */
export const oneLine = (text: string): string => revealHidden(text).replace(/\s+/gu, " ").trim();

/** The first characters of a text, never half of a pair. */
export function firstChars(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
