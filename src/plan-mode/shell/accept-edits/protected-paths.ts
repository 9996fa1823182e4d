/** Folders that hold the gateway's or an agent's own configuration, compared by path component (AE-04). */
import { productOf, UNKNOWN } from "./finding.ts";
import type { EditPlace } from "./finding.ts";

const PATH_DEPTH_MAX = 64;

/** In the home of whoever runs the gateway or an agent. */
const foldersInHome = (product: string): readonly string[] => [
  `.${product}`,
  `.config/${product}`,
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".config/opencode",
];

const protectedFolders = (place: EditPlace): readonly string[] => {
  const product = productOf(place);
  const inHome = foldersInHome(product).map((folder) => `${place.home}/${folder}`);
  return [...inHome, `/etc/${product}`, `/usr/local/etc/${product}`, ...(place.folders ?? [])];
};

/** Agents read these from the project as well; they can switch the gateway's hooks off. */
const PROJECT_ENDINGS = [
  "/.claude/settings.json",
  "/.claude/settings.local.json",
  "/.mcp.json",
  "/.codex/config.toml",
  "/.gemini/settings.json",
  "/.cursor/mcp.json",
];

/** `/proc/self/root/etc` is `/etc`. */
const PROCESS_ROOT = /^(?:\/+proc\/+(?:self|thread-self|\d+)\/+(?:task\/+\d+\/+)?root(?=\/|$))+/;

const inHome = (path: string, place: EditPlace): string =>
  path
    .replace(/^~(?=\/|$)|^\$HOME(?=\/|$)|^\$\{HOME\}(?=\/|$)/, () => place.home)
    // The home of somebody else is unknown; what stands behind it is compared.
    .replace(/^~[\w.-]+(?=\/|$)/, `/${UNKNOWN}`);

/** What is left out when a path is made plain: `//`, `.`, `..`, a slash at the end, and all of a path that is too deep. */
const ODD_COMPONENT = new RegExp(`//|/\\.{1,2}(?:/|$)|/$|(?:/[^/]*){${PATH_DEPTH_MAX + 1}}`);

/** `~`, `$HOME`, relative, doubled slashes, `.` and `..` become one absolute path. */
export const absolutePath = (path: string, place: EditPlace): string => {
  const homed = path.startsWith("~") || path.startsWith("$") ? inHome(path, place) : path;
  const whole = homed.startsWith("/") ? homed.replace(PROCESS_ROOT, "") : `${place.cwd}/${homed}`;
  if (!ODD_COMPONENT.test(whole)) return whole;
  const components: string[] = [];
  for (const component of whole.split("/")) {
    if (component === "..") components.pop();
    else if (component !== "" && component !== ".") components.push(component);
  }
  return `/${components.slice(0, PATH_DEPTH_MAX).join("/")}`;
};

const COMPUTED = /[*?[\ufffc]/;

/** A component may hold a pattern or text that only the shell knows; then it matches whatever it could become. */
const componentMatches = (given: string, wanted: string): boolean => {
  if (given === wanted) return true;
  if (!COMPUTED.test(given)) return false;
  const pattern = given
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("[!", "[^")
    .replace(/[*\ufffc]/g, ".*")
    .replaceAll("?", ".");
  try {
    // A pattern that matches everything is no finding; only one that names part of the folder is.
    return /[^.*\ufffc?]/.test(given.replaceAll("*", "")) && new RegExp(`^${pattern}$`).test(wanted);
  } catch {
    return true;
  }
};

const within = (path: string, folder: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || path[folder.length] === "/");

const mayBeWithin = (given: readonly string[], folder: string): boolean =>
  folder.split("/").every((component, index) => componentMatches(given[index] ?? "", component));

/** `$DIR/.holdpoint/x`, `/home/∗/.codex/x`: the home folder is unknown, but the rest of the path is enough. */
const tailNames = (given: readonly string[], place: EditPlace): boolean =>
  foldersInHome(productOf(place)).some((folder) => {
    const wanted = folder.split("/");
    // A pattern matches names that begin with a dot only when it begins with one itself.
    return given.some(
      (component, start) =>
        /^[.\ufffc]/.test(component) && wanted.every((one, at) => componentMatches(given[start + at] ?? "", one)),
    );
  });

type Guarded = { readonly folders: readonly string[]; readonly fold: (path: string) => string };

/** Resolved once per place and judgement, so that the next judgement notices a symlink that changed. */
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
  if (PROJECT_ENDINGS.some((ending) => folded.endsWith(ending))) return true;
  if (!COMPUTED.test(folded)) return folders.some((folder) => within(folded, folder));
  const given = folded.split("/");
  return folders.some((folder) => mayBeWithin(given, folder)) || tailNames(given, place);
};

export const isProtected = (path: string, place: EditPlace): boolean => {
  const lexical = absolutePath(path, place);
  if (isGuarded(lexical, place)) return true;
  const real = realPath(lexical, place);
  if (real !== undefined && isGuarded(real, place)) return true;
  return path.includes("..") && isGuarded(walkedPath(path, place), place);
};

/** Whether a folder is one above a protected one. */
export const containsProtected = (path: string, place: EditPlace): boolean => {
  const { folders, fold } = guardedOf(place);
  const above = fold(absolutePath(path, place)).replace(/\/$/, "");
  return folders.some((folder) => within(folder, above));
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
  const attached = /^-[A-Za-z]([~/$].*)/.exec(argument)?.[1];
  if (attached !== undefined) paths.push(attached);
  return paths;
};
