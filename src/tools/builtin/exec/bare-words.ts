/** What the words of a command mean in a workspace where no sandbox keeps it inside (GA-15). */
import { globSync, lstatSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { BareWords, WordPiece } from "../../../plugins/command-judge.ts";
import { isInside } from "../workspace-path.ts";
import type { Job } from "./exec-parts.ts";

/** More names than a person would look through; a command line has a limit, too. */
const NAMES_MAX = 2_000;
const MEANS_SOMETHING = /[*?[\]{}()!+@\\]/g;
const NOTHING = "/dev/null";

export const bareWords = ({ cwd, root, hidden }: Pick<Job, "cwd" | "root" | "hidden">): BareWords => ({
  expand(word) {
    const found = globSync(word.map(asPattern).join(""), { cwd });
    if (found.length > NAMES_MAX) return undefined;
    return found.length === 0 ? [word.map(asWritten).join("")] : found.toSorted();
  },
  leadsOut(name) {
    if (name === NOTHING) return false;
    const real = realOf(resolve(cwd, name));
    if (real === undefined) return false;
    return (
      real === UNKNOWN || !isInside(root, real) || hidden.some((own) => isInside(own, real) || isInside(real, own))
    );
  },
});

const asWritten = (piece: WordPiece): string => ("text" in piece ? piece.text : piece.pattern);
/** Two stars are one to the shell, and a backslash would be taken for a separator. */
const asPattern = (piece: WordPiece): string =>
  "text" in piece ? piece.text.replaceAll(MEANS_SOMETHING, "[$&]") : piece.pattern.replaceAll(/\*+/g, "*");

const UNKNOWN = Symbol("cannot be resolved");

/** Undefined where there is nothing of that name. */
function realOf(path: string): string | typeof UNKNOWN | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    return realpathSync.native(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOTDIR" || code === "ENAMETOOLONG" ? undefined : UNKNOWN;
  }
}
