/**
 * A scanner for awk programs. It refuses what can write, run or connect: `system`, pipes, `getline`, `@` directives and
 * calls, and output redirections. A slash may divide or open a regular expression; where that is not certain the program
 * must be harmless under both readings.
 */
import { has } from "../rules/rule.ts";
import type { Call } from "../rules/rule.ts";
import type { Shape } from "../shape.ts";
import { stop } from "../verdict.ts";
import { bracketEnd } from "./bracket.ts";

type Reading = "divide" | "regex";
type Scan = {
  readonly program: string;
  at: number;
  /** The kind of the last token: decides how a slash is read. Behind `either` it may be both. */
  last: "operand" | "operator" | "either";
  printing: boolean;
  depth: number;
  /** One reading for each uncertain slash met so far. */
  readonly readings: Reading[];
  uncertain: number;
};

const UNCERTAIN_SLASHES_MAX = 5;
// A program that changes its own arguments chooses what it reads, and gawk takes `/inet/…` there for a connection.
const FORBIDDEN: ReadonlySet<string> = new Set([
  "system",
  "getline",
  "popen",
  "extension",
  "ARGV",
  "ARGC",
  "SYMTAB",
  "FUNCTAB",
]);
const KEYWORDS: ReadonlySet<string> = new Set(
  "print printf return in else do delete exit if while for function BEGIN END next break continue".split(" "),
);
// To some versions these are names like any other, and a slash behind them divides.
const KEYWORDS_OF_SOME: ReadonlySet<string> = new Set("case switch default func nextfile BEGINFILE ENDFILE".split(" "));
const STANDARD_STREAM = /\s*"\/dev\/(?:stderr|stdout)"\s*(?=[;}\n]|$)/y;

const fail = (what: string): never => stop("script", `awk ${what}`);

/** Takes what a sticky pattern matches right here, which may be nothing. */
const take = (scan: Scan, pattern: RegExp): string => {
  pattern.lastIndex = scan.at;
  const match = pattern.exec(scan.program)?.[0] ?? "";
  scan.at += match.length;
  return match;
};

const scanString = (scan: Scan): void => {
  if (take(scan, /"(?:[^"\\\n]|\\[^\n])*"/y) === "") fail("unterminated string");
  scan.last = "operand";
};

const scanRegex = (scan: Scan): void => {
  const { program } = scan;
  let at = scan.at + 1;
  while (program.charAt(at) !== "/") {
    const character = program.charAt(at);
    const next = character === "[" ? bracketEnd(program, at, "/") : at + (character === "\\" ? 2 : 1);
    if (next === undefined || character === "" || program.charAt(next - 1) === "\n") return fail("regular expression");
    at = next;
  }
  scan.at = at + 1;
  scan.last = "operand";
};

const scanSlash = (scan: Scan): void => {
  let reading: Reading = scan.last === "operator" ? "regex" : "divide";
  // After a closing parenthesis, too, both are possible, unless no second slash could end a regular expression.
  if (scan.last === "either" && scan.program.includes("/", scan.at + 1)) {
    reading = scan.readings[scan.uncertain] ?? "divide";
    if (scan.uncertain >= scan.readings.length) scan.readings.push(reading);
    scan.uncertain += 1;
  }
  if (reading === "regex") return scanRegex(scan);
  scan.at += 1;
  scan.last = "operator";
};

