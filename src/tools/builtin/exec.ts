/**
 * A shell command in the workspace. Classified as writing whatever it says, so plan mode refuses it: telling a reading
 * command from a writing one is the shell gate's work.
 */
import { z } from "zod";
import type { Clock } from "../../plugins/sessions.ts";
import type { Tool, ToolContext, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { type ChildEnd, runChild } from "./child-process.ts";
import { createOutputWindow } from "./output-window.ts";
import { scrubbedEnvironment } from "./scrubbed-environment.ts";
import { locate } from "./workspace-path.ts";

const COMMAND_CHARS_MAX = 8_000;
const TIMEOUT_SECONDS = 120;
const TIMEOUT_SECONDS_MAX = 600;

const Args = z.strictObject({
  command: z
    .string()
    .max(COMMAND_CHARS_MAX)
    .refine((command) => command.trim() !== "", "the command is empty")
    .refine((command) => !command.includes("\u0000"), "the command contains a NUL character"),
  timeoutSeconds: z.int().min(1).max(TIMEOUT_SECONDS_MAX).optional().describe(`Default ${TIMEOUT_SECONDS}.`),
});
type Args = z.infer<typeof Args>;

export const createExecTool = (protectedFolders: readonly string[], clock: Clock): Tool =>
  defineTool<Args>({
    name: "exec",
    effect: "write",
    kind: "bash",
    description:
      "Runs a command with bash in the workspace folder and returns its exit code and output. No terminal, no input. What it leaves running in the background ends with it.",
    input: Args,
    async run(args, context): Promise<ToolOutput> {
      const folder = await locate(".", { workspace: context.workspace, protectedFolders });
      if (!folder.ok) return { status: "error", content: folder.error };
      return runCommand(args, { cwd: folder.path, context, clock });
    },
  });

async function runCommand(
  { command, timeoutSeconds = TIMEOUT_SECONDS }: Args,
  { cwd, context, clock }: { cwd: string; context: ToolContext; clock: Clock },
): Promise<ToolOutput> {
  const output = createOutputWindow();
  const end = await runChild({
    file: "bash",
    args: ["--noprofile", "--norc", "-c", command],
    cwd,
    env: scrubbedEnvironment(process.env),
    signal: context.signal,
    timeoutMs: timeoutSeconds * 1_000,
    clock,
    onOutput(chunk) {
      const fresh = output.add(chunk);
      if (fresh !== "") context.emit(fresh);
      return "more";
    },
  });
  return toOutput(end, { shown: output.text(), timeoutSeconds });
}

function toOutput(end: ChildEnd, { shown, timeoutSeconds }: { shown: string; timeoutSeconds: number }): ToolOutput {
  switch (end.ended) {
    case "exit":
      return { status: end.code === 0 ? "ok" : "error", content: { exitCode: end.code, output: shown } };
    case "killed":
      return { status: "error", content: { killedBy: end.by, output: shown } };
    case "timeout":
      return { status: "error", content: { stopped: `after ${timeoutSeconds} seconds`, output: shown } };
    case "not-started":
      return { status: "error", content: `bash could not be started: ${end.reason}` };
    default:
      return { status: "error", content: { stopped: "by request", output: shown } };
  }
}
