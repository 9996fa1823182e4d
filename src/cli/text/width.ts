/** How many columns a text takes on a terminal, and cutting it there. For text that has been sanitised. */

let segmenter: Intl.Segmenter | undefined;

/** Made for the first text that needs it: it reads tables from disk, and most commands print plain ASCII. */
const graphemes = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
};

// oxlint-disable-next-line no-control-regex -- plain ASCII, where a character is a column
const PLAIN = /^[\u0000-\u007e]*$/;
const ZERO = /^(?:\p{M}|\p{Default_Ignorable_Code_Point})/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\ufe0f|^\p{Regional_Indicator}{2}/u;

/** East Asian Wide and Fullwidth (Unicode, UAX 11), as ranges. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18aff],
  [0x1b000, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

export function width(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += graphemeWidth(segment);
  return columns;
}

function graphemeWidth(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

/** The beginning of a text that fits, and the rest. At least one character is taken, so that a loop over it ends. */
export function split(text: string, columns: number): { head: string; tail: string } {
  let used = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > columns && index > 0) break;
    end = index + segment.length;
  }
  return { head: text.slice(0, end), tail: text.slice(end) };
}

/** Cut with an ellipsis where it does not fit; for labels, never for what a person signs. */
export function clip(text: string, columns: number): string {
  return width(text) <= columns ? text : `${split(text, Math.max(columns - 1, 1)).head}…`;
}

export const padEnd = (text: string, columns: number): string => text + " ".repeat(Math.max(columns - width(text), 0));
