/** Pages of what a search found. */
import { z } from "zod";
import { decodeCursor, encodeCursor, pageLimit } from "../list/page.ts";
import type { Page } from "../store.ts";
import type { SearchDocument, SearchQuery } from "./search-documents.ts";

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
