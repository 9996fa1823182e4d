/** The tool apply_patch: changes several files of the workspace at once, all of them or none. */
import { z } from "zod";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { FileOperation } from "./files/file-place.ts";
import { CONTENT_CHARS_MAX } from "./write.ts";

const Args = z.strictObject({
  patch: z
    .string()
    .min(1)
    .max(CONTENT_CHARS_MAX)
    .describe("The whole patch, from *** Begin Patch to *** End Patch. Paths are relative to the workspace."),
});
export type PatchArgs = z.infer<typeof Args>;

export const createApplyPatchTool = (run: FileOperation<PatchArgs>): Tool =>
  defineTool<PatchArgs>({
    name: "apply_patch",
    effect: "write",
    kind: "file_edit",
    description: `Changes several files of the workspace at once: all of the patch or none of it. Format:
*** Begin Patch
*** Add File: path (each line below begins with +)
*** Delete File: path
*** Update File: path, then optionally *** Move to: path, then hunks
@@ optional: a line above the place
 context line
-removed line
+added line
*** End Patch
Copy context lines exactly from the file; three around a change are usually enough.`,
    input: Args,
    run,
  });
