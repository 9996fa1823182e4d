/** Goes through a workspace and reports each file, without following links and within limits. */
import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { codeOf, type HeldFolder, holdFolder } from "./held-folder.ts";
import { IGNORE_BYTES_MAX, IGNORE_FILE, ignoreRules, type IgnoreRules, isIgnored } from "./ignore-rules.ts";

const DEPTH_MAX = 64;
const SKIPPED_NAMED_MAX = 20;
const GIT = ".git";
/** Of a repository's own folder only what can make git run something: the rest is git's business. */
const WATCHED_IN_GIT = new Set(["config", "hooks", "info"]);
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
};

type Here = {
  folder: HeldFolder;
  path: string;
  names: readonly string[];
  rules: IgnoreRules | undefined;
  inGit: boolean;
};

export function walk(order: Walk): Walked {
  const walked: Walked = { files: 0, isCut: false, skipped: [], skippedCount: 0 };
  walkFolder({ folder: order.root, path: order.path, names: [], rules: undefined, inGit: false }, order, walked);
  return walked;
}

function walkFolder(here: Here, order: Walk, walked: Walked): void {
  const entries = entriesOf(here, walked);
  const inside = { ...here, rules: rulesIn(here, entries, order) };
  for (const entry of entries) {
    if (walked.isCut) return;
    if (isOutside(entry, inside, order)) continue;
    const names = [...here.names, entry.name];
    if (entry.isDirectory()) enter(entry.name, { ...inside, names }, { order, walked });
    else visitFile(entry.name, { ...inside, names }, { order, walked });
  }
}

type Going = { order: Walk; walked: Walked };

function enter(name: string, { folder, path, names, rules, inGit }: Here, { order, walked }: Going): void {
  if (names.length > DEPTH_MAX) return skip(names, "too deep", walked);
  let held: HeldFolder;
  try {
    held = holdFolder(`${folder.path}/${name}`);
  } catch (error) {
    return skip(names, codeOf(error) ?? "cannot be opened", walked);
  }
  try {
    const isGit = name === GIT;
    if (!order.hidden.has(held.identity))
      walkFolder({ folder: held, path: `${path}/${name}`, names, rules, inGit: inGit || isGit }, order, walked);
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
    skip(names, codeOf(error) ?? "cannot be read", walked);
    return [];
  }
}

function isOutside(entry: Dirent, { names, rules, inGit }: Here, { ignored, isTracked }: Walk): boolean {
  const { name } = entry;
  if (inGit) return names.length === 1 && names[0] === GIT && !WATCHED_IN_GIT.has(name);
  if (name === GIT) return names.length > 0 || !entry.isDirectory(); // a repository below is its own business
  if (ignored) return false;
  const isFolder = entry.isDirectory();
  const path = [...names, name];
  const isOut = (isFolder && USUALLY_IGNORED.has(name)) || (rules !== undefined && isIgnored(path, isFolder, rules));
  return isOut && !isTracked(path.join("/"));
}

function rulesIn(here: Here, entries: readonly Dirent[], { ignored }: Walk): IgnoreRules | undefined {
  const { folder, names, rules, inGit } = here;
  if (ignored || inGit || !entries.some((entry) => entry.name === IGNORE_FILE && entry.isFile())) return rules;
  const text = readStart(`${folder.path}/${IGNORE_FILE}`);
  return text === undefined ? rules : ignoreRules(text, names.length, rules);
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

function skip(names: readonly string[], why: string, walked: Walked): void {
  walked.skippedCount += 1;
  if (walked.skipped.length < SKIPPED_NAMED_MAX) walked.skipped.push({ path: names.join("/"), why });
}
