/** Copies every row of one store into another that is empty, and compares both sides before anything counts. */
import { createHash } from "node:crypto";
import {
  MOVED_TABLES,
  type MovedTable,
  NUMBERED,
  type Row,
  type TableSource,
  type TableTarget,
} from "./moved-tables.ts";

export type Moved = { table: MovedTable; rows: number };

/** The move cannot be made. Nothing was changed on either side. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

/** Within a transaction of the target, which is given up when this throws. */
export async function copyTables(source: TableSource, target: TableTarget): Promise<Moved[]> {
  await refuseUsed(target);
  const moved: Moved[] = [];
  for (const table of MOVED_TABLES) {
    await target.clear(table);
    for await (const page of source.pages(table)) if (page.rows.length > 0) await target.write(table, page);
    if (NUMBERED[table] !== undefined) await target.setLastNumber(table, await source.lastNumber(table));
    const [before, after] = [await sumOf(source, table), await sumOf(target, table)];
    if (before.sum !== after.sum)
      throw new MoveError(
        `${table}: what was written is not what was read (${before.rows} rows, ${after.rows} found).`,
      );
    moved.push({ table, rows: after.rows });
  }
  return moved;
}

/** The chain of an empty store has a head without rows, and what it says about itself stays. */
const BORN_WITH = new Set<MovedTable>(["audit_head", "meta"]);

async function refuseUsed(target: TableSource): Promise<void> {
  for (const table of MOVED_TABLES) {
    if (BORN_WITH.has(table)) continue;
    for await (const { rows } of target.pages(table))
      if (rows.length > 0)
        throw new MoveError(`The new store is not empty: it has rows in ${table}. Move it away, or name an empty one.`);
  }
}

const MODULUS = 1n << 256n;

/** The sum of the digests of all rows: equal whatever the order in which a store hands them out. */
async function sumOf(source: TableSource, table: MovedTable): Promise<{ sum: bigint; rows: number }> {
  let sum = 0n;
  let rows = 0;
  for await (const page of source.pages(table)) {
    for (const row of page.rows) sum = (sum + digestOf(page.columns, row)) % MODULUS;
    rows += page.rows.length;
  }
  return { sum, rows };
}

function digestOf(columns: readonly string[], row: Row): bigint {
  const cells = columns.map((column, at) => [column, sorted(row[at])] as const);
  const text = JSON.stringify(cells.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
}

/** Terms are a set. */
const sorted = (cell: Row[number] | undefined): unknown =>
  Array.isArray(cell) ? cell.map(String).toSorted((one, other) => (one < other ? -1 : 1)) : cell;
