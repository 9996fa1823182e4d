/**
 * Where a bracket expression such as `[^/[:space:]]` ends. sed and awk look for the end of a regular expression, and they
 * disagree about brackets: whether a delimiter counts inside one, whether `[]` or `[[:x:]` has ended yet, what a backslash
 * means there. Whoever reads the end elsewhere takes text for commands. So only what all of them read alike has an end
 * here.
 */

const CLASS = /^\[:[a-z]+:\]/;

/** The position behind the bracket that opens at `from`; undefined when its end depends on who reads it. */
export const bracketEnd = (text: string, from: number, delimiter: string): number | undefined => {
  let at = from + 1;
  if (text.charAt(at) === "^") at += 1;
  if (text.charAt(at) === "]") return undefined;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === delimiter || character === "\n") return undefined;
    if (character === "]") return at + 1;
    const step = character === "\\" ? escaped(text, at) : character === "[" ? named(text, at) : 1;
    if (step === undefined) return undefined;
    at += step;
  }
  return undefined;
};

/** A backslash keeps the next character from ending anything for some, and is a character of its own for others. */
const escaped = (text: string, at: number): number | undefined =>
  /^\\[^\][\n]/.test(text.slice(at, at + 2)) ? 2 : undefined;

const named = (text: string, at: number): number | undefined => CLASS.exec(text.slice(at))?.[0].length;
