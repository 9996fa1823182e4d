import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { SharedStepChange } from "../protocol/shared-plan.ts";
import { type LockWorld, takeLock } from "./plan-lock.ts";
import { createSharedPlans } from "./shared-plans.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
function aHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-shared-plans-"));
  made.push(folder);
  return folder;
}

const step = (text: string, status: SharedStepChange["status"] = "pending"): SharedStepChange => ({
  step: text,
  status,
});
const fileOf = (home: string, name = "team"): string => join(home, "plans", name, "plan.json");

describe("shared plans", () => {
  it("[ST-03] keeps a plan with who changed each step and when, privately, and merges by the text of steps", async () => {
    const home = aHome();
    const plans = createSharedPlans(home);
    expect(await plans.read("team")).toBeUndefined();
    await plans.change("team", { steps: [step("One"), step("Two")], by: "ses_1", atMs: 5 });
    const after = await plans.change("team", {
      steps: [step("Two", "completed"), step("Three")],
      by: "ses_2",
      atMs: 9,
    });
    expect(after).toEqual({
      namespace: "team",
      createdAtMs: 5,
      updatedAtMs: 9,
      steps: [
        { step: "One", status: "pending", updatedBy: "ses_1", updatedAtMs: 5 },
        { step: "Two", status: "completed", updatedBy: "ses_2", updatedAtMs: 9 },
        { step: "Three", status: "pending", updatedBy: "ses_2", updatedAtMs: 9 },
      ],
    });
    expect(await plans.read("team")).toEqual(after);
    expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "plans", "team")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, "plans", "team"))).toEqual(["plan.json"]); // no lock, nothing half-written
    const replaced = await plans.change("team", { steps: [step("Only")], by: "x", atMs: 11, replace: true });
    expect(replaced.steps.map((one) => one.step)).toEqual(["Only"]);
  });

  it("[ST-03] lists the plans with how far they are and who changes them, and one that cannot be read with its problem", async () => {
    const home = aHome();
    const plans = createSharedPlans(home);
    expect(await plans.list()).toEqual({ plans: [], more: false });
    await plans.change("team", { steps: [step("One"), step("Two"), step("Three", "cancelled")], by: "ses_1", atMs: 5 });
    await plans.change("team", { steps: [step("One", "completed")], by: "alice", atMs: 9 });
    await plans.change("house", { steps: [step("Paint")], by: "bob", atMs: 7 });
    mkdirSync(join(home, "plans", "empty"));
    mkdirSync(join(home, "plans", "nul"));
    symlinkSync(aHome(), join(home, "plans", "hostile"));
    mkdirSync(join(home, "plans", "torn"));
    writeFileSync(fileOf(home, "torn"), "no json");
    const lock = join(home, "plans", "house", ".lock");
    writeFileSync(lock, `${process.pid}-1-${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`);
    const sinceMs = Math.trunc(statSync(lock).mtimeMs);
    const house = { steps: 1, done: 0, cancelled: 0, updatedAtMs: 7, updatedBy: "bob" };
    const team = { steps: 3, done: 1, cancelled: 1, updatedAtMs: 9, updatedBy: "alice" };
    expect(await plans.list()).toEqual({
      plans: [
        { namespace: "house", plan: house, lock: { state: "held", sinceMs, pid: process.pid }, problem: null },
        { namespace: "team", plan: team, lock: null, problem: null },
        { namespace: "torn", plan: null, lock: null, problem: expect.stringContaining("no valid shape") },
      ],
      more: false,
    });
    const later = createSharedPlans(home, {
      nowMs: () => sinceMs + 6 * 60_000,
      wait: async () => undefined,
      isAlive: () => true,
    });
    expect((await later.list()).plans[0]?.lock?.state).toBe("abandoned");
  });

  it.each(["..", "a/b", "a\\b", ".hidden", "", "nul", "COM1.json", "team.", "team ", "a\0b", "x".repeat(129)])(
    "[ST-03] refuses the name %j before any path is built",
    async (name) => {
      const home = aHome();
      await expect(createSharedPlans(home).read(name)).rejects.toThrow("cannot name a shared plan");
      await expect(createSharedPlans(home).change(name, { steps: [], by: "x", atMs: 1 })).rejects.toThrow(
        "cannot name",
      );
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it("[ST-03] follows no link, neither on the way nor to the file", async () => {
    const elsewhere = aHome();
    const home = aHome();
    mkdirSync(join(home, "plans"));
    symlinkSync(elsewhere, join(home, "plans", "hostile"));
    const plans = createSharedPlans(home);
    await expect(plans.change("hostile", { steps: [step("One")], by: "x", atMs: 1 })).rejects.toThrow("escapes");
    mkdirSync(join(home, "plans", "team"));
    symlinkSync(join(elsewhere, "x"), fileOf(home));
    await expect(plans.read("team")).rejects.toThrow("link");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("[ST-03] refuses a file above 1 MiB before it reads it, and what has no valid shape", async () => {
    const home = aHome();
    const plans = createSharedPlans(home);
    await plans.change("team", { steps: [step("One")], by: "x", atMs: 1 });
    const write = (text: string): void => writeFileSync(fileOf(home), text);
    write(`${" ".repeat(1_048_576)}{}`);
    await expect(plans.read("team")).rejects.toThrow("at most 1048576 are read");
    const whole = { namespace: "team", steps: [], createdAtMs: 1, updatedAtMs: 1 };
    for (const bad of [
      "no json",
      JSON.stringify({ ...whole, steps: [null] }),
      JSON.stringify({ ...whole, steps: [{ step: "", status: "pending", updatedBy: "x", updatedAtMs: 1 }] }),
      JSON.stringify({ ...whole, steps: [{ step: "a", status: "born", updatedBy: "x", updatedAtMs: 1 }] }),
      JSON.stringify({ namespace: "team", steps: [] }),
    ]) {
      write(bad);
      await expect(plans.read("team")).rejects.toThrow("no valid shape");
    }
    write(JSON.stringify({ ...whole, namespace: "other" }));
    await expect(plans.read("team")).rejects.toThrow("of another plan");
  });

  it("[ST-03] drops unknown keys and those that would reach a prototype", async () => {
    const home = aHome();
    const plans = createSharedPlans(home);
    await plans.change("team", { steps: [step("One")], by: "x", atMs: 1 });
    const hostile = '{"step":"One","status":"pending","updatedBy":"x","updatedAtMs":1,"__proto__":{"evil":1},"odd":2}';
    writeFileSync(
      fileOf(home),
      `{"namespace":"team","steps":[${hostile}],"createdAtMs":1,"updatedAtMs":1,"__proto__":{"evil":1},"constructor":{}}`,
    );
    const read = await plans.read("team");
    expect(read).toEqual({
      namespace: "team",
      steps: [{ step: "One", status: "pending", updatedBy: "x", updatedAtMs: 1 }],
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    expect("evil" in {} || Object.hasOwn(read ?? {}, "constructor")).toBe(false);
  });

  it("[ST-03] two who change at once lose nothing", async () => {
    const home = aHome();
    const plans = createSharedPlans(home);
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => plans.change("team", { steps: [step(name)], by: name, atMs: 1 })));
    expect((await plans.read("team"))?.steps.map((one) => one.step).toSorted()).toEqual(names);
  });
});

describe("the lock of a shared plan", () => {
  const AT = Date.UTC(2026, 0, 5);
  function world(change: Partial<LockWorld> = {}): LockWorld & { waited: number[] } {
    const waited: number[] = [];
    return { waited, nowMs: () => AT, wait: async (ms) => void waited.push(ms), isAlive: () => true, ...change };
  }
  function held(ageMs: number, text = `${process.pid}-1-${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`): string {
    const path = join(aHome(), ".lock");
    writeFileSync(path, text);
    utimesSync(path, new Date(AT - ageMs), new Date(AT - ageMs));
    return path;
  }

  it("[ST-03] waits for a living owner, later each time, five times, and then says so", async () => {
    const here = world();
    await expect(takeLock(held(1_000), here)).rejects.toThrow("being changed by somebody else");
    expect(here.waited).toEqual([200, 400, 600, 800, 1_000]);
  });

  it("[ST-03] takes over from a process that is gone, and after five minutes from one that seems to live", async () => {
    const gone = held(1_000);
    await (
      await takeLock(gone, world({ isAlive: () => false }))
    )();
    expect(existsSync(gone)).toBe(false);
    const old = held(5 * 60_000 + 1);
    const release = await takeLock(old, world());
    expect(readFileSync(old, "utf8")).toMatch(new RegExp(`^${process.pid}-${AT}-`));
    await release();
  });

  it("[ST-03] is released by its owner alone", async () => {
    const path = join(aHome(), ".lock");
    const release = await takeLock(path, world());
    writeFileSync(path, "somebody else's");
    await release();
    expect(readFileSync(path, "utf8")).toBe("somebody else's");
  });

  it("[ST-03] is created exclusively, and one that is no regular file is an error", async () => {
    const home = aHome();
    symlinkSync(join(home, "target"), join(home, ".lock"));
    await expect(takeLock(join(home, ".lock"), world())).rejects.toThrow("no regular file");
    expect(existsSync(join(home, "target"))).toBe(false);
  });
});
