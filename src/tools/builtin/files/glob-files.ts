/** Lists files or folders of the workspace whose path matches a pattern. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate as otherWork } from "node:timers/promises";
import type { ToolOutput } from "../../../plugins/tool.ts";
import type { GlobArgs } from "../glob.ts";
import { type PathMatcher, pathMatcher } from "../path-matcher.ts";
import { isInside, locate, realFolders } from "../workspace-path.ts";
import { type FilePlace, IGNORED_FOLDERS, PATHS_MAX } from "./file-place.ts";
import { CAN_HOLD_OPEN, heldEntries } from "./hold-open.ts";

const VISITED_MAX = 50_000;
const DEPTH_MAX = 64;
/** Looking at the age of more files than this takes too long; the newest of these are shown. */
const AGED_MAX = 5_000;
/** After this many files the loop yields to other work of the process. */
const FILES_AT_ONCE = 200;

export async function globFiles(args: GlobArgs, place: FilePlace): Promise<ToolOutput> {
  const { protectedFolders, signal } = place;
  const located = await locate(args.path ?? ".", place);
  if (!located.ok) return { status: "error", content: located.error };
  const matches = pathMatcher(args.pattern);
  if (typeof matches !== "function")
    return { status: "error", content: `The pattern cannot be used: ${matches.error}` };
  const guarded = await realFolders(protectedFolders);
  if (guarded === undefined) return { status: "error", content: "The folder cannot be searched." };
  const walk: Walk = {
    root: located.path,
    wanted: args.type ?? "file",
    protectedFolders: guarded,
    ignored: IGNORED_FOLDERS.filter((name) => !args.pattern.split("/").includes(name)),
    visited: 0,
    signal,
    entriesOf: (folder) =>
      place.isEnclosed === true || !CAN_HOLD_OPEN ? readdir(folder, { withFileTypes: true }) : heldEntries(folder),
  };
  const found = await matching(args, walk, matches);
  if (signal.aborted) return { status: "error", content: "Stopped." };
  const { paths, more } = found;
  const hint = "There may be more: use a narrower pattern or a folder further down.";
  return { status: "ok", content: { folder: located.shown, paths, ...(more ? { more: hint } : {}) } };
}

async function matching(args: GlobArgs, walk: Walk, matches: PathMatcher): Promise<{ paths: string[]; more: boolean }> {
  const limit = args.limit ?? PATHS_MAX;
  const takenMax = args.sort === "modified" ? AGED_MAX : limit;
  const taken: string[] = [];
  for await (const path of places(walk, walk.root, 0)) {
    if (taken.length >= takenMax) break;
    if (matches(path)) taken.push(path);
    if (walk.visited % FILES_AT_ONCE === 0) await otherWork();
  }
  const more = taken.length >= takenMax || walk.visited >= VISITED_MAX;
  if (args.sort !== "modified") return { paths: taken, more };
  const newest = await byAge(walk.root, taken);
  return { paths: newest.slice(0, limit), more: more || newest.length > limit };
}

async function byAge(root: string, paths: readonly string[]): Promise<string[]> {
  const aged: { path: string; at: number }[] = [];
  for (const path of paths) {
    const at = await stat(join(root, path)).then(
      (stats) => stats.mtimeMs,
      () => 0, // gone since it was listed
    );
    aged.push({ path, at });
  }
  return aged.toSorted((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}

type Walk = {
  root: string;
  wanted: "file" | "folder";
  protectedFolders: readonly string[];
  ignored: readonly string[];
  visited: number;
  signal: AbortSignal;
  entriesOf(folder: string): Promise<Dirent[]>;
};

/** Paths relative to the root with `/`, in a fixed order. */
async function* places(walk: Walk, folder: string, depth: number): AsyncGenerator<string> {
  const entries = await walk.entriesOf(folder).catch(() => []); // a folder that cannot be read has no files to show
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (walk.signal.aborted || ++walk.visited > VISITED_MAX) return;
    const path = join(folder, entry.name);
    const shown = relative(walk.root, path).split(sep).join("/");
    if (entry.isFile() && walk.wanted === "file") yield shown;
    if (!entry.isDirectory() || !isOpen(walk, path, entry.name)) continue;
    if (walk.wanted === "folder") yield shown;
    if (depth < DEPTH_MAX) yield* places(walk, path, depth + 1);
  }
}

const isOpen = ({ ignored, protectedFolders }: Walk, path: string, name: string): boolean =>
  !ignored.includes(name) && !protectedFolders.some((folder) => isInside(folder, path));
