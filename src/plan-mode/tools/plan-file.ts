/**
 * Reads a plan from a file inside the workspace. No part of the path may be a link, lead outside or into a folder of the
 * gateway's own, and the size is known before a byte is read. The file is opened first and compared with its path afterwards, so that exchanging one
 * for the other in between gains nothing.
 */
import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { extname, isAbsolute, join, normalize, sep } from "node:path";

export const PLAN_FILE_BYTES_MAX = 1_048_576;
const PATH_CHARS_MAX = 1_024;

type PlanFile = { text: string; isJson: boolean } | { error: string };

type Place = { workspace: string; protectedFolders: readonly string[] };

export async function readPlanFile(path: string, { workspace, protectedFolders }: Place): Promise<PlanFile> {
  const problem = pathProblem(path);
  if (problem !== undefined) return { error: problem };
  try {
    const root = await realpath(workspace);
    const full = join(root, normalize(path));
    if (await belongsToGateway(await realpath(full), protectedFolders))
      return { error: "the path belongs to the gateway." };
    const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readChecked(handle, { root, full });
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { error: openProblem(error) };
  }
}

/** Both are compared in the one spelling that the file system itself gives them. A folder that is not there holds no file. */
async function belongsToGateway(path: string, protectedFolders: readonly string[]): Promise<boolean> {
  for (const folder of protectedFolders) {
    const real = await realpath(folder).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
    if (real !== undefined && (path === real || path.startsWith(real + sep))) return true;
  }
  return false;
}

function pathProblem(path: string): string | undefined {
  if (path.trim() === "" || path.includes("\0"))
    return "the path is empty or not a path. Name a file in the workspace.";
  if (path.length > PATH_CHARS_MAX) return `the path may hold ${PATH_CHARS_MAX} characters.`;
  const isOutside = isAbsolute(path) || path.startsWith("~") || path.split(/[/\\]/).includes("..");
  return isOutside ? "the path must stay inside the workspace: relative, without .. or ~." : undefined;
}

async function readChecked(handle: FileHandle, { root, full }: { root: string; full: string }): Promise<PlanFile> {
  const opened = await handle.stat({ bigint: true });
  if (!(await isPlainPath(root, full, opened)))
    return { error: "the path leads through a link. Name the file itself." };
  if (!opened.isFile()) return { error: "that is not a file." };
  if (opened.size > PLAN_FILE_BYTES_MAX) {
    return { error: `the file holds ${opened.size} bytes, at most ${PLAN_FILE_BYTES_MAX} are read. Shorten the plan.` };
  }
  const buffer = Buffer.alloc(PLAN_FILE_BYTES_MAX + 1); // one more than allowed: it may have grown since
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  if (bytesRead > PLAN_FILE_BYTES_MAX) return { error: `the file grew beyond ${PLAN_FILE_BYTES_MAX} bytes.` };
  const text = decode(buffer.subarray(0, bytesRead));
  if (text === undefined) return { error: "the file is not UTF-8 text." };
  return { text, isJson: extname(full).toLowerCase() === ".json" };
}

/** Every part from the root down is a real folder, and the last is the very file that is open. */
async function isPlainPath(root: string, full: string, opened: BigIntStats): Promise<boolean> {
  const parts = full.slice(root.length).split(sep).filter(Boolean);
  let at = root;
  for (const part of parts) {
    at = join(at, part);
    const found = await lstat(at, { bigint: true });
    if (found.isSymbolicLink()) return false;
    if (at === full) return found.ino === opened.ino && found.dev === opened.dev;
  }
  return false;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function openProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "there is no such file in the workspace.";
    case "ELOOP":
    case "EMLINK":
      return "the path leads through a link. Name the file itself.";
    case "EISDIR":
      return "that is not a file.";
    case "EACCES":
    case "EPERM":
      return "the file may not be read.";
    default:
      return "the file could not be read.";
  }
}
