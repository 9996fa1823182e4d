/**
 * Checksums of rows: computed when a row is written, compared when it is read, so that a row that the disk damaged or
 * somebody altered is refused instead of believed. They find accidents and careless hands; whoever means to deceive can
 * compute them anew, and is found by the audit chain (ADR 0029). Without a schema library: the writer's thread loads this file.
 */
import { crc32 } from "node:zlib";

const SEPARATOR = "\u001f";

export type Checked = string | number | null;

/** Of all columns that a reader goes by, in one order. A row of an older version has none, and is read as it is. */
export function rowChecksum(table: string, columns: readonly Checked[]): number {
  let sum = crc32(table);
  for (const column of columns) sum = crc32(column === null ? "" : String(column), crc32(SEPARATOR, sum));
  return sum;
}
