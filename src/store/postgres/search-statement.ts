/** Full-text search by a `tsvector` of exactly the given terms: no dictionary and no parser of the server is asked. */
import { checkTerms, placeAt, PLACES_PER_MS, SEARCH_TERMS_MAX, type SearchChange } from "../search/search-documents.ts";
import type { Matching } from "../search/search-queries.ts";
import { sql } from "../sql/statement.ts";
import type { Asked } from "./connections.ts";

export const tsMatching: Matching = {
  rows(owner, terms) {
    const wanted = terms.map(({ term, isPrefix }) => `${quoted(term)}${isPrefix === true ? ":*" : ""}`).join(" & ");
    // OFFSET 0: the terms are looked up by their index, and never guessed at while all documents are read
    return sql`(SELECT place, owner FROM search_documents WHERE terms @@ ${wanted}::text::tsquery OFFSET 0) AS found
      WHERE owner = ${owner}`;
  },
  place: sql`found.place`,
};

const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** Two new ones that take one place at the same moment conflict; the store tries again with another. */
export function searchStatement({ owner, key, atMs, expectedVersion, body, terms }: SearchChange): Asked {
  checkTerms(terms, SEARCH_TERMS_MAX);
  const text = JSON.stringify(body);
  const distinct = [...new Set(terms)];
  return expectedVersion === 0
    ? {
        text: `WITH made AS (INSERT INTO search_documents (place, owner, key, version, body, terms)
          VALUES ($1::bigint + floor(random() * ${PLACES_PER_MS})::bigint, $2, $3, 1, $4, array_to_tsvector($5::text[]))
          ON CONFLICT DO NOTHING RETURNING 1) SELECT count(*) AS changed FROM made`,
        values: [placeAt(atMs), owner, key, text, distinct],
      }
    : {
        text: `WITH made AS (UPDATE search_documents SET version = version + 1, body = $3, terms = array_to_tsvector($4::text[])
          WHERE owner = $1 AND key = $2 AND version = $5 RETURNING 1) SELECT count(*) AS changed FROM made`,
        values: [owner, key, text, distinct, expectedVersion],
      };
}
