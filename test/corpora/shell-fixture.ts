import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GIT_FILTER_QUERY,
  hardenedEnvironment,
  neutraliseFilters,
  shellArguments,
  SPLIT_INDEX_QUERY,
} from "../../src/plan-mode/shell/environment.ts";
import type { Setting } from "../../src/plan-mode/shell/environment.ts";
import { judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";
import { PATIENT_MS } from "../kit/patience.ts";

/** A throw-away repository with an evil script in it, and a runner that does what the executor must do. */

const RUN_MS_MAX = 30_000; // ends a line that waits for something; one that only reads is long done
const OUTPUT_BYTES_MAX = 4_000_000;

export type Fixture = { readonly folder: string; readonly home: string; readonly remove: () => void };

const has = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

/** Why nothing can be run here, if so. */
export const missingPrograms = (): string | undefined => {
  const missing = ["bash", "git"].filter((program) => !has(program));
  return missing.length === 0 ? undefined : `not installed: ${missing.join(", ")}`;
};

const SETUP = `git init -q -b main . && git config user.name a && git config user.email a@b &&
printf 'alpha\\nbeta\\nzeta\\n' > a.txt && printf 'beta\\n' > b.txt && printf 'a.txt\\nb.txt\\n' > list.txt && printf '{"a":1}' > data.json &&
mkdir -p src sub/deep bin && printf 'export const main = 1; // TODO\\n' > src/index.ts && printf x > sub/deep/c.txt &&
git add -A && git commit -qm one && git branch feature && git tag v1 && printf 'omega\\n' >> a.txt && git commit -qam two && printf 'dirty\\n' >> a.txt`;

/** Made once: cloning files is much cheaper than a dozen git commands for each case. */
let template: string | undefined;

const templateFolder = (): string => {
  if (template !== undefined) return template;
  const root = mkdtempSync(join(tmpdir(), "holdpoint-shell-template-"));
  const folder = join(root, "w");
  mkdirSync(folder);
  setUp({ folder, home: root, remove: () => undefined }, SETUP);
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  template = folder;
  return folder;
};

export const createFixture = (): Fixture => {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-shell-"));
  const folder = join(root, "w");
  const home = join(root, "home");
  mkdirSync(home);
  cpSync(templateFolder(), folder, { recursive: true, preserveTimestamps: true });
  const evil = `#!/bin/sh\ntouch ${folder}/pwned\nexec cat "$@"\n`;
  for (const script of [join(folder, "evil.sh"), join(folder, "bin", "ls")]) {
    writeFileSync(script, evil);
    chmodSync(script, 0o755);
  }
  return { folder, home, remove: () => rmSync(root, { recursive: true, force: true }) };
};

const inFixture = (fixture: Fixture, text: string): string =>
  text.replace(/(?<![\w.-])\/(w|tmp)\//g, (_all, name) => `${name === "w" ? fixture.folder : fixture.home}/`);

/** Runs trusted text, unhardened: to bring the fixture into a hostile state. `/w` means the fixture. */
export const setUp = (fixture: Fixture, script: string): void => {
  const text = inFixture(fixture, script);
  const env = { PATH: process.env["PATH"] ?? "", HOME: fixture.home, GIT_CONFIG_NOSYSTEM: "1" };
  spawnSync("bash", ["-c", text], { cwd: fixture.folder, env, timeout: PATIENT_MS, stdio: "ignore" });
};

/** Every file with what a write would change. */
export const snapshot = (folder: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stat = lstatSync(join(folder, name));
    files.set(name, `${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ino}`);
  }
  return files;
};

export const changes = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));

const filtersIn = (folder: string, home: string): readonly Setting[] | undefined => {
  const [program = "git", ...args] = GIT_FILTER_QUERY;
  const env = hardenedEnvironment(home);
  const answer = spawnSync(program, args, { cwd: folder, env, timeout: PATIENT_MS, encoding: "utf8" });
  const outcome = neutraliseFilters(answer.stdout ?? "");
  return "settings" in outcome ? outcome.settings : undefined;
};

const indexIsSplit = (folder: string, home: string): boolean => {
  const [program = "bash", ...args] = SPLIT_INDEX_QUERY;
  const answer = spawnSync(program, args, { cwd: folder, env: hardenedEnvironment(home), encoding: "utf8" });
  return answer.stdout !== "";
};

export type Outcome =
  | { readonly ran: false; readonly why: string }
  | { readonly ran: true; readonly canonical: string; readonly status: number | null; readonly stdout: string };

/** Judge, look for filters, run the canonical form with the hardened environment: the executor in small. */
export const runAllowed = (fixture: Fixture, command: string, wrap: readonly string[] = []): Outcome => {
  const verdict = judgeShell(command, { cwd: fixture.folder, home: fixture.home });
  if (!verdict.allowed) return { ran: false, why: verdict.code };
  if (verdict.needsSandbox) return { ran: false, why: "sandbox" };
  const folders = verdict.git?.folders ?? [];
  const settings = folders.map((folder) => filtersIn(folder, fixture.home));
  if (verdict.git?.elsewhere === true || settings.includes(undefined)) return { ran: false, why: "filters" };
  if (folders.some((folder) => indexIsSplit(folder, fixture.home))) return { ran: false, why: "split index" };
  const env = hardenedEnvironment(
    fixture.home,
    settings.flatMap((list) => list ?? []),
  );
  const [program = "bash", ...args] = [...wrap, ...shellArguments(verdict.canonical)];
  const result = spawnSync(program, args, {
    cwd: fixture.folder,
    env,
    timeout: RUN_MS_MAX,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  return { ran: true, canonical: verdict.canonical, status: result.status, stdout: result.stdout ?? "" };
};
