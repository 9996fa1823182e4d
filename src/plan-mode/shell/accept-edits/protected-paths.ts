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
  ];
};

/** Agents read these from the project as well; they can switch the gateway's hooks off. */
const PROJECT_FILES = [".claude/settings.json", ".claude/settings.local.json"];

/** `~`, `$HOME`, relative, doubled slashes, `.` and `..` become one absolute path. */
export const absolutePath = (path: string, place: EditPlace): string => {
  const expanded = path.replace(/^~(?=\/|$)|^\$HOME(?=\/|$)|^\$\{HOME\}(?=\/|$)/, () => place.home);
  const whole = expanded.startsWith("/") ? expanded : `${place.cwd}/${expanded}`;
  const components: string[] = [];
  for (const component of whole.split("/")) {
    if (component === "..") components.pop();
    else if (component !== "" && component !== ".") components.push(component);
  }
  return `/${components.slice(0, PATH_DEPTH_MAX).join("/")}`;
};

const fold = (path: string, place: EditPlace): string => (place.ignoreCase === true ? path.toLowerCase() : path);

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

const within = (path: string, folder: string): boolean => {
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

export const isProtected = (path: string, place: EditPlace): boolean => {
  const lexical = absolutePath(path, place);
  const candidates = new Set([lexical]);
  const real = lexical.includes(UNKNOWN) ? undefined : realPath(lexical, place);
  if (real !== undefined) candidates.add(real);
  const folders = protectedFolders(place).flatMap((folder) => [folder, place.realpath?.(folder) ?? folder]);
  return [...candidates].some((candidate) => {
    const folded = fold(candidate, place);
    return (
      folders.some((folder) => within(folded, fold(folder, place))) ||
      PROJECT_FILES.some((file) => folded.endsWith(`/${file}`)) ||
      tailNames(folded, place)
    );
  });
};

/** Symlinks of the deepest part that exists; what does not exist yet is appended as written. */
const realPath = (path: string, place: EditPlace): string | undefined => {
  if (place.realpath === undefined) return undefined;
  const components = path.split("/");
  for (let length = components.length; length > 1; length -= 1) {
    const real = place.realpath(components.slice(0, length).join("/"));
    if (real !== undefined) return absolutePath([real, ...components.slice(length)].join("/"), place);
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
