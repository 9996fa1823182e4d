/**
 * Writable places that are what they were when the view was made. A program of another plan may exchange a folder for a
 * link between the look at it and its mount; then something else would be writable. What is mounted cannot be exchanged any
 * more: so the program starts only if the kernel's own table says that each place is mounted from where it was seen.
 */
import { readFileSync } from "node:fs";
import { rootIn } from "./hidden/other-mounts.ts";
import type { ExistingPlace } from "./hidden/existing-places.ts";
import type { Program, View } from "./view.ts";

/** Pairs of a path and what of its file system must be mounted there, up to "--"; then the program. */
const SCRIPT = `paths=() roots=() seen=()
while [ "$1" != -- ]; do paths+=("$1") roots+=("$2"); shift 2; done
shift
while read -r _ _ _ root at _; do
  printf -v at "\${at//%/%%}"
  printf -v root "\${root//%/%%}"
  for i in "\${!paths[@]}"; do
    if [ "$at" = "\${paths[i]}" ]; then if [ "$root" = "\${roots[i]}" ]; then seen[i]=yes; else seen[i]=; fi; fi
  done
done < /proc/self/mountinfo
for i in "\${!paths[@]}"; do
  [ -n "\${seen[i]-}" ] || { echo "holdpoint: \${paths[i]} was exchanged while the sandbox was built; nothing was run" >&2; exit 125; }
done
exec "$@"`;

type Pinning = { places: readonly ExistingPlace[]; program: Program; bash: string };

/** The program behind that check; undefined where a place is not what was judged. */
export function pinnedProgram(view: View, { places, program, bash }: Pinning): Program | undefined {
  const judged = new Set(view.places.flatMap(({ path, as }) => (as === "writable" ? [path] : [])));
  const writable = places.filter(({ as }) => as === "writable");
  if (writable.some(({ path }) => !judged.has(path))) return undefined; // a link led somewhere else
  const table = readFileSync("/proc/self/mountinfo", "utf8");
  const pairs = writable.map(({ path }) => [path, rootIn(table, path) ?? ""]);
  const argv = [bash, "--noprofile", "--norc", "-c", SCRIPT, "holdpoint", ...pairs.flat(), "--", ...program.argv];
  return writable.length === 0 ? program : { ...program, argv };
}
