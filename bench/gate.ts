/** What one verdict of the gate costs: by the name of a tool, by the text of a command, and as lines a second from outside. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { inPhase } from "../test/kit/plan-session.ts";
import { planGatePolicy } from "../src/plan-mode/gates/plan-gate.ts";
import { judgeAcceptEdits, judgeShell } from "../src/plan-mode/shell/shell-gate.ts";
import { digestOf, type PolicyQuestion } from "../src/plugins/sdk.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";

const ROOT = resolve(import.meta.dirname, "..");
const CALLS = 200_000;
const ROUNDS = 7;
const CHECKED_LINES = 60_000;
const US_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;
const PLACE = { cwd: "/w", home: "/home/u" };

const corpus = (name: string): string[] =>
  readFileSync(resolve(ROOT, `test/corpora/shell/${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { cmd: string }).cmd);

export const gate: Group = async (report) => {
  const bareUs = perCall(() => undefined);
  const named = (name: string, asked: PolicyQuestion): void =>
    report(
      against(
        bareUs,
        figure(
          name,
          perCall(() => planGatePolicy.evaluate(asked)),
          "µs",
        ),
      ),
    );
  named("verdict by tool name, outside plan mode", question("off", "write"));
  named("verdict by tool name, a read in plan mode", question("exploring", "read"));
  named("verdict by tool name, a refusal in plan mode", question("exploring", "write"));
  const lines = [...corpus("must-block-plan"), ...corpus("must-allow-plan")];
  const hashUs = perLine(lines, (line) => digestOf(line));
  shellFigures(report, "verdict by shell line", { hashUs, us: perLine(lines, (line) => judgeShell(line, PLACE)) });
  const edits = [...corpus("must-block-accept-edits"), ...corpus("must-allow-accept-edits")];
  const editUs = perLine(edits, (command) => judgeAcceptEdits({ tool: "exec", command }, PLACE));
  shellFigures(report, "accept-edits by shell line", { hashUs: perLine(edits, (line) => digestOf(line)), us: editUs });
  const inProcess = (lines.length * MS_PER_SECOND) / timedMs(() => lines.forEach((line) => judgeShell(line, PLACE)));
  report(against(inProcess, figure("gate check, start included", await checkedPerSecond(lines), "lines/s")));
};

function timedMs(work: () => void): number {
  const startedAtMs = performance.now();
  work();
  return performance.now() - startedAtMs;
}

function shellFigures(
  report: Parameters<Group>[0],
  name: string,
  { us, hashUs }: { us: number[]; hashUs: number[] },
): void {
  for (const percent of [50, 99])
    report(against(percentile(hashUs, percent), figure(`${name}, p${percent}`, percentile(us, percent), "µs")));
}

function question(phase: "off" | "exploring", effect: "read" | "write"): PolicyQuestion {
  const session = inPhase(phase);
  const args = { path: "src/a.ts", content: "x" };
  return {
    call: { tool: "write", kind: "file_edit", effect, argsDigest: digestOf(args), callId: "c1", args },
    session: session.session(),
    settings: { planMode: session.settings() },
  };
}

function perCall(work: () => unknown): number {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAtMs = performance.now();
    for (let n = 0; n < CALLS; n++) work();
    rounds.push(((performance.now() - startedAtMs) * US_PER_MS) / CALLS);
  }
  return median(rounds);
}

/** Each line counts with its median over the rounds; the first round warms the code up. */
function perLine(lines: readonly string[], work: (line: string) => unknown): number[] {
  const times = lines.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, line] of lines.entries()) {
      const startedAtMs = performance.now();
      work(line);
      if (round > 0) times[at]?.push((performance.now() - startedAtMs) * US_PER_MS);
    }
  }
  return times.map(median);
}

/** The command as people and other programs use it: lines in, lines out. */
async function checkedPerSecond(lines: readonly string[]): Promise<number> {
  const input = Array.from({ length: CHECKED_LINES }, (_, n) =>
    JSON.stringify({ id: n, tool: "exec", args: { command: lines[n % lines.length] }, mode: "plan" }),
  ).join("\n");
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [resolve(ROOT, "bin/holdpoint.js"), "gate", "check"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  let answers = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === LINE_END) answers++;
  });
  child.stdin.end(`${input}\n`);
  await once(child, "close");
  if (answers !== CHECKED_LINES) throw new Error(`${answers} answers to ${CHECKED_LINES} lines`);
  return (CHECKED_LINES * MS_PER_SECOND) / (performance.now() - startedAtMs);
}

const LINE_END = 0x0a;
