/**
 * `npm run test:long -- model`: Spin checks the lifecycle in `spec/lifecycle.pml`, and must find each mutant of it. Skipped,
 * and said so, where there is no Spin or no C compiler.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MODEL = join(import.meta.dirname, "..", "spec", "lifecycle.pml");
const COMPILER = process.env["CC"] ?? "cc";
const DEPTH_MAX = 200_000;
const MEMORY_MIB = 3_000;
const CHECK_MS_MAX = 900_000;

type Checked = { errors: number; states: number; what: string };

/** In the order of the file; each is one line of the design that is left out. */
export const mutantsIn = (model: string): string[] => [
  ...new Set(
    [...model.matchAll(/^#ifn?def ([A-Z_]+)$/gm)].map(([, name = ""]) => name).filter((name) => name !== "NODES"),
  ),
];

function check(folder: string, defines: readonly string[]): Checked {
  const inside = { cwd: folder, stdio: "pipe", encoding: "utf8" } as const;
  execFileSync("spin", [...defines.map((name) => `-D${name}`), "-a", "lifecycle.pml"], inside);
  execFileSync(
    COMPILER,
    ["-O2", "-w", "-DSAFETY", "-DCOLLAPSE", `-DMEMLIM=${MEMORY_MIB}`, "-o", "pan", "pan.c"],
    inside,
  );
  const { stdout } = spawnSync(join(folder, "pan"), [`-m${DEPTH_MAX}`, "-E"], { ...inside, timeout: CHECK_MS_MAX });
  const isCut = !/State-vector/.test(stdout) || /max search depth too small|out of memory/.test(stdout);
  if (isCut) throw new Error(`Spin did not come to an end: ${stdout.slice(-500)}`);
  return {
    errors: Number(/errors: (\d+)/.exec(stdout)?.[1] ?? -1),
    states: Number(/(\d+) states, stored/.exec(stdout)?.[1] ?? 0),
    what: /assertion violated (.*) \(at depth/.exec(stdout)?.[1] ?? "",
  };
}

const isThere = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: "ignore" }).status === 0;

export function checkModel(
  say: (line: string) => void = (line) => void process.stdout.write(`model: ${line}\n`),
): number {
  const missing = [["spin", "-V"] as const, [COMPILER, "--version"] as const].filter(
    ([name, how]) => !isThere(name, how),
  );
  if (missing.length > 0) {
    say(`skipped: ${missing.map(([name]) => name).join(" and ")} not found`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-model-"));
  try {
    copyFileSync(MODEL, join(folder, "lifecycle.pml"));
    const { errors, states, what } = check(folder, []);
    say(`the design: ${errors} errors in ${states} states ${what}`);
    const mutants = mutantsIn(readFileSync(MODEL, "utf8"));
    const survived = mutants.filter((name) => {
      const found = check(folder, [name]);
      say(`${found.errors > 0 ? "found   " : "survived"} ${name} ${found.what}`);
      return found.errors === 0;
    });
    say(`${mutants.length - survived.length} of ${mutants.length} mutants found`);
    return errors === 0 && survived.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
