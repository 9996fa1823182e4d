/** One install at a time: the second waits for the first, and one that was killed holds nobody up. */
import { readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { CliError } from "../cli-error.ts";

const TRIES_MAX = 100;
const EVERY_MS = 50;

export async function withInstallLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const handle = await open(file, "wx", 0o600).catch(() => undefined);
    if (handle === undefined) {
      if (isAbandoned(file)) await rm(file, { force: true });
      else await pause(EVERY_MS);
      continue;
    }
    try {
      await handle.writeFile(String(process.pid));
      return await work();
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  }
  const message = "Another installation of hooks does not end.";
  throw new CliError({ exit: "failed", message, advice: `If there is none, remove ${file}.`, code: "LOCKED" });
}

function isAbandoned(file: string): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(file, "utf8"));
  } catch {
    return false; // gone in this moment
  }
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // its owner is about to write its number
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
