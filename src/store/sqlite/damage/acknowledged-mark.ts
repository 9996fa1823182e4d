/**
 * How far the database had come when a write was last acknowledged, in a small file beside it. SQLite reads its log up
 * to the first frame whose checksum is wrong and takes the rest for a torn end, so one flipped byte there loses commits
 * in silence; a database that ends before this mark has lost some.
 *
 *   commit ─▶ fsync ─▶ mark (no fsync) ─▶ answer        after a power cut the mark is the same or older, never newer
 */
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** The last event and the last audit row. Both numbers only grow. */
export type Position = { cursor: number; auditSeq: number };

const LINE = /^(\d{16}) (\d{16}) ([0-9a-f]{8})\n$/;

export const markPath = (folder: string): string => join(folder, "acknowledged");

export type AcknowledgedMark = { write(position: Position): void; close(): void };

export function openMark(folder: string): AcknowledgedMark {
  let file: number | undefined = opened(folder);
  let last = "";
  return {
    write(position) {
      const line = lineOf(position);
      if (file === undefined || line === last) return;
      last = line;
      try {
        writeSync(file, line, 0);
      } catch {
        file = undefined; // an old mark is a low one: it finds less, and never alarms wrongly
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function opened(folder: string): number | undefined {
  try {
    return openSync(markPath(folder), constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    return undefined; // a folder that cannot be written: the database will say so
  }
}

/** Undefined: there is none, or the power failed while it was written. */
export function readMark(folder: string): Position | undefined {
  try {
    const [, cursor = "", auditSeq = "", sum] = LINE.exec(readFileSync(markPath(folder), "latin1")) ?? [];
    const position = { cursor: Number(cursor), auditSeq: Number(auditSeq) };
    return sum === sumOf(numbersOf(position)) ? position : undefined;
  } catch {
    return undefined;
  }
}

export const removeMark = (folder: string): void => rmSync(markPath(folder), { force: true });

const numbersOf = ({ cursor, auditSeq }: Position): string =>
  [cursor, auditSeq].map((value) => String(value).padStart(16, "0")).join(" ");
const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, "0");

/** Always the same length, so that one write in place replaces the whole of it. */
function lineOf(position: Position): string {
  const numbers = numbersOf(position);
  return `${numbers} ${sumOf(numbers)}\n`;
}
