/**
 * The list of sessions, last changed first, a page at a time: the part that all adapters share. An adapter only reads
 * rows below a place in that order; cursors, searching and the end of the list are settled here.
 */
import { z } from "zod";
import { decodeCursor, encodeCursor, pageLimit } from "./page.ts";
import type { Page, SessionFilter, SessionRow } from "../store.ts";

/** A search looks at this many rows for one page; then it returns what it found and a cursor to go on from. */
const SEARCH_ROWS_MAX = 10_000;
const SEARCH_CHUNK = 500;

/** A position in the list: a session that changes moves to the front, so paging on shows nothing twice. */
export type ListKey = { updatedAtMs: number; id: string };
export type RowFilter = Omit<SessionFilter, "search">;
export type RowsBelow = (filter: RowFilter, below: ListKey | null, limit: number) => Promise<SessionRow[]>;

const Key = z.tuple([z.int(), z.string()]);

export async function listSessions(
  rowsBelow: RowsBelow,
  { search, ...filter }: SessionFilter,
  page: { cursor: string | null; limit: number },
): Promise<Page<SessionRow>> {
  const limit = pageLimit(page.limit);
  const from = page.cursor === null ? null : keyOf(page.cursor);
  const read = (below: ListKey | null, count: number): Promise<SessionRow[]> => rowsBelow(filter, below, count);
  if (search !== undefined && search !== "") return searchFrom(read, from, { words: search, limit });
  return cut(await read(from, limit + 1), limit);
}

type Read = (below: ListKey | null, limit: number) => Promise<SessionRow[]>;

async function searchFrom(
  read: Read,
  from: ListKey | null,
  wanted: { words: string; limit: number },
): Promise<Page<SessionRow>> {
  const words = wanted.words.toLowerCase();
  const found: SessionRow[] = [];
  let below = from;
  for (let looked = 0; looked < SEARCH_ROWS_MAX; looked += SEARCH_CHUNK) {
    const rows = await read(below, SEARCH_CHUNK);
    found.push(...rows.filter((row) => row.title.toLowerCase().includes(words)));
    if (found.length > wanted.limit || rows.length < SEARCH_CHUNK) return cut(found, wanted.limit);
    below = rows.at(-1) ?? below;
    await otherWork();
  }
  return { items: found, nextCursor: below === null ? null : cursorOf(below) };
}

function cut(rows: SessionRow[], limit: number): Page<SessionRow> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

const cursorOf = (key: ListKey): string => encodeCursor([key.updatedAtMs, key.id]);

function keyOf(cursor: string): ListKey {
  const [updatedAtMs, id] = decodeCursor(cursor, Key);
  return { updatedAtMs, id };
}

const otherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
