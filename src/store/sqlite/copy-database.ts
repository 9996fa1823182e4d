/** Copies the database from one snapshot while others go on writing. The copy has its name only when it is whole and on disk. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openForReading } from "./database-file.ts";
import { type SyncPath, syncPath } from "./sync-path.ts";

export type BackupResult = { bytes: number } | { refused: string };

/** `sync`: returns when what is written under a path would survive a power cut. */
export function copyDatabase(
  { folder, path }: { folder: string; path: string },
  sync: SyncPath = syncPath,
): BackupResult {
  if (existsSync(path)) return { refused: `${path} already exists. Choose another name; a backup overwrites nothing.` };
  const partial = `${path}.partial`;
  try {
    rmSync(partial, { force: true }); // of an attempt that was cut short, or a link that somebody left there
    closeSync(openSync(partial, "wx", 0o600)); // made first, so that nobody else can read it at any time
    const db = openForReading(folder);
    db.prepare("VACUUM INTO ?").run(partial);
    db.close();
    markAsCopy(partial);
    sync(partial);
    renameSync(partial, path);
    sync(dirname(path));
    return { bytes: statSync(path).size };
  } catch (error) {
    rmSync(partial, { force: true });
    return { refused: `The backup could not be written: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** So that a gateway which opens it knows that it is older on purpose. */
function markAsCopy(path: string): void {
  const copy = new DatabaseSync(path);
  copy.prepare("INSERT INTO meta VALUES ('copied', ?)").run(new Date().toISOString());
  copy.close();
}
