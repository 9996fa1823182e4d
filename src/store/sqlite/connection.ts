/** The one connection that writes, and its transactions. What a failure means is settled by `group-commit.ts`. */
import { openMark } from "./damage/acknowledged-mark.ts";
import { CHECKPOINT_PAGES, compact, migrate, openForWriting, reclaim } from "./database-file.ts";
import { inspectDatabase } from "./damage/inspect-database.ts";
import type { Job, Outcome } from "./jobs.ts";
import { createLedger } from "./ledger.ts";
import { syncFolder, type SyncPath } from "./sync-path.ts";

export type Connection = {
  /** All jobs in one transaction with one fsync; throws when none of them was written. */
  transact(jobs: Job[]): Outcome[];
  /** Whether the log has become so long, or has so many pages, that it is to be moved. */
  isLogLong(pages?: number): boolean;
  /** Moves the log into the database so that the next transaction writes over it instead of growing it. */
  recycleLog(): void;
  /** A connection that was opened on a read-only file stays read-only, so a new one has to be asked. */
  reopen(): boolean;
  close(): void;
};

export function openConnection(folder: string, sync: SyncPath = syncFolder): Connection {
  inspectDatabase(folder);
  let db = openForWriting(folder);
  migrate(db);
  sync(folder); // SQLite does it when it makes its log, and keeps a failure to itself: the log would be gone with its commits
  compact(db);
  let ledger = createLedger(db);
  const mark = openMark(folder);
  mark.write(ledger.position());
  return {
    transact(jobs) {
      db.exec("BEGIN IMMEDIATE");
      try {
        const outcomes = jobs.map((job) => ledger.apply(job));
        ledger.seal();
        db.exec("COMMIT");
        mark.write(ledger.position());
        if (jobs.some(({ kind }) => kind === "reclaim")) reclaim(db);
        return outcomes;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        ledger.rewind();
        throw error;
      }
    },
    isLogLong: (pages = CHECKPOINT_PAGES) => Number(db.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]) >= pages,
    recycleLog: () => db.exec("PRAGMA wal_checkpoint(PASSIVE)"),
    reopen() {
      try {
        const fresh = openForWriting(folder);
        ledger = createLedger(fresh);
        db.close();
        db = fresh;
        return true;
      } catch {
        return false;
      }
    },
    close() {
      db.close();
      mark.close();
    },
  };
}
