import { judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";
import type { ShellVerdict } from "../../src/plan-mode/shell/verdict.ts";

/** What the gate says about a line, short enough to stand in a table. */

const judged = (line: string): ShellVerdict => judgeShell(line, { cwd: "/w", home: "/home/u" });

/** "read", or the code and what was matched. */
export const verdict = (line: string): string => {
  const said = judged(line);
  return said.allowed ? "read" : `${said.code}: ${said.matched}`;
};

export const hint = (line: string): string => {
  const said = judged(line);
  return said.allowed ? "" : said.hint;
};

/** What runs, when the line is a read. */
export const canonical = (line: string): string | undefined => {
  const said = judged(line);
  return said.allowed ? said.canonical : undefined;
};
