/**
 * Which files a repository ignores, by its `.gitignore` files. The patterns may be anybody's: they are matched in steps that
 * are bounded by pattern × name, and never become regular expressions.
 */
import { FOLDERS, matchesParts } from "../machine/match-parts.ts";

export const IGNORE_FILE = ".gitignore";
export const IGNORE_BYTES_MAX = 65_536;
const RULES_MAX = 2_000;
const PATTERN_CHARS_MAX = 1_000;

type Rule = { isNegated: boolean; foldersOnly: boolean; parts: readonly string[] };

/** Rules of one folder, below those of the folders above it. */
export type IgnoreRules = { depth: number; rules: readonly Rule[]; above: IgnoreRules | undefined };

/** `depth`: how many names lead to the folder that the text stands in. */
export function ignoreRules(text: string, depth: number, above: IgnoreRules | undefined): IgnoreRules {
  const rules = text
    .split(/\r?\n/)
    .slice(0, RULES_MAX)
    .flatMap((line) => ruleOf(line) ?? []);
  return { depth, rules, above };
}

function ruleOf(line: string): Rule | undefined {
  const written = line.replace(/(?<!\\)\s+$/, "");
  if (written === "" || written.startsWith("#") || written.length > PATTERN_CHARS_MAX) return undefined;
  const isNegated = written.startsWith("!");
  const pattern = isNegated ? written.slice(1) : written;
  const foldersOnly = pattern.endsWith("/");
  const path = foldersOnly ? pattern.slice(0, -1) : pattern;
  const isAnchored = path.includes("/");
  const parts = path.split("/").filter((part, index) => part !== "" || index > 0);
  if (parts.length === 0) return undefined;
  return { isNegated, foldersOnly, parts: isAnchored ? parts : [FOLDERS, ...parts] };
}

/** The last rule that fits decides; rules further down the tree come last. */
export function isIgnored(names: readonly string[], isFolder: boolean, rules: IgnoreRules | undefined): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const below = names.slice(level.depth);
    const last = level.rules.findLast(
      ({ foldersOnly, parts }) => (isFolder || !foldersOnly) && matchesParts(parts, below),
    );
    if (last !== undefined) return !last.isNegated;
  }
  return false;
}
