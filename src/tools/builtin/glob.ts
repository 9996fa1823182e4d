import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate as otherWork } from "node:timers/promises";
import { z } from "zod";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { pathMatcher } from "./glob-pattern.ts";
import { isInside, locate, PATH_CHARS_MAX, realFolders } from "./workspace-path.ts";

const PATTERN_CHARS_MAX = 500;
const PATHS_MAX = 1_000;
const VISITED_MAX = 50_000;
const DEPTH_MAX = 64;
/** After so many files the rest of the gateway has its turn. */
const FILES_AT_ONCE = 200;
/** Left out unless the pattern itself names them: nobody means these by `**`. */
export const IGNORED_FOLDERS: readonly string[] = [".git", "node_modules"];

const Args = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(PATTERN_CHARS_MAX)
    .describe("Glob over paths relative to the folder: *.md, src/**/*.ts, **/{a,b}.json."),
  path: z
    .string()
    .max(PATH_CHARS_MAX)
    .optional()
    .describe("Folder to look in, relative to the workspace. Default: all of it."),
});

export const createGlobTool = (protectedFolders: readonly string[]): Tool =>
  defineTool<z.infer<typeof Args>>({
    name: "glob",
    effect: "read",
    kind: "read_only",
    description: `Lists files of the workspace whose path matches a pattern, sorted, at most ${PATHS_MAX}. Leaves out .git and node_modules unless the pattern names them, does not follow symbolic links, and shows names that begin with a dot only where the pattern writes the dot.`,
    input: Args,
    async run(args, { workspace, signal }): Promise<ToolOutput> {
      const bounds = { workspace, protectedFolders };
      const located = await locate(args.path ?? ".", bounds);
      if (!located.ok) return { status: "error", content: located.error };
      const matches = pathMatcher(args.pattern);
      if (typeof matches !== "function")
        return { status: "error", content: `The pattern cannot be used: ${matches.error}` };
      const guarded = await realFolders(protectedFolders);
      if (guarded === undefined) return { status: "error", content: "The folder cannot be searched." };
      const ignored = IGNORED_FOLDERS.filter((name) => !args.pattern.split("/").includes(name));
      const walk: Walk = {
        root: located.path,
        protectedFolders: guarded,
        ignored,
        visited: 0,
        signal,
      };
      const paths: string[] = [];
      for await (const path of files(walk, located.path, 0)) {
        if (paths.length >= PATHS_MAX) break;
        if (matches(path)) paths.push(path);
        if (walk.visited % FILES_AT_ONCE === 0) await otherWork();
      }
      if (signal.aborted) return { status: "error", content: "Stopped." };
      const more = paths.length >= PATHS_MAX || walk.visited >= VISITED_MAX;
      const hint = "There may be more: use a narrower pattern or a folder further down.";
      return { status: "ok", content: { folder: located.shown, paths, ...(more ? { more: hint } : {}) } };
    },
  });

type Walk = {
  root: string;
  protectedFolders: readonly string[];
  ignored: readonly string[];
  visited: number;
  signal: AbortSignal;
};

/** Paths relative to the root with `/`, in a fixed order. */
async function* files(walk: Walk, folder: string, depth: number): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // a folder that cannot be read has no files to show
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (walk.signal.aborted || ++walk.visited > VISITED_MAX) return;
    const path = join(folder, entry.name);
    if (entry.isFile()) yield relative(walk.root, path).split(sep).join("/");
    else if (entry.isDirectory() && depth < DEPTH_MAX && isOpen(walk, path, entry.name))
      yield* files(walk, path, depth + 1);
  }
}

const isOpen = ({ ignored, protectedFolders }: Walk, path: string, name: string): boolean =>
  !ignored.includes(name) && !protectedFolders.some((folder) => isInside(folder, path));
