/** Finds words in what a plan shows, as ranges that the browser marks; no element is touched. */
import { rangeOf, shownText } from "../anchor/shown-text.ts";

const HIGHLIGHT = "hp-found";
const CURRENT = "hp-found-now";
const MATCHES_MAX = 1_000;
const WORDS_MIN = 1;

/** In the order in which they are read. Case and accents make no difference to whoever types in a hurry. */
export function findMatches(root: ParentNode, wanted: string): Range[] {
  const sought = folded(wanted.trim());
  if (sought.length < WORDS_MIN) return [];
  const ranges: Range[] = [];
  for (const words of root.querySelectorAll("[data-words]")) {
    const shown = shownText(words);
    const text = folded(shown.text);
    if (text.length !== shown.text.length) continue; // places would not fit
    for (let at = text.indexOf(sought); at !== -1 && ranges.length < MATCHES_MAX; at = text.indexOf(sought, at + 1)) {
      const range = rangeOf(shown, { start: at, end: at + sought.length });
      if (range !== undefined) ranges.push(range);
    }
  }
  return ranges;
}

/** Letter by letter, so that each stays at its place. */
export const folded = (text: string): string =>
  Array.from(text, (letter) => {
    const plain = letter.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
    return plain.length === letter.length
      ? plain
      : letter.toLowerCase().length === letter.length
        ? letter.toLowerCase()
        : letter;
  }).join("");

export function showMatches(ranges: readonly Range[], current: Range | undefined): void {
  if (!("highlights" in CSS)) return; // they are counted and gone to all the same
  CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
  CSS.highlights.set(CURRENT, new Highlight(...(current === undefined ? [] : [current])));
}

export function clearMatches(): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(HIGHLIGHT);
  CSS.highlights.delete(CURRENT);
}
