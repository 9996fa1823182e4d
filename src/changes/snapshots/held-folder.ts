/**
 * Folders of a workspace, each opened from the one above it without following links, so that whoever exchanges one for a link
 * meanwhile leads nobody out of the workspace. On Linux they are reached by their descriptors; other systems have no such way
 * and use names.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

const HAS_DESCRIPTOR_PATHS = process.platform === "linux";
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

export type HeldFolder = {
  /** By which what stands in it is reached, whatever becomes of its name. */
  readonly path: string;
  readonly identity: string;
  close(): void;
};

export function holdFolder(path: string): HeldFolder {
  const fd = openSync(path, FOLDER);
  const { dev, ino } = fstatSync(fd);
  return {
    path: HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${fd}` : path,
    identity: `${dev}:${ino}`,
    close: () => closeSync(fd),
  };
}

/** Undefined where a part of it is missing, is a link or is no folder. */
export function holdBelow(root: HeldFolder, names: readonly string[], make = false): HeldFolder | undefined {
  let here = root;
  for (const name of names) {
    const next = holdChild(here, name, make);
    if (here !== root) here.close();
    if (next === undefined) return undefined;
    here = next;
  }
  return here === root ? holdFolderAgain(root) : here;
}

/** A descriptor of its own, so that each holder closes its own. */
const holdFolderAgain = ({ path }: HeldFolder): HeldFolder => holdFolder(HAS_DESCRIPTOR_PATHS ? `${path}/.` : path);

function holdChild(above: HeldFolder, name: string, make: boolean): HeldFolder | undefined {
  const path = join(above.path, name);
  try {
    return holdFolder(path);
  } catch (error) {
    if (!make || codeOf(error) !== "ENOENT") return undefined;
  }
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return holdFolder(path);
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Relative, with `/`, and nowhere upwards: everything else is no path of a workspace. */
export function partsOf(path: string): string[] | undefined {
  const parts = path.split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0"));
  return isPlain ? parts : undefined;
}
