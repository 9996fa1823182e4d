/**
 * Where a file tool may go: inside the workspace after every symlink is resolved, and never into the gateway's own
 * folders, even when they lie inside. A path that does not exist yet is judged by the deepest folder that does.
 */
import { lstat, realpath } from "node:fs/promises";
import { type Confinement, pathCover } from "../../protocol/calls/confinement.ts";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

export const PATH_CHARS_MAX = 4_096;
/** Deeper than any real tree; also bounds the walk up to the deepest folder that exists. */
const PATH_PARTS_MAX = 256;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const WINDOWS_CHARACTERS = /[<>:"|?*]/;

/** What the file tools are allowed to see. `protectedFolders` are absolute. `confine`: what is located must lie in each. */
export type Bounds = {
  workspace: string;
  protectedFolders: readonly string[];
  confine?: readonly Confinement[] | undefined;
};

export type Located = { ok: true; path: string; shown: string } | { ok: false; error: string };

/** `path` is absolute and free of symlinks up to its last existing part; `shown` is relative to the workspace. */
export async function locate(given: string, { workspace, protectedFolders, confine }: Bounds): Promise<Located> {
  const wrong = malformed(given);
  if (wrong !== undefined) return no(given, wrong);
  const root = await realpath(workspace).catch(() => undefined);
  if (root === undefined) return no(given, "the workspace folder does not exist");
  const path = await realTarget(resolve(root, given));
  if (path === undefined) return no(given, "its folder cannot be resolved");
  if (!isInside(root, path)) return no(given, "it lies outside the workspace");
  const guarded = await realFolders(protectedFolders);
  if (guarded === undefined || guarded.some((folder) => isInside(folder, path))) {
    return no(given, "it belongs to the gateway");
  }
  const way = relative(root, path).split(sep).join("/");
  if (confine?.every(({ paths }) => pathCover(paths)(way)) === false) {
    return no(given, `it leads to ${JSON.stringify(way)}, which the approved plan does not declare`);
  }
  return { ok: true, path, shown: relative(root, path) || "." };
}

/** Undefined when one of them cannot be resolved: then it is unknown what lies inside it. */
export async function realFolders(folders: readonly string[]): Promise<string[] | undefined> {
  const real = await Promise.all(folders.map((folder) => realTarget(resolve(folder))));
  return real.every((folder) => folder !== undefined) ? real : undefined;
}

const no = (given: string, why: string): Located => ({
  ok: false,
  error: `The path ${JSON.stringify(given.slice(0, 200))} cannot be used: ${why}. Use a path relative to the workspace.`,
});

function malformed(given: string): string | undefined {
  if (given === "") return "it is empty";
  if (given.includes("\u0000")) return "it contains a NUL character";
  if (given.length > PATH_CHARS_MAX) return `it is longer than ${PATH_CHARS_MAX} characters`;
  if (given.startsWith("~")) return "~ is not expanded"; // a shell would leave the workspace here
  if (given.split("/").length > PATH_PARTS_MAX) return `it has more than ${PATH_PARTS_MAX} parts`;
  return sep === "\\" && oddOnWindows(given) ? "Windows gives it another meaning" : undefined;
}

/** Names that Windows takes for a device, a share, a stream or another name than the one written. */
export function oddOnWindows(given: string): boolean {
  if (/^[\\/]{2}/.test(given)) return true;
  const parts = given.replace(/^[A-Za-z]:(?=[\\/])/, "").split(/[\\/]/);
  return parts.some(
    (part) =>
      WINDOWS_DEVICE.test(part) || WINDOWS_CHARACTERS.test(part) || (/[. ]$/.test(part) && !/^\.\.?$/.test(part)),
  );
}

/** Undefined when a part of it cannot be looked at: what cannot be resolved cannot be judged. */
async function realTarget(absolute: string): Promise<string | undefined> {
  const missing: string[] = [];
  let here = absolute;
  for (let depth = 0; depth <= PATH_PARTS_MAX; depth++) {
    try {
      return join(await realpath(here), ...missing);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || (await isDangling(here))) return undefined;
    }
    missing.unshift(basename(here));
    here = dirname(here);
  }
  return undefined;
}

/** A symlink to nothing: writing to it would create a file wherever it points. */
async function isDangling(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
