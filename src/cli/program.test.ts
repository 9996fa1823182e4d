/** What holds for every command, and `doctor --fix`. */
import type { Command } from "commander";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildProgram, runProgram } from "./program.ts";

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

it("[GW-08] has the commands that the rule names, and --json at each of them", () => {
  const program = buildProgram();
  const groups = program.commands.map((command) => command.name());
  expect(groups).toEqual(
    expect.arrayContaining(
      "start chat plan sessions config plugins mcp cron audit pair doctor backup restore status update completion".split(
        " ",
      ),
    ),
  );
  const without = leaves(program).filter(({ options }) => !options.some(({ long }) => long === "--json"));
  expect(without.map(pathOf)).toEqual([]);
});

it.skipIf(process.platform === "win32")(
  "[GW-08] doctor --fix closes files that others can read, and nothing that a person has to decide",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "holdpoint-fix-"));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await writeFile(join(home, "operator.token"), "hp_x\n");
    await writeFile(join(home, "config.yaml"), "automation:\n  unattended: open\n");
    for (const path of [home, join(home, "operator.token")]) await chmod(path, 0o755);
    const doctor = async (...args: string[]) => {
      let out = "";
      const { stdin, stdout: terminal } = process;
      const streams = { stdout: { write: (text: string) => void (out += text) }, stderr: { write: () => undefined } };
      const env = { HOLDPOINT_HOME: home, HOLDPOINT_SANDBOX: "none", HOLDPOINT_PORT: "0" };
      await runProgram(["doctor", ...args, "--json"], { ...streams, stdin, terminal, cwd: home, env });
      const findings = (JSON.parse(out) as { findings: { name: string; level: string }[] }).findings;
      return Object.fromEntries(findings.map(({ name, level }) => [name, level]));
    };
    expect(await doctor()).toMatchObject({ home: "fail", automation: "warn" });
    expect(await doctor("--fix")).toMatchObject({ home: "ok", automation: "warn" });
    const modes = await Promise.all([home, join(home, "operator.token")].map((path) => stat(path)));
    expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0]);
  },
);
