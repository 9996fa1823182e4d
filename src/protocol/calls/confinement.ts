/** What a call may change at most, where the approval behind it is limited: as data, because other processes enforce it. */

/**
 * `paths` are relative to the workspace: a file, a folder with everything below it, or a pattern (`*`, `?`) in the last
 * part. `network`: whether programs may reach other machines.
 */
export type Confinement = { paths: readonly string[]; network: boolean };

export const isGlob = (part: string): boolean => /[*?]/.test(part);

/** Dots and doubled slashes mean nothing, nor does a slash at the end. */
export const plainPath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");

/** Whether a plain path is one of these or lies below one. */
export function pathCover(paths: readonly string[]): (path: string) => boolean {
  const plain = paths.map(plainPath);
  const names = new Set(plain.filter((path) => !isGlob(path)));
  const globs = plain.filter(isGlob).map(globOf);
  return (path) => isBelowAny(path, names) || globs.some((glob) => glob(path));
}

function isBelowAny(path: string, names: ReadonlySet<string>): boolean {
  if (names.has(path)) return true;
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (names.has(path.slice(0, at))) return true;
  }
  return false;
}

/** A pattern stands in the last part of a path and never crosses a slash. */
function globOf(path: string): (asked: string) => boolean {
  const at = path.lastIndexOf("/") + 1;
  const [folder, pattern] = [path.slice(0, at), path.slice(at)];
  return (asked) => asked.startsWith(folder) && !asked.includes("/", at) && fitsGlob(pattern, asked.slice(at));
}

/** As in a shell, a hidden file is matched by its dot alone. Piece by piece: a pattern of many stars must not take for ever. */
export function fitsGlob(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let [at, from, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = pattern[from];
    if (wanted === "*") {
      star = from++;
      resume = at;
    } else if (wanted === "?" || wanted === name[at]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(from));
}

/** What all of them allow; entries that another one covers are left out. */
export function bothConfine(all: readonly Confinement[]): Confinement {
  const covers = all.map(({ paths }) => pathCover(paths));
  const kept = [...new Set(all.flatMap(({ paths }) => paths))].filter((path) =>
    covers.every((cover) => cover(plainPath(path))),
  );
  return { paths: topmost(kept), network: all.every(({ network }) => network) };
}

/** Nothing of it lies below another of it, so that no place is opened whose folder a confined program could exchange. */
const topmost = (paths: readonly string[]): string[] =>
  paths.filter((path) => !pathCover(paths.filter((other) => other !== path && !isSame(other, path)))(plainPath(path)));

const isSame = (a: string, b: string): boolean => plainPath(a) === plainPath(b) && a < b;
