/**
 * Untrusted text inside a prompt: between two marks that its author could not know, so that it cannot end its own
 * quotation. The marks are drawn anew for each run of the gateway and stay the same within one, so that a prefix which
 * holds fenced files is the same bytes from turn to turn.
 */
import { createHmac, randomBytes } from "node:crypto";
import { defuse, defuseLine } from "../../plugins/sdk.ts";

const MARK_CHARS = 16;
const SOURCE_CHARS_MAX = 200;
/** A text that contains one mark, by chance or because it leaked, gets the next; it cannot contain them all. */
const MARKS_MAX = 1_000;

/** Files come back at each request, mostly unchanged; what is short is fenced faster than it is looked up. */
const KEPT_CHARS_MIN = 2_000;
const KEPT_MAX = 32;

export type Fence = (text: string, source: string) => string;

export function createFence(secret: Uint8Array = randomBytes(32)): Fence {
  const markOf = (source: string, n: number): string =>
    createHmac("sha256", secret).update(`${source}\n${n}`).digest("hex").slice(0, MARK_CHARS);
  const fenced = (text: string, source: string): string => {
    const body = defuse(text);
    const from = defuseLine(source, SOURCE_CHARS_MAX).replace(/["<>]/g, "'");
    for (let n = 0; n < MARKS_MAX; n++) {
      const mark = markOf(source, n);
      if (!body.includes(mark)) return `<untrusted-${mark} from="${from}">\n${body}\n</untrusted-${mark}>`;
    }
    throw new Error(`no mark is free for ${from}`);
  };
  const kept = new Map<string, { text: string; fenced: string }>();
  return (text, source) => {
    const known = kept.get(source);
    if (known?.text === text) return known.fenced;
    const made = fenced(text, source);
    kept.delete(source);
    if (text.length >= KEPT_CHARS_MIN) kept.set(source, { text, fenced: made });
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}
