/**
 * Where the programs come from that stand between a command and the machine: bash, bubblewrap, git. They are looked for
 * in the system's own folders, never by the gateway's PATH, which may lead through a workspace or a folder that an
 * earlier command could write to.
 *
 * A folder is trusted when root owns it, and so everything above it, and nobody else may write there; a program too,
 * after its symlinks.
 */
import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const FOLDERS = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/run/current-system/sw/bin",
];
const ROOT = 0;
const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;

/** What is asked of the system, so that a test can stand for one. */
export type SystemFacts = {
  folders: readonly string[];
  /** Undefined when there is nothing of that name. */
  look(path: string): { real: string; uid: number; gid: number; mode: number } | undefined;
  /** The groups that commands run with. */
  groups: readonly number[];
};

export type SystemPrograms = {
  /** Undefined when no trusted folder holds it. */
  find(name: string): string | undefined;
  /** The trusted folders, as PATH has them. */
  readonly path: string;
};

export function createSystemPrograms({ folders, look, groups }: SystemFacts): SystemPrograms {
  function isTrusted(path: string): boolean {
    const seen = look(path);
    if (seen === undefined || seen.uid !== ROOT || (seen.mode & OTHERS_WRITE) !== 0) return false;
    // Debian lets the group "staff" write below /usr/local: harmless, unless the gateway is in that group.
    if ((seen.mode & GROUP_WRITES) !== 0 && seen.gid !== ROOT && groups.includes(seen.gid)) return false;
    const above = dirname(seen.real);
    return above === seen.real || isTrusted(above);
  }
  const trusted = folders.filter(isTrusted);
  const found = new Map<string, string | undefined>();
  const search = (name: string): string | undefined =>
    trusted.map((folder) => join(folder, name)).find((path) => isTrusted(path));
  return {
    find(name) {
      if (!found.has(name)) found.set(name, search(name));
      return found.get(name);
    },
    path: trusted.join(":"),
  };
}

function lookHere(path: string): ReturnType<SystemFacts["look"]> {
  try {
    const real = realpathSync(path);
    const { uid, gid, mode } = statSync(real);
    return { real, uid, gid, mode };
  } catch {
    return undefined;
  }
}

let here: SystemPrograms | undefined;

/** Of this machine, looked at once, before the first command runs. */
export const systemPrograms = (): SystemPrograms =>
  (here ??= createSystemPrograms({ folders: FOLDERS, look: lookHere, groups: process.getgroups?.() ?? [] }));
