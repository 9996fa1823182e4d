import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { readTextFile } from "./text-file.ts";
import { locate, PATH_CHARS_MAX } from "./workspace-path.ts";

const LINES_MAX = 2_000;
const CHARS_MAX = 50_000;

const Args = z.strictObject({
  path: z.string().max(PATH_CHARS_MAX).describe("File, relative to the workspace."),
  fromLine: z.int().min(1).optional().describe("First line to return, counted from 1. Default 1."),
  lines: z
    .int()
    .min(1)
    .max(LINES_MAX)
    .optional()
    .describe(`How many lines to return. Default and maximum ${LINES_MAX}.`),
});

export const createReadTool = (protectedFolders: readonly string[]): Tool =>
  defineTool<z.infer<typeof Args>>({
    name: "read",
    effect: "read",
    kind: "read_only",
    description:
      "Reads a text file of the workspace, whole or a range of lines. The answer carries the file's hash; hand it to edit or write as expectedHash to be sure that nothing changed in between.",
    input: Args,
    async run(args, { workspace }): Promise<ToolOutput> {
      const located = await locate(args.path, { workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const read = await readTextFile(located.path, located.shown);
      if (!read.ok) return { status: "error", content: read.error };
      const { text, hash } = read.file;
      return { status: "ok", content: { path: located.shown, hash, ...range(text, args) } };
    },
  });

type Range = { text: string; fromLine: number; toLine: number; totalLines: number; more?: string };

/** Whole lines as far as they fit; a line that alone is too long is cut, and the answer says so. */
function range(text: string, { fromLine = 1, lines = LINES_MAX }: z.infer<typeof Args>): Range {
  const all = text.split(/(?<=\n)/);
  const totalLines = text === "" ? 0 : all.length;
  const wanted = all.slice(fromLine - 1, fromLine - 1 + lines);
  let taken = "";
  let count = 0;
  for (const line of wanted) {
    if (count > 0 && taken.length + line.length > CHARS_MAX) break;
    taken += line;
    count += 1;
  }
  const toLine = fromLine - 1 + count;
  const shown = { text: taken.slice(0, CHARS_MAX), fromLine, toLine, totalLines };
  if (taken.length > CHARS_MAX) return { ...shown, more: `Line ${fromLine} is cut after ${CHARS_MAX} characters.` };
  return toLine < totalLines ? { ...shown, more: `Call read with fromLine ${toLine + 1} to go on.` } : shown;
}
