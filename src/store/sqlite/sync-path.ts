/** Returns when what stands under a path would survive a power cut; throws when the disk does not say so. */
import { closeSync, fsyncSync, openSync } from "node:fs";

export type SyncPath = (path: string) => void;

export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What file systems answer that have no sync of folders. */
const UNKNOWN_CALL: ReadonlySet<unknown> = new Set(["EINVAL", "ENOTSUP"]);

/** The names in a folder. Windows keeps them by itself and opens no folder. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  try {
    syncPath(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && UNKNOWN_CALL.has(error.code))) throw error;
  }
}
