/**
 * A folder held open while something is written into it. A path is judged first and used later; whoever exchanges a folder
 * above it for a link in between must not lead the write elsewhere. On Linux the folder is therefore reached through its
 * descriptor, and what the descriptor stands for is compared with what was judged. Other systems have no such way.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./workspace-path.ts";

const HAS_DESCRIPTOR_PATHS = process.platform === "linux";
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Thrown when a path stands for something else than a moment before. */
class PathMoved extends Error {
  readonly code = "EMOVED";
}

export type PinnedFolder = AsyncDisposable & {
  /** The path by which the folder is reached, whatever becomes of its name. */
  readonly path: string;
};

/** Checks that an open file is the one that was judged; `path` is free of symlinks. */
export async function checkPlace(handle: FileHandle, path: string): Promise<void> {
  if (!HAS_DESCRIPTOR_PATHS) return;
  if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== path) throw new PathMoved(`${path} was exchanged`);
}

/** Makes what is missing of it. `path` is absolute and free of symlinks as far as it exists. */
export async function pinFolder(path: string): Promise<PinnedFolder> {
  if (!HAS_DESCRIPTOR_PATHS) {
    await mkdir(path, { recursive: true });
    return { path, [Symbol.asyncDispose]: async () => undefined };
  }
  const handle = await openFolder(path);
  if (handle !== undefined) return pinned(handle, path);
  await using above = await pinFolder(dirname(path));
  const within = join(above.path, basename(path));
  await mkdir(within).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  return await pinned(await open(within, FOLDER), path); // while the folder above is still held
}

async function pinned(handle: FileHandle, path: string): Promise<PinnedFolder> {
  try {
    await checkPlace(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { path: `/proc/self/fd/${handle.fd}`, [Symbol.asyncDispose]: () => handle.close() };
}

/** Undefined when there is none yet. */
async function openFolder(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, FOLDER);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
