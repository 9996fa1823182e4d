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
