/** From the bytes of one text frame to a request, or to a refusal that says which part of it is wrong. */
import { z } from "zod";
import { RequestFrame } from "../../protocol/frames.ts";
import { type Refusal, refuse } from "../../protocol/refusal.ts";
import { describeError } from "../describe-error.ts";

/** No real request nests nearly as deep; deeper ones are meant to exhaust the stack. */
export const NESTING_MAX = 64;

/** What JSON.parse made is JSON: looking through all of it once more would cost more than answering. */
const Envelope = RequestFrame.extend({ params: z.unknown().optional() });
type Envelope = z.infer<typeof Envelope>;

export type ReadFrame = { request: Envelope } | { id: string | null; refusal: Refusal };

export function readFrame(bytes: Buffer): ReadFrame {
  if (isTooDeep(bytes)) return unreadable(`A request may nest ${NESTING_MAX} levels deep.`);
  const parsed = parseJson(bytes.toString("utf8"));
  if (parsed === undefined) return unreadable("A frame holds one JSON object: a request.");
  const frame = Envelope.safeParse(parsed.value);
  if (frame.success) return { request: frame.data };
  const { refused } = refuse("INVALID_REQUEST", describeError(frame.error, parsed.value, "frame").message);
  return { id: idOf(parsed.value), refusal: refused };
}

function unreadable(message: string): ReadFrame {
  return { id: null, refusal: { code: "INVALID_REQUEST", message } };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // half a character in a text would be stored as another one, and what is signed must be what was sent
    if (text.includes("\\u") && !isWellFormed(value)) return undefined;
    return { value };
  } catch {
    return undefined; // malformed JSON is the client's mistake, and the answer says so
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}

/** The id of a frame that is otherwise wrong, so that its sender can tell which one was meant. */
function idOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "id") || !("id" in value)) return null;
  const id = RequestFrame.shape.id.safeParse(value.id);
  return id.success ? id.data : null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counted on the bytes, before anything is built from them. */
function isTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= NESTING_MAX) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (quoted) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > NESTING_MAX) return true;
  }
  return false;
}
