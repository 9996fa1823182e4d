/**
 * Documents that plugins find again by terms. An adapter knows nothing of words: whoever saves a document names its terms,
 * and whoever searches names those that must all be there. Newest first, a page at a time.
 */
import { z } from "zod";
import type { Json } from "../../protocol/json.ts";
import { decodeCursor, encodeCursor, pageLimit } from "../page.ts";
import type { CommitResult, Page } from "../store.ts";

export const SEARCH_TERMS_MAX = 20_000;
/** A longer one is a bug of the caller: it cuts them itself, in documents and in searches alike. */
export const SEARCH_TERM_BYTES_MAX = 256;
export const SEARCHED_TERMS_MAX = 32;

/** `owner`: the plugin. `version` counts its changes, from 1. */
export type SearchDocument = { owner: string; key: string; atMs: number; version: number; body: Json };
/** `expectedVersion`: 0 for one that does not exist yet. `atMs` of one that exists stays as it was. */
export type SearchChange = Omit<SearchDocument, "version"> & { expectedVersion: number; terms: readonly string[] };
/** `isPrefix`: a term that begins so is enough. */
export type SearchedTerm = { term: string; isPrefix?: boolean };
export type SearchQuery = { owner: string; terms: readonly SearchedTerm[]; cursor: string | null; limit: number };

export type SearchStore = {
  searchDocument(place: { owner: string; key: string }): Promise<SearchDocument | undefined>;
  /** Conflict: another version is stored by now, and nothing was written. */
  saveSearchDocument(change: SearchChange): Promise<CommitResult>;
  searchDocuments(query: SearchQuery): Promise<Page<SearchDocument>>;
};

/** The order of the list: the time, and below it a number that tells apart those of one millisecond. */
export const PLACES_PER_MS = 1_000;
export const placeAt = (atMs: number): number => atMs * PLACES_PER_MS;
export const timeOf = (place: number): number => Math.floor(place / PLACES_PER_MS);

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
