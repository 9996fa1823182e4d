import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeAcceptEdits, judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";
import { emitList } from "../../src/plan-mode/shell/emit.ts";
import { parseShell } from "../../src/plan-mode/shell/parse/parse.ts";
import type { EditCall } from "../../src/plan-mode/shell/shell-gate.ts";

/**
 * The same corpora without any tolerance: what is judged right today stays right, line by line. The rates of
 * `shell.test.ts` are for cases that nobody has seen; a change that turns one known line must say so here.
 */

type Line = { readonly id: string; readonly cmd: string; readonly tier?: string; readonly tool?: EditCall["tool"] };

const PLACE = { cwd: "/w", home: "/home/u" };

const corpus = (name: string): readonly Line[] =>
  readFileSync(new URL(`shell/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

/** `HOLDPOINT_RECORD=1` writes them anew: for a change that means to turn a verdict, read in its diff. */
const recorded = (name: string, now: readonly string[]): readonly string[] => {
  const file = new URL(`shell/${name}.verdicts`, import.meta.url);
  if (process.env["HOLDPOINT_RECORD"] === "1") writeFileSync(file, `${now.join("\n")}\n`);
  return readFileSync(file, "utf8").trimEnd().split("\n");
};

const editCall = ({ tool = "exec", cmd }: Line): EditCall => {
  if (tool === "exec") return { tool, command: cmd };
  return tool === "apply_patch" ? { tool, patch: cmd } : { tool, path: cmd };
};

const inPlan = ({ cmd }: Line): boolean => judgeShell(cmd, PLACE).allowed;
const inEdits = (line: Line): boolean => judgeAcceptEdits(editCall(line), PLACE).allowed;

describe("the known lines, each of them", () => {
  it.each([
    { rule: "[GA-05] plan mode refuses", name: "must-block-plan", judge: inPlan, right: false },
    { rule: "[GA-05] plan mode runs", name: "must-allow-plan", judge: inPlan, right: true },
    { rule: "[AE-02] accept-edits refuses", name: "must-block-accept-edits", judge: inEdits, right: false },
    { rule: "[AE-06] accept-edits lets pass", name: "must-allow-accept-edits", judge: inEdits, right: true },
    { rule: "[AE-02] accept-edits refuses", name: "second-must-block-accept-edits", judge: inEdits, right: false },
    { rule: "[AE-06] accept-edits lets pass", name: "second-must-allow-accept-edits", judge: inEdits, right: true },
    { rule: "[GA-05] plan mode refuses", name: "third-must-block-plan", judge: inPlan, right: false },
    { rule: "[AE-02] accept-edits refuses", name: "third-must-block-accept-edits", judge: inEdits, right: false },
    { rule: "[AE-06] accept-edits lets pass", name: "third-must-allow-accept-edits", judge: inEdits, right: true },
  ])("$rule: $name", ({ name, judge, right }) => {
    const wrong = corpus(name).filter((line) => judge(line) !== right);
    expect(wrong.map((line) => line.cmd)).toEqual([]);
  });

  it.each(["must-allow-plan", "must-block-plan"])(
    "[GA-07] keeps its codes, reasons and canonical forms: %s",
    (name) => {
      const verdicts = corpus(name).map(({ id, cmd }) => {
        const verdict = judgeShell(cmd, PLACE);
        const why = verdict.allowed
          ? [verdict.rules, verdict.git ?? null]
          : [verdict.verdict, verdict.matched, verdict.hint];
        return `${id} ${verdict.code} ${JSON.stringify([verdict.canonical ?? null, ...why])}`;
      });
      expect(verdicts).toEqual(recorded(name, verdicts));
    },
  );

  it("[AE-02] keeps its codes and reasons", () => {
    const verdicts = corpus("must-block-accept-edits").map((line) => {
      const verdict = judgeAcceptEdits(editCall(line), PLACE);
      return `${line.id} ${JSON.stringify(verdict)}`;
    });
    expect(verdicts).toEqual(recorded("must-block-accept-edits", verdicts));
  });

  it("[GA-05] prints a canonical form that reads as itself", () => {
    const lines = ["must-allow-plan", "second-must-allow-plan", "third-must-allow-plan"].flatMap(corpus);
    for (const { cmd } of lines) {
      const { canonical = "", allowed } = judgeShell(cmd, PLACE);
      if (!allowed) continue;
      expect(emitList(parseShell(canonical, PLACE.home))).toBe(canonical);
    }
  });
});
