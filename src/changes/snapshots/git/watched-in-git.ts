/** Of a repository's own folder, and of those of its modules and worktrees: what can make git run something. The rest is git's business. */
import type { Dirent } from "node:fs";

/** They say what git runs, or where it looks for that. */
const FILES = new Set(["config", "config.worktree", "commondir", "gitdir"]);
const FOLDERS = new Set(["hooks", "info"]);
/** Below them stand further repositories, under names of any depth. */
const CONTAINERS = new Set(["modules", "worktrees"]);
/** Where those keep what is no setting: many files, none of which runs. */
const BULK = new Set(["objects", "refs", "logs", "lfs", "rr-cache", "branches"]);

/** `names`: the folders that lead from the repository's own folder to the entry. */
export function isWatchedInGit(names: readonly string[], entry: Dirent): boolean {
  const { name } = entry;
  if (names.some((folder) => FOLDERS.has(folder))) return true;
  if (!entry.isDirectory()) return FILES.has(name);
  if (FOLDERS.has(name) || CONTAINERS.has(name)) return true;
  return names.some((folder) => CONTAINERS.has(folder)) && !BULK.has(name);
}
