import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";
import { changes, createFixture, missingPrograms, runAllowed, snapshot } from "./shell-fixture.ts";
import type { Fixture } from "./shell-fixture.ts";
import { createFuzzCell, type FuzzCell } from "./fuzz-cell.ts";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import { mutate, type Random, seeded } from "./shell-mutations.ts";

/** Allowed lines, mutated: whatever the gate still allows is run for real and must change nothing. */

const LINES = isLong ? 3_000 : 1_500;
const BATCH = 250;

const seeds = ["must-allow-plan", "second-must-allow-plan", "third-must-allow-plan"]
  .flatMap((name) => readFileSync(new URL(`shell/${name}.jsonl`, import.meta.url), "utf8").split("\n"))
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { cmd: string }).cmd);

/** Runs what it is given and answers with what that did, undefined when it did nothing. */
type Runner = { readonly name: string; run(commands: readonly string[]): string | undefined; remove(): void };

const inCell = (cell: FuzzCell): Runner => ({
  name: "a copy of the machine",
  run(commands) {
    const deeds = cell.run(commands);
    const did = deeds.wrote.length + deeds.started.length + deeds.connected > 0;
    return did ? JSON.stringify(deeds) : undefined;
  },
  remove: () => cell.remove(),
});

/** Without one: the fixture is the only place that is watched, and the network is cut where that is possible. */
const inFixture = (fixture: Fixture): Runner => {
  const cut = spawnSync("unshare", ["-rn", "--", "true"], { stdio: "ignore" }).status === 0;
  const wrap = cut ? ["unshare", "-rn", "--"] : [];
  return {
    name: cut ? "a folder, without network" : "a folder",
    run(commands) {
      const before = snapshot(fixture.folder);
      for (const command of commands.filter((one) => !SLOW.test(one))) runAllowed(fixture, command, wrap);
      const changed = changes(before, snapshot(fixture.folder));
      return changed.length > 0 ? changed.join(", ") : undefined;
    },
    remove: () => undefined,
  };
};

// Would wait for input or time instead of reading; only a cell runs several at once.
const SLOW = /\b(?:sleep|tail|top|vmstat|read|while|until|iostat|npm|systemctl|journalctl|lsof|docker|java|mdfind)\b/;

/** The lines that did it, found by halving. */
const guilty = (runner: Runner, commands: readonly string[]): readonly string[] => {
  const did = runner.run(commands);
  if (did === undefined) return [];
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return [`${only} => ${did}`];
  const middle = Math.ceil(commands.length / 2);
  return [...guilty(runner, commands.slice(0, middle)), ...guilty(runner, commands.slice(middle))];
};

/** What the gate lets run of so many mutated lines, each canonical form once. */
const allowedOf = (count: number, fixture: Fixture, random: Random): readonly string[] => {
  const allowed = new Set<string>();
  for (let tried = 0; tried < count; tried += 1) {
    const verdict = judgeShell(mutate(seeds, random), { cwd: fixture.folder, home: fixture.home });
    // A git folder that cannot be named beforehand is never run: its filters cannot be looked at. What needs a sandbox
    // is not run without one.
    if (verdict.allowed && verdict.git?.elsewhere !== true && !verdict.needsSandbox) allowed.add(verdict.canonical);
  }
  return [...allowed];
};

const missing = missingPrograms();
if (missing !== undefined) process.stdout.write(`shell fuzz: skipped, ${missing}\n`);

describe.skipIf(missing !== undefined)("mutated commands", () => {
  it("[GA-05] write nothing, start nothing unlisted and connect nowhere when they are let run", () => {
    const fixture = createFixture();
    const cell = createFuzzCell(fixture);
    const runner = cell === undefined ? inFixture(fixture) : inCell(cell);
    const random = seeded(SEED);
    const bad: string[] = [];
    for (const n of repetitions(1)) {
      const commands = allowedOf(LINES, fixture, random);
      for (let at = 0; at < commands.length; at += BATCH) {
        bad.push(...guilty(runner, commands.slice(at, at + BATCH)));
        if (bad.length > 0) process.stdout.write(`shell fuzz: ${bad.join("\n")}\n`);
      }
      process.stdout.write(
        `shell fuzz: seed ${SEED}, ${(n + 1) * LINES} lines, ${commands.length} of the last ${LINES} allowed and run in ${runner.name}, ${bad.length} did something\n`,
      );
    }
    runner.remove();
    fixture.remove();
    expect(bad).toEqual([]);
  });
});
