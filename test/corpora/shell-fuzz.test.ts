import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeShell } from "../../src/plan-mode/shell/gate.ts";
import { changes, createFixture, missingPrograms, runAllowed, snapshot } from "./shell-fixture.ts";
import type { Fixture } from "./shell-fixture.ts";
import { mutate, seeded } from "./shell-mutations.ts";

/** Allowed lines, mutated: whatever the gate still allows is run for real and must change nothing. */

const SECONDS = Number(process.env["HOLDPOINT_FUZZ_SECONDS"] ?? "4");
const SEED = Number(process.env["HOLDPOINT_FUZZ_SEED"] ?? "20261115");
const BATCH = 8;
const TEST_MS_MAX = SECONDS * 1_000 + 60_000;

// Would wait for input or time instead of reading.
const SLOW = /\b(?:sleep|tail|top|vmstat|read|while|until|iostat|npm|systemctl|journalctl|lsof|docker|java|mdfind)\b/;

const seeds = readFileSync(new URL("shell/must-allow-plan.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { cmd: string }).cmd)
  .filter((cmd) => !SLOW.test(cmd));

/** Bubblewrap with only the fixture writable where it exists, else no network where that is possible, else nothing. */
const isolation = (fixture: Fixture): readonly string[] => {
  const bwrap = `--ro-bind / / --dev /dev --proc /proc --bind ${fixture.folder} ${fixture.folder} --unshare-all --die-with-parent --`;
  const candidates = [
    ["bwrap", ...bwrap.split(" ")],
    ["unshare", "-rn", "--"],
  ];
  return (
    candidates.find(
      ([program = "", ...args]) => spawnSync(program, [...args, "true"], { stdio: "ignore" }).status === 0,
    ) ?? []
  );
};

const missing = missingPrograms();
if (missing !== undefined) process.stdout.write(`shell fuzz: skipped, ${missing}\n`);

describe.skipIf(missing !== undefined)("mutated commands", () => {
  it("[GA-05] run only when they change nothing", { timeout: TEST_MS_MAX }, () => {
    const fixture = createFixture();
    const random = seeded(SEED);
    const wrap = isolation(fixture);
    const seen = new Set<string>();
    const deadline = performance.now() + SECONDS * 1_000;
    let before = snapshot(fixture.folder);
    let batch: string[] = [];
    let tried = 0;
    while (performance.now() < deadline) {
      const line = mutate(seeds, random);
      tried += 1;
      const verdict = judgeShell(line, { cwd: fixture.folder, home: fixture.home });
      if (!verdict.allowed || seen.has(verdict.canonical) || SLOW.test(verdict.canonical)) continue;
      seen.add(verdict.canonical);
      runAllowed(fixture, line, wrap);
      batch.push(`${line}\n  => ${verdict.canonical}`);
      if (batch.length < BATCH) continue;
      const after = snapshot(fixture.folder);
      expect({ changed: changes(before, after), by: changes(before, after).length > 0 ? batch : [] }).toEqual({
        changed: [],
        by: [],
      });
      before = after;
      batch = [];
    }
    expect(changes(before, snapshot(fixture.folder))).toEqual([]);
    process.stdout.write(
      `shell fuzz: ${tried} lines, ${seen.size} allowed and run, isolated by ${wrap[0] ?? "nothing"}\n`,
    );
    fixture.remove();
  });
});
