/** Full-text search by FTS5. Terms are written in hexadecimal, so that its tokenizer takes each of them as it is. */
import type { DatabaseSync } from "node:sqlite";
import {
  checkTerms,
  placeAt,
  PLACES_PER_MS,
  SEARCH_TERMS_MAX,
  type SearchChange,
} from "../../search/search-documents.ts";
import type { Matching } from "../../search/search-queries.ts";
import { sql } from "../../sql/statement.ts";

const hex = (term: string): string => Buffer.from(term).toString("hex");

/** By the number of the index itself, which hands them out in that order: a page is read without looking at the rest. */
export const ftsMatching: Matching = {
  rows(owner, terms) {
    const wanted = terms.map(({ term, isPrefix }) => `"${hex(term)}"${isPrefix === true ? " *" : ""}`);
    return sql`search_terms CROSS JOIN search_documents ON search_documents.place = search_terms.rowid
      WHERE search_terms MATCH ${wanted.join(" AND ")} AND search_documents.owner = ${owner}`;
  },
  place: sql`search_terms.rowid`,
};

/** Against the open transaction; false when another version is stored, and then nothing was written. */
export function searchStatements(db: DatabaseSync): { save(change: SearchChange): boolean } {
  const find = db.prepare("SELECT place, version FROM search_documents WHERE owner = ? AND key = ?");
  const last = db.prepare("SELECT max(place) AS place FROM search_documents WHERE place >= ? AND place < ?");
  const insert = db.prepare("INSERT INTO search_documents VALUES (?, ?, ?, 1, ?)");
  const update = db.prepare("UPDATE search_documents SET version = version + 1, body = ? WHERE place = ?");
  const forget = db.prepare("DELETE FROM search_terms WHERE rowid = ?");
  const index = db.prepare("INSERT INTO search_terms (rowid, terms) VALUES (?, ?)");
  // the index leaves numbers of its own as the last row id, beyond what a number holds, and every later statement of the
  // connection would fail by reading it
  for (const statement of [forget, index]) statement.setReadBigInts(true);
  db.exec("CREATE TEMP TABLE IF NOT EXISTS small_row_id (id INTEGER PRIMARY KEY)");
  const keepRowIdSmall = db.prepare("INSERT OR REPLACE INTO temp.small_row_id VALUES (1)");

  function freePlace(atMs: number): number | undefined {
    const first = placeAt(atMs);
    const taken = last.get(first, first + PLACES_PER_MS)?.["place"];
    const place = typeof taken === "number" ? taken + 1 : first;
    return place < first + PLACES_PER_MS ? place : undefined;
  }

  return {
    save({ owner, key, atMs, expectedVersion, body, terms }) {
      checkTerms(terms, SEARCH_TERMS_MAX);
      const found = find.get(owner, key);
      if (Number(found?.["version"] ?? 0) !== expectedVersion) return false;
      const place = found === undefined ? freePlace(atMs) : Number(found["place"]);
      if (place === undefined) return false;
      const text = JSON.stringify(body);
      if (found === undefined) insert.run(place, owner, key, text);
      else update.run(text, place);
      try {
        if (found !== undefined) forget.run(place);
        index.run(place, terms.map(hex).join(" "));
      } finally {
        keepRowIdSmall.run();
      }
      return true;
    },
  };
}
