/** The tool glob: lists files or folders whose path matches a pattern. */
import { z } from "zod";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { type FileOperation, PATHS_MAX } from "./files/file-place.ts";
import { PATH_CHARS_MAX } from "./workspace-path.ts";

const PATTERN_CHARS_MAX = 500;

const Args = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(PATTERN_CHARS_MAX)
    .describe("Glob over paths relative to the folder: *.md, src/**/*.ts, **/{a,b}.json."),
  path: z
    .string()
    .max(PATH_CHARS_MAX)
    .optional()
    .describe("Folder to look in, relative to the workspace. Default: all of it."),
  type: z.enum(["file", "folder"]).optional().describe("What to list. Default: file."),
  sort: z.enum(["path", "modified"]).optional().describe("Default: path. modified: the newest first."),
  limit: z.int().min(1).max(PATHS_MAX).optional().describe(`At most so many. Default ${PATHS_MAX}.`),
});
export type GlobArgs = z.infer<typeof Args>;

export const createGlobTool = (run: FileOperation<GlobArgs>): Tool =>
  defineTool<GlobArgs>({
    name: "glob",
    effect: "read",
    kind: "read_only",
    description: `Lists files or folders of the workspace whose path matches a pattern, at most ${PATHS_MAX}. Leaves out .git and node_modules unless the pattern names them, does not follow symbolic links, and shows names that begin with a dot only where the pattern writes the dot.`,
    input: Args,
    run,
  });
