/** What people type into the search: words, and `tag:`, `person:`, `file:`, `link:`, `status:`, `agent:` among them. */
import type { LibraryParamsOf } from "../protocol/library-methods.ts";
import { filterTerm, type FilterKind } from "./plan-entry.ts";
import { searchedTerms } from "./terms.ts";

const TERMS_MAX = 24;

/** A map, because people type any word before a colon. */
const FILTERS: ReadonlyMap<string, FilterKind> = new Map([
  ["tag", "t"],
  ["person", "p"],
  ["by", "p"],
  ["file", "f"],
  ["link", "l"],
  ["issue", "l"],
  ["pr", "l"],
  ["status", "s"],
  ["agent", "a"],
]);
const FILTER = /^([a-z]+):(.+)$/i;
const TAG = /^#(?=\p{L})/u;
const LINK = /^(?:[\w.-]+\/[\w.-]+)?[#!]\d+$|^https?:\/\//;

type Wanted = { term: string; isPrefix: boolean };
type Searched = Pick<LibraryParamsOf<"library.search">, "query" | "tag" | "person" | "file" | "link" | "outcome">;

/** All of them must be there; what goes beyond the limit is left out, and finds more rather than less. */
export function parseQuery({ query, tag, person, file, link, outcome }: Searched): Wanted[] {
  const given = { t: tag, p: person, f: file, l: link, s: outcome } as const;
  const filters = Object.entries(given).flatMap(([kind, value]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table above
    value === undefined ? [] : filtered(kind as FilterKind, value),
  );
  const typed = wordsOf(query).flatMap(typedTerms);
  const wanted = typed.length === 0 && query.trim() !== "" ? [NOWHERE] : typed;
  return [...filters, ...wanted].slice(0, TERMS_MAX);
}

/** Signs alone are no words of the index: whoever types only those finds nothing, rather than everything. */
const NOWHERE: Wanted = { term: " ", isPrefix: false };

const wordsOf = (query: string): string[] =>
  [...query.matchAll(/[a-z]+:"[^"]*"|"[^"]*"|\S+/gi)].map(([word]) => word.replaceAll('"', ""));

function typedTerms(word: string): Wanted[] {
  const [, name = "", value = ""] = FILTER.exec(word) ?? [];
  const kind = FILTERS.get(name.toLowerCase());
  if (kind !== undefined) return filtered(kind, value);
  if (LINK.test(word)) return filtered("l", word);
  if (TAG.test(word)) return filtered("t", word.slice(1));
  return [...searchedTerms(word)];
}

/** A person is found by how their name begins, a file by how one of its endings does; the others are named whole. */
function filtered(kind: FilterKind, value: string): Wanted[] {
  if (kind === "p" && !value.startsWith("opr_"))
    return [...searchedTerms(value)].map(({ term }) => ({ term: filterTerm(kind, term), isPrefix: true }));
  const plain = kind === "f" ? value.replace(/^\.?\/+/, "") : value;
  return plain === "" ? [] : [{ term: filterTerm(kind, plain), isPrefix: kind === "f" || kind === "t" }];
}
