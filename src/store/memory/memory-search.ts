/** Searching in the store without a disk: every document is looked at. */
import { listFound } from "../search/list-found.ts";
import {
  checkTerms,
  placeAt,
  PLACES_PER_MS,
  SEARCH_TERMS_MAX,
  type SearchChange,
  type SearchDocument,
  type SearchedTerm,
  SEARCHED_TERMS_MAX,
} from "../search/search-documents.ts";
import type { CommitResult, SearchStore } from "../store.ts";

type Indexed = { place: number; document: SearchDocument; terms: ReadonlySet<string> };
export type SearchMemory = { searchable: Map<string, Indexed> };

export const emptySearch = (): SearchMemory => ({ searchable: new Map() });

export const searchReads = ({ searchable }: SearchMemory): Pick<SearchStore, "searchDocument" | "searchDocuments"> => ({
  searchDocument: async (place) => structuredClone(searchable.get(nameOf(place))?.document),
  async searchDocuments({ owner, terms, ...page }) {
    checkTerms(
      terms.map(({ term }) => term),
      SEARCHED_TERMS_MAX,
    );
    const fits = (one: Indexed): boolean => one.document.owner === owner && terms.every((term) => has(one, term));
    return listFound(async (below, limit) => {
      const found = [...searchable.values()].filter((one) => fits(one) && (below === null || one.place < below));
      return structuredClone(found.toSorted((a, b) => b.place - a.place).slice(0, limit));
    }, page);
  },
});

export function saveSearchDocument({ searchable }: SearchMemory, change: SearchChange): CommitResult {
  const { owner, key, atMs, expectedVersion, terms, body } = change;
  checkTerms(terms, SEARCH_TERMS_MAX);
  const found = searchable.get(nameOf(change));
  if ((found?.document.version ?? 0) !== expectedVersion) return { status: "conflict" };
  const place = found?.place ?? freePlace(searchable, atMs);
  if (place === undefined) return { status: "conflict" };
  const document = { owner, key, atMs: found?.document.atMs ?? atMs, version: expectedVersion + 1, body };
  searchable.set(nameOf(change), { place, document: structuredClone(document), terms: new Set(terms) });
  return { status: "committed", version: 0, events: [] };
}

function freePlace(searchable: SearchMemory["searchable"], atMs: number): number | undefined {
  const first = placeAt(atMs);
  const taken = [...searchable.values()].map(({ place }) => place);
  const last = Math.max(first - 1, ...taken.filter((place) => place >= first && place < first + PLACES_PER_MS));
  return last + 1 < first + PLACES_PER_MS ? last + 1 : undefined;
}

const has = ({ terms }: Indexed, { term, isPrefix }: SearchedTerm): boolean =>
  terms.has(term) || (isPrefix === true && [...terms].some((one) => one.startsWith(term)));
const nameOf = ({ owner, key }: { owner: string; key: string }): string => JSON.stringify([owner, key]);
