/** What a reader cannot see must not decide what he reads: invisible, reordering and control characters are shown. */

/** Format, control, private and unassigned characters, lone surrogates, blank letters; line break and tab stay. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|[\u2028\u2029\u2800]|(?![\n\t])\p{Cc}/gu;

/** Inside emoji these two only join or colour pictures. */
const EMOJI_JOINT = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;
const EMOJI_COLOUR = /(?<=\p{Emoji})\uFE0F/gu;

/** Nothing in it could be hidden: most of what is written, and told much faster than the rest. */
const PLAIN = /^[\t\n -~]*$/;

/** Every hidden character as ‹U+200B›; Windows line ends become plain ones; emoji stay whole. */
export function revealHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  const kept = new Set<number>();
  for (const pattern of [EMOJI_JOINT, EMOJI_COLOUR]) {
    for (const match of text.matchAll(pattern)) kept.add(match.index);
  }
  return text
    .replace(HIDDEN, (hidden, at: number) => (kept.has(at) || isLineEnd(text, at) ? hidden : codePointName(hidden)))
    .replaceAll("\r\n", "\n");
}

const isLineEnd = (text: string, at: number): boolean => text.startsWith("\r\n", at);

function codePointName(hidden: string): string {
  const hex = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `‹U+${hex.padStart(4, "0")}›`;
}

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
