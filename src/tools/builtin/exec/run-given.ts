/** A command as it was given, after its claim: the machine as it is, without the gateway's own folders (GW-04). */
import { stat } from "node:fs/promises";
import type { ToolOutput } from "../../../plugins/tool.ts";
import { runChild } from "../child-process.ts";
import { createOutputWindow } from "../output-window.ts";
import { scrubbedEnvironment } from "../scrubbed-environment.ts";
import { toOutput, watched } from "./command-output.ts";
import type { Job } from "./exec-parts.ts";
import { hidingArguments } from "./sandbox.ts";
import { endStragglers, stragglerMark } from "./stragglers.ts";
import { systemPrograms } from "./system-programs.ts";

export type GivenCommand = { command: string; timeoutSeconds: number };

export async function runGiven({ command, timeoutSeconds }: GivenCommand, job: Job): Promise<ToolOutput> {
  const output = createOutputWindow();
  const { context, parts } = job;
  const { contained, ...process } = await givenProcess({ command }, job);
  const mark = stragglerMark();
  const end = await runChild({
    ...process,
    env: { ...process.env, ...mark.env },
    signal: context.signal,
    timeoutMs: timeoutSeconds * 1_000,
    clock: parts.clock,
    onOutput: watched(output, context),
  });
  if (!contained) await endStragglers(mark);
  return toOutput(end, { output: output.text(), timeoutSeconds });
}

export async function givenProcess({ command }: Pick<GivenCommand, "command">, job: Job) {
  const { cwd, hidden, parts } = job;
  const programs = systemPrograms();
  const [bash = NO_BASH, bwrap] = [programs.find("bash"), programs.find("bwrap")];
  const args = ["--noprofile", "--norc", "-c", command];
  const env = scrubbedEnvironment(process.env);
  const present = parts.hidesStateFolder() ? await existing(hidden) : [];
  if (bwrap === undefined || present.length === 0 || !(await parts.sandbox.hiding())) {
    return { file: bash, args, cwd, env, contained: false };
  }
  return { file: bwrap, args: hidingArguments(present, [bash, ...args]), cwd, env, contained: true };
}

/** A path at which nothing is: the error that follows says which program is missing. */
const NO_BASH = "/usr/bin/bash";

/** A folder that is not there needs no hiding, and could not be mounted over. */
export async function existing(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      stat(folder).then(
        (entry) => entry.isDirectory(),
        () => false,
      ),
    ),
  );
  return folders.filter((_folder, index) => found[index] === true);
}
