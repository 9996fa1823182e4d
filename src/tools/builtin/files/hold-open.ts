/**
 * Files held open by a process that sees more than the workspace (GA-15). Their names are walked first and read later; whoever
 * exchanges a folder for a link in between must not lead the reader elsewhere. So each file is opened once, compared with
 * the name that it was asked for under, and read by its descriptor alone. Other systems than Linux have no such way.
 */
import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkPlace } from "../pinned-folder.ts";

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export const CAN_HOLD_OPEN = process.platform === "linux";

export type HeldFiles = AsyncDisposable & {
  /** By which a child of this process reads each of them. */
  readonly paths: readonly string[];
  /** The name of the file that is read by such a path. */
  nameOf(path: string): string | undefined;
};

/** Those that are still what their names say. `root` is free of symlinks. */
export async function holdOpen(root: string, names: readonly string[]): Promise<HeldFiles> {
  const handles: FileHandle[] = [];
  const byPath = new Map<string, string>();
  for (const name of names) {
    const handle = await openAsNamed(join(root, name));
    if (handle === undefined) continue;
    handles.push(handle);
    byPath.set(`/proc/${process.pid}/fd/${handle.fd}`, name);
  }
  return {
    paths: [...byPath.keys()],
    nameOf: (path) => byPath.get(path),
    [Symbol.asyncDispose]: async () => void (await Promise.all(handles.map((handle) => handle.close()))),
  };
}

/** What stands in a folder that is free of symlinks; throws when the name leads elsewhere by now. */
export async function heldEntries(folder: string): Promise<Dirent[]> {
  await using handle = await open(folder, READ | constants.O_DIRECTORY);
  await checkPlace(handle, folder);
  return await readdir(`/proc/self/fd/${handle.fd}`, { withFileTypes: true }); // while it is still held
}

async function openAsNamed(path: string): Promise<FileHandle | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, READ);
    await checkPlace(handle, path);
    if ((await handle.stat()).isFile()) return handle;
  } catch {
    // gone, exchanged, or not ours to read: then it is not searched
  }
  await handle?.close();
  return undefined;
}
