/**
 * Checksums of rows: computed when a row is written, compared when it is read, so that a row that the disk damaged or
 * somebody altered is refused instead of believed. They find accidents and careless hands; whoever means to deceive can
 * compute them anew, and is found by the audit chain (ADR 0029). Without a schema library: the writer's thread loads this file.
 */
import { crc32 } from "node:zlib";

const SEPARATOR = "\u001f";

export type Checked = string | number | null;
/** A text may come as its bytes, and has the same checksum. */
type CheckedText = Checked | Uint8Array;

/** Of all columns that a reader goes by, in one order. A row of an older version has none, and is read as it is. */
export function rowChecksum(table: string, columns: readonly CheckedText[]): number {
  let sum = crc32(table);
  for (const column of columns) sum = crc32(checkedText(column), crc32(SEPARATOR, sum));
  return sum;
}

const checkedText = (column: CheckedText): string | Uint8Array =>
  column === null ? "" : typeof column === "number" ? String(column) : column;
