/** The dependencies of the tools that run commands. */
import type { CommandJudge } from "../../../plugins/command-judge.ts";
import type { Clock } from "../../../plugins/sessions.ts";
import type { ToolContext } from "../../../plugins/tool.ts";
import type { ProcessTable } from "./process-table.ts";
import type { Sandbox } from "./sandbox.ts";

export type ExecParts = {
  /** The gateway's own folders: hidden from every command, as far as the system allows. */
  protectedFolders: readonly string[];
  clock: Clock;
  /** Absent: every command counts as writing. */
  commandJudge?: CommandJudge | undefined;
  sandbox: Sandbox;
  processes: ProcessTable;
  /** Asked at each command that is not proven to read. */
  hidesStateFolder(): boolean;
};

/** One command to run: where it runs and what it must not see. Paths are resolved. */
export type Job = { cwd: string; root: string; hidden: readonly string[]; context: ToolContext; parts: ExecParts };
