/** The tool read: returns text, a notebook's cells or an image from a file. */
import { z } from "zod";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { FileOperation } from "./files/file-place.ts";
import { LINE_CHARS_MAX, LINES_MAX } from "./reading/line-range.ts";
import { PATH_CHARS_MAX } from "./workspace-path.ts";

const Args = z.strictObject({
  path: z.string().max(PATH_CHARS_MAX).describe("File, relative to the workspace."),
  fromLine: z.int().min(1).optional().describe("First line to return, counted from 1. Default 1."),
  lines: z
    .int()
    .min(1)
    .max(LINES_MAX)
    .optional()
    .describe(`How many lines to return. Default and maximum ${LINES_MAX}.`),
  raw: z.boolean().optional().describe("Show a notebook (.ipynb) as the JSON that it is instead of as its cells."),
});
export type ReadArgs = z.infer<typeof Args>;

export const createReadTool = (run: FileOperation<ReadArgs>): Tool =>
  defineTool<ReadArgs>({
    name: "read",
    effect: "read",
    kind: "read_only",
    description: `Reads a file of the workspace: text, whole or a range of lines (also of very large files; lines are cut after ${LINE_CHARS_MAX} characters), notebooks as their cells, and PNG, JPEG, GIF and WebP images. The answer carries the file's hash; hand it to edit or write as expectedHash to be sure that nothing changed in between.`,
    input: Args,
    run,
  });
