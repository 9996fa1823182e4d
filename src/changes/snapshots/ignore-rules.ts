/**
 * Which files a repository ignores, by its `.gitignore` files. The patterns may be anybody's: they are matched in steps that
 * are bounded by pattern × name, and never become regular expressions.
 */
export const IGNORE_FILE = ".gitignore";
export const IGNORE_BYTES_MAX = 65_536;
const RULES_MAX = 2_000;
const PATTERN_CHARS_MAX = 1_000;

type Rule = { isNegated: boolean; foldersOnly: boolean; parts: readonly string[] };

/** Rules of one folder, below those of the folders above it. */
export type IgnoreRules = { depth: number; rules: readonly Rule[]; above: IgnoreRules | undefined };

const FOLDERS = "**";

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

/** Which names can be reached after each part: at most parts × names steps. */
function matchesParts(parts: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const [index, part] of parts.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === FOLDERS) {
        const from = index === parts.length - 1 ? at + 1 : at; // at the end it stands for at least one name
        for (let to = from; to <= names.length; to++) next.add(to);
      } else if (at < names.length && matchesName(part, names[at] ?? "")) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
}

/** Goes back to the last `*` only, which is enough: what an earlier one could take, the last one can take as well. */
export function matchesName(pattern: string, name: string): boolean {
  let [at, in_] = [0, 0];
  let star: { at: number; in_: number } | undefined;
  while (in_ < name.length) {
    if (pattern[at] === "*") star = { at: ++at, in_ };
    else {
      const length = fits(pattern, at, name[in_] ?? "");
      if (length > 0) [at, in_] = [at + length, in_ + 1];
      else if (star === undefined) return false;
      else [at, in_] = [star.at, ++star.in_];
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** How many signs of the pattern stand for this character; 0 where they do not. */
function fits(pattern: string, at: number, sign: string): number {
  const first = pattern[at];
  if (first === undefined) return 0;
  if (first === "?") return 1;
  if (first === "\\") return pattern[at + 1] === sign ? 2 : 0;
  if (first !== "[") return first === sign ? 1 : 0;
  const isExcept = /[!^]/.test(pattern[at + 1] ?? "");
  const from = at + (isExcept ? 2 : 1);
  const end = pattern.indexOf("]", from + 1);
  if (end === -1) return sign === "[" ? 1 : 0;
  return isAmong(pattern.slice(from, end), sign) === isExcept ? 0 : end + 1 - at;
}

function isAmong(set: string, sign: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const isRange = set[at + 1] === "-" && at + 2 < set.length;
    const [first = "", last = ""] = [set[at], isRange ? set[at + 2] : set[at]];
    if (first <= sign && sign <= last) return true;
    if (isRange) at += 2;
  }
  return false;
}
