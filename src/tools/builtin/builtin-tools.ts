import type { Clock } from "../../plugins/sessions.ts";
import type { Tool } from "../../plugins/tool.ts";
import { createEditTool } from "./edit.ts";
import { createExecTool } from "./exec.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createReadTool } from "./read.ts";
import { createWriteTool } from "./write.ts";

/** `protectedFolders` (absolute) are the gateway's own: no file tool enters them, even inside a workspace. */
export function createBuiltinTools({
  protectedFolders,
  clock,
}: {
  protectedFolders: readonly string[];
  clock: Clock;
}): Tool[] {
  return [
    createReadTool(protectedFolders),
    createGlobTool(protectedFolders),
    createGrepTool(protectedFolders, clock),
    createWriteTool(protectedFolders),
    createEditTool(protectedFolders),
    createExecTool(protectedFolders, clock),
  ];
}
