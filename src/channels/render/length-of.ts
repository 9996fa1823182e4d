/** How long a text is as the vendor counts, and texts cut so that they fit. */
import { firstChars } from "../../plugins/sdk.ts";
import type { Capabilities } from "../port.ts";

export type Unit = Capabilities["unit"];
export type Limit = { max: number; unit: Unit };

export function lengthOf(text: string, unit: Unit): number {
  switch (unit) {
    case "bytes":
      return Buffer.byteLength(text);
    case "utf16":
      return text.length;
    case "codepoints":
      return Array.from(text).length;
  }
}

export const fits = (text: string, { max, unit }: Limit): boolean => lengthOf(text, unit) <= max;

/** The longest beginning of a text that fits once it is rendered; never half a character. */
function longestStart(text: string, limit: Limit, render: (part: string) => string): string {
  if (fits(render(text), limit)) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(render(firstChars(text, middle)), limit)) low = middle;
    else high = middle - 1;
  }
  return firstChars(text, low);
}

const PARTS_MAX = 1_000;

/** Without empty lines at its beginning and blanks at its end; what its first line is set in by stays. */
export const withoutBlankEnds = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();

/** A text in parts that each fit once rendered, cut at the ends of lines or words where there are any. */
export function inParts(text: string, limit: Limit, render: (part: string) => string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== "" && parts.length < PARTS_MAX) {
    const start = longestStart(rest, limit, render);
    if (start === rest) return [...parts, rest];
    const end = start === "" ? firstChars(rest, 2).length : breakIn(start);
    parts.push(rest.slice(0, end).trimEnd());
    rest = withoutBlankEnds(rest.slice(end));
  }
  return parts.filter((part) => part !== "");
}

/** Where to cut: behind the last line, else the last word, if that leaves at least half of it; never inside an escape. */
function breakIn(start: string): number {
  const half = start.length / 2;
  const line = start.lastIndexOf("\n") + 1;
  if (line > half) return line;
  const word = start.lastIndexOf(" ") + 1;
  if (word > half) return word;
  const escape = /(?:&[a-z#0-9]{0,6}|(?<!\\)(?:\\\\)*\\)$/.exec(start);
  return escape === null || escape.index === 0 ? start.length : escape.index;
}
