/** Which processes a kill means: the patterns of pkill, pgrep, grep and awk are matched against the gateway's own line. */
import { namesIn, productOf } from "./finding.ts";
import type { EditPlace } from "./finding.ts";

/** The gateway runs on node: whoever means every node process means it too. */
const namesOf = (place: EditPlace): readonly string[] => [productOf(place), "node", "nodejs"];
const lineOf = (place: EditPlace): string => `node /opt/${productOf(place)}/bin/${productOf(place)}.js start`;

/** As it usually stands in the list of processes, and as it was really started. */
const linesOf = (place: EditPlace): readonly string[] => [
  lineOf(place),
  ...(place.scripts ?? []).map((script) => `node ${script} start`),
];

const PATTERN_LENGTH_MAX = 200;

/** A pattern that cannot be read may mean anything. */
const matches = (pattern: string, texts: readonly string[]): boolean => {
  if (pattern.length > PATTERN_LENGTH_MAX) return true;
  try {
    const wanted = new RegExp(pattern);
    return texts.some((text) => wanted.test(text));
  } catch {
    return true;
  }
};

const SELECTS_BY_VALUE = namesIn(
  "-u -U -g -G -P -s -t --euid --uid --group --parent --session --terminal --user --signal",
);

const operandsOf = (words: readonly string[]): readonly string[] =>
  words.filter((word, index) => !word.startsWith("-") && !SELECTS_BY_VALUE.has(words[index - 1] ?? ""));

const hasFlag = (words: readonly string[], letter: string): boolean =>
  words.some((word) => new RegExp(`^-[a-zA-Z]*${letter}`).test(word));

/** pkill and pgrep: a pattern over names, with `-f` over whole lines; without a pattern a user or a terminal is meant. */
const byPattern = (words: readonly string[], place: EditPlace): boolean => {
  const pattern = operandsOf(words).at(-1);
  if (pattern === undefined) return words.some((word) => SELECTS_BY_VALUE.has(word));
  const exact = hasFlag(words, "x") ? `^(?:${pattern})$` : pattern;
  return matches(exact, hasFlag(words, "f") ? [...linesOf(place), ...namesOf(place)] : namesOf(place));
};

const byName = (words: readonly string[], place: EditPlace): boolean =>
  operandsOf(words).some((word) => namesOf(place).includes(word));

/** killall: whole names, or patterns with `-r`; without a name a user is meant. */
const byKillall = (words: readonly string[], place: EditPlace): boolean =>
  operandsOf(words).length === 0
    ? words.some((word) => SELECTS_BY_VALUE.has(word))
    : byName(words, place) || (hasFlag(words, "r") && operandsOf(words).some((word) => matches(word, namesOf(place))));

/** Whether a command that names the processes to kill reaches the gateway. */
export const namesGateway = (name: string, words: readonly string[], place: EditPlace): boolean => {
  if (name === "pkill") return byPattern(words, place);
  return name === "killall" && byKillall(words, place);
};

type Selector = (words: readonly string[], place: EditPlace) => boolean | undefined;

const byGrep: Selector = (words, place) =>
  hasFlag(words, "v") ? undefined : matches(operandsOf(words)[0] ?? "", [lineOf(place)]);

const byAwk: Selector = (words, place) => {
  const patterns = [...(words[0] ?? "").matchAll(/(?<!!~?\s*)\/((?:[^/\\]|\\.)+)\//g)].map((match) => match[1] ?? "");
  return patterns.length === 0 ? undefined : patterns.every((pattern) => matches(pattern, [lineOf(place)]));
};

const byPs: Selector = (words, place) => {
  const at = words.indexOf("-C");
  return at === -1 ? undefined : namesOf(place).includes(words[at + 1] ?? "");
};

/** Commands that print numbers of processes, or pick lines out of a list of them; undefined when they pick none. */
const SELECTORS: Readonly<Record<string, Selector>> = {
  pgrep: byPattern,
  pidof: byName,
  grep: byGrep,
  egrep: byGrep,
  rg: byGrep,
  awk: byAwk,
  gawk: byAwk,
  mawk: byAwk,
  ps: byPs,
};

const TOKENS = /'[^']*'|"[^"]*"|[^\s|;&()`$'"]+/g;
const ENDS = namesIn("xargs kill cut tr head tail sort uniq while do done read");

/** The text of a substitution or of a pipe: the gateway is reached when every choice that it makes keeps the gateway. */
export const selectsGateway = (source: string, place: EditPlace): boolean => {
  const tokens = (source.match(TOKENS) ?? []).map((token) => token.replace(/^(['"])(.*)\1$/s, "$2"));
  const chosen: boolean[] = [];
  for (const [at, token] of tokens.entries()) {
    const selector = Object.hasOwn(SELECTORS, token) ? SELECTORS[token] : undefined;
    if (selector === undefined) continue;
    const rest = tokens.slice(at + 1);
    const end = rest.findIndex((word) => Object.hasOwn(SELECTORS, word) || ENDS.has(word));
    const picked = selector(end === -1 ? rest : rest.slice(0, end), place);
    if (picked !== undefined) chosen.push(picked);
  }
  return chosen.length > 0 && chosen.every(Boolean);
};
