import { productOf, UNKNOWN } from "./finding.ts";
import type { EditPlace } from "./finding.ts";

/** Folders that hold the gateway's or an agent's own configuration, compared by path component (AE-04). */

const PATH_DEPTH_MAX = 64;

const protectedFolders = (place: EditPlace): readonly string[] => {
  const product = productOf(place);
  const home = place.home;
  return [
    `${home}/.${product}`,
    `${home}/.config/${product}`,
    `/etc/${product}`,
    `/usr/local/etc/${product}`,
    `${home}/.claude`,
    `${home}/.claude.json`,
    `${home}/.codex`,
    `${home}/.gemini`,
    `${home}/.config/opencode`,
    ...(place.folders ?? []),
  ];
};

/** Agents read these from the project as well; they can switch the gateway's hooks off. */
const PROJECT_FILES = [".claude/settings.json", ".claude/settings.local.json"];

/** Nothing in it to expand, to step over or to step back from. */
const PLAIN_PATH = /^\/?[^/.~$][^/]*(?:\/[^/.][^/]*)*$/;

/** `~`, `$HOME`, relative, doubled slashes, `.` and `..` become one absolute path. */
export const absolutePath = (path: string, place: EditPlace): string => {
  if (path.length < PATH_DEPTH_MAX && PLAIN_PATH.test(path) && isSettled(place.cwd))
    return path.startsWith("/") ? path : `${place.cwd}/${path}`;
  const expanded = path.replace(/^~(?=\/|$)|^\$HOME(?=\/|$)|^\$\{HOME\}(?=\/|$)/, () => place.home);
  const whole = expanded.startsWith("/") ? expanded : `${place.cwd}/${expanded}`;
  const components: string[] = [];
  for (const component of whole.split("/")) {
    if (component === "..") components.pop();
    else if (component !== "" && component !== ".") components.push(component);
  }
  return `/${components.slice(0, PATH_DEPTH_MAX).join("/")}`;
};

/** An absolute folder that needs no work of its own. */
const isSettled = (cwd: string): boolean =>
  cwd.length > 1 &&
  cwd.length < PATH_DEPTH_MAX &&
  cwd.startsWith("/") &&
  !cwd.endsWith("/") &&
  !/\/(?:\/|\.)/.test(cwd);

/** A component may hold a pattern or text that only the shell knows; then it matches whatever it could become. */
const componentMatches = (given: string, wanted: string): boolean => {
  if (given === wanted) return true;
  if (!/[*?[\ufffc]/.test(given)) return false;
  const pattern = given
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replace(/[*\ufffc]/g, ".*")
    .replaceAll("?", ".");
  try {
    // A pattern that matches everything says nothing; only one that names part of the folder counts.
    return /[^.*\ufffc?]/.test(given.replaceAll("*", "")) && new RegExp(`^${pattern}$`).test(wanted);
  } catch {
    return true;
  }
};

const COMPUTED = /[*?[\ufffc]/;

const within = (path: string, folder: string): boolean => {
  if (!COMPUTED.test(path))
    return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === "/");
  const given = path.split("/");
  return folder.split("/").every((component, index) => {
    const candidate = given[index];
    return candidate !== undefined && componentMatches(candidate, component);
  });
};

/** `$DIR/.holdpoint/x`: the beginning is unknown, the tail says enough. */
const tailNames = (path: string, place: EditPlace): boolean => {
  if (!path.includes(UNKNOWN) && !/[*?]/.test(path)) return false;
  const tails = [`/.${productOf(place)}`, `/.config/${productOf(place)}`, "/.claude"];
  return tails.some((tail) => `${path}/`.includes(`${tail}/`));
};

type Guarded = { readonly folders: readonly string[]; readonly fold: (path: string) => string };

/** Found out once for a place; it lives as long as one judgement, so a symlink that changes later is seen by the next. */
const guardedBy = new WeakMap<EditPlace, Guarded>();

const guardedOf = (place: EditPlace): Guarded => {
  const known = guardedBy.get(place);
  if (known !== undefined) return known;
  const fold = (path: string): string => (place.ignoreCase === true ? path.toLowerCase() : path);
  const folders = protectedFolders(place).flatMap((folder) => [folder, place.realpath?.(folder) ?? folder]);
  const guarded: Guarded = { folders: [...new Set(folders.map(fold))], fold };
  guardedBy.set(place, guarded);
  return guarded;
};

/** The same place, seen from another of its folders. */
export const placeIn = (cwd: string, place: EditPlace): EditPlace => {
  const moved = { ...place, cwd };
  guardedBy.set(moved, guardedOf(place));
  return moved;
};

const isGuarded = (path: string, place: EditPlace): boolean => {
  const { folders, fold } = guardedOf(place);
  const folded = fold(path);
  return (
    folders.some((folder) => within(folded, folder)) ||
    PROJECT_FILES.some((file) => folded.endsWith(`/${file}`)) ||
    tailNames(folded, place)
  );
};

export const isProtected = (path: string, place: EditPlace): boolean => {
  const lexical = absolutePath(path, place);
  if (isGuarded(lexical, place)) return true;
  if (lexical.includes(UNKNOWN)) return false;
  const real = realPath(lexical, place);
  if (real !== undefined && real !== lexical && isGuarded(real, place)) return true;
  return path.includes("..") && isGuarded(walkedPath(path, place), place);
};

/** As the system walks it: `..` behind a symlink leads to the folder above its target, not above the link. */
const walkedPath = (path: string, place: EditPlace): string => {
  const expanded = path.replace(/^~(?=\/|$)/, () => place.home);
  const whole = expanded.startsWith("/") ? expanded : `${place.cwd}/${expanded}`;
  let at = "";
  for (const component of whole.split("/").slice(0, PATH_DEPTH_MAX)) {
    if (component === "..") {
      const real = place.realpath?.(at) ?? at;
      at = real.slice(0, real.lastIndexOf("/"));
    } else if (component !== "" && component !== ".") at = `${at}/${component}`;
  }
  return realPath(at, place) ?? at;
};

/** Symlinks of the deepest part that exists; what does not exist yet is appended as written. */
const realPath = (path: string, place: EditPlace): string | undefined => {
  if (place.realpath === undefined) return undefined;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const real = place.realpath(path.slice(0, end));
    if (real !== undefined) return real === path ? path : absolutePath(`${real}${path.slice(end)}`, place);
  }
  return undefined;
};

/** The paths an argument may stand for: itself, and what follows `=` or an attached short option. */
export const pathsInArgument = (argument: string): readonly string[] => {
  const paths = [argument];
  const equals = argument.indexOf("=");
  if (equals !== -1) paths.push(argument.slice(equals + 1));
  const attached = /^-[A-Za-z]([~/$].*)$/.exec(argument)?.[1];
  if (attached !== undefined) paths.push(attached);
  return paths;
};
