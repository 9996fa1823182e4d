/**
 * What a sandbox must hold back before it is believed, tried on this machine with files made for it: reading what is
 * hidden, changing what is only readable, moving either away, signalling the gateway. What is open must be open.
 */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program, View } from "../view.ts";

export type Trial = { view: View; program: Program };

/** $1 the folder of the trial, $2 the gateway's process, $3 whether the view may write. Ends with 0 only if all of it held. */
const SCRIPT = `exec 2>/dev/null >/dev/null
cat "$1/hidden/secret" && exit 11
[ -n "$(ls -A "$1/hidden")" ] && exit 12
cat "$1/link/secret" && exit 13
touch "$1/kept/new" && exit 14
mv "$1/hidden" "$1/moved" && exit 15
mv "$1" "$1-moved" && exit 16
kill -0 "$2" && exit 17
cat "$1/kept/text" || exit 18
if [ "$3" = writable ]; then touch "$1/new" || exit 19; else touch "$1/new" && exit 20; fi
exit 0`;

export type Trials = { trials: readonly Trial[]; remove(): Promise<void> };

/** Of the view that only reads and of the one that works. */
export function prepareTrials(gatewayPid: number = process.pid): Trials {
  const folders = (["read-only", "writable"] as const).map((rest) => ({ rest, folder: prepared() }));
  return {
    trials: folders.map(({ rest, folder }) => ({
      view: {
        rest,
        network: rest === "writable",
        places: [
          { path: join(folder, "hidden"), as: "hidden" },
          { path: join(folder, "kept"), as: "readable" },
          ...(rest === "writable" ? [{ path: folder, as: "fixed" } as const] : []),
        ],
      },
      program: { cwd: "/", argv: ["/bin/sh", "-c", SCRIPT, "holdpoint", folder, String(gatewayPid), rest] },
    })),
    async remove() {
      for (const { folder } of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

function prepared(): string {
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), "holdpoint-trial-"));
  for (const name of ["hidden", "kept"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "hidden", "secret"), "secret");
  writeFileSync(join(folder, "kept", "text"), "text");
  symlinkSync(join(folder, "hidden"), join(folder, "link"));
  return folder;
}
