/**
 * Hunks on a text. Each is looked for below the one before it: exactly, and only where that finds nothing, without
 * regard to whitespace, provided that there is a single such place. What the hunk does not change keeps its bytes.
 */
import type { Hunk } from "./parse-patch.ts";

export type Patched = {
  text: string;
  /** Numbers of the hunks that fitted only without regard to whitespace. */ loose: number[];
};

type Place = { at: number; loose: boolean };

export function applyHunks(text: string, hunks: readonly Hunk[]): Patched | { error: string } {
  const file = linesOf(text);
  const out: string[] = [];
  const loose: number[] = [];
  let done = 0; // lines of the file that are in `out` already, changed or not
  for (const [index, hunk] of hunks.entries()) {
    const found = place(hunk, { lines: file.lines, from: done });
    if ("error" in found) return { error: `hunk ${index + 1} of ${hunks.length}: ${found.error}` };
    out.push(...file.lines.slice(done, found.at));
    done = found.at;
    for (const { sign, text: line } of hunk.lines) {
      if (sign === "+") out.push(line + file.carriage);
      else if (sign === "-") done += 1;
      else out.push(file.lines[done++] ?? "");
    }
    if (found.loose) loose.push(index + 1);
  }
  out.push(...file.lines.slice(done));
  return { text: out.length === 0 ? "" : out.join("\n") + (file.endsWithNewline ? "\n" : ""), loose };
}

/** `carriage` is what its lines carry before the line feed: the lines that a hunk adds get the same. */
function linesOf(text: string): { lines: string[]; endsWithNewline: boolean; carriage: string } {
  const endsWithNewline = text === "" || text.endsWith("\n");
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  return {
    lines: text === "" ? [] : body.split("\n"),
    endsWithNewline,
    carriage: text.includes("\r\n") ? "\r" : "",
  };
}

type Region = { lines: readonly string[]; from: number };

function place(hunk: Hunk, { lines, from }: Region): Place | { error: string } {
  let start = from;
  if (hunk.header !== undefined) {
    const header = squeezed(hunk.header);
    const at = lines.findIndex((line, index) => index >= from && squeezed(line) === header);
    if (at < 0) return { error: `no line below line ${from} reads ${JSON.stringify(hunk.header)}.` };
    start = at + 1;
  }
  const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  if (old.length === 0) return insertion(hunk, { lines, from: start });
  const region = { lines, from: start };
  const exact = matches(old, region, withoutCarriage).filter((at) => !hunk.atEnd || at + old.length === lines.length);
  const [first, second] = exact;
  if (first !== undefined && (second === undefined || hunk.header !== undefined)) return { at: first, loose: false };
  if (second !== undefined) return { error: `its lines occur more than once: ${listed(exact)}. ${MORE_CONTEXT}` };
  const near = matches(old, region, squeezed).filter((at) => !hunk.atEnd || at + old.length === lines.length);
  const [only, other] = near;
  if (only !== undefined && other === undefined) return { at: only, loose: true };
  if (only !== undefined)
    return { error: `its lines occur, but for whitespace, more than once: ${listed(near)}. ${MORE_CONTEXT}` };
  return { error: `its lines are not in the file${hunk.atEnd ? " at its end" : ""}. ${firstMissing(old, region)}` };
}

const MORE_CONTEXT = "Add more context, or an @@ line that stands above the right place.";
const listed = (places: readonly number[]): string =>
  `from line ${places
    .slice(0, 5)
    .map((at) => at + 1)
    .join(", ")}`;
const withoutCarriage = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
const squeezed = (line: string): string => line.replaceAll(/\s+/g, " ").trim();

/** Lines that are only added: without context only the header or the end of the file gives their place. */
function insertion(hunk: Hunk, { lines, from }: Region): Place | { error: string } {
  if (hunk.atEnd || lines.length === 0) return { at: lines.length, loose: false };
  if (hunk.header !== undefined) return { at: from, loose: false };
  return { error: `it has no context, so nobody knows where its lines belong. ${MORE_CONTEXT}` };
}

/** Where all of `wanted` stands, in the sense of `form`. Overlapping places count: they are ambiguous. */
function matches(wanted: readonly string[], { lines, from }: Region, form: (line: string) => string): number[] {
  const sought = wanted.map(form);
  const places: number[] = [];
  for (let at = from; at + sought.length <= lines.length; at++) {
    if (sought.every((line, offset) => form(lines[at + offset] ?? "") === line)) places.push(at);
  }
  return places;
}

/** Names the first line that differs from the best matching place. */
function firstMissing(old: readonly string[], { lines, from }: Region): string {
  let best = { at: -1, good: 0 };
  for (let at = from; at < lines.length; at++) {
    let good = 0;
    while (good < old.length && squeezed(lines[at + good] ?? "") === squeezed(old[good] ?? "")) good++;
    if (good > best.good) best = { at, good };
  }
  if (best.at < 0) return "Read the file again and copy its lines.";
  const asked = JSON.stringify((old[best.good] ?? "").slice(0, 200));
  const there = JSON.stringify((lines[best.at + best.good] ?? "").slice(0, 200));
  return `From line ${best.at + 1} on they fit up to ${asked}, where the file has ${there}.`;
}
