/** The tool edit: replaces exact pieces of text in a file. */
import { z } from "zod";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { editsOf } from "./editing/edits-of.ts";
import type { FileOperation } from "./files/file-place.ts";
import { PATH_CHARS_MAX } from "./workspace-path.ts";
import { CONTENT_CHARS_MAX, expectedHash } from "./write.ts";

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
export type EditArgs = z.infer<typeof Args>;

export const createEditTool = (run: FileOperation<EditArgs>): Tool =>
  defineTool<EditArgs>({
    name: "edit",
    effect: "write",
    kind: "file_edit",
    description:
      "Replaces exact pieces of text in a file of the workspace: one, every occurrence of one, or several different ones together. Read the file first.",
    input: Args,
    run,
  });
