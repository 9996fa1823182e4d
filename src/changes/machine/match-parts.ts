/**
 * Patterns of paths, matched in steps that are bounded by pattern × path. They may be anybody's, and never become regular
 * expressions.
 *
 *   *  any characters of a name   ?  one   [a-z] [!a-z]  one of these   **  any folders   \\x  x itself
 */
export const FOLDERS = "**";

/** Which names can be reached after each part: at most parts × names steps. */
export function matchesParts(parts: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    reached = new Set(
      [...reached].flatMap((at) => (part === FOLDERS ? beyond(names, at, isLast) : onward(part, names, at))),
    );
  }
  return reached.has(names.length);
}

const onward = (part: string, names: readonly string[], at: number): number[] =>
  at < names.length && matchesName(part, names[at] ?? "") ? [at + 1] : [];

/** At the end of a pattern it stands for at least one name. */
function beyond(names: readonly string[], at: number, isLast: boolean): number[] {
  const from = isLast ? at + 1 : at;
  return Array.from({ length: Math.max(0, names.length - from + 1) }, (_, more) => from + more);
}

/** Goes back to the last `*` only, which is enough: what an earlier one could take, the last one can take as well. */
function matchesName(pattern: string, name: string): boolean {
  let [sign, at] = [0, 0];
  let star: { sign: number; at: number } | undefined;
  while (at < name.length) {
    const length = pattern[sign] === "*" ? 0 : fits(pattern, sign, name[at] ?? "");
    if (pattern[sign] === "*") star = { sign: ++sign, at };
    else if (length > 0) [sign, at] = [sign + length, at + 1];
    else if (star === undefined) return false;
    else [sign, at] = [star.sign, ++star.at];
  }
  while (pattern[sign] === "*") sign++;
  return sign === pattern.length;
}

/** How many signs of the pattern stand for this character; 0 where they do not. */
function fits(pattern: string, at: number, character: string): number {
  const first = pattern[at];
  if (first === "?") return 1;
  if (first === "\\") return pattern[at + 1] === character ? 2 : 0;
  if (first !== "[") return first === character ? 1 : 0;
  const isExcept = /[!^]/.test(pattern[at + 1] ?? "");
  const from = at + (isExcept ? 2 : 1);
  const end = pattern.indexOf("]", from + 1);
  if (end === -1) return character === "[" ? 1 : 0;
  return isAmong(pattern.slice(from, end), character) === isExcept ? 0 : end + 1 - at;
}

function isAmong(set: string, character: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const isRange = set[at + 1] === "-" && at + 2 < set.length;
    const [first = "", last = ""] = [set[at], isRange ? set[at + 2] : set[at]];
    if (first <= character && character <= last) return true;
    if (isRange) at += 2;
  }
  return false;
}
