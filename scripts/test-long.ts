/**
 * `npm run test:long [-- section… --minutes 10 --seed N]`: the tests that repeat themselves, with a fresh seed and for as
 * long as they are given. Prints the seed, so that what failed can be had again.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const MINUTES = 10;
const SEEDS = 2 ** 31;
const MS_PER_MINUTE = 60_000;
const USAGE = 64;

/** `tests`: how many in these files repeat themselves; each gets the same share of the time. */
type Section = { files: readonly string[]; tests: number };

export const SECTIONS: Readonly<Record<string, Section>> = {
  cells: { files: ["test/chaos/cells.test.ts"], tests: 1 },
  chaos: { files: ["test/chaos/kill.test.ts", "test/chaos/deciders.test.ts"], tests: 4 },
  fuzz: { files: ["test/corpora/shell-fuzz.test.ts", "test/corpora/shell-expansion.test.ts"], tests: 2 },
  languages: { files: ["test/browser/languages.test.ts"], tests: 1 },
  properties: {
    files: [
      "test/chaos/model.test.ts",
      "src/compose/scheduling.test.ts",
      "src/plan-mode/machine/model.test.ts",
      "src/plan-mode/machine/note/notes.test.ts",
    ],
    tests: 5,
  },
};

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: "string", default: String(MINUTES) }, seed: { type: "string" } },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
  const chosen = names.flatMap((name) => SECTIONS[name] ?? []);
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? randomInt(SEEDS));
  if (chosen.length < names.length || !(minutes > 0) || !Number.isSafeInteger(seed)) {
    process.stderr.write(`test:long: [${Object.keys(SECTIONS).join("|")}]… [--minutes ${MINUTES}] [--seed 7]\n`);
    return USAGE;
  }
  const again = `npm run test:long -- ${names.join(" ")} --minutes ${minutes} --seed ${seed}`;
  process.stdout.write(`test:long: seed ${seed}; the same again: ${again}\n`);
  const status = run(chosen, { minutes, seed });
  process.stdout.write(`test:long: ${status === 0 ? "passed" : "failed"}, seed ${seed}\n`);
  return status;
}

function run(sections: readonly Section[], { minutes, seed }: { minutes: number; seed: number }): number {
  const tests = sections.reduce((sum, section) => sum + section.tests, 0);
  const shareMs = Math.floor((minutes * MS_PER_MINUTE) / tests); // as if one after the other: two workers only end earlier
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", ...sections.flatMap(({ files }) => files)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, HOLDPOINT_LONG_MS: String(shareMs), HOLDPOINT_SEED: String(seed) },
  });
  return status ?? 1;
}

if (import.meta.main) process.exitCode = main();
