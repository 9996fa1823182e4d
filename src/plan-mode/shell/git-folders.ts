import { staticText } from "./tree.ts";
import type { List, Word } from "./tree.ts";
import { eachCommand } from "./traverse.ts";

/** Where the git commands of a line may run, so that the executor can look at each repository's filters first. */
export type GitFolders = {
  readonly folders: readonly string[];
  /** True when a folder is computed; without a sandbox such a line should not run. */
  readonly elsewhere: boolean;
};

const FOLDERS_MAX = 16;

const join = (base: string, folder: string): string => (folder.startsWith("/") ? folder : `${base}/${folder}`);

const literalFolder = (word: Word, cwd: string): string | undefined => {
  const only = word.parts.filter((part) => part.type !== "text" || part.value !== "");
  const first = only[0];
  const here = only.length === 1 && first?.type === "variable" && first.name === "PWD" && first.operation === "";
  return here ? cwd : staticText(word);
};

/** Undefined when the line runs no git. The answer is too large rather than too small: every `cd` may precede every git. */
export const gitFolders = (list: List, cwd: string): GitFolders | undefined => {
  let runsGit = false;
  let elsewhere = false;
  const steps: string[] = [];
  eachCommand(list, (node) => {
    if (node.type !== "simple") return;
    const words = node.words.map((word) => ({ word, text: staticText(word) }));
    runsGit ||= words.some(({ text }) => text !== undefined && /(?:^|\/)git$/.test(text));
    for (const [index, { text }] of words.entries()) {
      const next = words[index + 1];
      if ((text !== "cd" || index !== 0) && text !== "-C") continue;
      const folder = next === undefined ? "" : literalFolder(next.word, cwd);
      if (folder === undefined || folder === "-" || steps.length >= FOLDERS_MAX) elsewhere = true;
      else if (folder !== "") steps.push(folder);
    }
  });
  if (!runsGit) return undefined;
  let folders: readonly string[] = [cwd];
  for (const step of steps) {
    folders = [...new Set([...folders, ...folders.map((folder) => join(folder, step))])];
    if (folders.length > FOLDERS_MAX) return { folders: folders.slice(0, FOLDERS_MAX), elsewhere: true };
  }
  return { folders, elsewhere };
};
