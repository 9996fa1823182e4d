/** The tools that every agent has: files, search, and commands. */
import type { Clock } from "../../plugins/sessions.ts";
import type { Tool } from "../../plugins/tool.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createEditTool } from "./edit.ts";
import type { ExecParts } from "./exec/exec-parts.ts";
import { createExecTool } from "./exec/exec-tool.ts";
import { createProcessTable } from "./exec/process-table.ts";
import { createProcessTool } from "./exec/process-tool.ts";
import { probedSandbox } from "./exec/sandbox.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createReadTool } from "./read.ts";
import { createWriteTool } from "./write.ts";

/** `protectedFolders` (absolute) are the gateway's own: no file tool enters them, even inside a workspace. */
export type BuiltinParts = { protectedFolders: readonly string[]; clock: Clock } & Partial<ExecParts>;

export function createBuiltinTools(parts: BuiltinParts): Tool[] {
  const { protectedFolders, clock } = parts;
  const commands: ExecParts = {
    sandbox: probedSandbox({ clock }),
    processes: createProcessTable(clock),
    hidesStateFolder: () => true,
    ...parts,
  };
  return [
    createReadTool(protectedFolders),
    createGlobTool(protectedFolders),
    createGrepTool(protectedFolders, clock),
    createWriteTool(protectedFolders),
    createEditTool(protectedFolders),
    createApplyPatchTool(protectedFolders),
    createExecTool(commands),
    createProcessTool(commands),
  ];
}
