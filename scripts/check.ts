/** `npm run check`: every check that needs no running code, side by side; the report is in a fixed order. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";

type Check = { name: string; command: string; args: string[] };
type Outcome = { name: string; ok: boolean; output: string; durationMs: number };

const BIN = join(import.meta.dirname, "..", "node_modules", ".bin");
const RUN_MS_MAX = 300_000;

/** Slowest first: with two cores the short ones then fit beside the long one. */
const CHECKS: Check[] = [
  { name: "types", command: join(BIN, "tsc"), args: ["-p", "."] },
  {
    name: "published types",
    command: join(BIN, "tsc"),
    args: ["-p", "tsconfig.build.json", "--noEmit", "--emitDeclarationOnly", "false"],
  },
  { name: "page types", command: join(BIN, "tsc"), args: ["-p", "ui"] },
  { name: "example types", command: join(BIN, "tsc"), args: ["-p", "examples"] },
  { name: "lint", command: join(BIN, "oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { name: "unused", command: join(BIN, "knip"), args: ["--no-progress"] },
  { name: "format", command: join(BIN, "oxfmt"), args: ["--check"] },
  { name: "documents", command: process.execPath, args: [join(import.meta.dirname, "documents.ts"), "--check"] },
  { name: "tidy", command: process.execPath, args: [join(import.meta.dirname, "tidy.ts")] },
];

async function run(check: Check): Promise<Outcome> {
  const startedMs = performance.now();
  const output: Buffer[] = [];
  const child = spawn(check.command, check.args, { stdio: ["ignore", "pipe", "pipe"], timeout: RUN_MS_MAX });
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const ok = await new Promise<boolean>((resolve) => {
    child.once("error", (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(false);
    });
    child.once("close", (code) => resolve(code === 0));
  });
  const text = Buffer.concat(output).toString("utf8").trim();
  return { name: check.name, ok, output: text, durationMs: performance.now() - startedMs };
}

async function runAll(checks: Check[], lanes: number): Promise<Outcome[]> {
  const waiting = [...checks.entries()];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcomes;
}

function report({ name, ok, output, durationMs }: Outcome): string {
  const head = `${ok ? "ok  " : "FAIL"} ${name} (${(durationMs / 1000).toFixed(1)} s)\n`;
  const isTelling = !ok || /^hint:/m.test(output);
  return isTelling && output !== "" ? `${head}${output.replace(/^/gm, "     ")}\n` : head;
}

const outcomes = await runAll(CHECKS, Math.max(2, Math.min(availableParallelism(), CHECKS.length)));
for (const outcome of outcomes) process.stdout.write(report(outcome));
const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name);
process.stdout.write(failed.length === 0 ? "check: all good\n" : `check: failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
