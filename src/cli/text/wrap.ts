/** Wraps text to a number of terminal columns. */
import { split, width } from "./width.ts";

/** Words of a text in lines of at most so many columns; a word that is longer than a line is cut, never dropped. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 1)));
}

function wrapLine(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const margin = indent.length < columns / 2 ? indent : "";
  const lines: string[] = [];
  let current = margin;
  for (const word of line.trim().split(/ +/)) {
    const joined = current.trim() === "" ? current + word : `${current} ${word}`;
    if (width(joined) <= columns) {
      current = joined;
      continue;
    }
    if (current.trim() !== "") lines.push(current);
    current = margin + word;
    while (width(current) > columns) {
      const { head, tail } = split(current, columns);
      lines.push(head);
      current = margin + tail;
    }
  }
  return [...lines, current.trimEnd()];
}

/** A paragraph behind a mark: the mark stands on the first line, the others are indented to its width. */
export function hang(mark: string, text: string, columns: number): string[] {
  const room = columns - width(mark);
  return wrap(text, room).map((line, index) => (index === 0 ? mark : " ".repeat(width(mark))) + line);
}
