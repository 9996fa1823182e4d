/**
 * Help for a text that was not found: where something like it stands, and in what it differs. It only explains: nothing
 * is ever replaced on a guess.
 */
const LINES_COMPARED_MAX = 20_000;
const WANTED_LINES_MAX = 200;
const LINE_CHARS_COMPARED_MAX = 400;
const SHOWN_CHARS_MAX = 1_500;
const PLACES_SHOWN_MAX = 3;
/** Below this two lines have nothing to do with each other. */
const LIKENESS_MIN = 0.6;

/** One or two sentences with the lines themselves, or nothing when there is nothing like it. */
export function nearestLines(text: string, wanted: string): string {
  const lines = text.split("\n").slice(0, LINES_COMPARED_MAX);
  const asked = wanted.replace(/\n$/, "").split("\n").slice(0, WANTED_LINES_MAX);
  const places = sameButForSpace(lines, asked);
  const [first] = places;
  if (first !== undefined) {
    const there = lines.slice(first, first + asked.length);
    const others = places.length > 1 ? ` (also at line ${places.slice(1).map(lineNumber).join(" and ")})` : "";
    return `${range(first, asked.length)}${others} are the same but for whitespace: ${difference(there, asked)}. They read:\n${cut(there.join("\n"))}`;
  }
  const near = mostAlike(lines, asked);
  if (near === undefined) return "";
  return `The nearest is at ${range(near, asked.length).toLowerCase()}, which reads:\n${cut(lines.slice(near, near + asked.length).join("\n"))}`;
}

const lineNumber = (index: number): number => index + 1;
const range = (from: number, count: number): string =>
  count === 1 ? `Line ${from + 1}` : `Lines ${from + 1}–${from + count}`;
const squeezed = (line: string): string => line.replaceAll(/\s+/g, " ").trim();
const cut = (text: string): string =>
  text.length <= SHOWN_CHARS_MAX ? text : `${text.slice(0, SHOWN_CHARS_MAX).toWellFormed()}[… cut]`;

function sameButForSpace(lines: readonly string[], asked: readonly string[]): number[] {
  const wanted = asked.map(squeezed);
  if (wanted.every((line) => line === "")) return [];
  const have = lines.map(squeezed);
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= have.length && places.length < PLACES_SHOWN_MAX; at++) {
    if (wanted.every((line, offset) => have[at + offset] === line)) places.push(at);
  }
  return places;
}

const indent = (lines: readonly string[]): string => lines.map((line) => /^\s*/.exec(line)?.[0] ?? "").join("");
const ends = (lines: readonly string[]): boolean => lines.some((line) => /[ \t]$/.test(line));

/** The first difference that can be named. */
function difference(there: readonly string[], asked: readonly string[]): string {
  if (there.some((line) => line.endsWith("\r")) && !asked.some((line) => line.endsWith("\r")))
    return "the file's lines end with CR LF, those of oldText with LF";
  if (indent(there).includes("\t") && !indent(asked).includes("\t"))
    return "the file indents with tabs, oldText with spaces";
  if (!indent(there).includes("\t") && indent(asked).includes("\t"))
    return "the file indents with spaces, oldText with tabs";
  if (indent(there) !== indent(asked)) return "the indentation has another width";
  if (ends(there) !== ends(asked))
    return `${ends(there) ? "the file" : "oldText"} has spaces at the end of a line, the other has not`;
  return "the spaces inside a line are others";
}

/** By the longest of the lines asked for: it says most. */
function mostAlike(lines: readonly string[], asked: readonly string[]): number | undefined {
  const longest = asked.reduce((best, line, index) => (line.length > (asked[best] ?? "").length ? index : best), 0);
  const wanted = pairsOf(asked[longest] ?? "");
  if (wanted.size < 3) return undefined;
  let best = { at: -1, likeness: LIKENESS_MIN };
  for (const [at, line] of lines.entries()) {
    const found = likeness(wanted, pairsOf(line));
    if (found > best.likeness) best = { at, likeness: found };
  }
  return best.at < 0 ? undefined : Math.max(0, best.at - longest);
}

function pairsOf(line: string): Set<string> {
  const text = squeezed(line.slice(0, LINE_CHARS_COMPARED_MAX)).toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const pair of a) if (b.has(pair)) both++;
  return (2 * both) / (a.size + b.size);
}
