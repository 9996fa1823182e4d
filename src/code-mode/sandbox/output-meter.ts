/** Counts what a cell puts out, and lets no more through than may be returned. */

import { isTooDeep } from "./json-depth.ts";

/** Each is a message of its own. */
const ITEMS_MAX = 10_000;
/** For the line that says how much was cut. */
const CUT_MARKER_BYTES = 64;
/** The JSON around a text. */
const AROUND_BYTES = 32;

export type OutputMeter = {
  /** `chars` is how long it was before the guest's side cut it. */
  text(text: string, chars: number): void;
  json(json: string, chars: number): void;
  cutChars(): number;
};

/** `post` gets each item as JSON. */
export function outputMeter(bytesMax: number, post: (item: string) => void): OutputMeter {
  let room = bytesMax - CUT_MARKER_BYTES;
  let cut = 0;
  let items = 0;
  let isFull = false;
  function passes(item: string): boolean {
    const size = Buffer.byteLength(item);
    if (size > room || items >= ITEMS_MAX) return false;
    room -= size;
    items += 1;
    post(item);
    return true;
  }
  function text(given: string, chars: number): void {
    if (isFull) {
      cut += chars;
      return;
    }
    const kept = items >= ITEMS_MAX ? "" : fitting(given, room);
    cut += chars - kept.length;
    isFull = kept.length < chars || items >= ITEMS_MAX;
    if (kept !== "" || !isFull) passes(itemOf(kept));
  }
  return {
    text,
    json(given, chars) {
      const isWhole = !isFull && given.length === chars && !isTooDeep(given);
      if (!isWhole || !passes(`{"type":"json","value":${given}}`)) text(given, chars);
    },
    cutChars: () => cut,
  };
}

const itemOf = (text: string): string => JSON.stringify({ type: "text", text: text.toWellFormed() });

/** The longest beginning, roughly, that fits as an item. */
function fitting(text: string, room: number): string {
  let kept = text.slice(0, Math.max(0, room - AROUND_BYTES));
  for (let size = Buffer.byteLength(itemOf(kept)); kept !== "" && size > room;) {
    kept = kept.slice(0, Math.floor((kept.length * Math.max(0, room - AROUND_BYTES)) / size));
    size = Buffer.byteLength(itemOf(kept));
  }
  return kept;
}
