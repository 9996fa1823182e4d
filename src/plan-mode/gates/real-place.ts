/** Where a call would run on this machine: symlinks as they are now, case as this file system takes it (AE-04). */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { JsonObject } from "../../protocol/json.ts";
import type { EditPlace, Place } from "../shell/shell-gate.ts";

const IGNORING_CASE: ReadonlySet<string> = new Set(["darwin", "win32"]);

/** The folder that a call names by its `cwd`, inside the session's own; whether it may go there is its tool's affair. */
export function folderOf(workspace: string, { cwd }: JsonObject): string {
  return typeof cwd === "string" ? resolve(workspace, cwd) : workspace;
}

export const placeOf = (folder: string): Place => ({ cwd: folder, home: homedir() });

export const editPlaceOf = (place: Place, platform: string = process.platform): EditPlace => ({
  ...place,
  realpath,
  ignoreCase: IGNORING_CASE.has(platform),
  pids: [process.pid],
  scripts: process.argv.slice(1, 2),
});

/** Undefined when it does not exist, or cannot be looked at. */
export function realpath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
