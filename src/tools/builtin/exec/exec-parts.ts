/** The dependencies of the tools that run commands. */
import type { CommandJudge } from "../../../plugins/command-judge.ts";
import type { Clock } from "../../../plugins/sessions.ts";
import type { ToolContext } from "../../../plugins/tool.ts";
import type { ProcessTable } from "./process-table.ts";
import type { Sandbox } from "../../../runner/sandbox.ts";

export type ExecParts = {
  /** The gateway's own folders: hidden from every command, as far as the system allows. */
  protectedFolders: readonly string[];
  clock: Clock;
  /** Absent: every command counts as writing. */
  commandJudge?: CommandJudge | undefined;
  sandbox: Sandbox;
  processes: ProcessTable;
  /** Asked at each command. */
  settings(): ExecSettings;
};

export type ExecSettings = {
  /** none: a person decided that commands run without one. */
  sandbox: "auto" | "none";
  hide: readonly string[];
  show: readonly string[];
  hideStateFolder: boolean;
};

export const USUAL_EXEC_SETTINGS: ExecSettings = { sandbox: "auto", hide: [], show: [], hideStateFolder: true };

/** One command to run: where it runs and what it must not see. Paths are resolved. */
export type Job = { cwd: string; root: string; hidden: readonly string[]; context: ToolContext; parts: ExecParts };
