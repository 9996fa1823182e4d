/**
 * `npm run mutation [-- glob…]`: changes the gate's code in thousands of small ways and sees whether a test notices.
 * Names of groups and globs choose; without any all groups run, one after the other, which takes about an hour on two
 * cores. Nothing is kept from run to run: what Stryker keeps is wrong for tables, which are read while a module loads.
 * Fails below the score in `stryker.config.json`.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const STRYKER = resolve(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js");
const TESTS = "!**/*.test.ts";

/** The code that keeps an agent from changing things. No braces: Stryker splits its list at commas. */
const GATE: Readonly<Record<string, readonly string[]>> = {
  shell: ["src/plan-mode/shell/*.ts"],
  scripts: ["src/plan-mode/shell/scripts/*.ts"],
  rules: ["src/plan-mode/shell/rules/*.ts"],
  "accept-edits": ["src/plan-mode/shell/accept-edits/*.ts"],
  gates: ["src/plan-mode/gates/*.ts"],
  machine: ["gate.ts", "calls/*.ts", "permission/*.ts"].map((file) => `src/plan-mode/machine/${file}`),
  approval: ["signature/*.ts", "grant/*.ts", "hold/*.ts"].map((file) => `src/plan-mode/machine/${file}`),
  queue: ["src/lane/*.ts"],
  tools: ["call-tool", "judge", "permit", "hook-stage", "loop-check", "registry"].map((name) => `src/tools/${name}.ts`),
};

function run(name: string, globs: readonly string[]): boolean {
  process.stdout.write(`mutation: ${name}\n`);
  const files = ["--mutate", [...globs, TESTS].join(",")];
  const { status } = spawnSync(process.execPath, [STRYKER, "run", "stryker.config.json", ...files], {
    cwd: ROOT,
    stdio: "inherit",
  });
  return status === 0;
}

const given = process.argv.slice(2);
const named = given.filter((one) => one in GATE);
const globs = given.filter((one) => !(one in GATE));
const chosen = given.length === 0 ? Object.keys(GATE) : named;
const results = chosen.map((name) => run(name, GATE[name] ?? []));
if (globs.length > 0) results.push(run("chosen", globs));
if (results.includes(false)) process.exitCode = 1;
