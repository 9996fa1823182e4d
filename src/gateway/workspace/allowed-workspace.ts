/**
 * In which folders of the machine sessions may work. Whoever has operator.admin chooses freely; everybody else chooses
 * below the folders that the configuration names. Folders are compared as they really lie, when a session is created and
 * again whenever it is used, so that no link leads out of them later.
 */
import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Session } from "../../protocol/session.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";

export type ChosenWorkspace = { workspace: string; rooted?: true };

export type Workspaces = {
  /** The folder as it really lies, or why a session may not work there. */
  choose(path: string, by: { isFree: boolean }): Promise<ChosenWorkspace | Refused>;
  /** Why a session may not use its folder any more; undefined where it may. */
  problem(session: Pick<Session, "workspace" | "rooted">): string | undefined;
};

export type WorkspaceParts = {
  /** As configured, links and all; those that do not exist allow nothing. */
  roots(): readonly string[];
  /** The gateway's own folders, which are nobody's workspace. */
  protectedFolders: readonly string[];
};

export function createWorkspaces({ roots, protectedFolders }: WorkspaceParts): Workspaces {
  let own: string[] | undefined; // these never move while the gateway runs
  const isProtected = (real: string): boolean => isWithin(real, (own ??= existing(protectedFolders)));
  const isAllowed = (real: string): boolean => isWithin(real, existing(roots()));
  return {
    async choose(path, { isFree }) {
      const real = realFolder(path);
      if (real === undefined)
        return isFree || isWithin(resolve(path), roots()) ? noFolder(path) : outside(path, roots());
      if (isProtected(real)) return refuse("FORBIDDEN", `${NAME} ${path} belongs to the gateway itself.`, PATH);
      if (isFree) return { workspace: real };
      return isAllowed(real) ? { workspace: real, rooted: true } : outside(path, roots());
    },
    problem({ workspace, rooted }) {
      const real = realFolder(workspace);
      if (real === undefined) return rooted === true ? GONE : undefined; // what is not there cannot be used
      if (isProtected(real)) return MOVED;
      if (rooted !== true && real === workspace) return undefined;
      return isAllowed(real) ? undefined : MOVED;
    },
  };
}

const NAME = "sessions.create: workspace:";
const PATH = { path: "workspace" };
const GONE = "the folder of this session is not there any more";
const MOVED =
  "the folder of this session now lies where sessions may not work (workspaces.roots); a person must look at it";

const noFolder = (path: string): Refused =>
  refuse("INVALID_REQUEST", `${NAME} there is no folder ${path} on the gateway's machine.`, PATH);

/** Says the same of what is not there and of what is not allowed, so that nobody learns what lies elsewhere. */
const outside = (path: string, roots: readonly string[]): Refused =>
  refuse(
    "FORBIDDEN",
    `${NAME} sessions may not work in ${path}. Choose a folder below ${roots.join(", ")}, or ask an operator with operator.admin to add it to workspaces.roots.`,
    { ...PATH, roots: [...roots] },
  );

/** At once, as the pin of a workspace looks, too: it stands before every call, and two ways through the thread pool take ten times as long. */
function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // missing, a loop of links, or not readable: none of them can be used
  }
}

const existing = (paths: readonly string[]): string[] => paths.map(realFolder).filter((path) => path !== undefined);

const isWithin = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`));
