/** The one connection that writes, and its transactions. What a failure means is settled by `group-commit.ts`. */
import { CHECKPOINT_PAGES, migrate, openForWriting } from "./database-file.ts";
import type { Job, Outcome } from "./jobs.ts";
import { createLedger } from "./ledger.ts";

export type Connection = {
  /** All jobs in one transaction with one fsync; throws when none of them was written. */
  transact(jobs: Job[]): Outcome[];
  /** Whether the log has become so long that it is to be moved. */
  isLogLong(): boolean;
  /** Moves the log into the database so that the next transaction writes over it instead of growing it. */
  recycleLog(): void;
  /** A connection that was opened on a read-only file stays read-only, so a new one has to be asked. */
  reopen(): boolean;
  close(): void;
};

export function openConnection(folder: string): Connection {
  let db = openForWriting(folder);
  migrate(db);
  let ledger = createLedger(db);
  return {
    transact(jobs) {
      db.exec("BEGIN IMMEDIATE");
      try {
        const outcomes = jobs.map((job) => ledger.apply(job));
        ledger.seal();
        db.exec("COMMIT");
        return outcomes;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        ledger.rewind();
        throw error;
      }
    },
    isLogLong: () => Number(db.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]) >= CHECKPOINT_PAGES,
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
    close: () => db.close(),
  };
}
