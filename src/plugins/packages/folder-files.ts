/**
 * Every file of a plugin's folder, and one digest over all of them. A folder that could change under us, or that reaches
 * out of itself, has no digest: it is refused with the reason.
 */
import { createHash } from "node:crypto";
import { lstat, open, opendir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";

export const FILES_MAX = 5_000;
export const FOLDER_BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 24;
const OTHERS_WRITE = 0o002;
const CHUNK_BYTES = 64 * 1024;

/** A problem for the plugin's author or the operator to fix; the message is for them. */
export class FolderProblem extends Error {}

export type FolderFile = { path: string; size: number };

/** What npm puts beside a plugin while it is written: no part of it, unless the plugin brings packages of its own. */
export const WRITTEN_WITH: ReadonlySet<string> = new Set(["node_modules"]);
const NOTHING: ReadonlySet<string> = new Set();

/** Sorted by path; paths are relative and use `/`. `leaveOut` names folders at the top that are not looked into. */
export async function folderFiles(folder: string, leaveOut = NOTHING): Promise<FolderFile[]> {
  const root = await lstat(folder).catch(() => undefined);
  if (root === undefined) throw new FolderProblem(`There is no folder ${folder}.`);
  if (!root.isDirectory()) throw new FolderProblem(`${folder} is no folder.`);
  const walk: Walk = { root: folder, leaveOut, files: [], bytesLeft: FOLDER_BYTES_MAX };
  await lookInto(folder, walk, DEPTH_MAX);
  return walk.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

type Walk = { root: string; leaveOut: ReadonlySet<string>; files: FolderFile[]; bytesLeft: number };

async function lookInto(folder: string, walk: Walk, depthLeft: number): Promise<void> {
  const shown = (path: string): string => relative(walk.root, path) || ".";
  if (depthLeft === 0) throw new FolderProblem(`${shown(folder)} is nested too deeply.`);
  await refuseOpenToAll(folder, shown(folder));
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isAtTop = depthLeft === DEPTH_MAX;
      if (isAtTop && (entry.name === ".git" || walk.leaveOut.has(entry.name))) continue; // .git is never part of a plugin
      await lookInto(path, walk, depthLeft - 1);
      continue;
    }
    if (entry.isSymbolicLink()) throw new FolderProblem(await linkProblem(path, walk.root));
    if (!entry.isFile()) throw new FolderProblem(`${shown(path)} is neither a file nor a folder.`);
    const { size } = await refuseOpenToAll(path, shown(path));
    walk.bytesLeft -= size;
    if (walk.bytesLeft < 0) throw new FolderProblem(`The folder holds more than ${FOLDER_BYTES_MAX} bytes.`);
    if (walk.files.length >= FILES_MAX) throw new FolderProblem(`The folder holds more than ${FILES_MAX} files.`);
    walk.files.push({ path: relative(walk.root, path).split(sep).join("/"), size });
  }
}

async function refuseOpenToAll(path: string, shown: string): Promise<{ size: number }> {
  const { mode, size } = await lstat(path);
  if (process.platform !== "win32" && (mode & OTHERS_WRITE) !== 0)
    throw new FolderProblem(
      `Everybody may write ${shown === "." ? "the folder" : shown}: chmod o-w, or anyone could put code into it.`,
    );
  return { size };
}

async function linkProblem(path: string, root: string): Promise<string> {
  const target = await realpath(path).catch(() => undefined);
  const isInside = target !== undefined && target.startsWith((await realpath(root)) + sep);
  const where = isInside ? "inside it" : "that leads out of the folder";
  return `${relative(root, path)} is a symbolic link ${where}. A plugin holds plain files: put a copy in its place.`;
}

export const folderIntegrity = async (folder: string): Promise<string> => (await folderDigests(folder)).integrity;

/** Digests by path. */
export type FileDigests = ReadonlyMap<string, string>;

/** Over the sorted list of paths, sizes and digests of the files, so that a renamed file counts as a change too. */
export async function folderDigests(
  folder: string,
  leaveOut = NOTHING,
): Promise<{ integrity: string; files: FileDigests }> {
  const all = createHash("sha512");
  const files = new Map<string, string>();
  for (const { path } of await folderFiles(folder, leaveOut)) {
    const { size, digest } = await fileDigest(join(folder, path));
    files.set(path, digest);
    all.update(`${JSON.stringify(path)} ${size} ${digest}\n`);
  }
  return { integrity: `sha512-${all.digest("base64")}`, files };
}

export const bytesDigest = (bytes: Uint8Array): string => createHash("sha512").update(bytes).digest("base64");

async function fileDigest(path: string): Promise<{ size: number; digest: string }> {
  const hash = createHash("sha512");
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let size = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, size);
      if (bytesRead === 0) return { size, digest: hash.digest("base64") };
      size += bytesRead;
      if (size > FOLDER_BYTES_MAX) throw new FolderProblem(`${path} grows while it is read.`);
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
