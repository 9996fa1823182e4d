/** The tables of the embedded store for a move: read, and written in one transaction. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Cell, MovedTable, Page, TableTarget } from "../../move/moved-tables.ts";
import { NUMBERED, OWN_META } from "../../move/moved-tables.ts";
import { migrate, openForWriting, prepareFolder } from "../database-file.ts";

const PAGE_ROWS = 500;

/** Of a store that nobody uses; `work` runs in one transaction, which is rolled back when it throws. */
export async function withSqliteTables<T>(folder: string, work: (tables: TableTarget) => Promise<T>): Promise<T> {
  prepareFolder(folder);
  const db = openForWriting(folder);
  try {
    migrate(db);
    db.exec("BEGIN IMMEDIATE");
    const result = await work(tablesOf(db));
    db.exec("COMMIT");
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  } finally {
    db.close();
  }
}

function tablesOf(db: DatabaseSync): TableTarget {
  db.exec("CREATE VIRTUAL TABLE temp.indexed_terms USING fts5vocab('main', 'search_terms', 'instance')");
  return {
    pages: (table) => pagesOf(db, table),
    async lastNumber(table) {
      const used = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.["seq"] ?? 0;
      const highest = db.prepare(`SELECT max(${NUMBERED[table]}) AS n FROM ${table}`).get()?.["n"] ?? 0;
      return Math.max(Number(used), Number(highest));
    },
    async clear(table) {
      if (table === "audit_head") db.exec("DELETE FROM audit_head");
    },
    async write(table, { columns, rows }) {
      const plain = columns.filter((column) => column !== "terms");
      const insert = writing(
        db,
        `INSERT INTO ${table} (${plain.join(", ")}) VALUES (${plain.map(() => "?").join(", ")})`,
      );
      for (const row of rows) {
        insert.run(...row.flatMap((cell) => (isPlain(cell) ? [cell] : [])));
        if (table === "search_documents") indexTerms(db, columns, row);
      }
    },
    async retire(where) {
      writing(db, "INSERT INTO meta VALUES ('moved', ?)").run(where);
    },
    async setLastNumber(table, last) {
      if (table !== "outbox") return; // the others count on from their highest
      writing(db, "DELETE FROM sqlite_sequence WHERE name = ?").run(table);
      writing(db, "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last);
    },
  };
}

const isPlain = (cell: Cell): cell is string | number | null => typeof cell !== "object" || cell === null;

/** The index of terms leaves a last row id beyond what a number holds, and each later write would fail by reading it. */
function writing(db: DatabaseSync, text: string): StatementSync {
  const statement = db.prepare(text);
  statement.setReadBigInts(true);
  return statement;
}

const hex = (term: string): string => Buffer.from(term).toString("hex");

function indexTerms(db: DatabaseSync, columns: readonly string[], row: readonly Cell[]): void {
  const terms = row[columns.indexOf("terms")];
  const place = row[columns.indexOf("place")];
  if (!Array.isArray(terms) || typeof place !== "number") throw new TypeError("a search document without terms");
  writing(db, "INSERT INTO search_terms (rowid, terms) VALUES (?, ?)").run(place, terms.map(hex).join(" "));
}

function* pagesOf(db: DatabaseSync, table: MovedTable): Generator<Page> {
  const own = table === "meta" ? `WHERE key NOT IN (${OWN_META.map((key) => `'${key}'`).join(", ")})` : "";
  const columns = db
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));
  const isSearched = table === "search_documents";
  const termsOf = db.prepare("SELECT DISTINCT term FROM temp.indexed_terms WHERE doc = ?");
  const placeAt = columns.indexOf("place");
  let rows: Cell[][] = [];
  for (const found of db.prepare(`SELECT ${columns.join(", ")} FROM ${table} ${own}`).iterate()) {
    const row = columns.map((column) => cellOf(found[column]));
    const terms = isSearched ? termsOf.all(Number(row[placeAt])).map(({ term }) => unhexed(term)) : [];
    rows.push(isSearched ? [...row, terms] : row);
    if (rows.length < PAGE_ROWS) continue;
    yield { columns: isSearched ? [...columns, "terms"] : columns, rows };
    rows = [];
  }
  yield { columns: isSearched ? [...columns, "terms"] : columns, rows };
}

const unhexed = (term: unknown): string => Buffer.from(String(term), "hex").toString();

function cellOf(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError("a column that is no text and no number");
}
