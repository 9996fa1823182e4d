/** What a failed statement means for the writer. */
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StoreFailure } from "../store.ts";

/**
 * `fatal`: what is on disk is no longer certain (a failed fsync may have thrown pages away), so nothing may be
 * acknowledged and the process must end. `bug`: the statement itself was wrong.
 */
export type Diagnosis = "full" | "read-only" | "busy" | "fatal" | "bug";

const FULL = 13;
const READONLY = 8;
const READONLY_DBMOVED = 1032;
const BUSY = 5;
const IOERR = 10;
const CORRUPT = 11;
const CANTOPEN = 14;
const NOTADB = 26;
/**
 * SQLite reports these without the errno behind them; only a trial write distinguishes a full or read-only disk from a
 * broken one.
 */
const ASK_THE_DISK: ReadonlySet<number> = new Set([778, 1546, 4618, 4874, CANTOPEN]);

export function diagnose(error: unknown, probe: () => string | undefined): Diagnosis {
  const code = sqliteCode(error);
  if (code === undefined) return "bug";
  if (code === READONLY_DBMOVED) return "fatal";
  if (ASK_THE_DISK.has(code)) return byErrno(probe());
  switch (code & 0xff) {
    case FULL:
      return "full";
    case READONLY:
      return "read-only";
    case BUSY:
      return "busy";
    case IOERR:
    case CORRUPT:
    case NOTADB:
      return "fatal";
    case CANTOPEN:
      return byErrno(probe());
    default:
      return "bug";
  }
}

function byErrno(errno: string | undefined): Diagnosis {
  switch (errno) {
    case "ENOSPC":
    case "EDQUOT":
      return "full";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "read-only";
    default:
      return "fatal";
  }
}

/** The file itself is wrong: a malformed page, or no database at all. */
export function damageCode(error: unknown): boolean {
  const code = (sqliteCode(error) ?? 0) & 0xff;
  return code === CORRUPT || code === NOTADB;
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

const PROBE_BYTES = 4096;

/** Tries to write a little beside the database: undefined when it worked, else why it did not. */
export function probeFolder(folder: string): string | undefined {
  const path = join(folder, ".probe");
  try {
    const file = openSync(path, "w", 0o600);
    try {
      writeSync(file, Buffer.alloc(PROBE_BYTES));
    } finally {
      closeSync(file);
      unlinkSync(path);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "EIO";
  }
}

export const failures: Record<
  "full" | "read-only" | "busy" | "closed" | "crowded" | "damaged" | "fatal",
  StoreFailure
> = {
  full: {
    reason: "full",
    outcome: "nothing-written",
    message: "The disk is full: nothing was changed. Free some space; the gateway goes on by itself.",
  },
  "read-only": {
    reason: "read-only",
    outcome: "nothing-written",
    message:
      "The state folder cannot be written: nothing was changed. Make it writable; the gateway goes on by itself.",
  },
  busy: {
    reason: "unreachable",
    outcome: "nothing-written",
    message: "Another program holds the database locked: nothing was changed. Try again.",
  },
  closed: { reason: "closed", outcome: "nothing-written", message: "The store is closed." },
  crowded: {
    reason: "unreachable",
    outcome: "nothing-written",
    message: "Too many writes are waiting for the disk: nothing was changed. Try again.",
  },
  damaged: {
    reason: "damaged",
    outcome: "nothing-written",
    message:
      "The database is damaged: nothing was changed, and nothing is written to it any more. Restore the last backup: see the runbook.",
  },
  fatal: {
    reason: "closed",
    outcome: "unknown",
    message:
      "The disk failed while this was being written. After a restart the same idempotency key tells what became of it.",
  },
};
