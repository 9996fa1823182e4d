import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeAcceptEdits, judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";
import type { EditCall } from "../../src/plan-mode/shell/shell-gate.ts";

/** The corpora and their bars. A line that fails is named, so that a miss is a test to write, not a rate to accept. */

type Line = {
  readonly id: string;
  readonly cmd: string;
  readonly class?: string;
  readonly tier?: string;
  readonly tool?: "exec" | "write" | "edit" | "apply_patch";
  readonly confirmed?: boolean;
};

const BYPASS_RATE_MAX = 0.002;
const FALSE_BLOCK_RATE_MAX = 0.03;
const STRETCH_FALSE_BLOCK_RATE_MAX = 0.3;
const EDIT_MISS_RATE_MAX = 0.05;
const EDIT_FALSE_BLOCK_RATE_MAX = 0.01;
const SECOND_EDIT_MISS_RATE_MAX = 0.03;
/** The same author has these among the reads, too; only a sandbox runs them, or they are printed apart from the project. */
const ALSO_A_READ = ["python3 -m pip list", "rustc --version"];
const PLACE = { cwd: "/w", home: "/home/u" };

const corpus = (name: string): readonly Line[] =>
  readFileSync(new URL(`shell/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

const report = (what: string, wrong: number, all: number): void => {
  process.stdout.write(`shell corpora: ${what} ${wrong} of ${all} (${((100 * wrong) / all).toFixed(2)} %)\n`);
};

/** Nothing within the bar; beyond it the lines themselves, so that the failure names them. */
const tooMany = (wrong: readonly Line[], all: readonly Line[], rateMax: number): readonly string[] =>
  wrong.length / all.length <= rateMax ? [] : wrong.map((line) => line.cmd);

const allowed = (line: Line): boolean => judgeShell(line.cmd, PLACE).allowed;

describe("plan mode", () => {
  it("[GA-05] refuses every line that is confirmed to write, and nearly every other", () => {
    const lines = corpus("must-block-plan");
    const bypasses = lines.filter(allowed);
    report("bypasses", bypasses.length, lines.length);
    expect(bypasses.filter((line) => line.confirmed === true)).toEqual([]);
    expect(tooMany(bypasses, lines, BYPASS_RATE_MAX)).toEqual([]);
  });

  it.each([
    ["core", FALSE_BLOCK_RATE_MAX],
    ["stretch", STRETCH_FALSE_BLOCK_RATE_MAX],
  ])("[GA-05] runs ordinary reads: %s", (tier, most) => {
    const lines = corpus("must-allow-plan").filter((line) => line.tier === tier);
    const blocked = lines.filter((line) => !allowed(line));
    report(`${tier} false blocks`, blocked.length, lines.length);
    expect(tooMany(blocked, lines, most)).toEqual([]);
  });

  it("[GA-05] refuses what four other authors tried to get past it", () => {
    const lines = [
      "second-must-block-plan",
      "third-must-block-plan",
      "fourth-must-block-plan",
      "fifth-must-block-plan",
    ].flatMap(corpus);
    const bypasses = lines.filter(allowed);
    report("bypasses, second to fifth corpus", bypasses.length, lines.length);
    expect(bypasses.map((line) => line.cmd)).toEqual(ALSO_A_READ);
  });

  it.each(["second-must-allow-plan", "third-must-allow-plan", "fourth-must-allow-plan", "fifth-must-allow-plan"])(
    "[GA-05] runs the ordinary reads of other authors: %s",
    (name) => {
      const lines = corpus(name);
      const blocked = lines.filter((line) => !allowed(line));
      report(`false blocks, ${name}`, blocked.length, lines.length);
      expect(tooMany(blocked, lines, FALSE_BLOCK_RATE_MAX)).toEqual([]);
    },
  );

  it("[GA-05] judges the canonical form as it judged the line, and prints it the same again", () => {
    const lines = [
      "must-allow-plan",
      "second-must-allow-plan",
      "third-must-allow-plan",
      "fourth-must-allow-plan",
      "fifth-must-allow-plan",
    ].flatMap(corpus);
    for (const line of lines) {
      const first = judgeShell(line.cmd, PLACE);
      if (!first.allowed) continue;
      const second = judgeShell(first.canonical, PLACE);
      expect({ cmd: line.cmd, again: second.allowed }).toEqual({ cmd: line.cmd, again: true });
    }
  });
});

const editCall = ({ tool = "exec", cmd }: Line): EditCall => {
  if (tool === "exec") return { tool, command: cmd };
  return tool === "apply_patch" ? { tool, patch: cmd } : { tool, path: cmd };
};

describe("accept-edits", () => {
  it("[AE-02] refuses the three classes", () => {
    const lines = corpus("must-block-accept-edits").filter((line) => line.tier === "spec");
    const missed = lines.filter((line) => judgeAcceptEdits(editCall(line), PLACE).allowed);
    report("accept-edits missed", missed.length, lines.length);
    expect(tooMany(missed, lines, EDIT_MISS_RATE_MAX)).toEqual([]);
  });

  it.each(["second", "fifth"])(
    "[AE-02, AE-03] refuses the lines of another author, disguised as they are: %s",
    (author) => {
      const lines = corpus(`${author}-must-block-accept-edits`);
      const missed = lines.filter((line) => judgeAcceptEdits(editCall(line), PLACE).allowed);
      report(`accept-edits missed, ${author} corpus`, missed.length, lines.length);
      expect(tooMany(missed, lines, SECOND_EDIT_MISS_RATE_MAX)).toEqual([]);
    },
  );

  it.each(["second", "fifth"])("[AE-06] lets the ordinary work of another author pass, all of it: %s", (author) => {
    const lines = corpus(`${author}-must-allow-accept-edits`);
    const blocked = lines.filter((line) => !judgeAcceptEdits(editCall(line), PLACE).allowed);
    report(`accept-edits false blocks, ${author} corpus`, blocked.length, lines.length);
    expect(blocked.map((line) => line.cmd)).toEqual([]);
  });

  it("[AE-06] lets everything else pass", () => {
    const lines = corpus("must-allow-accept-edits");
    const blocked = lines.filter((line) => !judgeAcceptEdits(editCall(line), PLACE).allowed);
    report("accept-edits false blocks", blocked.length, lines.length);
    expect(tooMany(blocked, lines, EDIT_FALSE_BLOCK_RATE_MAX)).toEqual([]);
  });
});
