/** The tool grep: searches files with ripgrep. */
import { z } from "zod";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { type FileOperation, RESULTS_MAX } from "./files/file-place.ts";
import { PATH_CHARS_MAX } from "./workspace-path.ts";

const PATTERN_CHARS_MAX = 1_000;
const CONTEXT_LINES_MAX = 20;

const context = z.int().min(0).max(CONTEXT_LINES_MAX).optional();

const Args = z.strictObject({
  pattern: z.string().min(1).max(PATTERN_CHARS_MAX).describe("Regular expression (Rust syntax), matched line by line."),
  path: z
    .string()
    .max(PATH_CHARS_MAX)
    .optional()
    .describe("File or folder, relative to the workspace. Default: all of it."),
  glob: z.string().min(1).max(500).optional().describe("Only files whose path matches, such as *.ts or src/**."),
  type: z
    .string()
    .regex(/^[a-z0-9]{1,20}$/, "a file type of ripgrep, such as ts, py or rust")
    .optional()
    .describe("Only files of this type, such as ts, js, py, rust, go, java, md."),
  output: z
    .enum(["lines", "files", "count"])
    .optional()
    .describe("lines (default): matching lines with their place; files: only the paths; count: matches per file."),
  before: context.describe("Lines to show before each match."),
  after: context.describe("Lines to show after each match."),
  limit: z.int().min(1).max(RESULTS_MAX).optional().describe(`At most so many results. Default ${RESULTS_MAX}.`),
  ignoreCase: z.boolean().optional(),
  literal: z.boolean().optional().describe("Take the pattern as plain text."),
  multiline: z.boolean().optional().describe("Let a match reach over several lines."),
});
export type GrepArgs = z.infer<typeof Args>;

export const createGrepTool = (run: FileOperation<GrepArgs>): Tool =>
  defineTool<GrepArgs>({
    name: "grep",
    effect: "read",
    kind: "read_only",
    description: `Searches the text of the workspace's files with ripgrep and returns matching lines with their place, the paths of the files, or counts; at most ${RESULTS_MAX}. Files named in .gitignore, .git and node_modules are left out.`,
    input: Args,
    run,
  });
