/**
 * One gateway per state folder. The claim is a lock that the operating system holds for the process and drops with it,
 * however it ends, so a kill leaves nothing stale behind. The pid stands in a file beside it, for people only.
 */
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Claim = { release(): void } | { heldByPid: number | null };

const BUSY = 5;

export function claimFolder(folder: string, { pid }: { pid: number }): Claim {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pidPath = join(folder, "gateway.pid");
  const lockPath = join(folder, "gateway.lock");
  closeSync(openSync(lockPath, "a", 0o600)); // made first, for its owner only: SQLite gives its side files the same rights
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE"); // held until the process ends; nothing is ever written under it
  } catch (error) {
    lock.close();
    if (isBusy(error)) return { heldByPid: pidIn(pidPath) };
    throw error;
  }
  chmodSync(lockPath, 0o600);
  writeFileSync(pidPath, `${pid}\n`, { mode: 0o600 });
  return {
    release() {
      if (!lock.isOpen) return;
      rmSync(pidPath, { force: true });
      lock.close();
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === BUSY;

/** Null in the instant between a claim and its pid. */
function pidIn(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    return Number.isInteger(pid) ? pid : null;
  } catch {
    return null;
  }
}
