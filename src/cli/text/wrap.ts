/** Wraps text to a number of terminal columns. */
import { split, width } from "./width.ts";

/** Words of a text in lines of at most so many columns; a word that is longer than a line is cut, never dropped. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 1)));
}

/** What a line may begin with, behind which the lines that go on with it stand: boxes, bullets, signs of a difference, numbers. */
const MARKS = /^ *(?:(?:\[[^\]]\]|[-+*–•│]|\d{1,4}[.)]) +)*/;
const INDENT = /^ */;

function wrapLine(line: string, columns: number): string[] {
  if (width(line) <= columns) return [line.trimEnd()];
  const marks = [MARKS, INDENT].map((pattern) => pattern.exec(line)?.[0] ?? "");
  const first = marks.find((mark) => width(mark) < columns / 2) ?? "";
  const margin = first.replaceAll(/[^│]/g, " "); // a bar goes on
  const lines: string[] = [];
  let current = first;
  let isEmpty = true;
  for (const { gap, text } of piecesOf(line.slice(first.length).trim())) {
    const joined = isEmpty ? current + text : current + gap + text;
    if (width(joined) <= columns) {
      current = joined;
      isEmpty = false;
      continue;
    }
    if (!isEmpty) {
      lines.push(current);
      current = margin;
    }
    current += text;
    isEmpty = false;
    while (width(current) > columns) {
      const { head, tail } = split(current, columns);
      lines.push(head);
      current = margin + tail;
    }
  }
  return [...lines, current.trimEnd()];
}

/** A piece that stays whole where it fits, and the blanks before it. */
type Piece = { gap: string; text: string };

const BREAKS_ANYWHERE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u;
const CLOSES = /^[、。，．・：；？！ー々〻’”）〕］｝〉》」』】゛゜ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)\]}%]/u;
const OPENS = /[（〔［｛〈《「『【‘“([{]$/u;

function piecesOf(line: string): Piece[] {
  const words = line.matchAll(/( *)([^ ]+)/g);
  return Array.from(words).flatMap(([, gap = "", word = ""]) =>
    partsOf(word).map((text, at) => ({ gap: at === 0 ? gap : "", text })),
  );
}

/** Languages without blanks are broken between characters, but not before what closes or behind what opens. */
function partsOf(word: string): string[] {
  if (!BREAKS_ANYWHERE.test(word)) return [word];
  const parts: string[] = [];
  let canBreak = false;
  for (let rest = word; rest !== "";) {
    const { head, tail } = split(rest, 1); // at least one character is taken
    const isFree = BREAKS_ANYWHERE.test(head);
    const last = parts.at(-1);
    if (last === undefined || ((isFree || canBreak) && !CLOSES.test(head) && !OPENS.test(last))) parts.push(head);
    else parts[parts.length - 1] = last + head;
    canBreak = isFree;
    rest = tail;
  }
  return parts;
}

/** A paragraph behind a mark: the mark stands on the first line, the others are indented to its width. */
export function hang(mark: string, text: string, columns: number): string[] {
  const room = columns - width(mark);
  return wrap(text, room).map((line, index) => (index === 0 ? mark : " ".repeat(width(mark))) + line);
}
