/** What SQLite and PostgreSQL share about searching: all but how a term is looked up. */
import { fromStored } from "../stored-json.ts";
import type { Json } from "../../protocol/json.ts";
import type { Query } from "../sql/queries.ts";
import { sql, type Statement } from "../sql/statement.ts";
import type { SearchStore } from "../store.ts";
import { listFound, type PlacedDocument } from "./list-found.ts";
import { checkTerms, type SearchedTerm, SEARCHED_TERMS_MAX, timeOf } from "./search-documents.ts";

type Row = { place: number; owner: string; key: string; version: number; body: string };

const COLUMNS = sql`search_documents.place AS place, search_documents.owner AS owner, search_documents.key AS key,
  search_documents.version AS version, search_documents.body AS body`;

const placed = ({ place, body, ...row }: Row): PlacedDocument => ({
  place,
  document: { ...row, atMs: timeOf(place), body: fromStored<Json>(body) },
});

/** `rows` stands behind FROM: documents of the owner that have all of these terms. `place` is what they are ordered by. */
export type Matching = { rows(owner: string, terms: readonly SearchedTerm[]): Statement; place: Statement };

export function searchReads(query: Query, matching: Matching): Pick<SearchStore, "searchDocument" | "searchDocuments"> {
  return {
    async searchDocument({ owner, key }) {
      const [row] = await query<Row>(
        sql`SELECT ${COLUMNS} FROM search_documents WHERE owner = ${owner} AND key = ${key}`,
      );
      return row === undefined ? undefined : placed(row).document;
    },
    async searchDocuments({ owner, terms, ...page }) {
      checkTerms(
        terms.map(({ term }) => term),
        SEARCHED_TERMS_MAX,
      );
      const isAll = terms.length === 0;
      const found = isAll ? sql`search_documents WHERE owner = ${owner}` : matching.rows(owner, terms);
      const by = isAll ? sql`search_documents.place` : matching.place;
      const below = (place: number | null): Statement => (place === null ? sql`` : sql` AND ${by} < ${place}`);
      return listFound(async (place, limit) => {
        const rows = await query<Row>(
          // the places first: what they hold is read of one page alone
          sql`SELECT ${COLUMNS} FROM search_documents WHERE place IN
            (SELECT ${by} FROM ${found}${below(place)} ORDER BY ${by} DESC LIMIT ${limit}) ORDER BY place DESC`,
        );
        return rows.map(placed);
      }, page);
    },
  };
}
