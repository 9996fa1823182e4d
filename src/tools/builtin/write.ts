/** The tool write: creates a text file or replaces the whole of one. */
import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { readTextFile, writeTextFile } from "./text-file.ts";
import { locate, PATH_CHARS_MAX } from "./workspace-path.ts";

export const CONTENT_CHARS_MAX = 150_000;
export const expectedHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "the hash as read returned it")
  .optional()
  .describe("Hash from an earlier read: if the file has changed since, nothing is written.");

const Args = z.strictObject({
  path: z.string().max(PATH_CHARS_MAX).describe("File, relative to the workspace. Missing folders are made."),
  content: z.string().max(CONTENT_CHARS_MAX).describe("The whole new text of the file."),
  expectedHash,
});

export const createWriteTool = (protectedFolders: readonly string[]): Tool =>
  defineTool<z.infer<typeof Args>>({
    name: "write",
    effect: "write",
    kind: "file_edit",
    description:
      "Creates a text file in the workspace or replaces the whole of one. To change a part of a file, use edit.",
    input: Args,
    async run(args, { workspace, signal }): Promise<ToolOutput> {
      const located = await locate(args.path, { workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const { path, shown } = located;
      const before = await readTextFile(path, shown);
      if (!before.ok && !before.missing) return { status: "error", content: before.error };
      const stale = isStale(args.expectedHash, before.ok ? before.file.hash : undefined);
      if (stale) return { status: "error", content: staleMessage(shown) };
      if (signal.aborted) return { status: "error", content: "Stopped before anything was written." };
      const written = await writeTextFile(path, args.content, before.ok ? before.file.mode : undefined);
      if (!written.ok) return { status: "error", content: `${shown} ${written.error}` };
      return { status: "ok", content: { path: shown, created: !before.ok, hash: written.hash } };
    },
  });

export const isStale = (expected: string | undefined, now: string | undefined): boolean =>
  expected !== undefined && expected !== now;

export const staleMessage = (shown: string): string =>
  `${shown} is not what it was when you read it; nothing was written. Read it again and decide anew.`;
