/** A command as it was given, after its claim: the machine as it is, without the gateway's own folders (GW-04). */
import { stat } from "node:fs/promises";
import type { ToolOutput } from "../../../plugins/tool.ts";
import { runChild } from "../child-process.ts";
import { createOutputWindow } from "../output-window.ts";
import { scrubbedEnvironment } from "../scrubbed-environment.ts";
import { toOutput, watched } from "./command-output.ts";
import type { Job } from "./exec-parts.ts";
import { hidingArguments } from "./sandbox.ts";

export type GivenCommand = { command: string; timeoutSeconds: number };

export async function runGiven({ command, timeoutSeconds }: GivenCommand, job: Job): Promise<ToolOutput> {
  const output = createOutputWindow();
  const { context, parts } = job;
  const end = await runChild({
    ...(await givenProcess({ command }, job)),
    signal: context.signal,
    timeoutMs: timeoutSeconds * 1_000,
    clock: parts.clock,
    onOutput: watched(output, context),
  });
  return toOutput(end, { output: output.text(), timeoutSeconds });
}

export async function givenProcess({ command }: Pick<GivenCommand, "command">, job: Job) {
  const { cwd, hidden, parts } = job;
  const shell = ["bash", "--noprofile", "--norc", "-c", command];
  const present = parts.hidesStateFolder() ? await existing(hidden) : [];
  const hides = present.length > 0 && (await parts.sandbox.hiding());
  const [file = "bash", ...args] = hides ? hidingArguments(present, shell) : shell;
  return { file, args, cwd, env: scrubbedEnvironment(process.env) };
}

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
