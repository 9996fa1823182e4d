/** Answers one call of a running program to the system with an error, and reads from the trace what the program did then. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ACKS_FILE } from "./recorded-writes.ts";

export const CALLS = ["pwrite64", "fdatasync", "fsync", "ftruncate", "pread64", "openat"] as const;
export const ERRORS = ["EIO", "ENOSPC", "EMFILE", "EINTR"] as const;
export type Failing = { call: (typeof CALLS)[number]; error: (typeof ERRORS)[number]; nth: number };

/** `failed`: the file whose call failed; absent when the program made fewer such calls. */
export type AfterError = {
  failed: string | undefined;
  status: number | null;
  acknowledgedAfter: number;
  stderr: string;
};

/** Only calls on files of this folder count, so that the runtime itself starts as ever. */
export function failOnce(
  program: readonly string[],
  failing: Failing,
  { folder, trace }: { folder: string; trace: string },
) {
  const { call, error, nth } = failing;
  const files = [
    "holdpoint.db",
    "holdpoint.db-wal",
    "holdpoint.db-shm",
    "holdpoint.db-journal",
    "acknowledged",
    "reserve.bin",
  ];
  const watched = ["", ...files, ACKS_FILE].flatMap((name) => ["-P", join(folder, name)]);
  const inject = ["-e", `inject=${call}:error=${error}:when=${nth}`];
  const options = ["-f", "-qq", "-y", "-o", trace, ...watched, "-e", `trace=write,${CALLS.join(",")}`, ...inject];
  const { status, stderr } = spawnSync("strace", [...options, ...program], { encoding: "utf8" });
  return { status, stderr, ...inTrace(readFileSync(trace, "utf8").split("\n")) } satisfies AfterError;
}

function inTrace(lines: readonly string[]): Pick<AfterError, "failed" | "acknowledgedAfter"> {
  const at = lines.findIndex((line) => line.includes("(INJECTED)"));
  const line = lines[at] ?? "";
  const path = /"([^"]*)"/.exec(line)?.[1] ?? /\d+<([^>]*)>/.exec(line)?.[1];
  const after = at < 0 ? [] : lines.slice(at + 1);
  return {
    failed: at < 0 ? undefined : basename(path ?? ""),
    acknowledgedAfter: after.filter((one) => /\bwrite\(\d+<[^>]*>, "k\d+/.test(one)).length,
  };
}
