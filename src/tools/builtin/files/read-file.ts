/** Reads a file of the workspace: text, a notebook's cells or an image. */
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { ReadArgs } from "../read.ts";
import { IMAGE_BYTES_MAX, imageType } from "../reading/image-type.ts";
import { rangeOfFile, rangeOfText } from "../reading/line-range.ts";
import { bytesOf, FILE_BYTES_MAX, openFile, readOpenText } from "../text-file.ts";
import { locate } from "../workspace-path.ts";
import type { FilePlace } from "./file-place.ts";

/** Enough for every signature that is looked for. */
const HEAD_BYTES = 16;

export async function readFile(args: ReadArgs, place: FilePlace): Promise<ToolOutput> {
  const located = await locate(args.path, place);
  if (!located.ok) return { status: "error", content: located.error };
  const { path, shown } = located;
  const opened = await openFile(path, shown);
  if (!opened.ok) return { status: "error", content: opened.error };
  await using handle = opened.handle;
  return await readOpen(handle, { args, shown, stats: opened.stats });
}

type Reading = { args: ReadArgs; shown: string; stats: Stats };

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
  const cells = shown.endsWith(".ipynb") && args.raw !== true ? await notebookCells(text) : undefined;
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

/** Loaded when there is one: it brings a schema library with it. */
async function notebookCells(text: string): Promise<string | undefined> {
  const { notebookText } = await import("../reading/notebook.ts");
  return notebookText(text);
}
