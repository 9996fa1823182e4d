/** Whether the kernel lets an ordinary person hold a process tree here; tried, not guessed. */
import { spawnSync } from "node:child_process";
import { systemPrograms } from "../../runner/system-programs.ts";

const TRY_MS_MAX = 5_000;
const NEEDED = ["setpriv", "unshare", "bash", "bwrap", "nsenter", "mount"];

/** Undefined: it does. Otherwise why not, as part of a sentence. */
export async function canHold(): Promise<string | undefined> {
  if (process.platform !== "linux") return `${process.platform} has no namespaces of mounts`;
  const missing = NEEDED.filter((name) => systemPrograms().find(name) === undefined);
  if (missing.length > 0)
    return `${missing.join(", ")} is not installed (on Debian: apt install bubblewrap util-linux)`;
  const [unshare = "", nothing = ""] = ["unshare", "true"].map((name) => systemPrograms().find(name));
  const tried = spawnSync(unshare, ["-Ur", "--", nothing], { timeout: TRY_MS_MAX, stdio: "ignore" });
  return tried.status === 0 ? undefined : "this system does not let you make user namespaces";
}
