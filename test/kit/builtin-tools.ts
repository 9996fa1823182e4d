/** Built-in tools for tests: file operations in this process unless a test brings a sandbox. */
import { systemClock } from "../../src/engine/clock.ts";
import type { Tool } from "../../src/plugins/tool.ts";
import { NO_SANDBOX, probedSandbox } from "../../src/runner/sandbox.ts";
import { createBuiltinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { type ExecParts, USUAL_EXEC_SETTINGS } from "../../src/tools/builtin/exec/exec-parts.ts";
import { createProcessTable } from "../../src/tools/builtin/exec/process-table.ts";
import { createFileRunners, type FileRunners } from "../../src/tools/builtin/files/file-runners.ts";

/** One probe for all tests: what the system can do does not change between them. */
export const sandboxHere = probedSandbox();

export const filesHere = (protectedFolders: readonly string[] = []): FileRunners =>
  createFileRunners({ sandbox: NO_SANDBOX, protectedFolders, clock: systemClock });

type Given = { protectedFolders?: readonly string[]; parts?: Partial<ExecParts>; files?: FileRunners };

export function builtinTools({ protectedFolders = [], parts = {}, files }: Given = {}): Tool[] {
  const commands: ExecParts = {
    protectedFolders,
    clock: systemClock,
    sandbox: sandboxHere,
    processes: createProcessTable(systemClock),
    settings: () => USUAL_EXEC_SETTINGS,
    ...parts,
  };
  return createBuiltinTools({ commands, files: files ?? filesHere(protectedFolders) });
}
