/**
 * The lock of a shared plan: a file that is created exclusively and holds a token of its owner.
 *
 *   free ──create──▶ held ──release, with the same token──▶ free
 *                     └──its process is gone, or five minutes are over──▶ taken over
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readFile, unlink } from "node:fs/promises";
import type { SharedLock } from "../protocol/shared-plan.ts";

const LOCK_TRIES_MAX = 5;
const TRY_AFTER_MS = 200;
/** Nobody works on a plan file for so long: beyond it even a process that seems to live has lost the lock. */
const LOCK_HELD_MS_MAX = 5 * 60_000;
/** A lock that was made just now may not hold its token yet. */
const LOCK_FRESH_MS = 2_000;
const FILE_MODE = 0o600;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const TOKEN = /^(\d{1,10})-\d+-[0-9a-f-]{36}$/;

export class LockError extends Error {
  override name = "LockError";
}

/** Time, and which processes live, as a test may set them. */
export type LockWorld = {
  nowMs(): number;
  wait(ms: number): Promise<void>;
  isAlive(pid: number): boolean;
};

const REAL: LockWorld = {
  nowMs: () => Date.now(),
  wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  isAlive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return codeOf(error) === "EPERM"; // it lives, and is somebody else's
    }
  },
};

/** Resolves with what releases it. Throws when it stays held, or is no file. */
export async function takeLock(path: string, world: LockWorld = REAL): Promise<() => Promise<void>> {
  for (let attempt = 1; attempt <= LOCK_TRIES_MAX; attempt++) {
    const token = `${process.pid}-${world.nowMs()}-${randomUUID()}`;
    if (await create(path, token)) return () => release(path, token);
    if (await isAbandoned(path, world)) await unlink(path).catch(ignoreMissing);
    else await world.wait(TRY_AFTER_MS * attempt);
  }
  throw new LockError("This plan is being changed by somebody else. Try again in a moment.");
}

/** Who holds it, without taking it. Undefined: nobody. */
export async function lookAtLock(path: string, world: LockWorld = REAL): Promise<SharedLock | undefined> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found === undefined) return undefined;
  const isAbandonedNow = found.isFile() && (await isAbandoned(path, world));
  const pid = found.isFile() ? await ownerOf(path) : undefined;
  return {
    state: isAbandonedNow ? "abandoned" : "held",
    sinceMs: Math.trunc(found.mtimeMs),
    pid: pid ?? null,
  };
}

/** The process that its token names; none while it is being written. */
async function ownerOf(path: string): Promise<number | undefined> {
  const pid = TOKEN.exec(await readFile(path, "utf8").catch(() => ""))?.[1];
  return pid === undefined ? undefined : Number(pid);
}

async function create(path: string, token: string): Promise<boolean> {
  try {
    const handle = await open(path, CREATE, FILE_MODE);
    try {
      await handle.writeFile(token);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ELOOP") return false;
    throw error;
  }
}

async function isAbandoned(path: string, { nowMs, isAlive }: LockWorld): Promise<boolean> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found === undefined) return true; // released in this moment
  if (!found.isFile()) throw new LockError("The lock of this plan is no regular file. Remove it by hand.");
  const ageMs = nowMs() - found.mtimeMs;
  if (ageMs > LOCK_HELD_MS_MAX) return true;
  const pid = await ownerOf(path);
  return pid === undefined ? ageMs > LOCK_FRESH_MS : !isAlive(pid);
}

/** Only its owner releases it: whoever was too slow finds another token and leaves it. */
async function release(path: string, token: string): Promise<void> {
  const held = await readFile(path, "utf8").catch(() => "");
  if (held === token) await unlink(path).catch(ignoreMissing);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}
