import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { FILE_BYTES_MAX, readTextFile, writeTextFile } from "./text-file.ts";
import { locate, PATH_CHARS_MAX } from "./workspace-path.ts";
import { CONTENT_CHARS_MAX, expectedHash, isStale, staleMessage } from "./write.ts";

const Args = z.strictObject({
  path: z.string().max(PATH_CHARS_MAX).describe("File, relative to the workspace."),
  oldText: z
    .string()
    .min(1)
    .max(CONTENT_CHARS_MAX)
    .describe("The exact text to replace, spaces and line breaks included. It must occur exactly once."),
  newText: z.string().max(CONTENT_CHARS_MAX).describe("What stands there afterwards."),
  expectedHash,
});
type Args = z.infer<typeof Args>;

export const createEditTool = (protectedFolders: readonly string[]): Tool =>
  defineTool<Args>({
    name: "edit",
    effect: "write",
    kind: "file_edit",
    description: "Replaces one exact piece of text in a file of the workspace. Read the file first.",
    input: Args,
    async run(args, { workspace, signal }): Promise<ToolOutput> {
      const located = await locate(args.path, { workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const { path, shown } = located;
      const before = await readTextFile(path, shown);
      if (!before.ok) return { status: "error", content: before.error };
      if (isStale(args.expectedHash, before.file.hash)) return { status: "error", content: staleMessage(shown) };
      const replaced = replaceOnce(before.file.text, args);
      if ("error" in replaced) return { status: "error", content: `${shown} was not changed: ${replaced.error}` };
      if (signal.aborted) return { status: "error", content: "Stopped before anything was written." };
      const written = await writeTextFile(path, replaced.text, before.file.mode);
      if (!written.ok) return { status: "error", content: `${shown} ${written.error}` };
      return { status: "ok", content: { path: shown, line: replaced.line, hash: written.hash } };
    },
  });

function replaceOnce(text: string, { oldText, newText }: Args): { text: string; line: number } | { error: string } {
  if (oldText === newText) return { error: "oldText and newText are the same." };
  const at = text.indexOf(oldText);
  if (at < 0) return { error: "oldText does not occur in it. Read it again and copy the text exactly." };
  if (text.includes(oldText, at + 1)) {
    return { error: "oldText occurs more than once. Include more of the lines around it." };
  }
  const after = text.slice(0, at) + newText + text.slice(at + oldText.length);
  if (Buffer.byteLength(after) > FILE_BYTES_MAX) return { error: `it would grow beyond ${FILE_BYTES_MAX} bytes.` };
  return { text: after, line: text.slice(0, at).split("\n").length };
}
