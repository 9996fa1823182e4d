/** The tables of a store on a server for a move: read, and written in one transaction that no gateway can change anything in. */
import { MoveError } from "../../move/copy-tables.ts";
import { type Cell, MOVED_TABLES, type MovedTable, NUMBERED, OWN_META, type Page } from "../../move/moved-tables.ts";
import type { TableTarget } from "../../move/moved-tables.ts";
import { listenerName } from "../commit-notices.ts";
import { openConnections, OPENING, type Rows } from "../connections.ts";

const PAGE_ROWS = 500;

type Ask = (text: string, values?: unknown[]) => Promise<Rows>;
type Place = { url: string; schema: string };

/** Of a store whose tables exist. Refused while a gateway listens on it. */
export async function withPostgresTables<T>(place: Place, work: (tables: TableTarget) => Promise<T>): Promise<T> {
  const connections = openConnections(place.url, place.schema, OPENING);
  const done = Promise.withResolvers<T>();
  try {
    await connections.transaction(async (query) => {
      await query(`LOCK TABLE ${MOVED_TABLES.join(", ")} IN SHARE ROW EXCLUSIVE MODE`);
      await refuseInUse(query, place.schema);
      done.resolve(await work(tablesOf(query)));
    });
    return await done.promise;
  } finally {
    await connections.close();
  }
}

async function refuseInUse(query: Ask, schema: string): Promise<void> {
  const text = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1";
  const listeners = await query(text, [listenerName(schema)]);
  if (listeners.length > 0)
    throw new MoveError(`${listeners.length} running gateway(s) use this database. Stop them first.`);
}

function tablesOf(query: Ask): TableTarget {
  return {
    pages: (table) => pagesOf(query, table),
    async lastNumber(table) {
      const sequence = `pg_get_serial_sequence('${table}', '${NUMBERED[table]}')::regclass`;
      const [row] = await query(`SELECT coalesce(pg_sequence_last_value(${sequence}), 0) AS n`);
      return Number(row?.["n"] ?? 0);
    },
    async clear(table) {
      if (table === "audit_head") await query("DELETE FROM audit_head");
    },
    async write(table, { columns, rows }) {
      const values: unknown[] = [];
      const tuples = rows.map((row) => {
        const cells = row.map((cell, at) => {
          values.push(cell);
          return columns[at] === "terms" ? `array_to_tsvector($${values.length}::text[])` : `$${values.length}`;
        });
        return `(${cells.join(", ")})`;
      });
      const into = `${table} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE`;
      await query(`INSERT INTO ${into} VALUES ${tuples.join(", ")}`, values);
    },
    async retire(where) {
      await query("INSERT INTO meta VALUES ('moved', $1)", [where]);
    },
    async setLastNumber(table, last) {
      if (last > 0) await query(`SELECT setval(pg_get_serial_sequence('${table}', '${NUMBERED[table]}'), $1)`, [last]);
    },
  };
}

async function* pagesOf(query: Ask, table: MovedTable): AsyncGenerator<Page> {
  const named = await query(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
  const columns = named.map(({ name }) => String(name));
  const read = columns.map((column) => (column === "terms" ? "tsvector_to_array(terms) AS terms" : column));
  const own = table === "meta" ? `WHERE key NOT IN (${OWN_META.map((key) => `'${key}'`).join(", ")})` : "";
  await query(`DECLARE moved_rows NO SCROLL CURSOR FOR SELECT ${read.join(", ")} FROM ${table} ${own}`);
  try {
    for (;;) {
      const found = await query(`FETCH ${PAGE_ROWS} FROM moved_rows`);
      yield { columns, rows: found.map((row) => columns.map((column) => cellOf(row[column]))) };
      if (found.length < PAGE_ROWS) return;
    }
  } finally {
    await query("CLOSE moved_rows").catch(() => undefined); // of a transaction that failed nothing is left to close
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (Array.isArray(value)) return value.map(String);
  throw new TypeError("a column that is no text and no number");
}
