/** The tools that every agent has: files, search, and commands. */
import type { Tool } from "../../plugins/tool.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createEditTool } from "./edit.ts";
import type { ExecParts } from "./exec/exec-parts.ts";
import { createExecTool } from "./exec/exec-tool.ts";
import { createProcessTool } from "./exec/process-tool.ts";
import type { FileRunners } from "./files/file-runners.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createReadTool } from "./read.ts";
import { createWriteTool } from "./write.ts";

export type BuiltinParts = { commands: ExecParts; files: Pick<FileRunners, "operation"> };

export function createBuiltinTools({ commands, files }: BuiltinParts): Tool[] {
  return [
    createReadTool(files.operation("read")),
    createGlobTool(files.operation("glob")),
    createGrepTool(files.operation("grep")),
    createWriteTool(files.operation("write")),
    createEditTool(files.operation("edit")),
    createApplyPatchTool(files.operation("apply_patch")),
    createExecTool(commands),
    createProcessTool(commands),
  ];
}
