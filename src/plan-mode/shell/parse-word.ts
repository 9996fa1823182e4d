import type * as Bash from "unbash";
import { decodedIsClean } from "./guard.ts";
import { never } from "./tree.ts";
import type { List, Part, Word } from "./tree.ts";
import { stop } from "./verdict.ts";

/** Words of the foreign parser into words of ours. Every character is checked again; a disagreement is refused. */

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
const NUMBERS_ONLY = /^[\d\s+\-*/%()<>=!&|^~?:,]+$/;
const BRACKET = /^\[[!^]?[\w.,@:[\]-]+\]$/;
const BRACE_ELEMENT = /^[\w./@%+:*?-]*$/;
const BRACE_SEQUENCE = /^(-?\d{1,4}|[A-Za-z])\.\.(-?\d{1,4}|[A-Za-z])$/;

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

const parameterExpansion = (part: Bash.ParameterExpansionPart, quoted: boolean): Part => {
  const length = part.prefix === "#";
  const opening = length ? 3 : 2;
  const operation = part.text.slice(opening + part.parameter.length, -1);
  const plain = part.prefix === undefined || (length && operation === "");
  if (!plain || part.index !== undefined) stop("unsupported-syntax", part.text);
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

const arithmetic = (raw: string): Part => {
  const expression = raw.startsWith("$((") && raw.endsWith("))") ? raw.slice(3, -2) : "";
  if (!NUMBERS_ONLY.test(expression)) stop("unsupported-syntax", raw, "Only numbers may stand inside $((…)).");
  return { type: "arithmetic", expression };
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
      return arithmetic(part.text);
    default:
      return stop("unsupported-syntax", (part satisfies never as Bash.WordPart).text);
  }
};

const sequence = (from: string, to: string): readonly string[] => {
  const letters = /[A-Za-z]/.test(from);
  if (letters !== /[A-Za-z]/.test(to)) return stop("unsupported-syntax", `{${from}..${to}}`);
  const number = (end: string): number => (letters ? end.charCodeAt(0) : Number(end));
  const padded = [from, to].some((end) => /^-?0\d/.test(end));
  const width = padded ? Math.max(from.length, to.length) : 0;
  const step = number(from) <= number(to) ? 1 : -1;
  const count = Math.abs(number(to) - number(from)) + 1;
  if (count > BRACE_WORDS_MAX) stop("too-complex", `{${from}..${to}}`);
  return Array.from({ length: count }, (_none, index) => {
    const value = number(from) + index * step;
    return letters ? String.fromCharCode(value) : String(value).padStart(width, "0");
  });
};

const braceElements = (raw: string): readonly string[] => {
  const inner = raw.slice(1, -1);
  const range = BRACE_SEQUENCE.exec(inner);
  if (range !== null) return sequence(range[1] ?? "", range[2] ?? "");
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
    case "Literal":
      return [[{ type: "text", value: bare(part.text, part.value) }]];
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
      return [[arithmetic(part.text)]];
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

/** An unquoted leading `~` or `~/` is the home folder; other users' homes are not resolved. */
const expandTilde = (parts: readonly Part[], raw: string, home: string): readonly Part[] => {
  const first = parts[0];
  if (!raw.startsWith("~") || first?.type !== "text") return parts;
  if (first.value !== "~" && !first.value.startsWith("~/")) return stop("unsupported-syntax", raw);
  if (first.value === "~" && parts.length > 1) return stop("unsupported-syntax", raw);
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

/** Usually one word; several for a brace expansion. */
export const readWords = (word: Bash.Word, context: WordContext): readonly Word[] => {
  const parts = word.parts;
  if (parts === undefined) {
    const run: Part = { type: "text", value: bare(word.text, word.value) };
    return [{ parts: expandTilde([run], word.text, context.home) }];
  }
  const only = parts.length === 1 ? parts[0] : undefined;
  const input = only === undefined ? undefined : processInput(only, context);
  if (input !== undefined) return [input];
  const runs = parts.map((part) => alternatives(part, context));
  return product(runs, word.text)
    .filter((run) => run.length > 0)
    .map((run) => ({ parts: expandTilde(merge(run), word.text, context.home) }));
};

export const readWord = (word: Bash.Word, context: WordContext): Word => {
  const words = readWords(word, context);
  const first = words[0];
  return words.length === 1 && first !== undefined ? first : stop("unsupported-syntax", word.text);
};
