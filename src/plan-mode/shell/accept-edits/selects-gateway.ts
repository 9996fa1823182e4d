/**
 * Which processes a kill means: the patterns of pkill, pgrep, grep and awk are matched against the gateway's own line, and
 * ports against its own. Whoever sends orders to that port means the gateway, too.
 */
import { namesIn, productOf, UNKNOWN } from "./finding.ts";
import type { EditPlace } from "./finding.ts";
import type { Invocation } from "./invocation.ts";
import type { Argument, Variables } from "./resolve.ts";

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

const bySed: Selector = (words, place) => byAwk([words.join(" ")], place);

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
  sed: bySed,
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
  return chosen.length > 0 ? chosen.every(Boolean) : listsEveryProcess(tokens);
};

/** `ps -e`, `ps aux`, `ls /proc`: of which nobody chooses any, so that all of them are meant, or nobody knows which. */
const listsEveryProcess = (tokens: readonly string[]): boolean =>
  tokens.some((token, at) => {
    const next = tokens[at + 1] ?? "";
    if (token === "ps") return /^-?[a-zA-Z]*[eAx][a-zA-Z]*$/.test(next);
    return token === "ls" && /^\/proc\/?$/.test(next);
  });

const DEFAULT_PORT = 4747;
const KILLS_PORT = namesIn(
  "kill-port killport kill-port-process fkill fkill-cli freeport port-killer portkill cross-port-killer",
);
const LISTS_PORTS = /(?<![\w-])(?:lsof|fuser|ss|netstat|sockstat)(?![\w-])/;
/** Without a port these name every process with a connection. */
const NEEDS_PORT = /(?<![\w-])(?:lsof|fuser)(?![\w-])/;
const PORTS = /(?<![\w.])(\d{2,5})(?:-(\d{2,5}))?(?![\w.])/g;
const COMPUTED = new RegExp(String.raw`\$\{?[A-Za-z_]|${UNKNOWN}`);

const isOwn = (port: number, { ports = [DEFAULT_PORT] }: EditPlace): boolean => ports.includes(port);

/** Whether a selection by port keeps the gateway's, or may: one that is computed, or none at all. */
const selectsOwnPort = (said: string, place: EditPlace): boolean => {
  const ranges = [...said.matchAll(PORTS)].map(([, from, to]) => [Number(from), Number(to ?? from)] as const);
  const own = [...(place.ports ?? [DEFAULT_PORT])];
  if (ranges.some(([from, to]) => own.some((port) => port >= from && port <= to))) return true;
  // What stands in single quotes is for another language, where a dollar means something else.
  return COMPUTED.test(said.replace(/'[^']*'/g, " ")) || (ranges.length === 0 && NEEDS_PORT.test(said));
};

const textsOf = (args: readonly Argument[]): string => args.map(({ text }) => text).join(" ");

/** The sources of what a kill is told, with the values that the line itself gave to its variables. */
const sourcesOf = ({ args, input }: Invocation, variables: Variables): string =>
  [...args.map(({ hidden }) => hidden), input?.source ?? ""]
    .join(" ")
    .replace(/\$\{?([A-Za-z_]\w*)\}?/g, (all: string, name: string) => {
      const [only, ...more] = variables.get(name) ?? [];
      return only === undefined || more.length > 0 || only.text.includes(UNKNOWN) ? all : only.text;
    });

/** `fuser -k 4747/tcp`, `npx kill-port 4747`, `kill $(lsof -ti:4747)`. */
export const killsOwnPort = (invocation: Invocation, place: EditPlace, variables: Variables): boolean => {
  const { name, args } = invocation;
  if (KILLS_PORT.has(name)) return selectsOwnPort(textsOf(args), place);
  if (name === "fuser")
    return args.some(({ text }) => /^-[a-z]*k|^--kill$/.test(text)) && selectsOwnPort(`fuser ${textsOf(args)}`, place);
  const said = sourcesOf(invocation, variables);
  return LISTS_PORTS.test(said) && selectsOwnPort(said, place);
};

const CLIENTS = namesIn("curl wget http https xh websocat wscat nc ncat netcat telnet");
const ADDRESS = /(?:localhost|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|\[::1?\]|::1)[: ](\d{2,5})(?!\d)/g;
/** How an order is sent; a mere look at a page has none of these. */
const SENDS =
  /(?:^|\s)(?:-d|-F|-T|-X|-[a-zA-Z]*[dFTX]|--(?:data|json|form|upload-file|request|post)\S*|POST|PUT|PATCH|DELETE)(?:\s|=|$)/;
const TALKS = namesIn("websocat wscat nc ncat netcat telnet");

/** An order to the gateway itself, past the tools that it gives. */
export const ordersOwnPort = ({ name, args }: Invocation, place: EditPlace): boolean => {
  if (!CLIENTS.has(name)) return false;
  const said = textsOf(args);
  const isOurs = [...said.matchAll(ADDRESS)].some(([, port]) => isOwn(Number(port), place));
  return isOurs && (TALKS.has(name) || SENDS.test(said));
};
