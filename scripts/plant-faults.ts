/**
 * `npm run test:long -- planted`: plants each fault of `test/planted/planted-faults.ts` in a copy of the source and expects
 * its test to fail. Before that the same tests must pass without any fault, or their failure would prove nothing.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { PlantedFault } from "../test/planted/planted-fault.ts";
import { PLANTED_FAULTS } from "../test/planted/planted-faults.ts";

const ROOT = join(import.meta.dirname, "..");
const TEST_MS_MAX = 600_000;

const Report = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});
type TestResult = { title: string; status: string };

/** Every file of the repository as it is now, with the packages of this one. */
function copyOfSource(): string {
  const copy = mkdtempSync(join(tmpdir(), "holdpoint-planted-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file), { force: true, dereference: false, recursive: false });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Long enough for a test that runs only where it has time. */
const LONG_MS = "1";

/** Results of the tests with this in their name, whatever else is in the file; none when it does not even load. */
function runTest(copy: string, { test }: PlantedFault): TestResult[] {
  const report = join(copy, "planted-report.json");
  rmSync(report, { force: true });
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const title = test.title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const args = [
    vitest,
    "run",
    test.file,
    "-t",
    title,
    "--maxWorkers=1",
    "--bail=1",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  const env = { ...process.env, HOLDPOINT_LONG_MS: test.isLong === true ? LONG_MS : "" };
  spawnSync(process.execPath, args, { cwd: copy, stdio: "ignore", timeout: TEST_MS_MAX, env });
  try {
    return Report.parse(JSON.parse(readFileSync(report, "utf8")))
      .testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ fullName, status }) => ({ title: fullName, status })),
      )
      .filter(({ title: found }) => found.includes(test.title));
  } catch {
    return [];
  }
}

type Verdict = "found" | "survived" | "skipped" | "test-missing";

function plant(fault: PlantedFault, copy: string): Verdict {
  const path = join(copy, fault.file);
  const source = readFileSync(path, "utf8");
  if (source.split(fault.find).length !== 2) throw new Error(`"${fault.name}" does not fit ${fault.file} any more`);
  try {
    writeFileSync(
      path,
      source.replace(fault.find, () => fault.replace),
    );
    const results = runTest(copy, fault);
    if (results.length === 0) return "test-missing";
    if (results.some(({ status }) => status === "failed")) return "found";
    return results.every(({ status }) => status === "skipped" || status === "pending") ? "skipped" : "survived";
  } finally {
    writeFileSync(path, source);
  }
}

/** Names of those whose test fails, or is not there, without any fault. */
function failingBefore(faults: readonly PlantedFault[], copy: string): string[] {
  const passing = new Map<string, boolean>();
  return faults.flatMap((fault) => {
    const { file, title } = fault.test;
    const place = `${file} ${title}`;
    if (!passing.has(place)) {
      const results = runTest(copy, fault);
      passing.set(place, results.length > 0 && results.every(({ status }) => status !== "failed"));
    }
    return passing.get(place) === true ? [] : [fault.name];
  });
}

/** `only`: those with this in their name; absent: all. */
export function plantFaults(only: string | undefined): number {
  const chosen = PLANTED_FAULTS.filter(({ name }) => only === undefined || name.includes(only));
  const copy = copyOfSource();
  try {
    const failing = failingBefore(chosen, copy);
    for (const name of failing) process.stdout.write(`planted: the test of "${name}" fails without it\n`);
    if (failing.length > 0) return 1;
    process.stdout.write(`planted: the tests of ${chosen.length} faults pass without them\n`);
    const verdicts = chosen.map((fault) => {
      const startedMs = performance.now();
      const verdict = plant(fault, copy);
      const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
      process.stdout.write(`planted: ${verdict.padEnd(8)} ${fault.name} (${fault.test.file}, ${tookS} s)\n`);
      return verdict;
    });
    const found = verdicts.filter((verdict) => verdict === "found").length;
    const skipped = verdicts.filter((verdict) => verdict === "skipped").length;
    process.stdout.write(`planted: ${found} of ${verdicts.length} found, ${skipped} skipped\n`);
    return found + skipped === verdicts.length ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
