/**
 * Glob patterns, matched in steps that are bounded by pattern × path. The pattern comes from the model: made into a
 * regular expression, `{a,b}{a,b}…` or `*a*a*a…` would hold the whole gateway up for as long as it likes.
 *
 *   *  any characters of a name   ?  one   [a-z] [!a-z]  one of these   {a,b}  either   **  any folders   \x  x itself
 *
 * A name that begins with a dot is matched only where the pattern writes the dot.
 */
export type PathMatcher = (path: string) => boolean;

const ALTERNATIVES_MAX = 256;

type Token = "many" | "one" | { character: string } | { ranges: [string, string][]; except: boolean };
type Part = "folders" | Token[];

export function pathMatcher(pattern: string): PathMatcher | { error: string } {
  const written = alternatives(pattern.replace(/^(?:\.\/)+/, ""));
  if (written === undefined)
    return { error: `{…} in it stands for more than ${ALTERNATIVES_MAX} patterns. Use fewer.` };
  const matchers = written.map((one) => one.split("/").map(toPart));
  return (path) => {
    const names = path.split("/");
    return matchers.some((parts) => matchesParts(parts, names));
  };
}

/** Braces written out, outermost first; undefined when they come to too many. */
function alternatives(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = firstBraces(next);
    if (braces === undefined) done.push(next);
    else open.push(...braces);
    if (done.length + open.length > ALTERNATIVES_MAX) return undefined;
  }
  return done;
}

/** The pattern once for each choice in its first `{…}`; undefined when it has none that is closed and offers a choice. */
function firstBraces(pattern: string): string[] | undefined {
  const from = indexOutside(pattern, "{", 0);
  if (from === -1) return undefined;
  const cuts = [from];
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "\\") at += 1;
    else if (sign === "{") depth += 1;
    else if (sign === "," && depth === 1) cuts.push(at);
    else if (sign === "}" && --depth === 0) return choices(pattern, [...cuts, at]);
  }
  return undefined; // never closed: the brace stands for itself
}

function choices(pattern: string, cuts: readonly number[]): string[] {
  const [before, after] = [pattern.slice(0, cuts[0]), pattern.slice((cuts.at(-1) ?? 0) + 1)];
  return cuts.slice(1).map((end, index) => before + pattern.slice((cuts[index] ?? 0) + 1, end) + after);
}

function indexOutside(pattern: string, sign: string, from: number): number {
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === sign) return at;
  }
  return -1;
}

function toPart(text: string): Part {
  if (text === "**") return "folders";
  const tokens: Token[] = [];
  const signs = Array.from(text);
  for (let at = 0; at < signs.length;) {
    const { token, length } = tokenAt(signs, at);
    if (token !== "many" || tokens.at(-1) !== "many") tokens.push(token);
    at += length;
  }
  return tokens;
}

function tokenAt(signs: readonly string[], at: number): { token: Token; length: number } {
  const sign = signs[at] ?? "";
  if (sign === "*") return { token: "many", length: 1 };
  if (sign === "?") return { token: "one", length: 1 };
  if (sign === "\\" && at + 1 < signs.length) return { token: { character: signs[at + 1] ?? "" }, length: 2 };
  const end = sign === "[" ? closingBracket(signs, at) : -1;
  if (end !== -1) return { token: toRanges(signs.slice(at + 1, end)), length: end + 1 - at };
  return { token: { character: sign }, length: 1 };
}

/** One that stands first inside the brackets is one of their characters. */
const closingBracket = (signs: readonly string[], at: number): number =>
  signs.indexOf("]", at + (/[!^]/.test(signs[at + 1] ?? "") ? 3 : 2));

function toRanges(signs: readonly string[]): Token {
  const except = signs[0] === "!" || signs[0] === "^";
  const ranges: [string, string][] = [];
  for (let at = except ? 1 : 0; at < signs.length; at++) {
    const first = signs[at] ?? "";
    const isRange = signs[at + 1] === "-" && at + 2 < signs.length;
    ranges.push([first, isRange ? (signs[at + 2] ?? "") : first]);
    if (isRange) at += 2;
  }
  return { ranges, except };
}

/** Which names can be reached after each part: at most parts × names steps. */
function matchesParts(parts: readonly Part[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    reached = new Set(
      [...reached].flatMap((at) => (part === "folders" ? beyond(names, at, isLast) : onward(part, names, at))),
    );
  }
  return reached.has(names.length);
}

const onward = (tokens: readonly Token[], names: readonly string[], at: number): number[] =>
  at < names.length && matchesName(tokens, names[at] ?? "") ? [at + 1] : [];

/** Where `**` can lead from here; at the end of a pattern it stands for at least one name. */
function beyond(names: readonly string[], from: number, isLast: boolean): number[] {
  const places = isLast ? [] : [from];
  for (let at = from; at < names.length && names[at]?.startsWith(".") === false; at++) places.push(at + 1);
  return places;
}

/** Goes back to the last `*` only, which is enough: what an earlier one could take, the last one can take as well. */
function matchesName(tokens: readonly Token[], name: string): boolean {
  if (name.startsWith(".") && !isCharacter(tokens[0], ".")) return false;
  const signs = Array.from(name);
  let token = 0;
  let star: { token: number; at: number } | undefined;
  for (let at = 0; at < signs.length;) {
    const wanted = tokens[token];
    if (wanted === "many") star = { token: ++token, at };
    else if (wanted !== undefined && fits(wanted, signs[at] ?? "")) [token, at] = [token + 1, at + 1];
    else if (star === undefined) return false;
    else [token, at] = [star.token, ++star.at];
  }
  return tokens.slice(token).every((left) => left === "many");
}

const isCharacter = (token: Token | undefined, character: string): boolean =>
  typeof token === "object" && "character" in token && token.character === character;

function fits(token: Exclude<Token, "many">, sign: string): boolean {
  if (token === "one") return true;
  if ("character" in token) return token.character === sign;
  return token.ranges.some(([first, last]) => first <= sign && sign <= last) !== token.except;
}
