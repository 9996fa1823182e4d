/** The operations on files, by the names of the tools that ask for them. */
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { PatchArgs } from "../apply-patch.ts";
import type { EditArgs } from "../edit.ts";
import type { GlobArgs } from "../glob.ts";
import type { GrepArgs } from "../grep.ts";
import type { ReadArgs } from "../read.ts";
import type { WriteArgs } from "../write.ts";
import { editFile } from "./edit-file.ts";
import type { FilePlace } from "./file-place.ts";
import { globFiles } from "./glob-files.ts";
import { grepFiles } from "./grep-files.ts";
import { patchFiles } from "./patch-files.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

export type FileArgs = {
  read: ReadArgs;
  glob: GlobArgs;
  grep: GrepArgs;
  write: WriteArgs;
  edit: EditArgs;
  apply_patch: PatchArgs;
};
export type FileToolName = keyof FileArgs;

export const FILE_OPERATIONS: {
  readonly [Name in FileToolName]: (args: FileArgs[Name], place: FilePlace) => Promise<ToolOutput>;
} = {
  read: readFile,
  glob: globFiles,
  grep: grepFiles,
  write: writeFile,
  edit: editFile,
  apply_patch: patchFiles,
};

export const CHANGES_FILES: Readonly<Record<FileToolName, boolean>> = {
  read: false,
  glob: false,
  grep: false,
  write: true,
  edit: true,
  apply_patch: true,
};
