/** Cursors of paged lists. */
import type { z } from "zod";
import { PAGE_MAX } from "../store.ts";

/** A cursor that no earlier page returned. The message tells the sender to start again from the first page. */
export class InvalidCursorError extends Error {
  override name = "InvalidCursorError";
  constructor() {
    super("This cursor is not one that an earlier page returned. Leave it out to start from the first page.");
  }
}

/** Opaque to clients: its content may change from version to version. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

export function decodeCursor<Key>(cursor: string, key: z.ZodType<Key>): Key {
  const parsed = key.safeParse(jsonIn(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw new InvalidCursorError();
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // rejected by every schema of a key
  }
}

/** A larger page is a bug of the caller, and cutting it short in silence would hide it. */
export function pageLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw new RangeError(`a page holds 1 to ${PAGE_MAX} items, not ${limit}`);
  return limit;
}
