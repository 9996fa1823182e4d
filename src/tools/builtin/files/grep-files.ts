/** Searches the files of the workspace with ripgrep. */
import { relative, sep } from "node:path";
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { Json, JsonObject } from "../../../protocol/json.ts";
import { runChild } from "../child-process.ts";
import type { GrepArgs } from "../grep.ts";
import { scrubbedEnvironment } from "../scrubbed-environment.ts";
import { isInside, locate, realFolders } from "../workspace-path.ts";
import { type FilePlace, IGNORED_FOLDERS, RESULTS_MAX } from "./file-place.ts";

const MATCHES_PER_FILE_MAX = 50;
const LINE_CHARS_MAX = 400;
const OUTPUT_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 20_000;

export async function grepFiles(args: GrepArgs, place: FilePlace): Promise<ToolOutput> {
  const located = await locate(args.path ?? ".", place);
  if (!located.ok) return { status: "error", content: located.error };
  const root = await locate(".", place);
  const guarded = await realFolders(place.protectedFolders);
  if (!root.ok || guarded === undefined) return { status: "error", content: "The workspace cannot be searched." };
  const hidden = guarded
    .filter((folder) => isInside(root.path, folder))
    .map((folder) => relative(root.path, folder).split(sep).join("/"));
  const argv = commandLine(args, { target: located.shown, hidden });
  return search({ args, cwd: root.path, argv, hidden }, place);
}

/** No configuration file, no pager, no program of the user's: the same answer on every machine. */
const FIXED = "--no-config --with-filename --no-heading --color=never --null --hidden --sort=path".split(" ");
const OUTPUTS: Readonly<Record<NonNullable<GrepArgs["output"]>, readonly string[]>> = {
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

function commandLine(args: GrepArgs, { target, hidden }: { target: string; hidden: readonly string[] }): string[] {
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

type Search = { args: GrepArgs; cwd: string; argv: string[]; hidden: readonly string[] };

async function search({ args, cwd, argv, hidden }: Search, { clock, signal }: FilePlace): Promise<ToolOutput> {
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

function answer(args: GrepArgs, { text, isCut, hidden }: Printed): JsonObject {
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
