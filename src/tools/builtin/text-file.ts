/** Text files as the file tools read and replace them: never through a last-moment symlink, never half written. */
import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkPlace, pinFolder } from "./pinned-folder.ts";
import { codeOf } from "./workspace-path.ts";

export const FILE_BYTES_MAX = 10 * 1_024 * 1_024;
export const BINARY_PROBE_BYTES = 8_192;
const CHUNK_BYTES = 256 * 1_024;
const NEW_FILE_MODE = 0o666; // the process's umask is applied

type TextFile = { text: string; hash: string; mode: number };
export type Read = { ok: true; file: TextFile } | { ok: false; missing: boolean; error: string };

export type Opened = { ok: true; handle: FileHandle; stats: Stats } | { ok: false; missing: boolean; error: string };

/** An ordinary file, open for reading. The caller closes the handle. */
export async function openFile(path: string, shown: string): Promise<Opened> {
  const no = (error: string, missing = false): Opened => ({ ok: false, missing, error: `${shown} ${error}` });
  let handle: FileHandle | undefined;
  try {
    // no waiting for the other end of a pipe, and no following of a link that was put here since the path was judged
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    await checkPlace(handle, path);
    const stats = await handle.stat();
    if (stats.isFile()) return { ok: true, handle, stats };
    await handle.close();
    return no(stats.isDirectory() ? "is a folder. Use glob to see what is in it." : "is not an ordinary file.");
  } catch (error) {
    await handle?.close().catch(() => undefined); // the first failure is the one to report
    if (codeOf(error) === "ENOENT") return no("does not exist. Use glob to find the right path.", true);
    return no(`cannot be read: ${reasonOf(error)}.`);
  }
}

export async function readTextFile(path: string, shown: string): Promise<Read> {
  const opened = await openFile(path, shown);
  if (!opened.ok) return opened;
  await using handle = opened.handle;
  return await readOpenText(handle, { stats: opened.stats, shown }); // awaited here: the handle closes as this returns
}

/** The whole of an open file, read by position so that a look at its beginning before does not matter. */
export async function readOpenText(
  handle: FileHandle,
  { stats, shown }: { stats: Stats; shown: string },
): Promise<Read> {
  const no = (error: string): Read => ({ ok: false, missing: false, error: `${shown} ${error}` });
  if (stats.size > FILE_BYTES_MAX) return no(`has ${stats.size} bytes; at most ${FILE_BYTES_MAX} are read. Use grep.`);
  try {
    const bytes = await bytesOf(handle, FILE_BYTES_MAX);
    const text = decoded(bytes);
    if (text === undefined) return no(`is not a text file (${bytes.length} bytes).`);
    return { ok: true, file: { text, hash: hashOf(bytes), mode: stats.mode & 0o7777 } };
  } catch (error) {
    return no(`cannot be read: ${reasonOf(error)}.`);
  }
}

/** From the beginning, at most so many: a file that grows while it is read does not grow the answer. */
export async function* chunksOf(handle: FileHandle, bytesMax: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytesMax;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytesMax - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

export async function bytesOf(handle: FileHandle, bytesMax: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunksOf(handle, bytesMax)));
}

/** Undefined when it is no UTF-8 text. */
export function decoded(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // another encoding: writing it back as UTF-8 would destroy it
  }
}

/**
 * The whole new text or the old one, nothing between: written beside, synced, then renamed over. A file with several
 * names gets a file of its own; the other names keep the old text.
 */
export async function writeTextFile(
  path: string,
  text: string,
  mode: number | undefined,
): Promise<{ ok: true; hash: string } | { ok: false; error: string }> {
  try {
    await using folder = await pinFolder(dirname(path));
    await replaceIn(folder.path, { name: basename(path), text, mode });
    return { ok: true, hash: hashOf(text) };
  } catch (error) {
    return { ok: false, error: `could not be written: ${reasonOf(error)}.` };
  }
}

async function replaceIn(
  folder: string,
  file: { name: string; text: string; mode: number | undefined },
): Promise<void> {
  const { name, text, mode } = file;
  const beside = join(folder, `.${name.slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    {
      await using handle = await open(beside, "wx", mode ?? NEW_FILE_MODE);
      await handle.writeFile(text);
      await keepOwner(handle, join(folder, name));
      await handle.sync();
    }
    if (mode !== undefined) await chmod(beside, mode);
    await rename(beside, join(folder, name));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined); // the first failure is the one to report
    throw error;
  }
}

/** The file that takes another's place belongs to whom that one did, as far as the system lets it. */
export async function keepOwner(handle: FileHandle, replaced: string): Promise<void> {
  const before = await lstat(replaced).catch(() => undefined);
  if (before === undefined) return;
  const { uid, gid } = await handle.stat();
  if (uid !== before.uid || gid !== before.gid) await handle.chown(before.uid, before.gid).catch(() => undefined);
}

export const hashOf = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
  ELOOP: "it is a symbolic link",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  EMOVED: "a folder above it was exchanged at the same time",
};

export const reasonOf = (error: unknown): string => REASONS[codeOf(error) ?? ""] ?? codeOf(error) ?? "unknown reason";
