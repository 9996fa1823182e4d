/**
 * What a repository already holds of a workspace: files that git's index knows to be unchanged, and whose content stands in a
 * pack, need not be copied. The packs get a second name in our own folder, so that neither a clean-up of the repository nor its
 * end takes them away. Nothing of git is run, and nothing in the repository is written.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { type Entry, inGit } from "../entry.ts";
import { codeOf, type HeldFolder, holdBelow } from "../held-folder.ts";
import { blobId, statOf } from "../read-entry.ts";
import { type IndexEntry, isUnchanged, parseIndex } from "./index-file.ts";
import { openPack, type PackFile } from "./pack-file.ts";

const INDEX_BYTES_MAX = 128 * 1_048_576;
const CONFIG_BYTES_MAX = 262_144;
const PACKS_MAX = 64;
const PACK_NAME = /^pack-[0-9a-f]{40}\.(?:pack|idx)$/;
/** Then the file in the folder is not what git stores of it. */
const CONVERTS = /autocrlf|eol\s*=|objectformat|\[filter|worktree\s*=|partialclone|promisor/i;
const CONVERTING_ATTRIBUTES = /filter\s*=|eol\s*=\s*crlf|\bident\b|working-tree-encoding/i;

export type GitFiles = {
  /** Files that it tracks, and folders that hold some. */
  isTracked(path: string): boolean;
  /** The entry of a file that is unchanged and in a pack of ours; undefined: read it. */
  entryOf(path: string, stats: Stats): Entry | undefined;
  /** `size`: what the file's was; another size means that git stores it in another form. */
  content(oid: string, size?: number): Buffer | undefined;
  close(): void;
};

export const NO_GIT: GitFiles = {
  isTracked: () => false,
  entryOf: () => undefined,
  content: () => undefined,
  close: () => undefined,
};

type From = { root: HeldFolder; fileBytesMax: number };

const CONTENT_BYTES_MAX = 256 * 1_048_576;

/** `from`: the workspace, whose repository is looked at for the first time. */
export function openGitFiles(folder: string, from?: From): GitFiles {
  const repository = from === undefined ? undefined : holdBelow(from.root, [".git"]);
  try {
    const tracked = repository === undefined ? undefined : trackedIn(repository);
    const trusted = tracked !== undefined && from !== undefined && isTrusted(from.root, repository);
    if (trusted && repository !== undefined) pinPacks(repository, folder);
    return filesOf(openPacks(folder), tracked, trusted);
  } finally {
    repository?.close();
  }
}

type Tracked = { entries: Map<string, IndexEntry>; folders: ReadonlySet<string>; indexMs: number };

function filesOf(packs: readonly PackFile[], tracked: Tracked | undefined, trusted: boolean): GitFiles {
  return {
    isTracked: (path) => tracked !== undefined && (tracked.entries.has(path) || tracked.folders.has(path)),
    entryOf(path, stats) {
      const known = trusted ? tracked?.entries.get(path) : undefined;
      if (known === undefined || tracked === undefined || !stats.isFile()) return undefined;
      const stat = statOf(stats);
      if (!isUnchanged(known, stat, tracked.indexMs) || !packs.some((pack) => pack.has(known.oid))) return undefined;
      return { stat, ref: inGit(known.oid) };
    },
    content(oid, size) {
      for (const pack of packs) {
        const bytes = pack.blob(oid, CONTENT_BYTES_MAX);
        if (bytes !== undefined && blobId(bytes) === oid)
          return size === undefined || bytes.length === size ? bytes : undefined;
      }
      return undefined;
    },
    close() {
      for (const pack of packs) pack.close();
    },
  };
}

function trackedIn(repository: HeldFolder): Tracked | undefined {
  const index = readFile(join(repository.path, "index"), INDEX_BYTES_MAX);
  const entries = index === undefined ? undefined : parseIndex(index.bytes);
  if (index === undefined || entries === undefined) return undefined;
  return { entries, folders: foldersOf(entries.keys()), indexMs: index.mtimeMs };
}

/** Every folder on the way to one of the paths. */
export function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function isTrusted(root: HeldFolder, repository: HeldFolder | undefined): boolean {
  if (repository === undefined) return false;
  const config = readFile(join(repository.path, "config"), CONFIG_BYTES_MAX);
  if (config === undefined || CONVERTS.test(config.bytes.toString("utf8"))) return false;
  const attributes = [join(repository.path, "info", "attributes"), join(root.path, ".gitattributes")];
  return !attributes.some((path) =>
    CONVERTING_ATTRIBUTES.test(readFile(path, CONFIG_BYTES_MAX)?.bytes.toString("utf8") ?? ""),
  );
}

/** A second name needs the same file system; where it cannot be had, contents are copied instead. */
function pinPacks(repository: HeldFolder, folder: string): void {
  const packs = holdBelow(repository, ["objects", "pack"]);
  if (packs === undefined) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(packs.path).filter((name) => PACK_NAME.test(name));
    for (const name of names.slice(0, 2 * PACKS_MAX)) link(join(packs.path, name), join(folder, name));
  } finally {
    packs.close();
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === undefined) throw error; // every refusal of the file system means that there is no such pack here
  }
}

function openPacks(folder: string): PackFile[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => PACK_NAME.test(name));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".idx") && names.includes(name.replace(/idx$/, "pack")))
    .flatMap((name) => openOne(folder, name) ?? []);
}

function openOne(folder: string, index: string): PackFile | undefined {
  const [pack, idx] = [join(folder, index.replace(/idx$/, "pack")), join(folder, index)];
  try {
    return isPlainFile(pack) && isPlainFile(idx) ? openPack(pack, idx) : undefined;
  } catch {
    return undefined;
  }
}

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

function isPlainFile(path: string): boolean {
  const fd = openSync(path, READ);
  try {
    return fstatSync(fd).isFile();
  } finally {
    closeSync(fd);
  }
}

function readFile(path: string, bytesMax: number): { bytes: Buffer; mtimeMs: number } | undefined {
  let fd: number;
  try {
    fd = openSync(path, READ);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > bytesMax) return undefined;
    const bytes = Buffer.alloc(stats.size);
    let done = 0;
    while (done < bytes.length) {
      const read = readSync(fd, bytes, done, bytes.length - done, done);
      if (read === 0) break;
      done += read;
    }
    return { bytes: bytes.subarray(0, done), mtimeMs: stats.mtimeMs };
  } finally {
    closeSync(fd);
  }
}
