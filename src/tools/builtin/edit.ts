/** The tool edit: replaces exact pieces of text in a file. */
import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { defineTool } from "../define-tool.ts";
import { type Replaced, type Replacement, replaceTexts } from "./editing/replace-text.ts";
import { FILE_BYTES_MAX, readTextFile, writeTextFile } from "./text-file.ts";
import { locate, PATH_CHARS_MAX } from "./workspace-path.ts";
import { CONTENT_CHARS_MAX, expectedHash, isStale, staleMessage } from "./write.ts";

const EDITS_MAX = 50;

const oldText = z.string().min(1).max(CONTENT_CHARS_MAX);
const newText = z.string().max(CONTENT_CHARS_MAX);
const replaceAll = z.boolean().optional();

const Args = z
  .strictObject({
    path: z.string().max(PATH_CHARS_MAX).describe("File, relative to the workspace."),
    oldText: oldText
      .optional()
      .describe("The exact text to replace, spaces and line breaks included. It must occur exactly once."),
    newText: newText.optional().describe("What stands there afterwards."),
    replaceAll: replaceAll.describe("Replace every occurrence instead of the only one."),
    edits: z
      .array(z.strictObject({ oldText, newText, replaceAll }))
      .min(1)
      .max(EDITS_MAX)
      .optional()
      .describe("Several replacements in one call, instead of oldText and newText: in order, all of them or none."),
    expectedHash,
  })
  .refine((args) => editsOf(args) !== undefined, "give either oldText and newText, or edits");
type Args = z.infer<typeof Args>;

export const createEditTool = (protectedFolders: readonly string[]): Tool =>
  defineTool<Args>({
    name: "edit",
    effect: "write",
    kind: "file_edit",
    description:
      "Replaces exact pieces of text in a file of the workspace: one, every occurrence of one, or several different ones together. Read the file first.",
    input: Args,
    async run(args, { workspace, signal }): Promise<ToolOutput> {
      const located = await locate(args.path, { workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const { path, shown } = located;
      const before = await readTextFile(path, shown);
      if (!before.ok) return { status: "error", content: before.error };
      if (isStale(args.expectedHash, before.file.hash)) return { status: "error", content: staleMessage(shown) };
      const replaced = replaceTexts(before.file.text, editsOf(args) ?? []);
      if ("error" in replaced) return { status: "error", content: `${shown} was not changed: ${replaced.error}` };
      if (Buffer.byteLength(replaced.text) > FILE_BYTES_MAX) {
        const content = `${shown} was not changed: it would grow beyond ${FILE_BYTES_MAX} bytes.`;
        return { status: "error", content };
      }
      if (signal.aborted) return { status: "error", content: "Stopped before anything was written." };
      const written = await writeTextFile(path, replaced.text, before.file.mode);
      if (!written.ok) return { status: "error", content: `${shown} ${written.error}` };
      return { status: "ok", content: { path: shown, ...told(args, replaced.done), hash: written.hash } };
    },
  });

/** The replacements in either of the two forms; undefined when both or neither are given. */
function editsOf(args: {
  oldText?: string | undefined;
  newText?: string | undefined;
  replaceAll?: boolean | undefined;
  edits?: Replacement[] | undefined;
}): Replacement[] | undefined {
  const { edits, replaceAll: all } = args;
  if (edits !== undefined)
    return args.oldText === undefined && args.newText === undefined && all === undefined ? edits : undefined;
  if (args.oldText === undefined || args.newText === undefined) return undefined;
  return [{ oldText: args.oldText, newText: args.newText, replaceAll: all }];
}

function told({ edits }: Args, done: readonly Replaced[]): JsonObject {
  if (edits !== undefined) return { edits: done.map(({ line, count }) => ({ line, count })) };
  const [{ line, count } = { line: 0, count: 0 }] = done;
  return count === 1 ? { line } : { line, count };
}
