import { relative, sep } from "node:path";
import { z } from "zod";
import type { Clock } from "../../plugins/sessions.ts";
import type { Tool, ToolContext, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { runChild } from "./child-process.ts";
import { IGNORED_FOLDERS } from "./glob.ts";
import { scrubbedEnvironment } from "./scrubbed-environment.ts";
import { isInside, locate, PATH_CHARS_MAX, realFolders } from "./workspace-path.ts";

const PATTERN_CHARS_MAX = 1_000;
const MATCHES_MAX = 200;
const MATCHES_PER_FILE_MAX = 50;
const LINE_CHARS_MAX = 400;
const OUTPUT_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 20_000;

const Args = z.strictObject({
  pattern: z.string().min(1).max(PATTERN_CHARS_MAX).describe("Regular expression (Rust syntax), matched line by line."),
  path: z
    .string()
    .max(PATH_CHARS_MAX)
    .optional()
    .describe("File or folder, relative to the workspace. Default: all of it."),
  glob: z.string().min(1).max(500).optional().describe("Only files whose path matches, such as *.ts or src/**."),
  ignoreCase: z.boolean().optional(),
  literal: z.boolean().optional().describe("Take the pattern as plain text."),
});
type Args = z.infer<typeof Args>;

export const createGrepTool = (protectedFolders: readonly string[], clock: Clock): Tool =>
  defineTool<Args>({
    name: "grep",
    effect: "read",
    kind: "read_only",
    description: `Searches the text of the workspace's files with ripgrep and returns matching lines with their place, at most ${MATCHES_MAX}. Files named in .gitignore, .git and node_modules are left out.`,
    input: Args,
    async run(args, context): Promise<ToolOutput> {
      const located = await locate(args.path ?? ".", { workspace: context.workspace, protectedFolders });
      if (!located.ok) return { status: "error", content: located.error };
      const root = await locate(".", { workspace: context.workspace, protectedFolders });
      const guarded = await realFolders(protectedFolders);
      if (!root.ok || guarded === undefined) return { status: "error", content: "The workspace cannot be searched." };
      const hidden = guarded
        .filter((folder) => isInside(root.path, folder))
        .map((folder) => relative(root.path, folder).split(sep).join("/"));
      const order = { cwd: root.path, argv: commandLine(args, { target: located.shown, hidden }), clock };
      return search(order, context, hidden);
    },
  });

/** No configuration file, no pager, no program of the user's: the same answer on every machine. */
const FIXED = "--no-config --line-number --with-filename --no-heading --color=never --null --hidden --sort=path".split(
  " ",
);
const BOUNDS = [`--max-count=${MATCHES_PER_FILE_MAX}`, `--max-columns=${LINE_CHARS_MAX}`, "--max-columns-preview"];

/** A folder's name is a name, whatever signs are in it: unescaped, `state[1]` would hide `state1` and show itself. */
const literal = (folder: string): string => folder.replace(/[^\p{L}\p{N}/_.-]/gu, "\\$&");

function commandLine(args: Args, { target, hidden }: { target: string; hidden: readonly string[] }): string[] {
  const left = [...IGNORED_FOLDERS.map((name) => `!**/${name}`), ...hidden.map((folder) => `!/${literal(folder)}`)];
  return [
    ...FIXED,
    ...BOUNDS,
    ...(args.ignoreCase === true ? ["--ignore-case"] : []),
    ...(args.literal === true ? ["--fixed-strings"] : []),
    ...(args.glob === undefined ? [] : [`--glob=${args.glob}`]),
    ...left.map((glob) => `--glob=${glob}`), // last, so that nothing above can bring them back
    "--regexp",
    args.pattern,
    "--",
    target === "." ? "./" : target,
  ];
}

async function search(
  { cwd, argv, clock }: { cwd: string; argv: string[]; clock: Clock },
  { signal }: ToolContext,
  hidden: readonly string[],
): Promise<ToolOutput> {
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
  const matches = Buffer.concat(output)
    .toString()
    .split("\n")
    .flatMap(toMatch)
    .filter(({ path }) => !hidden.some((folder) => path.startsWith(`${folder}/`))); // should a pattern not have held
  const more = matches.length > MATCHES_MAX || end.ended === "enough" || end.ended === "timeout";
  const hint = "There is more: narrow the pattern, the path or the glob.";
  return { status: "ok", content: { matches: matches.slice(0, MATCHES_MAX), ...(more ? { more: hint } : {}) } };
}

/** `path NUL line:text`, as --null prints it. */
function toMatch(line: string): { path: string; line: number; text: string }[] {
  const parts = /^([^\0]+)\0(\d+):(.*)$/s.exec(line);
  if (parts === null) return [];
  const [, path = "", number = "", text = ""] = parts;
  return [{ path: path.replace(/^\.\//, ""), line: Number(number), text: text.replace(/\r$/, "") }];
}
