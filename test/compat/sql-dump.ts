/** A SQLite database as text and back, so that a recorded one can be read in a review. */
import { DatabaseSync } from "node:sqlite";

/** Tables in the order of their making, then their rows, then indexes and triggers. */
export function dumpDatabase(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const made = db.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").all();
    const tables = made.filter((row) => row["type"] === "table" && !String(row["name"]).startsWith("sqlite_"));
    const others = made.filter((row) => row["type"] !== "table");
    return [
      ...tables.map((row) => `${String(row["sql"])};`),
      ...tables.flatMap((row) => rowsOf(db, String(row["name"]))),
      ...others.map((row) => `${String(row["sql"])};`),
      "",
    ].join("\n");
  } finally {
    db.close();
  }
}

function rowsOf(db: DatabaseSync, table: string): string[] {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all();
  const quoted = columns.map((column) => `quote("${String(column["name"])}")`).join(` || ', ' || `);
  return db
    .prepare(`SELECT ${quoted} AS "values" FROM "${table}"`)
    .all()
    .map((row) => `INSERT INTO "${table}" VALUES (${String(row["values"])});`);
}

export function restoreDatabase(path: string, dump: string): void {
  const db = new DatabaseSync(path);
  db.exec(`BEGIN;\n${dump}COMMIT;`);
  db.close();
}