const scanName = (scan: Scan): void => {
  const name = take(scan, /\w+/y);
  if (FORBIDDEN.has(name)) fail(name);
  if (name === "print" || name === "printf") {
    scan.printing = true;
    scan.depth = 0;
  }
  // `length /x/` divides in one awk and matches in another.
  if (name === "length" && take(scan, /\s*\//y) !== "") fail("length /");
  scan.last = KEYWORDS.has(name) ? "operator" : KEYWORDS_OF_SOME.has(name) ? "either" : "operand";
};

/** `0x1system(…)` is a number and a call to one version, a number and a name to another. */
const scanNumber = (scan: Scan): void => {
  take(scan, /[\d.]+(?:[eE][+-]?\d+)?/y);
  const more = take(scan, /\w+/y);
  if (more !== "") fail(more);
  scan.last = "operand";
};

const scanGreater = (scan: Scan): void => {
  if (scan.printing && scan.depth === 0) {
    scan.at += 1;
    if (take(scan, STANDARD_STREAM) === "") stop("script", "awk print >", "Let awk print to standard output.");
  } else {
    // A comparison needs a left side; anything else is a redirection in a form that we do not know.
    if (scan.last === "operator") fail(">");
    scan.at += 1;
  }
  scan.last = "operator";
};

const scanPunctuation = (scan: Scan, character: string): void => {
  scan.at += 1;
  if ("([".includes(character)) scan.depth += 1;
  if (")]".includes(character)) scan.depth -= 1;
  if (";{}".includes(character)) scan.printing = false;
  scan.last = character === ")" ? "either" : character === "]" ? "operand" : "operator";
};

const scanToken = (scan: Scan): void => {
  const character = scan.program.charAt(scan.at);
  if (character === '"') return scanString(scan);
  if (character === "/") return scanSlash(scan);
  if (character === ">") return scanGreater(scan);
  if (/[A-Za-z_]/.test(character)) return scanName(scan);
  if (/[\d.]/.test(character)) return scanNumber(scan);
  if (character === "|") {
    if (take(scan, /\|\|/y) === "") fail("pipe");
    scan.last = "operator";
    return undefined;
  }
  if (take(scan, /\+\+|--/y) !== "") return undefined;
  if (/[-+*%^!<=~?:,;(){}[\]$&]/.test(character)) return scanPunctuation(scan, character);
  return fail(character);
};

const scanProgram = (program: string, readings: Reading[]): void => {
  const scan: Scan = { program, at: 0, last: "operator", printing: false, depth: 0, readings, uncertain: 0 };
  while (scan.at < program.length) {
    if (take(scan, /[ \t]+|\\\n|#[^\n]*/y) !== "") continue;
    if (take(scan, /\n/y) === "") {
      scanToken(scan);
      continue;
    }
    // A newline ends a statement, except after a comma or an operator; either way an operand comes next.
    if (scan.last !== "operator" && scan.depth <= 0) scan.printing = false;
    scan.last = "operator";
  }
};

/** Tries every combination of readings for the uncertain slashes; each must be harmless. */
export const awkProgramIsReadOnly = (program: string): void => {
  const pending: Reading[][] = [[]];
  for (let readings = pending.pop(); readings !== undefined; readings = pending.pop()) {
    const given = readings.length;
    scanProgram(program, readings);
    if (readings.length > UNCERTAIN_SLASHES_MAX) stop("script", "awk: too many slashes");
    for (let index = given; index < readings.length; index += 1) pending.push([...readings.slice(0, index), "regex"]);
  }
};

export const checkAwk = (call: Call): void => {
  if (has(call, "--version --help -V") && call.operands.length === 0) return;
  const [program, ...operands] = call.operands;
  if (program?.text === undefined) return stop("script", "awk", "Write the awk program literally.");
  awkProgramIsReadOnly(program.text);
  for (const operand of operands) {
    const { prefix, given } = operand;
    if (prefix.startsWith(CONNECTION)) stop("operand", `awk ${prefix}…`);
    if (given !== true && couldConnect(operand)) stop("operand", `awk ${prefix}…`, COMPUTED);
  }
};

const COMPUTED = "Put ./ in front of a computed name.";

/** Behind the program even a word with a dash is a file, but a computed one may be a connection to gawk. */
export const opensComputed = (call: Call): boolean => call.operands.slice(1).some(couldConnect);

/** For gawk a file that begins so is a connection; a computed name must be known to begin otherwise. */
const CONNECTION = "/inet";

const couldConnect = ({ text, prefix, relative, arity, word }: Shape): boolean => {
  if (prefix.startsWith(CONNECTION)) return true;
  if (text !== undefined || !CONNECTION.startsWith(prefix)) return false;
  const first = word.parts.find((part) => part.type !== "text" || part.value !== "");
  const isBelowHome = first?.type === "variable" && (first.name === "HOME" || first.name === "PWD");
  return arity === "split" || !(relative === true || isBelowHome);
};
