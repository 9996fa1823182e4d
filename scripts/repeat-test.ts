/**
 * `node scripts/repeat-test.ts FILE… --times 30 [--hog]`: runs test files again and again, each time in a run of its own,
 * with `--hog` beside processes that keep every core busy. Prints how often they passed and how long they took.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const TIMES = 30;
const USAGE = 64;
/** A hog ends by itself, whatever becomes of us. */
const HOG_MS_MAX = 3_600_000;
const HOG = `const endMs = Date.now() + ${HOG_MS_MAX}; while (Date.now() < endMs && process.ppid === ${process.pid});`;

type Ran = { passed: boolean; seconds: number; output: string };

function runOnce(files: readonly string[]): Promise<Ran> {
  const startedAtMs = performance.now();
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...files], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => output.push(data.toString()));
  return new Promise((resolve) =>
    child.once("close", (code) =>
      resolve({ passed: code === 0, seconds: (performance.now() - startedAtMs) / 1_000, output: output.join("") }),
    ),
  );
}

async function repeat(files: readonly string[], times: number): Promise<Ran[]> {
  const runs: Ran[] = [];
  for (let n = 1; n <= times; n++) {
    const ran = await runOnce(files);
    runs.push(ran);
    process.stdout.write(`${n} of ${times}: ${ran.passed ? "passed" : "FAILED"} after ${ran.seconds.toFixed(1)} s\n`);
    if (!ran.passed) process.stdout.write(ran.output);
  }
  return runs;
}

async function main(): Promise<void> {
  const { values, positionals: files } = parseArgs({
    allowPositionals: true,
    options: { times: { type: "string", default: String(TIMES) }, hog: { type: "boolean", default: false } },
  });
  const times = Number(values.times);
  if (files.length === 0 || !Number.isSafeInteger(times) || times < 1) {
    process.stderr.write("repeat-test: FILE… [--times 30] [--hog]\n");
    process.exitCode = USAGE;
    return;
  }
  const hogs: ChildProcess[] = [];
  if (values.hog)
    for (let n = 0; n < availableParallelism(); n++)
      hogs.push(spawn(process.execPath, ["-e", HOG], { stdio: "ignore" }));
  const runs = await repeat(files, times);
  for (const hog of hogs) hog.kill();
  const seconds = runs.map((ran) => ran.seconds).toSorted((a, b) => a - b);
  const passed = runs.filter((ran) => ran.passed).length;
  const [least = 0, most = 0] = [seconds[0], seconds.at(-1)];
  const middle = seconds[Math.floor(seconds.length / 2)] ?? 0;
  process.stdout.write(
    `${files.join(" ")}${values.hog ? " beside a hog" : ""}: ${passed} of ${times} passed; ` +
      `seconds: least ${least.toFixed(1)}, median ${middle.toFixed(1)}, most ${most.toFixed(1)}\n`,
  );
  process.exitCode = passed === times ? 0 : 1;
}

await main();
