/** Whether a repository tracks files below a folder of a workspace, read from git's index: git itself is not run there. */
import { open, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseIndex } from "../../changes/snapshots/git/index-file.ts";

const INDEX_BYTES_MAX = 256 * 1_048_576;
const LINK_BYTES_MAX = 4_096;
const FOLDERS_UP_MAX = 64;

/** True where it cannot be told. */
export async function trackedBelow(workspace: string, below: string): Promise<boolean> {
  let folder = await realpath(workspace);
  const wanted = join(folder, below);
  for (let up = 0; up < FOLDERS_UP_MAX; up++) {
    const repository = await repositoryIn(folder);
    if (repository !== undefined) return isTrackedBy(repository, relative(folder, wanted).split(sep).join("/"));
    if (dirname(folder) === folder) return false;
    folder = dirname(folder);
  }
  return true;
}

/** `.git` is a folder, or in a worktree a file that names one. */
async function repositoryIn(folder: string): Promise<string | undefined> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isDirectory()) return path;
  if (!found.isFile() || found.size > LINK_BYTES_MAX) return undefined;
  const target = /^gitdir: (.+)$/m.exec(await readFile(path, "utf8"))?.[1];
  return target === undefined ? undefined : resolve(folder, target.trim());
}

async function isTrackedBy(repository: string, below: string): Promise<boolean> {
  const file = await open(join(repository, "index")).catch(() => undefined);
  if (file === undefined) return false; // nothing was ever added
  try {
    if ((await file.stat()).size > INDEX_BYTES_MAX) return true;
    const entries = parseIndex(await file.readFile());
    if (entries === undefined) return true;
    return [...entries.keys()].some((path) => path === below || path.startsWith(`${below}/`));
  } finally {
    await file.close();
  }
}
