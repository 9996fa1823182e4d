/** Processor time of a process and of the processes that it started, whatever else runs on the machine. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Elsewhere than on Linux: not a number. */
export function cpuSeconds(pid: number): number {
  try {
    const started = readdirSync("/proc").filter((name) => statOf(name)?.parent === pid);
    return [String(pid), ...started].reduce((sum, name) => sum + (statOf(name)?.seconds ?? 0), 0);
  } catch {
    return Number.NaN;
  }
}

function statOf(name: string): { parent: number; seconds: number } | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND };
  } catch {
    return undefined; // it ended meanwhile
  }
}
