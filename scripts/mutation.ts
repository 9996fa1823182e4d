/**
 * `npm run mutation [-- group… glob…]`: changes the code of the bar R22 in small ways, one at a time, and sees whether a
 * test notices. Names of groups (`test/mutation/mutation-groups.ts`) and globs of their files choose; without any, all groups of
 * the bar run, one after the other. Fails when a group has less than 90 % killed, or when a mutant survives that
 * `test/mutation/explained-survivors.json` does not explain, or explains in vain. Nothing is kept from run to run: what
 * Stryker keeps is wrong for tables, which are read while a module loads.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { matchesGlob, resolve } from "node:path";
import { BAR_GROUPS, FURTHER_GROUPS, type MutationGroup } from "../test/mutation/mutation-groups.ts";
import { explainedSurvivors } from "../test/mutation/explained-survivors.ts";
import { readScore, type Score } from "../test/mutation/mutation-score.ts";

const ROOT = resolve(import.meta.dirname, "..");
const STRYKER = resolve(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js");
const REPORTS = resolve(ROOT, "reports/mutation");
const TESTS = "!**/*.test.ts";
const KILLED_PERCENT_MIN = 90;

/** Stryker takes the place of its report from its configuration alone, so each group has one of its own. */
function configured(name: string): { config: string; report: string } {
  mkdirSync(REPORTS, { recursive: true });
  const [config, report] = [resolve(REPORTS, `${name}.config.json`), resolve(REPORTS, `${name}.json`)];
  const common: unknown = JSON.parse(readFileSync(resolve(ROOT, "stryker.config.json"), "utf8"));
  writeFileSync(config, JSON.stringify({ ...Object(common), jsonReporter: { fileName: report } }));
  return { config, report };
}

function scoreOf(name: string, { files, tests }: MutationGroup): Score | undefined {
  process.stdout.write(`mutation: ${name}\n`);
  const { config, report } = configured(name);
  const { status } = spawnSync(process.execPath, [STRYKER, "run", config, "--mutate", [...files, TESTS].join(",")], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(tests) },
  });
  return status === 0 ? readScore(readFileSync(report, "utf8"), explainedSurvivors()) : undefined;
}

/** What is printed of a group as soon as it has run. */
function tell({ unexplained, inVain }: Score): void {
  for (const one of unexplained) process.stdout.write(`  survives: ${one}\n`);
  for (const one of inVain) process.stdout.write(`  explained, and killed: ${one}\n`);
}

function summary(name: string, score: Score | undefined): string {
  if (score === undefined) return `mutation: ${name}: did not run to its end\n`;
  const { killed, all, percent, unexplained } = score;
  const explained = all - killed - unexplained.length;
  return `mutation: ${name}: ${percent.toFixed(1)} % (${killed} of ${all} killed, ${explained} explained)\n`;
}

const passes = (score: Score | undefined): boolean =>
  score !== undefined &&
  score.percent >= KILLED_PERCENT_MIN &&
  score.unexplained.length === 0 &&
  score.inVain.length === 0;

const KNOWN = { ...BAR_GROUPS, ...FURTHER_GROUPS };

/** A glob takes the tests of every group that has one of its files. */
function chosenGroup(globs: readonly string[]): MutationGroup {
  const has = ({ files }: MutationGroup): boolean =>
    files.some((file) => globs.some((glob) => glob === file || matchesGlob(glob, file)));
  return {
    files: globs,
    tests: [
      ...new Set(
        Object.values(KNOWN)
          .filter(has)
          .flatMap(({ tests }) => tests),
      ),
    ],
  };
}

const given = process.argv.slice(2);
const globs = given.filter((one) => !(one in KNOWN));
const names = given.length === 0 ? Object.keys(BAR_GROUPS) : given.filter((one) => one in KNOWN);
const chosen = names.flatMap((name) => (KNOWN[name] === undefined ? [] : [{ name, group: KNOWN[name] }]));
if (globs.length > 0) chosen.push({ name: "chosen", group: chosenGroup(globs) });
const scores = chosen.map(({ name, group }) => {
  const score = scoreOf(name, group);
  if (score !== undefined) tell(score);
  process.stdout.write(summary(name, score));
  return { name, score };
});
if (scores.length > 1) for (const { name, score } of scores) process.stdout.write(summary(name, score));
if (!scores.every(({ score }) => passes(score))) process.exitCode = 1;
