import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changes, createFixture, missingPrograms, runAllowed, setUp, snapshot } from "./shell-fixture.ts";

type Hostile = { readonly id: string; readonly name: string; readonly setup: string; readonly cmd: string };

const cases = readFileSync(new URL("shell/hardening.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Hostile);

const missing = missingPrograms();
if (missing !== undefined) process.stdout.write(`shell hardening: skipped, ${missing}\n`);

describe.skipIf(missing !== undefined)("a hostile repository or environment", () => {
  it("[GA-06] bites without the gate, so that the cases below prove something", () => {
    const fixture = createFixture();
    try {
      setUp(fixture, "git config diff.external /w/evil.sh; git diff");
      expect(existsSync(`${fixture.folder}/pwned`)).toBe(true);
    } finally {
      fixture.remove();
    }
  });

  it.each(cases)("[GA-06] stays inert: $name", ({ setup, cmd }) => {
    const fixture = createFixture();
    try {
      setUp(fixture, setup);
      const before = snapshot(fixture.folder);
      runAllowed(fixture, cmd);
      expect(changes(before, snapshot(fixture.folder))).toEqual([]);
    } finally {
      fixture.remove();
    }
  });

  it.each(["top -b -n 1", "npm ls"])("[GA-06] leaves nothing in the person's home: %s", (command) => {
    const fixture = createFixture();
    try {
      const { ran } = runAllowed(fixture, command);
      expect({ ran, left: [...snapshot(fixture.home).keys()] }).toEqual({ ran: true, left: [] });
    } finally {
      fixture.remove();
    }
  });
});
