/** Pages of what a search found, and the limits of its terms. */
import { z } from "zod";
import { decodeCursor, encodeCursor, pageLimit } from "../page.ts";
import type { Page } from "../store.ts";
import type { SearchDocument, SearchQuery } from "./search-documents.ts";

export const SEARCH_TERMS_MAX = 20_000;
/** A longer one is a bug of the caller: it cuts them itself, in documents and in searches alike. */
const SEARCH_TERM_BYTES_MAX = 256;
export const SEARCHED_TERMS_MAX = 32;

export type PlacedDocument = { place: number; document: SearchDocument };
type RowsBelow = (place: number | null, limit: number) => Promise<PlacedDocument[]>;

const Key = z.tuple([z.int()]);

export async function listFound(
  rowsBelow: RowsBelow,
  page: Pick<SearchQuery, "cursor" | "limit">,
): Promise<Page<SearchDocument>> {
  const limit = pageLimit(page.limit);
  const below = page.cursor === null ? null : decodeCursor(page.cursor, Key)[0];
  const rows = await rowsBelow(below, limit + 1);
  const last = rows[limit - 1];
  const nextCursor = rows.length > limit && last !== undefined ? encodeCursor([last.place]) : null;
  return { items: rows.slice(0, limit).map(({ document }) => document), nextCursor };
}

export function checkTerms(terms: readonly string[], max: number): void {
  if (terms.length > max) throw new RangeError(`a document or search has at most ${max} terms, not ${terms.length}`);
  const long = terms.find((term) => term === "" || Buffer.byteLength(term) > SEARCH_TERM_BYTES_MAX);
  if (long !== undefined) throw new RangeError(`a term holds 1 to ${SEARCH_TERM_BYTES_MAX} bytes`);
}
