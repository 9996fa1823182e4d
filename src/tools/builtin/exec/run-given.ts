/** A command as it was given, after its claim: the machine as it is, without the gateway's own folders and other programs' (GW-04). */
import type { ToolOutput } from "../../../plugins/tool.ts";
import { systemPrograms } from "../../../runner/system-programs.ts";
import { runChild } from "../child-process.ts";
import { mustStillHold } from "../../permit.ts";
import { createOutputWindow } from "../output-window.ts";
import { scrubbedEnvironment } from "../scrubbed-environment.ts";
import { toOutput, watched } from "./command-output.ts";
import { enclose, givenView } from "./enclosed-command.ts";
import type { Job } from "./exec-parts.ts";
import { endStragglers, stragglerMark } from "./stragglers.ts";

export type GivenCommand = { command: string; timeoutSeconds: number };

export async function runGiven({ command, timeoutSeconds }: GivenCommand, job: Job): Promise<ToolOutput> {
  const output = createOutputWindow();
  const { context, parts } = job;
  const given = await givenProcess({ command }, job);
  if ("refused" in given) return { status: "error", content: given.refused };
  const { contained, ...process } = given;
  const mark = stragglerMark();
  mustStillHold(context); // building the sandbox took its time
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

/** `contained`: whether it runs with processes of its own, which end with it whatever they do. */
export async function givenProcess({ command }: Pick<GivenCommand, "command">, job: Job) {
  const { cwd } = job;
  const bash = systemPrograms().find("bash") ?? NO_BASH;
  const argv = [bash, "--noprofile", "--norc", "-c", command];
  const env = scrubbedEnvironment(process.env);
  const enclosure = await enclose(givenView, { cwd, argv }, job);
  if (enclosure.kind === "refused") return { refused: enclosure.why };
  if (enclosure.kind === "bare") return { file: bash, args: argv.slice(1), cwd, env, contained: false };
  return { ...enclosure.process, cwd, env, contained: true };
}

/** A path at which nothing is: the error that follows says which program is missing. */
const NO_BASH = "/usr/bin/bash";
