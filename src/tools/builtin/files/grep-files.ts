/** Searches the files of the workspace with ripgrep. */
import { relative, sep } from "node:path";
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { Json, JsonObject } from "../../../protocol/json.ts";
import { runChild } from "../child-process.ts";
import type { GrepArgs } from "../grep.ts";
import { scrubbedEnvironment } from "../scrubbed-environment.ts";
import { isInside, locate, realFolders } from "../workspace-path.ts";
import { type FilePlace, IGNORED_FOLDERS, RESULTS_MAX } from "./file-place.ts";
import { CAN_HOLD_OPEN, holdOpen } from "./hold-open.ts";
import { ripgrepPath } from "./ripgrep-path.ts";

const MATCHES_PER_FILE_MAX = 50;
const LINE_CHARS_MAX = 400;
const OUTPUT_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 20_000;
/** Files that are held open, in all and at once. */
const HELD_MAX = 1_000;
const HELD_AT_ONCE = 100;
const NO_RIPGREP = "ripgrep is not available on this system.";

export async function grepFiles(args: GrepArgs, place: FilePlace): Promise<ToolOutput> {
  const located = await locate(args.path ?? ".", place);
  if (!located.ok) return { status: "error", content: located.error };
  const root = await locate(".", place);
  const guarded = await realFolders(place.protectedFolders);
  if (!root.ok || guarded === undefined) return { status: "error", content: "The workspace cannot be searched." };
  const hidden = guarded
    .filter((folder) => isInside(root.path, folder))
    .map((folder) => relative(root.path, folder).split(sep).join("/"));
  const search: Search = { args, cwd: root.path, target: located.shown, hidden };
  const printed = place.isEnclosed === true || !CAN_HOLD_OPEN ? print(search, place) : printHeld(search, place);
  const { text, isCut, problem } = await printed;
  if (problem !== undefined) return { status: "error", content: problem };
  return { status: "ok", content: answer(args, { text, isCut, hidden }) };
}

type Search = { args: GrepArgs; cwd: string; target: string; hidden: readonly string[] };
type Printed = { text: string; isCut: boolean; problem?: string };

const print = (search: Search, place: FilePlace): Promise<Printed> =>
  ripgrep([...FIXED, "--sort=path", ...chosenBy(search)], search.cwd, place);

/** Files are found by their names first. What is shown of them comes from files that were held open and are what they seem. */
async function printHeld(search: Search, place: FilePlace): Promise<Printed> {
  const found = await print({ ...search, args: { ...search.args, output: "files" } }, place);
  if (found.problem !== undefined) return found;
  const names = found.text.split("\0").flatMap(toPath).filter(isOpenBeside(search.hidden));
  const whole: Printed = { text: "", isCut: found.isCut || names.length > HELD_MAX };
  for (let at = 0; at < Math.min(names.length, HELD_MAX); at += HELD_AT_ONCE) {
    await using held = await holdOpen(search.cwd, names.slice(at, at + HELD_AT_ONCE));
    if (held.paths.length === 0) continue;
    const args = [
      ...FIXED,
      "--threads=1",
      ...outputBy(search.args),
      "--regexp",
      search.args.pattern,
      "--",
      ...held.paths,
    ];
    const { text, isCut, problem } = await ripgrep(args, search.cwd, place);
    if (problem !== undefined) return { ...whole, problem };
    whole.text += text.replaceAll(HELD_PATH, (path) => held.nameOf(path) ?? path);
    whole.isCut ||= isCut;
    if (isCut || whole.text.length > OUTPUT_BYTES_MAX) break;
  }
  return whole;
}

/** Where a line of output begins with the name of a file: behind another line, or behind another name. */
const HELD_PATH = /(?<=^|\n|\0)\/proc\/\d+\/fd\/\d+(?=\0)/g;

/** No configuration file, no pager, no program of the user's: the same answer on every machine. */
const FIXED = "--no-config --with-filename --no-heading --color=never --null --hidden".split(" ");
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

/** What is searched for, and how it is printed. */
const outputBy = (args: GrepArgs): string[] => [
  ...OUTPUTS[args.output ?? "lines"],
  ...(args.ignoreCase === true ? ["--ignore-case"] : []),
  ...(args.literal === true ? ["--fixed-strings"] : []),
  ...(args.multiline === true ? ["--multiline"] : []),
  ...(args.before === undefined ? [] : [`--before-context=${args.before}`]),
  ...(args.after === undefined ? [] : [`--after-context=${args.after}`]),
];

function chosenBy({ args, target, hidden }: Search): string[] {
  const left = [...IGNORED_FOLDERS.map((name) => `!**/${name}`), ...hidden.map((folder) => `!/${literal(folder)}`)];
  return [
    ...outputBy(args),
    ...(args.type === undefined ? [] : [`--type=${args.type}`]),
    ...(args.glob === undefined ? [] : [`--glob=${args.glob}`]),
    ...left.map((glob) => `--glob=${glob}`), // last, so that nothing above can bring them back
    "--regexp",
    args.pattern,
    "--",
    target === "." ? "./" : target,
  ];
}

async function ripgrep(args: string[], cwd: string, { clock, signal, ripgrep: given }: FilePlace): Promise<Printed> {
  const file = given ?? (await ripgrepPath());
  if (file === "") return { text: "", isCut: false, problem: NO_RIPGREP };
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let bytes = 0;
  const end = await runChild({
    file,
    args,
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
  const text = Buffer.concat(output).toString();
  const isCut = end.ended === "enough" || end.ended === "timeout";
  if (end.ended === "aborted") return { text, isCut, problem: "Stopped." };
  if (end.ended === "not-started") return { text, isCut, problem: NO_RIPGREP };
  if (end.ended === "exit" && end.code > 1 && output.length === 0)
    return { text, isCut, problem: `grep: ${Buffer.concat(errors).toString().trim().slice(0, 1_000)}` };
  return { text, isCut };
}

// checked again, in case a pattern for ripgrep missed a hidden folder
const isOpenBeside =
  (hidden: readonly string[]) =>
  (path: string): boolean =>
    !hidden.some((folder) => path.startsWith(`${folder}/`));

function answer(
  args: GrepArgs,
  { text, isCut, hidden }: { text: string; isCut: boolean; hidden: readonly string[] },
): JsonObject {
  const limit = args.limit ?? RESULTS_MAX;
  const isOpen = isOpenBeside(hidden);
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
