/**
 * A shell command in the workspace. What the judge proves to read counts as reading and runs in its canonical form,
 * hardened and sandboxed; everything else counts as writing, needs a permit, and runs as it was given.
 *
 *   command ─▶ judge ─┬─ reads: canonical form, empty environment, read-only sandbox where there is one
 *                     └─ else:  the given text, scrubbed environment, the gateway's folders hidden where possible
 */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import type { Tool, ToolContext, ToolOutput } from "../../../plugins/tool.ts";
import { defineTool } from "../../define-tool.ts";
import { locate, PATH_CHARS_MAX, realFolders } from "../workspace-path.ts";
import type { ExecParts, Job } from "./exec-parts.ts";
import { runProven } from "./run-proven.ts";
import { mustStillHold } from "../../permit.ts";
import { type GivenCommand, givenProcess, runGiven } from "./run-given.ts";
import { createSameFolders } from "./same-folders.ts";

const COMMAND_CHARS_MAX = 8_000;
const TIMEOUT_SECONDS = 120;
const TIMEOUT_SECONDS_MAX = 600;
const BACKGROUND_SECONDS = 3_600;
const BACKGROUND_SECONDS_MAX = 86_400;

const Args = z.strictObject({
  command: z
    .string()
    .max(COMMAND_CHARS_MAX)
    .refine((command) => command.trim() !== "", "the command is empty")
    .refine((command) => !command.includes("\u0000"), "the command contains a NUL character"),
  cwd: z
    .string()
    .max(PATH_CHARS_MAX)
    .optional()
    .describe("Folder to run in, relative to the workspace. Default: the workspace."),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(BACKGROUND_SECONDS_MAX)
    .optional()
    .describe(
      `Default ${TIMEOUT_SECONDS}, at most ${TIMEOUT_SECONDS_MAX}; in the background ${BACKGROUND_SECONDS} and ${BACKGROUND_SECONDS_MAX}.`,
    ),
  background: z
    .boolean()
    .optional()
    .describe("Start it and answer at once with an id; watch and end it with the tool process."),
});
type Args = z.infer<typeof Args>;

const DESCRIPTION = [
  "Runs a command with bash in the workspace folder and returns its exit code and output. No terminal, no input.",
  "What it leaves running ends with it; start long-running programs with background: true.",
  "Commands that are proven to be read-only (ls, cat, rg, git log, pipelines of them) also run in plan mode, without network and write access.",
].join(" ");

export function createExecTool(parts: ExecParts): Tool {
  const areSame = createSameFolders(parts.protectedFolders);
  return defineTool<Args>({
    name: "exec",
    effect: "dynamic",
    kind: "bash",
    description: DESCRIPTION,
    input: Args,
    classify({ command, cwd = ".", background }, { workspace }) {
      if (background === true || parts.commandJudge === undefined) return "write";
      return parts.commandJudge(command, placeOf(resolve(workspace, cwd))).reads ? "read" : "write";
    },
    async run(args, context, permit): Promise<ToolOutput> {
      if (!(await areSame())) return { status: "error", content: MOVED };
      const found = await findPlace(args, context, parts);
      if ("error" in found) return { status: "error", content: found.error };
      if (permit === undefined) return runReading(args, { ...found, context, parts });
      return runWriting(args, { ...found, context, parts });
    },
  });
}

const MOVED = "Not run: the gateway's own folder is not where it was, so it cannot be kept out of sight.";

const placeOf = (cwd: string) => ({ cwd, home: homedir() });

/** Where the command runs, and what it must not see. */
async function findPlace({ cwd = "." }: Args, context: ToolContext, { protectedFolders }: ExecParts) {
  const { workspace, workspaceIdentity } = context;
  const bounds = { workspace, protectedFolders };
  const [folder, root] = [await locate(cwd, bounds), await locate(".", bounds)];
  const hidden = await realFolders(protectedFolders);
  if (!folder.ok) return { error: folder.error };
  if (!root.ok || hidden === undefined) return { error: "The workspace cannot be used to run commands in." };
  const isMoved = workspaceIdentity !== undefined && root.path !== workspace; // a pinned workspace is named by its real path
  if (isMoved) return { error: "Not run: the workspace is not the folder that it was." };
  return { cwd: folder.path, root: root.path, hidden };
}

/** No permit: only what is proven to read, judged once more for the folder that was really found. */
async function runReading({ command, timeoutSeconds = TIMEOUT_SECONDS }: Args, job: Job): Promise<ToolOutput> {
  const verdict = job.parts.commandJudge?.(command, placeOf(job.cwd));
  if (verdict?.reads !== true)
    return { status: "error", content: "Not run: the command is not proven to be read-only." };
  return runProven({ verdict, given: command, timeoutSeconds: Math.min(timeoutSeconds, TIMEOUT_SECONDS_MAX) }, job);
}

async function runWriting(args: Args, job: Job): Promise<ToolOutput> {
  const { command, background, timeoutSeconds } = args;
  const { context, parts } = job;
  if (background !== true) {
    const seconds = timeoutSeconds ?? TIMEOUT_SECONDS;
    if (seconds > TIMEOUT_SECONDS_MAX) return { status: "error", content: TOO_LONG };
    return runGiven({ command, timeoutSeconds: seconds }, job);
  }
  const given: GivenCommand = { command, timeoutSeconds: timeoutSeconds ?? BACKGROUND_SECONDS };
  const process = await givenProcess(given, job);
  if ("refused" in process) return { status: "error", content: process.refused };
  mustStillHold(context); // building the sandbox took its time
  const started = parts.processes.start({ ...process, command, timeoutMs: given.timeoutSeconds * 1_000 }, context);
  if ("error" in started) return { status: "error", content: started.error };
  return { status: "ok", content: { id: started.id, note: RUNNING } };
}

const RUNNING =
  "Running, also after this turn. Watch it with process, action poll. It ends with its time limit, with the session, and as soon as nothing may change in the session: in plan mode, for instance.";

const TOO_LONG = `A command in the foreground may run ${TIMEOUT_SECONDS_MAX} seconds. Start a longer one with background: true.`;
