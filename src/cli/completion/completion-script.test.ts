/** The scripts run in the shells that they are for, where these are installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { buildProgram } from "../program.ts";
import { completionScript } from "./completion-script.ts";
import type { Shell } from "./completion-commands.ts";

const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** What bash offers for the words of a line, the last of which is being typed. */
function offered(words: readonly string[]): string[] {
  const script = `${completionScript(buildProgram(), "bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdpoint; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const answer = execFileSync("bash", ["--norc", "-c", script, "bash", ...words], { encoding: "utf8" });
  return answer.split("\n").filter((line) => line !== "");
}

describe("completion", () => {
  it.skipIf(!isThere("bash"))("[GW-08] offers the commands and options of the place that the line has reached", () => {
    expect(offered(["holdpoint", "sess"])).toEqual(["sessions"]);
    expect(offered(["holdpoint", "plan", "acc"])).toEqual(["accept"]);
    expect(offered(["holdpoint", "--json", "plan", "accept", "--e"])).toEqual(["--edits"]);
    expect(offered(["holdpoint", "sessions", "rename", "plan", "--js"])).toEqual(["--json"]);
    expect(offered(["holdpoint", "exit-"])).toEqual([]);
    expect(offered(["holdpoint", "completion", "nothing-like-it"])).toEqual([]);
  });

  it.each(["bash", "zsh", "fish"] satisfies Shell[])("[GW-08] names every command in its script for %s", (shell) => {
    const script = completionScript(buildProgram(), shell);
    const names = buildProgram().commands.filter((command) => command.name() !== "exit-codes");
    for (const command of names) expect(script).toContain(command.name());
    if (!isThere(shell)) return;
    expect(spawnSync(shell, ["-n"], { input: script, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});
