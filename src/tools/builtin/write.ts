/** The tool write: creates a text file or replaces the whole of one. */
import { z } from "zod";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { FileOperation } from "./files/file-place.ts";
import { PATH_CHARS_MAX } from "./workspace-path.ts";

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

export type WriteArgs = z.infer<typeof Args>;

export const createWriteTool = (run: FileOperation<WriteArgs>): Tool =>
  defineTool<WriteArgs>({
    name: "write",
    effect: "write",
    kind: "file_edit",
    description:
      "Creates a text file in the workspace or replaces the whole of one. To change a part of a file, use edit.",
    input: Args,
    run,
  });
