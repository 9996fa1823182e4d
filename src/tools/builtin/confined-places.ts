/**
 * Where a call that is limited to a scope may write, as places of a view. A place is opened only if no part of its path is
 * a link: what a link leads to was not declared.
 */
import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Confinement, fitsGlob, isGlob, plainPath } from "../../protocol/calls/confinement.ts";
import { keptInWorkspace } from "../../runner/hidden/hidden-places.ts";
import type { Place } from "../../runner/view.ts";

/** Of one pattern. */
const MATCHES_MAX = 200;

/** For commands: exactly the declared files and folders that exist; a declared folder that is missing is made, empty. */
export function confinedFiles(root: string, { paths }: Confinement): Place[] {
  const kept = keptInWorkspace(root).map(({ path }) => `${path}/`);
  return paths
    .flatMap((declared) => filesOf(root, declared))
    .filter((path) => !kept.some((folder) => `${path}/`.startsWith(folder)))
    .map((path) => ({ path, as: "writable" }));
}

function filesOf(root: string, declared: string): string[] {
  const path = join(root, plainPath(declared));
  if (isGlob(declared)) return matching(root, path);
  if (declared.endsWith("/") && isPlain(root, dirname(path)) && kindOf(path) === undefined) mkdirSync(path);
  return isPlain(root, path) ? [path] : [];
}

function matching(root: string, path: string): string[] {
  const folder = dirname(path);
  if (!isPlain(root, folder)) return [];
  const pattern = relative(folder, path);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && fitsGlob(pattern, entry.name))
    .slice(0, MATCHES_MAX)
    .map(({ name }) => join(folder, name));
}

/** For the file tools, which check each file themselves: the declared folders, and of files the folder that they lie in. */
export function confinedFolders(root: string, { paths }: Confinement): Place[] {
  return paths.flatMap((declared): Place[] => {
    const path = join(root, plainPath(declared));
    const folder = existingFolder(isGlob(declared) ? dirname(path) : path);
    return folder !== undefined && isPlain(root, folder) ? [{ path: folder, as: "writable" }] : [];
  });
}

function existingFolder(path: string): string | undefined {
  for (let here = path; ; here = dirname(here)) {
    const kind = kindOf(here);
    if (kind === "folder") return here;
    if (kind === "link" || dirname(here) === here) return undefined;
  }
}

function kindOf(path: string): "folder" | "link" | "other" | undefined {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return "link";
    return found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined; // nothing there, or a part of its path is a file
  }
}

/** It exists inside the workspace, and its path is its real one. */
function isPlain(root: string, path: string): boolean {
  try {
    return realpathSync.native(path) === path && `${path}/`.startsWith(`${root}/`);
  } catch {
    return false;
  }
}
