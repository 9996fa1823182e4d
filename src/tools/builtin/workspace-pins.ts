/**
 * Which folder a workspace is, by descriptor: the name was resolved when it was first used, and the folder behind it is held
 * open. A name that leads elsewhere later, because a part of it became a link, is refused, also after a restart. Another
 * folder under the same real path is a folder that a person made anew.
 */
import { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from "node:fs";

/** Folders that are held open; the one that was used longest ago makes room. */
const OPEN_MAX = 64;

/** Name → real path, where that outlives the gateway. */
export type PinnedNames = {
  load(): Readonly<Record<string, string>>;
  save(names: Readonly<Record<string, string>>): void;
};

export type PinnedWorkspace = {
  path: string;
  /** Of the folder that is held open; undefined where it cannot be. */
  identity?: string;
};

export type WorkspacePins = {
  pin(workspace: string): PinnedWorkspace | { error: string };
  close(): void;
};

type Opened = { fd: number; identity: string };

export function createWorkspacePins(names: PinnedNames): WorkspacePins {
  let known: Map<string, string> | undefined;
  const open = new Map<string, Opened>();

  function isSame(workspace: string, real: string): boolean {
    known ??= new Map(Object.entries(names.load()));
    const before = known.get(workspace);
    if (before !== undefined) return before === real;
    names.save({ ...Object.fromEntries(known), [workspace]: real });
    known.set(workspace, real);
    return true;
  }
  function forget(path: string): void {
    const opened = open.get(path);
    if (opened !== undefined) closeSync(opened.fd);
    open.delete(path);
  }
  function held(path: string): Opened | undefined {
    const before = open.get(path);
    if (before !== undefined && before.identity === identityOf(statSync(path, { bigint: true }))) return before;
    forget(path);
    const opened = openFolder(path);
    if (opened === undefined) return undefined;
    open.set(path, opened);
    const [oldest] = open.keys();
    if (open.size > OPEN_MAX && oldest !== undefined) forget(oldest);
    return opened;
  }
  return {
    pin(workspace) {
      const real = realPath(workspace);
      if (real === undefined) return { path: workspace }; // there is no such folder; each tool says so in its own words
      try {
        if (!isSame(workspace, real)) return { error: movedTo(workspace) };
      } catch {
        return { error: UNRECORDED };
      }
      try {
        const opened = held(real);
        return opened === undefined ? { error: movedTo(workspace) } : { path: real, identity: opened.identity };
      } catch {
        return { path: real }; // it may not be opened, or is no folder: nothing is found in it
      }
    },
    close() {
      for (const path of open.keys()) forget(path);
    },
  };
}

const UNRECORDED = "Nothing was done: which folder this workspace is could not be read or recorded. Tell a person.";

const movedTo = (workspace: string): string =>
  `Nothing was done: the workspace ${JSON.stringify(workspace)} leads to another folder than it did at first. If a person moved it, they can start a new session there.`;

/** Undefined when another folder was put in its place meanwhile. */
function openFolder(path: string): Opened | undefined {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0));
  const identity = identityOf(fstatSync(fd, { bigint: true }));
  if (realPath(path) === path && identity === identityOf(statSync(path, { bigint: true }))) return { fd, identity };
  closeSync(fd);
  return undefined;
}

export const identityOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
