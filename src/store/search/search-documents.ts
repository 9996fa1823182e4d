/**
 * Documents that plugins find again by terms. An adapter knows nothing of words: whoever saves a document names its terms,
 * and whoever searches names those that must all be there. Newest first, a page at a time.
 */
import type { Json } from "../../protocol/json.ts";

/** `owner`: the plugin. `version` counts its changes, from 1. */
export type SearchDocument = { owner: string; key: string; atMs: number; version: number; body: Json };
/** `expectedVersion`: 0 for one that does not exist yet. `atMs` of one that exists stays as it was. */
export type SearchChange = Omit<SearchDocument, "version"> & { expectedVersion: number; terms: readonly string[] };
/** `isPrefix`: a term that begins so is enough. */
export type SearchedTerm = { term: string; isPrefix?: boolean };
export type SearchQuery = { owner: string; terms: readonly SearchedTerm[]; cursor: string | null; limit: number };

/** The order of the list: the time, and below it a number that tells apart those of one millisecond. */
export const PLACES_PER_MS = 1_000;
export const placeAt = (atMs: number): number => atMs * PLACES_PER_MS;
export const timeOf = (place: number): number => Math.floor(place / PLACES_PER_MS);

export const SEARCH_TERMS_MAX = 20_000;
/** A longer one is a bug of the caller: it cuts them itself, in documents and in searches alike. */
const SEARCH_TERM_BYTES_MAX = 256;
export const SEARCHED_TERMS_MAX = 32;

export function checkTerms(terms: readonly string[], max: number): void {
  if (terms.length > max) throw new RangeError(`a document or search has at most ${max} terms, not ${terms.length}`);
  const long = terms.find((term) => term === "" || Buffer.byteLength(term) > SEARCH_TERM_BYTES_MAX);
  if (long !== undefined) throw new RangeError(`a term holds 1 to ${SEARCH_TERM_BYTES_MAX} bytes`);
}
