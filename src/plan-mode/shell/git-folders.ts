/** Where the git commands of a line may run, so that the executor can look at each repository's filters first. */
import { staticText } from "./command-tree.ts";
import type { List, Word } from "./command-tree.ts";
import { eachCommand } from "./each-command.ts";

export type GitFolders = {
  readonly folders: readonly string[];
  /** True when a folder is computed; without a sandbox such a line should not run. */
  readonly elsewhere: boolean;
};

const FOLDERS_MAX = 16;

const withoutParents = (path: string): string => {
  const kept: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "" && name !== ".") kept.push(name);
  }
  return `/${kept.join("/")}`;
};

/** For `link/..` the shell goes back to where the link stands, git and the system to above where it leads. */
const join = (base: string, folder: string): readonly string[] => {
  const path = folder.startsWith("/") ? folder : `${base}/${folder}`;
  return path.split("/").includes("..") ? [path, withoutParents(path)] : [path];
};

const literalFolder = (word: Word, cwd: string): string | undefined => {
  const only = word.parts.filter((part) => part.type !== "text" || part.value !== "");
  const first = only[0];
  const here = only.length === 1 && first?.type === "variable" && first.name === "PWD" && first.operation === "";
  return here ? cwd : staticText(word);
};

/** Programs that start git in folders of their own finding: `find -execdir`, `find -exec git -C {}`, `xargs -I`. */
const STARTS_IN_FOUND = /(?:^|\/)(?:find|xargs)$/;
const MOVES: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);
const CD_OPTION = /^-[LPe]+$/;

/** Whatever may be the folder among the words behind a `cd`; none means home, which is not looked at. */
const behindCd = (words: readonly Word[], cwd: string): readonly (string | undefined)[] => {
  const found = words.map((word) => literalFolder(word, cwd));
  const folders = found.filter((folder) => folder === undefined || (folder !== "--" && !CD_OPTION.test(folder)));
  return folders.length === 0 ? [undefined] : folders;
};

/** The folders that one command goes to, in order; undefined stands for one that is only known when it runs. */
const stepsOf = (words: readonly Word[], cwd: string): readonly (string | undefined)[] => {
  const texts = words.map(staticText);
  const startsGit = texts.some((text) => text !== undefined && /(?:^|\/)git$/.test(text));
  if (startsGit && texts.some((text) => text !== undefined && STARTS_IN_FOUND.test(text))) return [undefined];
  return texts.flatMap((text, index) => {
    // `command cd` and `builtin cd` too: a mere word "cd" adds a folder to look at, and that does no harm
    if (text === "cd" || text === "pushd") return behindCd(words.slice(index + 1), cwd);
    if (text === "popd") return [undefined];
    const next = words[index + 1];
    return text === "-C" && next !== undefined ? [literalFolder(next, cwd)] : [];
  });
};

/** For a line that runs git. The answer is too large rather than too small: every `cd` may precede every git. */
export const gitFolders = (list: List, cwd: string): GitFolders => {
  let loops = false;
  let moves = false;
  const steps: (string | undefined)[] = [];
  eachCommand(list, (node) => {
    loops ||= node.type === "for" || node.type === "while";
    if (node.type !== "simple") return;
    moves ||= node.words.some((word) => MOVES.has(staticText(word) ?? ""));
    steps.push(...stepsOf(node.words, cwd));
  });
  // a loop may take the same step again and again
  let elsewhere = (loops && moves) || steps.length > FOLDERS_MAX;
  let folders: readonly string[] = [cwd];
  for (const step of steps.slice(0, FOLDERS_MAX)) {
    if (step === undefined || step === "-") elsewhere = true;
    else if (step !== "") folders = [...new Set([...folders, ...folders.flatMap((folder) => join(folder, step))])];
    if (folders.length > FOLDERS_MAX) return { folders: folders.slice(0, FOLDERS_MAX), elsewhere: true };
  }
  return { folders, elsewhere };
};
