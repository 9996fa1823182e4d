/**
 * A view built by Seatbelt, which every macOS has. Nobody ran this on a Mac yet: therefore it counts as a sandbox only on a
 * machine where a trial (`trial.ts`) has shown that it holds.
 */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Enclosed } from "../spawn-enclosed.ts";
import type { Program } from "../view.ts";
import { seatbeltProfile, type SeatbeltView } from "./profile.ts";

/** Undefined where no trusted folder of this machine holds the program. */
type Find = (name: string) => string | undefined;

type Order = { program: Program; find: Find };

/** $1 the folder to start in, $2 the one for temporary files or nothing; then the program. */
const SCRIPT = `cd "$1" || exit 125; if [ -n "$2" ]; then export TMPDIR="$2"; fi; shift 2; exec "$@"`;

export function seatbeltEnclosed(
  view: Omit<SeatbeltView, "scratch" | "cwd">,
  { program, find }: Order,
): Enclosed | undefined {
  const [file, bash] = [find("sandbox-exec"), find("bash")];
  if (file === undefined || bash === undefined) return undefined;
  const scratch = view.places.some(({ as }) => as === "scratch") ? scratchFolder() : undefined;
  const { cwd, argv } = program;
  const own = scratch === undefined ? {} : { scratch };
  const { text, parameters } = seatbeltProfile({ ...view, ...own, cwd });
  return {
    file,
    args: [
      "-p",
      text,
      ...Object.entries(parameters).map(([name, value]) => `-D${name}=${value}`),
      "--",
      bash,
      "--noprofile",
      "--norc",
      "-c",
      SCRIPT,
      "holdpoint",
      cwd,
      scratch ?? "",
      ...argv,
    ],
    ...own,
  };
}

/** Of one process; whoever starts that removes it. Without symlinks: Seatbelt compares real paths. */
const scratchFolder = (): string => mkdtempSync(join(realpathSync.native(tmpdir()), "holdpoint-scratch-"));
