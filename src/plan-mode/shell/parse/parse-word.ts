/** Translates words of the third-party parser into ours. Every character is checked again; a difference is refused. */
import { parse as parseBash } from "unbash";
import type * as Bash from "unbash";
import { readArithmetic } from "../arithmetic.ts";
import { decodedIsClean } from "./guard.ts";
import { never } from "../command-tree.ts";
import type { List, Part, Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";

export type WordContext = {
  readonly home: string;
  /** The text that positions point into. */
  readonly source: string;
  /** Substitutions lead back into the command grammar. */
  readonly script: (script: Bash.ParsedScript) => List;
};

const BRACE_WORDS_MAX = 64;

const BARE_META = /[;&|<>()$`"'\s*?]/;
const BARE_UNICODE = /^[\p{L}\p{N}\p{M}]$/u;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NUMERIC_PARAMETER = /^[?#$0-9]$/;
// No quotes, dollars, backticks or braces: parsers disagree about them inside `${…}`.
const OPERAND = "[A-Za-z0-9_.,:/*?+@%= ^-]*";
const OPERATION = new RegExp(`^(?:(?::?[-+]|##?|%%?|/[/#%]?)${OPERAND}|\\^\\^?|,,?|: ?-?\\d+(?::-?\\d+)?)$`);
const BRACKET = /^\[[!^]?[\w.,@:[\]-]+\]$/;
const BRACE_ELEMENT = /^[\w./@%+:*?-]*$/;
// Not `A-z`: between upper and lower case lie a backtick, brackets and a backslash.
const BRACE_SEQUENCE = /^(?:(-?\d{1,4})\.\.(-?\d{1,4})|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))$/;
const EMPTY_ELEMENT = /^\{,|,,|,\}$/;
const LOOKS_ASSIGNED = /^[A-Za-z_]\w*(?:\[.*\])?\+?=(?:~|.*:~)/s;

/** Decodes backslashes of an unquoted run and refuses characters that a bare word cannot hold. */
const unescapeBare = (raw: string): string => {
  let value = "";
  const characters = Array.from(raw);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    if (character === "\\") {
      index += 1;
      const next = characters[index];
      if (next === undefined) stop("syntax", raw);
      if (next !== "\n") value += next;
      continue;
    }
    if (BARE_META.test(character)) stop("unsupported-syntax", raw);
    if (character > "\u007e" && !BARE_UNICODE.test(character)) stop("look-alike-character", raw);
    value += character;
  }
  return value;
};

const unescapeDouble = (raw: string): string =>
  raw.replace(/\\([$`"\\\n])/g, (_match, character: string) => (character === "\n" ? "" : character));

const bare = (raw: string, expected: string): string => {
  const value = unescapeBare(raw);
  return value === expected ? value : stop("unsupported-syntax", raw);
};

const simpleExpansion = (raw: string, quoted: boolean): Part => {
  const name = raw.slice(1);
  if (!NAME.test(name) && !NUMERIC_PARAMETER.test(name)) stop("unsupported-syntax", raw);
  return { type: "variable", name, quoted, length: false, operation: "" };
};

/** Keys are asked for of a whole list, and only of a whole list a part is taken. */
const ELEMENT =
  /^\$\{(?!!\w+\[[^@*]|[#!].*:|\w+\[[^@*].*:)([#!]?)([A-Za-z_]\w*)\[([@*]|-?\d{1,6}|\$?[A-Za-z_]\w*)\]((?::\d{1,6}){0,2})\}$/;

/** Bash evaluates a subscript as arithmetic, and runs what stands in `a[$(…)]` there: so only numbers, and names of numbers. */
const elementExpansion = (raw: string, quoted: boolean): Part => {
  const [, prefix = "", name = "", index = "", slice = ""] = ELEMENT.exec(raw) ?? stop("unsupported-syntax", raw);
  return { type: "element", name, prefix: prefix === "#" || prefix === "!" ? prefix : "", index, slice, quoted };
};

const parameterExpansion = (part: Bash.ParameterExpansionPart, quoted: boolean): Part => {
  if (part.index !== undefined) return elementExpansion(part.text, quoted);
  const length = part.prefix === "#";
  const opening = length ? 3 : 2;
  const operation = part.text.slice(opening + part.parameter.length, -1);
  const plain = part.prefix === undefined || (length && operation === "");
  if (!plain) stop("unsupported-syntax", part.text);
  if (!NAME.test(part.parameter) && !NUMERIC_PARAMETER.test(part.parameter)) stop("unsupported-syntax", part.text);
  if (operation !== "" && !OPERATION.test(operation)) stop("unsupported-syntax", part.text);
  return { type: "variable", name: part.parameter, quoted, length, operation };
};

const substitution = (part: Bash.CommandExpansionPart, context: WordContext, quoted: boolean): Part => {
  const modern = part.text.startsWith("$(");
  const backtick = part.text.startsWith("`") && !part.text.includes("\\");
  if (part.script === undefined || !(modern || backtick)) return stop("unsupported-syntax", part.text);
  return { type: "substitution", body: context.script(part.script), quoted };
};

const arithmetic = (raw: string, context: WordContext): Part => {
  if (!raw.startsWith("$((") || !raw.endsWith("))")) return stop("unsupported-syntax", raw);
  const calculation = readArithmetic(raw.slice(3, -2), (command) => context.script(parseBash(command)));
  if (calculation.assigns) stop("shell-state", raw, "Assign with x=$((…)).");
  return { type: "arithmetic", ...calculation };
};

const doubleQuotedPart = (part: Bash.DoubleQuotedChild, context: WordContext): Part => {
  switch (part.type) {
    case "Literal": {
      const value = unescapeDouble(part.text);
      return value === part.value ? { type: "text", value } : stop("unsupported-syntax", part.text);
    }
    case "SimpleExpansion":
      return simpleExpansion(part.text, true);
    case "ParameterExpansion":
      return parameterExpansion(part, true);
    case "CommandExpansion":
      return substitution(part, context, true);
    case "ArithmeticExpansion":
      return arithmetic(part.text, context);
    default:
      return stop("unsupported-syntax", (part satisfies never as Bash.WordPart).text);
  }
};

const sequence = (from: string, to: string): readonly string[] => {
  const letters = /[A-Za-z]/.test(from);
  const number = (end: string): number => (letters ? end.charCodeAt(0) : Number(end));
  const padded = [from, to].some((end) => /^-?0\d/.test(end));
  const width = padded ? Math.max(from.length, to.length) : 0;
  const step = number(from) <= number(to) ? 1 : -1;
  const count = Math.abs(number(to) - number(from)) + 1;
  if (count > BRACE_WORDS_MAX) stop("too-complex", `{${from}..${to}}`);
  return Array.from({ length: count }, (_none, index) => {
    const value = number(from) + index * step;
    if (letters) return String.fromCharCode(value);
    const sign = value < 0 ? "-" : "";
    return sign + String(Math.abs(value)).padStart(width - sign.length, "0");
  });
};

const braceElements = (raw: string): readonly string[] => {
  const inner = raw.slice(1, -1);
  const range = BRACE_SEQUENCE.exec(inner);
  if (range !== null) {
    const [from = "", to = ""] = range.slice(1).filter((end) => end !== undefined);
    return sequence(from, to);
  }
  const elements = inner.split(",");
  const plain = elements.length > 1 && elements.every((element) => BRACE_ELEMENT.test(element));
  return plain ? elements : stop("unsupported-syntax", raw);
};

/** `a*b` inside a brace element: the stars stay live patterns. */
const patternParts = (element: string): readonly Part[] =>
  element
    .split(/([*?])/)
    .filter((piece) => piece !== "")
    .map((piece): Part =>
      piece === "*" || piece === "?" ? { type: "glob", pattern: piece } : { type: "text", value: piece },
    );

/** One part may stand for several alternatives (`{a,b}`), each a run of parts. */
const alternatives = (part: Bash.WordPart, context: WordContext): readonly (readonly Part[])[] => {
  switch (part.type) {
    case "Literal": {
      const value = bare(part.text, part.value);
      return [value === "" ? [] : [{ type: "text", value }]]; // a joined line is nothing, not even an empty word
    }
    case "SingleQuoted":
      return [[{ type: "text", value: part.value }]];
    case "AnsiCQuoted":
      return decodedIsClean(part.value)
        ? [[{ type: "text", value: part.value }]]
        : stop("control-character", part.text);
    case "DoubleQuoted":
      return [[{ type: "text", value: "" }, ...part.parts.map((child) => doubleQuotedPart(child, context))]];
    case "SimpleExpansion":
      return [[simpleExpansion(part.text, false)]];
    case "ParameterExpansion":
      return [[parameterExpansion(part, false)]];
    case "CommandExpansion":
      return [[substitution(part, context, false)]];
    case "ArithmeticExpansion":
      return [[arithmetic(part.text, context)]];
    case "Glob":
      if (part.kind === "bracket" && !BRACKET.test(part.text)) stop("unsupported-syntax", part.text);
      return [[{ type: "glob", pattern: part.text }]];
    case "BraceExpansion":
      return braceElements(part.text).map(patternParts);
    case "ProcessSubstitution":
    case "ExtendedGlob":
    case "LocaleString":
      return stop("unsupported-syntax", part.text);
    default:
      return never(part);
  }
};

const product = (runs: readonly (readonly (readonly Part[])[])[], raw: string): readonly (readonly Part[])[] => {
  let words: readonly (readonly Part[])[] = [[]];
  for (const choices of runs) {
    words =
      choices.length === 1
        ? words.map((word) => [...word, ...(choices[0] ?? [])])
        : words.flatMap((word) => choices.map((choice) => [...word, ...choice]));
    if (words.length > BRACE_WORDS_MAX) stop("too-complex", raw);
  }
  return words;
};

/** What a word has outside of quotes. A quoted or computed part is a quote: nothing is expanded because of it. */
export const bareText = ({ text, parts }: Bash.Word): string =>
  (parts ?? [{ type: "Literal", text }])
    .map((part) => (part.type === "Literal" || part.type === "Glob" ? part.text : "'"))
    .join("")
    .replaceAll("\\\n", "")
    .replaceAll(/\\./g, "'");

/** An unquoted leading `~` or `~/` is the home folder; other users' homes are not resolved. */
const expandTilde = (parts: readonly Part[], word: Bash.Word, home: string): readonly Part[] => {
  const raw = bareText(word);
  const first = parts[0];
  if (!raw.startsWith("~") || first?.type !== "text") return parts;
  if (raw !== "~" && !raw.startsWith("~/")) return stop("unsupported-syntax", word.text);
  return [{ type: "text", value: home + first.value.slice(1) }, ...parts.slice(1)];
};

/** Only as a whole word: bash would glue what follows, as in `<(true)ls`, onto it. */
const processInput = (part: Bash.WordPart, context: WordContext): Word | undefined => {
  if (part.type !== "ProcessSubstitution") return undefined;
  const follows = context.source.charAt(part.end);
  if (part.operator !== "<" || part.script === undefined || !/^[\s);|&]?$/.test(follows))
    return stop("unsupported-syntax", part.text);
  return { parts: [{ type: "process-input", body: context.script(part.script) }] };
};

const merge = (parts: readonly Part[]): readonly Part[] => {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type === "text" && last?.type === "text")
      merged[merged.length - 1] = { type: "text", value: last.value + part.value };
    else merged.push(part);
  }
  return merged;
};

/** A closing brace without a comma before it is skipped by bash: `{a},b}` is `a}` and `b`, which the parser does not know. */
const bracesExpand = (raw: string): boolean => {
  const opens = [...raw.matchAll(/\{/g)].map((match) => match.index + 1);
  return opens.some((open) => {
    let [depth, comma] = [0, false];
    for (const character of raw.slice(open)) {
      if (character === "}" && depth === 0 && comma) return true;
      if (character === "," && depth === 0) comma = true;
      if (character === "{") depth += 1;
      if (character === "}" && depth > 0) depth -= 1;
    }
    return false;
  });
};

/** Braces come first: `$x{a,b}` is `$xa $xb`, and behind `{a,}` a tilde begins a word. */
const bracesChange = (part: Bash.WordPart, next: Bash.WordPart | undefined): boolean => {
  if (part.type === "SimpleExpansion") return NAME.test(part.text.slice(1)) && next?.type === "BraceExpansion";
  return part.type === "BraceExpansion" && EMPTY_ELEMENT.test(part.text) && next?.text.startsWith("~") === true;
};

/** Bash joins lines before it looks for names: over a line end `$x` goes on. Not so in `$'…'`, where both characters stay. */
const joinsLines = (parts: readonly Bash.WordPart[]): boolean => {
  const joining = parts.map(({ type, text }) => (type === "SingleQuoted" || type === "CommandExpansion" ? "'" : text));
  return /\$\w*\\\n|\$'[^]*\\\n/.test(joining.join(""));
};

/** What bash expands where the parser sees plain text, or expands in another order. */
const readsDifferently = (word: Bash.Word): boolean => {
  const raw = bareText(word);
  const parts = word.parts ?? [];
  if (joinsLines(parts)) return true;
  return bracesExpand(raw) || LOOKS_ASSIGNED.test(raw) || parts.some((part, at) => bracesChange(part, parts[at + 1]));
};

/** Usually one word; several for a brace expansion. */
export const readWords = (word: Bash.Word, context: WordContext): readonly Word[] => {
  if (readsDifferently(word)) return stop("unsupported-syntax", word.text);
  const parts = word.parts;
  if (parts === undefined) {
    const run: Part = { type: "text", value: bare(word.text, word.value) };
    return [{ parts: expandTilde([run], word, context.home) }];
  }
  const only = parts.length === 1 ? parts[0] : undefined;
  const input = only === undefined ? undefined : processInput(only, context);
  if (input !== undefined) return [input];
  const runs = parts.map((part) => alternatives(part, context));
  return product(runs, word.text)
    .filter((run) => run.length > 0)
    .map((run) => ({ parts: expandTilde(merge(run), word, context.home) }));
};

/** Where one word is wanted, some shells expand braces and others do not, even if that gives one. */
export const readWord = (word: Bash.Word, context: WordContext): Word => {
  const braces = word.parts?.some((part) => part.type === "BraceExpansion") === true;
  const [first] = braces ? [] : readWords(word, context);
  return first ?? stop("unsupported-syntax", word.text);
};
