/** Goes through a workspace and reports each file, without following links and within limits. */
import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { codeOf, type HeldFolder, holdFolder } from "./held-folder.ts";
import { isWatchedInGit } from "./git/watched-in-git.ts";
import type { Sliced } from "./sliced.ts";
import { IGNORE_BYTES_MAX, IGNORE_FILE, ignoreRules, type IgnoreRules, isIgnored } from "./ignore-rules.ts";

const DEPTH_MAX = 64;
const SKIPPED_NAMED_MAX = 20;
const EMPTY_NAMED_MAX = 1_000;
const GIT = ".git";
/** What is looked at before others may have their turn. */
const SLICE_ENTRIES = 8;
/** Where no repository says what is ignored. */
const USUALLY_IGNORED = new Set(["node_modules"]);

export type Walk = {
  root: HeldFolder;
  /** The name of the root. Looking at a file by its name is twice as quick as by descriptor; it is read by descriptor only. */
  path: string;
  filesMax: number;
  /** Whether ignored files count, too. */
  ignored: boolean;
  /** Of the gateway itself: never entered. By `dev:ino`. */
  hidden: ReadonlySet<string>;
  /** Paths that a repository tracks, and the folders that hold some: they are never ignored. */
  isTracked(path: string): boolean;
  /** The text of a folder's ignore file as it counts; undefined: as it stands there now. */
  rulesAt?: ((folder: string) => string | null) | undefined;
  /** Each ignore file that was read, with the folder that it stands in. */
  onRules?(folder: string, text: string): void;
  /** `at` is where the file can be reached at this moment. */
  visit(path: string, at: string, stats: Stats): void;
};

export type Walked = {
  files: number;
  /** There were more files than the limit. */
  isCut: boolean;
  /** What could not be looked at. */
  skipped: { path: string; why: string }[];
  skippedCount: number;
  /** Of these: folders, all of them. */
  skippedFolders: Set<string>;
  /** Folders that hold nothing. */
  empty: string[];
};

type Here = {
  folder: HeldFolder;
  path: string;
  names: readonly string[];
  rules: IgnoreRules | undefined;
  inGit: boolean;
};

export function* walk(order: Walk): Sliced<Walked> {
  const walked: Walked = {
    files: 0,
    isCut: false,
    skipped: [],
    skippedCount: 0,
    skippedFolders: new Set(),
    empty: [],
  };
  yield* walkFolder({ folder: order.root, path: order.path, names: [], rules: undefined, inGit: false }, order, walked);
  return walked;
}

function* walkFolder(here: Here, order: Walk, walked: Walked): Sliced<void> {
  const entries = entriesOf(here, walked);
  if (entries.length === 0 && here.names.length > 0 && walked.empty.length < EMPTY_NAMED_MAX)
    walked.empty.push(here.names.join("/"));
  const inside = { ...here, rules: rulesIn(here, entries, order) };
  for (const [index, entry] of entries.entries()) {
    if (index % SLICE_ENTRIES === 0) yield;
    if (walked.isCut) return;
    if (isOutside(entry, inside, order)) continue;
    const names = [...here.names, entry.name];
    if (entry.isDirectory()) yield* enter(entry.name, { ...inside, names }, { order, walked });
    else visitFile(entry.name, { ...inside, names }, { order, walked });
  }
}

type Going = { order: Walk; walked: Walked };

function* enter(name: string, { folder, path, names, rules, inGit }: Here, { order, walked }: Going): Sliced<void> {
  if (names.length > DEPTH_MAX) return skipFolder(names, "too deep", walked);
  let held: HeldFolder;
  try {
    held = holdFolder(`${folder.path}/${name}`);
  } catch (error) {
    return skipFolder(names, codeOf(error) ?? "cannot be opened", walked);
  }
  try {
    const isGit = name === GIT;
    if (!order.hidden.has(held.identity))
      yield* walkFolder({ folder: held, path: `${path}/${name}`, names, rules, inGit: inGit || isGit }, order, walked);
  } finally {
    held.close();
  }
}

function visitFile(name: string, { folder, path, names }: Here, { order, walked }: Going): void {
  if (walked.files >= order.filesMax) {
    walked.isCut = true;
    return;
  }
  try {
    const stats = lstatSync(`${path}/${name}`);
    if (stats.isDirectory()) return; // it was none a moment ago; the next look finds it
    walked.files += 1;
    order.visit(names.join("/"), `${folder.path}/${name}`, stats);
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !name.includes("\ufffd")) return; // gone meanwhile
    skip(names, name.includes("\ufffd") ? "its name is not UTF-8" : (codeOf(error) ?? "cannot be read"), walked);
  }
}

function entriesOf({ folder, names }: Here, walked: Walked): Dirent[] {
  try {
    return readdirSync(folder.path, { withFileTypes: true });
  } catch (error) {
    skipFolder(names, codeOf(error) ?? "cannot be read", walked);
    return [];
  }
}

function isOutside(entry: Dirent, { names, rules, inGit }: Here, { ignored, isTracked }: Walk): boolean {
  const { name } = entry;
  if (inGit) return !isWatchedInGit(names.slice(names.lastIndexOf(GIT) + 1), entry);
  if (name === GIT) return false; // of a worktree or a module it is a file, which says where git looks for what it runs
  if (ignored) return false;
  const isFolder = entry.isDirectory();
  const path = [...names, name];
  const isOut = (isFolder && USUALLY_IGNORED.has(name)) || (rules !== undefined && isIgnored(path, isFolder, rules));
  return isOut && !isTracked(path.join("/"));
}

function rulesIn(here: Here, entries: readonly Dirent[], { ignored, rulesAt, onRules }: Walk): IgnoreRules | undefined {
  const { folder, names, rules, inGit } = here;
  if (ignored || inGit) return rules;
  const at = names.join("/");
  const known = rulesAt?.(at);
  const isThere = entries.some((entry) => entry.name === IGNORE_FILE && entry.isFile());
  const text = known === undefined && isThere ? readStart(`${folder.path}/${IGNORE_FILE}`) : known;
  if (text === undefined || text === null) return rules;
  onRules?.(at, text);
  return ignoreRules(text, names.length, rules);
}

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

function readStart(at: string): string | undefined {
  try {
    const fd = openSync(at, READ);
    try {
      const bytes = Buffer.alloc(IGNORE_BYTES_MAX);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function skipFolder(names: readonly string[], why: string, walked: Walked): void {
  walked.skippedFolders.add(names.join("/"));
  skip(names, why, walked);
}

function skip(names: readonly string[], why: string, walked: Walked): void {
  walked.skippedCount += 1;
  if (walked.skipped.length < SKIPPED_NAMED_MAX) walked.skipped.push({ path: names.join("/"), why });
}
