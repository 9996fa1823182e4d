/** What failed, as one line that may be shown: long texts are cut, and what looks like a secret is left out. */
import { firstChars, oneLine } from "../core/text/reveal-hidden.ts";

const LINE_CHARS_MAX = 200;
/** Secrets are removed before the text is cut, so that no half of one is left at the end. */
const LOOKED_AT_CHARS_MAX = 10_000;

const IN_ADDRESS = /(:\/\/)[^\s/@]+@/g;
const AFTER_SCHEME = /\b(bearer|basic)\s+[^\s"',;]+/gi;
const NAMED =
  /\b([\w-]*(?:token|secret|password|passwd|api[_-]?key|authorization|cookie)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi;

export function failureLine(error: unknown): string {
  const text = oneLine(firstChars(error instanceof Error ? error.message : String(error), LOOKED_AT_CHARS_MAX));
  const shown = text.replace(IN_ADDRESS, "$1…@").replace(AFTER_SCHEME, "$1 …").replace(NAMED, "$1…");
  return firstChars(shown, LINE_CHARS_MAX);
}
