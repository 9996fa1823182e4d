/** How much room words take. Nothing is measured, so that a drawing is the same wherever it is made; rather too wide. */
import { shape, type SvgShape } from "./svg-tree.ts";

export const LINE_PX = 17;
const LETTER_PX = 7.1;
const NARROW_PX = 4.2;
const WIDE_PX = 13.5;
const LINES_MAX = 8;

const NARROW = /[ilI.,:;'|!()[\]ftjr ]/;
/** Letters of a square, and pictures. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

const widthOf = (text: string): number => {
  let sum = 0;
  for (const letter of text) sum += WIDE.test(letter) ? WIDE_PX : NARROW.test(letter) ? NARROW_PX : LETTER_PX;
  return sum;
};

export type TextBox = { lines: readonly string[]; width: number; height: number };

/** Wrapped between words; a word that is longer stays whole. */
export function textBox(text: string, widthMax: number): TextBox {
  const lines = text.split("\n").flatMap((line) => wrapped(line.trim(), widthMax));
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX - 1), "…"] : lines;
  return { lines: shown, width: Math.max(0, ...shown.map(widthOf)), height: shown.length * LINE_PX };
}

function wrapped(text: string, widthMax: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOf(longer) <= widthMax) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

type Place = { x: number; y: number; name?: string; anchor?: "start" | "middle" };

/** Its lines, in the middle of a place. */
export function textAt({ lines, height }: TextBox, { x, y, name = "", anchor = "middle" }: Place): SvgShape[] {
  return lines.map((line, index) =>
    shape(
      "text",
      {
        x: Math.round(x),
        y: Math.round(y - height / 2 + LINE_PX * (index + 0.75)),
        "text-anchor": anchor,
        ...(name === "" ? {} : { class: name }),
      },
      line,
    ),
  );
}

/** Words as mermaid writes them: quotes around, breaks and a few entities inside. */
export function plainLabel(text: string): string {
  return text
    .trim()
    .replace(/^(["`])([\s\S]*)\1$/, "$2")
    .replaceAll(/<br\s*\/?>|\\n/gi, "\n")
    .replaceAll(/#(?:quot|34);/g, '"')
    .replaceAll(/#(?:amp|38);/g, "&")
    .replaceAll(/#(?:lt|60);/g, "<")
    .replaceAll(/#(?:gt|62);/g, ">")
    .replaceAll(/<\/?(?:b|i|em|strong|small|sub|sup|u)>/gi, "")
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .trim();
}
