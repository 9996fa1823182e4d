/**
 * Looks at the database before anything is written to it. A connection that only reads leaves the log where it is, so a
 * refusal destroys nothing that could still be saved.
 */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { markPath, type Position, readMark, removeMark } from "./acknowledged-mark.ts";
import { databasePath, openForInspection } from "../database-file.ts";
import { damageCode } from "../failure.ts";

/** Checked before the start goes on; a larger one is checked by a thread of its own while the gateway serves. */
const CHECKED_AT_START_BYTES_MAX = 8 * 1024 * 1024;

const RESTORE =
  "Nothing was changed. Stop here, keep a copy of this folder, and restore the last backup: docs/guides/runbook.md, “Restore a backup”.";

/** Throws when the database is damaged or lacks what was acknowledged. */
export function inspectDatabase(folder: string): void {
  if (sizeOf(folder) === 0) {
    refuseLost(folder, NOTHING);
    return;
  }
  const db = openForInspection(folder);
  try {
    if (isCopy(db)) removeMark(folder); // a restored backup is older on purpose
    else refuseLost(folder, positionOf(db));
    const fault = isLarge(folder) ? undefined : faultIn(db);
    if (fault !== undefined) throw damaged(fault);
  } catch (error) {
    throw damageCode(error) ? damaged(messageOf(error)) : error;
  } finally {
    if (db.isOpen) db.close();
  }
}

export const isLarge = (folder: string): boolean => sizeOf(folder) > CHECKED_AT_START_BYTES_MAX;

/** The first thing that is wrong with its pages or indexes; undefined: nothing. A row that no index leads to is lost as well. */
export function faultIn(db: DatabaseSync): string | undefined {
  try {
    const [row] = db.prepare("PRAGMA integrity_check(1)").all();
    const answer = String(row?.["integrity_check"] ?? "");
    return answer === "ok" ? undefined : answer;
  } catch (error) {
    if (damageCode(error)) return messageOf(error);
    throw error;
  }
}

/** Its last event and audit row. */
function positionOf(db: DatabaseSync): Position {
  if (!hasTable(db, "events") || !hasTable(db, "audit_head")) return NOTHING;
  const cursor = db.prepare("SELECT max(cursor) AS cursor FROM events").get()?.["cursor"];
  const seq = db.prepare("SELECT seq FROM audit_head").get()?.["seq"];
  return { cursor: Number(cursor ?? 0), auditSeq: Number(seq ?? 0) };
}

const NOTHING: Position = { cursor: 0, auditSeq: 0 };

function refuseLost(folder: string, found: Position): void {
  const mark = readMark(folder);
  if (mark === undefined || (found.cursor >= mark.cursor && found.auditSeq >= mark.auditSeq)) return;
  throw new Error(
    `The database lacks commits that were acknowledged: it ends at event ${found.cursor} and audit row ${found.auditSeq}, ` +
      `and event ${mark.cursor} and audit row ${mark.auditSeq} were acknowledged. Its log was damaged or removed. ${RESTORE} ` +
      `To go on without what is missing, remove ${markPath(folder)} and start again`,
  );
}

/** A file that `holdpoint backup` wrote says so itself, until it is opened for writing. */
const isCopy = (db: DatabaseSync): boolean =>
  hasTable(db, "meta") && db.prepare("SELECT 1 FROM meta WHERE key = 'copied'").get() !== undefined;

const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

const damaged = (fault: string): Error => new Error(`The database is damaged (${oneLine(fault)}). ${RESTORE}`);
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 200);
const sizeOf = (folder: string): number => statSync(databasePath(folder), { throwIfNoEntry: false })?.size ?? 0;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
