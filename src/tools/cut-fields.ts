/** Makes a result fit its limit and leaves it the shape that its tool declares: a program reads its fields (CM-03, CM-04). */
import type { Json, JsonObject } from "../protocol/json.ts";

/** Deeper parts are cut whole: each level is measured anew. */
const DEPTH_MAX = 8;
/** Less says nothing, and the words that say how much is missing need their place. */
const PART_CHARS_MIN = 160;

/** Undefined where its names alone are too many. */
export function cutFields(content: Json, charsMax: number): Json | undefined {
  const fit = fitted(content, charsMax, 0);
  return charsOf(fit) <= charsMax ? fit : undefined;
}

function fitted(value: Json, charsMax: number, depth: number): Json {
  const chars = charsOf(value);
  if (chars <= charsMax) return value;
  if (typeof value === "string") return cutText(value, charsMax);
  if (value === null || typeof value !== "object" || depth >= DEPTH_MAX || charsMax < PART_CHARS_MIN)
    return gone(chars);
  return Array.isArray(value) ? cutList(value, charsMax, depth) : cutMembers(value, charsMax, depth);
}

const charsOf = (value: Json): number => JSON.stringify(value).length;
const gone = (chars: number): string => `[cut: ${chars} characters of JSON; ask for a smaller part]`;

function cutText(text: string, charsMax: number): string {
  const note = `\n[cut: ${text.length} characters in all; ask for a smaller part]`;
  let kept = Math.max(0, charsMax - note.length - 4);
  // written as JSON a character may take six
  while (kept > 0 && charsOf(text.slice(0, kept)) > charsMax - note.length) kept = Math.floor(kept / 2);
  return `${text.slice(0, kept).toWellFormed()}${note}`;
}

/** From its beginning, for as long as there is room. */
function cutList(list: readonly Json[], charsMax: number, depth: number): Json[] {
  const kept: Json[] = [];
  let left = charsMax - PART_CHARS_MIN;
  for (const item of list) {
    const fit = fitted(item, left, depth + 1);
    const isWhole = fit === item;
    if (isWhole || left >= PART_CHARS_MIN) kept.push(fit);
    left -= charsOf(fit) + 1;
    if (!isWhole || left <= 0) break;
  }
  const missing = list.length - kept.length;
  return missing === 0 ? kept : [...kept, `[cut: ${missing} more items; ask for a smaller part]`];
}

/** What is small stays whole; the large members share what is left. */
function cutMembers(object: JsonObject, charsMax: number, depth: number): JsonObject {
  const sized = Object.entries(object)
    .map(([key, value]) => ({ key, value, own: charsOf(key) + 2, chars: charsOf(value) }))
    .toSorted((a, b) => a.chars - b.chars);
  let left = charsMax - 2 - sized.reduce((sum, { own }) => sum + own, 0);
  const fits = new Map<string, Json>();
  for (const [index, { key, value }] of sized.entries()) {
    const share = Math.max(0, Math.floor(left / (sized.length - index)));
    const fit = fitted(value, share, depth + 1);
    fits.set(key, fit);
    left -= charsOf(fit);
  }
  return Object.fromEntries(Object.keys(object).map((key) => [key, fits.get(key) ?? null]));
}
