/**
 * What a program left behind outside its process group: a grandchild that began a session of its own and lost its
 * parents. All of them inherit the environment, so a mark in it identifies them. A sandbox with its own processes needs
 * no such search; this is for systems without one, and only as far as they show environments (Linux).
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const NAME = "AGENT_PROGRAM_ID";
/** A killed process may take a moment to end, and may start others meanwhile. */
const ROUND_MS = 20;
const ROUNDS_MAX = 100;
const PROCESSES_MAX = 32_768;

export type StragglerMark = { env: Readonly<Record<string, string>> };

export const stragglerMark = (): StragglerMark => ({ env: { [NAME]: randomUUID() } });

export async function endStragglers({ env }: StragglerMark): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const left = await marked(`${NAME}=${env[NAME]}`);
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
    await sleep(ROUND_MS);
  }
}

async function marked(entry: string): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).slice(0, PROCESSES_MAX);
  const found = await Promise.all(names.map((pid) => isMarked(pid, entry)));
  return names.filter((_pid, index) => found[index] === true).map(Number);
}

/** Skips processes that have ended or belong to another user. */
const isMarked = (pid: string, entry: string): Promise<boolean> =>
  readFile(`/proc/${pid}/environ`, "utf8").then(
    (text) => text.split("\0").includes(entry),
    () => false,
  );

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // ESRCH: it ended by itself, which is what was wanted
  }
}
