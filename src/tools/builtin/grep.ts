/** The tool grep: searches files with ripgrep. */
import { relative, sep } from "node:path";
import { z } from "zod";
import type { Clock } from "../../plugins/sessions.ts";
import type { Tool, ToolContext, ToolOutput } from "../../plugins/tool.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { defineTool } from "../define-tool.ts";
import { runChild } from "./child-process.ts";
import { IGNORED_FOLDERS } from "./glob.ts";
import { scrubbedEnvironment } from "./scrubbed-environment.ts";
import { isInside, locate, PATH_CHARS_MAX, realFolders } from "./workspace-path.ts";

const PATTERN_CHARS_MAX = 1_000;
const RESULTS_MAX = 200;
const MATCHES_PER_FILE_MAX = 50;
const CONTEXT_LINES_MAX = 20;
const LINE_CHARS_MAX = 400;
const OUTPUT_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 20_000;

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
type Args = z.infer<typeof Args>;

export const createGrepTool = (protectedFolders: readonly string[], clock: Clock): Tool =>
  defineTool<Args>({
    name: "grep",
    effect: "read",
    kind: "read_only",
    description: `Searches the text of the workspace's files with ripgrep and returns matching lines with their place, the paths of the files, or counts; at most ${RESULTS_MAX}. Files named in .gitignore, .git and node_modules are left out.`,
    input: Args,
    async run(args, { workspace, signal }): Promise<ToolOutput> {
      const located = await locate(args.path ?? ".", { workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const root = await locate(".", { workspace, protectedFolders });
      const guarded = await realFolders(protectedFolders);
      if (!root.ok || guarded === undefined) return { status: "error", content: "The workspace cannot be searched." };
      const hidden = guarded
        .filter((folder) => isInside(root.path, folder))
        .map((folder) => relative(root.path, folder).split(sep).join("/"));
      const argv = commandLine(args, { target: located.shown, hidden });
      return search({ args, cwd: root.path, argv, clock, hidden }, signal);
    },
  });

/** No configuration file, no pager, no program of the user's: the same answer on every machine. */
const FIXED = "--no-config --with-filename --no-heading --color=never --null --hidden --sort=path".split(" ");
const OUTPUTS: Readonly<Record<NonNullable<Args["output"]>, readonly string[]>> = {
  lines: [
    "--line-number",
    `--max-count=${MATCHES_PER_FILE_MAX}`,
    `--max-columns=${LINE_CHARS_MAX}`,
    "--max-columns-preview",
  ],
  files: ["--files-with-matches"],
  count: ["--count-matches"],
};

/** A folder's name is a name, whatever signs are in it: unescaped, `state[1]` would hide `state1` and show itself. */
const literal = (folder: string): string => folder.replace(/[^\p{L}\p{N}/_.-]/gu, "\\$&");

function commandLine(args: Args, { target, hidden }: { target: string; hidden: readonly string[] }): string[] {
  const left = [...IGNORED_FOLDERS.map((name) => `!**/${name}`), ...hidden.map((folder) => `!/${literal(folder)}`)];
  const chosen = [
    ...(args.ignoreCase === true ? ["--ignore-case"] : []),
    ...(args.literal === true ? ["--fixed-strings"] : []),
    ...(args.multiline === true ? ["--multiline"] : []),
    ...(args.type === undefined ? [] : [`--type=${args.type}`]),
    ...(args.before === undefined ? [] : [`--before-context=${args.before}`]),
    ...(args.after === undefined ? [] : [`--after-context=${args.after}`]),
    ...(args.glob === undefined ? [] : [`--glob=${args.glob}`]),
  ];
  return [
    ...FIXED,
    ...OUTPUTS[args.output ?? "lines"],
    ...chosen,
    ...left.map((glob) => `--glob=${glob}`), // last, so that nothing above can bring them back
    "--regexp",
    args.pattern,
    "--",
    target === "." ? "./" : target,
  ];
}

type Search = { args: Args; cwd: string; argv: string[]; clock: Clock; hidden: readonly string[] };

async function search({ args, cwd, argv, clock, hidden }: Search, signal: ToolContext["signal"]): Promise<ToolOutput> {
  const { rgPath } = await import("@vscode/ripgrep"); // only when it is needed: it looks for its binary as it loads
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let bytes = 0;
  const end = await runChild({
    file: rgPath,
    args: argv,
    cwd,
    env: scrubbedEnvironment(process.env),
    signal,
    timeoutMs: TIMEOUT_MS,
    clock,
    onOutput(chunk, stream) {
      (stream === "out" ? output : errors).push(chunk);
      bytes += chunk.length;
      return bytes > OUTPUT_BYTES_MAX ? "enough" : "more";
    },
  });
  if (end.ended === "aborted") return { status: "error", content: "Stopped." };
  if (end.ended === "not-started") return { status: "error", content: "ripgrep is not available on this system." };
  if (end.ended === "exit" && end.code > 1 && output.length === 0) {
    return { status: "error", content: `grep: ${Buffer.concat(errors).toString().trim().slice(0, 1_000)}` };
  }
  const isCut = end.ended === "enough" || end.ended === "timeout";
  return { status: "ok", content: answer(args, { text: Buffer.concat(output).toString(), isCut, hidden }) };
}

type Printed = { text: string; isCut: boolean; hidden: readonly string[] };

function answer(args: Args, { text, isCut, hidden }: Printed): JsonObject {
  const limit = args.limit ?? RESULTS_MAX;
  // checked again, in case a pattern for ripgrep missed a hidden folder
  const isOpen = (path: string): boolean => !hidden.some((folder) => path.startsWith(`${folder}/`));
  const told = (name: string, all: Json[]): JsonObject => {
    const more = all.length > limit || isCut;
    const hint = "There is more: narrow the pattern, the path or the glob.";
    return { [name]: all.slice(0, limit), ...(more ? { more: hint } : {}) };
  };
  switch (args.output ?? "lines") {
    case "files":
      return told("files", text.split("\0").flatMap(toPath).filter(isOpen));
    case "count":
      return told(
        "counts",
        text
          .split("\n")
          .flatMap(toCount)
          .filter(({ path }) => isOpen(path)),
      );
    default:
      return told(
        "matches",
        withContext(
          text
            .split("\n")
            .flatMap(toLine)
            .filter(({ path }) => isOpen(path)),
          args.after ?? 0,
        ),
      );
  }
}

const plainPath = (path: string): string => path.replace(/^\.\//, "");
const toPath = (text: string): string[] => (text.trim() === "" ? [] : [plainPath(text.replace(/^\n/, ""))]);

function toCount(line: string): { path: string; count: number }[] {
  const parts = /^([^\0]+)\0(\d+)$/.exec(line);
  return parts === null ? [] : [{ path: plainPath(parts[1] ?? ""), count: Number(parts[2]) }];
}

type Line = { path: string; line: number; text: string; isMatch: boolean };

/** `path NUL line:text` for a match, `path NUL line-text` for what stands around it, as --null prints them. */
function toLine(printed: string): Line[] {
  const parts = /^([^\0]+)\0(\d+)([:-])(.*)$/s.exec(printed);
  if (parts === null) return [];
  const [, path = "", number = "", sign = "", text = ""] = parts;
  return [{ path: plainPath(path), line: Number(number), text: text.replace(/\r$/, ""), isMatch: sign === ":" }];
}

/** Each match with the lines around it that belong to no match before it. */
function withContext(lines: readonly Line[], afterMax: number): JsonObject[] {
  const matches: JsonObject[] = [];
  let waiting: Line[] = [];
  let last: { path: string; line: number; after: string[] } | undefined;
  for (const { path, line, text, isMatch } of lines) {
    const hasRoom = last !== undefined && last.after.length < afterMax;
    const follows = hasRoom && last?.path === path && last.line + last.after.length + 1 === line;
    if (isMatch) {
      const before = waiting.map((item) => item.text);
      const after: string[] = [];
      matches.push({ path, line, text, ...(before.length > 0 ? { before } : {}), after });
      last = { path, line, after };
      waiting = [];
    } else if (follows && last !== undefined) last.after.push(text);
    else waiting.push({ path, line, text, isMatch });
  }
  return matches.map(({ after, ...match }) => (Array.isArray(after) && after.length > 0 ? { ...match, after } : match));
}
