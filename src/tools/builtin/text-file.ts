/** Text files as the file tools read and replace them: never through a last-moment symlink, never half written. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./workspace-path.ts";

export const FILE_BYTES_MAX = 10 * 1_024 * 1_024;
const BINARY_PROBE_BYTES = 8_192;
const NEW_FILE_MODE = 0o666; // the process's umask takes its part off

type TextFile = { text: string; hash: string; mode: number };
export type Read = { ok: true; file: TextFile } | { ok: false; missing: boolean; error: string };

export async function readTextFile(path: string, shown: string): Promise<Read> {
  const no = (error: string, missing = false): Read => ({ ok: false, missing, error: `${shown} ${error}` });
  try {
    // no waiting for the other end of a pipe, and no following of a link that was put here since the path was judged
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    const stats = await handle.stat();
    if (stats.isDirectory()) return no("is a folder. Use glob to see what is in it.");
    if (!stats.isFile()) return no("is not an ordinary file.");
    if (stats.size > FILE_BYTES_MAX)
      return no(`has ${stats.size} bytes; at most ${FILE_BYTES_MAX} are read. Use grep.`);
    const bytes = await handle.readFile();
    const text = decoded(bytes);
    if (text === undefined) return no(`is not a text file (${bytes.length} bytes).`);
    return { ok: true, file: { text, hash: hashOf(bytes), mode: stats.mode & 0o7777 } };
  } catch (error) {
    const missing = codeOf(error) === "ENOENT";
    return no(
      missing ? "does not exist. Use glob to find the right path." : `cannot be read: ${reasonOf(error)}.`,
      missing,
    );
  }
}

function decoded(bytes: Buffer): string | undefined {
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
  const beside = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    {
      await using handle = await open(beside, "wx", mode ?? NEW_FILE_MODE);
      await handle.writeFile(text);
      await handle.sync();
    }
    if (mode !== undefined) await chmod(beside, mode);
    await rename(beside, path);
    return { ok: true, hash: hashOf(text) };
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined); // the first failure is the one to tell
    return { ok: false, error: `could not be written: ${reasonOf(error)}.` };
  }
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
};

const reasonOf = (error: unknown): string => REASONS[codeOf(error) ?? ""] ?? codeOf(error) ?? "unknown reason";
