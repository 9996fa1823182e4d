/** The tool read: returns text, a notebook's cells or an image from a file. */
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { IMAGE_BYTES_MAX } from "../tool-result.ts";
import { imageType } from "./reading/image-type.ts";
import { LINE_CHARS_MAX, LINES_MAX, rangeOfFile, rangeOfText } from "./reading/line-range.ts";
import { notebookText } from "./reading/notebook.ts";
import { bytesOf, FILE_BYTES_MAX, openFile, readOpenText } from "./text-file.ts";
import { locate, PATH_CHARS_MAX } from "./workspace-path.ts";

/** Enough for every signature that is looked for. */
const HEAD_BYTES = 16;

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
type Args = z.infer<typeof Args>;

export const createReadTool = (protectedFolders: readonly string[]): Tool =>
  defineTool<Args>({
    name: "read",
    effect: "read",
    kind: "read_only",
    description: `Reads a file of the workspace: text, whole or a range of lines (also of very large files; lines are cut after ${LINE_CHARS_MAX} characters), notebooks as their cells, and PNG, JPEG, GIF and WebP images. The answer carries the file's hash; hand it to edit or write as expectedHash to be sure that nothing changed in between.`,
    input: Args,
    async run(args, { workspace }): Promise<ToolOutput> {
      const located = await locate(args.path, { workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const { path, shown } = located;
      const opened = await openFile(path, shown);
      if (!opened.ok) return { status: "error", content: opened.error };
      await using handle = opened.handle;
      return await readOpen(handle, { args, shown, stats: opened.stats });
    },
  });

type Reading = { args: Args; shown: string; stats: Stats };

async function readOpen(handle: FileHandle, { args, shown, stats }: Reading): Promise<ToolOutput> {
  const mediaType = imageType(await bytesOf(handle, HEAD_BYTES));
  if (mediaType !== undefined) return image(handle, { mediaType, shown, size: stats.size });
  if (stats.size > FILE_BYTES_MAX) {
    const range = await rangeOfFile(handle, args);
    if (range === undefined) return { status: "error", content: `${shown} is not a text file (${stats.size} bytes).` };
    return { status: "ok", content: { path: shown, size: stats.size, ...range } };
  }
  const read = await readOpenText(handle, { stats, shown });
  if (!read.ok) return { status: "error", content: read.error };
  const { text, hash } = read.file;
  const cells = shown.endsWith(".ipynb") && args.raw !== true ? notebookText(text) : undefined;
  if (cells === undefined) return { status: "ok", content: { path: shown, hash, ...rangeOfText(text, args) } };
  const note = "These are the notebook's cells; edit works on its JSON, which raw: true shows.";
  return { status: "ok", content: { path: shown, hash, note, ...rangeOfText(cells, args) } };
}

async function image(
  handle: FileHandle,
  { mediaType, shown, size }: { mediaType: string; shown: string; size: number },
): Promise<ToolOutput> {
  if (size > IMAGE_BYTES_MAX) {
    const advice = "Look at a smaller copy of it, if there is one.";
    return {
      status: "error",
      content: `${shown} is an image (${mediaType}) of ${size} bytes; at most ${IMAGE_BYTES_MAX} can be shown. ${advice}`,
    };
  }
  const bytes = await bytesOf(handle, IMAGE_BYTES_MAX);
  return {
    status: "ok",
    content: { type: "image", mediaType, bytes: bytes.toString("base64"), path: shown, size: bytes.length },
  };
}
