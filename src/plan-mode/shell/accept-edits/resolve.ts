/** Words as strings, as far as they can be known without running anything. */
import type * as Bash from "unbash";
import { UNKNOWN } from "./finding.ts";

export type Argument = {
  /** Unknown stretches are marked with UNKNOWN. */
  readonly text: string;
  /** The source of the unknown stretches: `$(pgrep x)` still shows which process a kill is meant for. */
  readonly hidden: string;
  readonly raw: string;
  readonly pattern: boolean;
  /** What it may stand for, where that is one of a few known texts: the words of a loop, the lines that `read` gets. */
  readonly values?: readonly string[];
};

export type Variables = Map<string, readonly Argument[]>;

const BRACE_WORDS_MAX = 64;

export const literal = (text: string): Argument => ({ text, hidden: "", raw: text, pattern: false });

const unknown = (raw: string): Argument => ({ text: UNKNOWN, hidden: raw, raw, pattern: false });

/** Each of the texts that a word may be, its pieces taken together. */
const valuesOf = (pieces: readonly Argument[]): Pick<Argument, "values"> => {
  if (!pieces.some(({ values }) => values !== undefined)) return {};
  let values: readonly string[] = [""];
  for (const piece of pieces)
    values = values
      .flatMap((before) => (piece.values ?? [piece.text]).map((value) => `${before}${value}`))
      .slice(0, BRACE_WORDS_MAX);
  return { values };
};

const join = (pieces: readonly Argument[]): Argument => ({
  text: pieces.map((piece) => piece.text).join(""),
  hidden: pieces
    .map((piece) => piece.hidden)
    .join(" ")
    .trim(),
  raw: pieces.map((piece) => piece.raw).join(""),
  pattern: pieces.some((piece) => piece.pattern),
  ...valuesOf(pieces),
});

/** One of several texts; which one, only the shell knows. */
export const oneOf = (values: readonly string[], hidden: string): Argument => ({
  ...literal(UNKNOWN),
  hidden,
  values: values.slice(0, BRACE_WORDS_MAX),
});

const variable = (name: string, raw: string, variables: Variables): readonly Argument[] => {
  const values = variables.get(name);
  return values === undefined || values.length === 0 ? [unknown(raw)] : values;
};

/** An array inside quotes is one word; what it holds is remembered. */
const single = (values: readonly Argument[], raw: string): Argument => {
  const only = values.length === 1 ? values[0] : undefined;
  if (only !== undefined) return only;
  const texts = values.map((value) => value.text);
  return { ...oneOf(texts, `${raw} ${values.map((value) => `${value.text} ${value.hidden}`).join(" ")}`), raw };
};

/** `${a[1]}` of a list that the line itself made; where the number is computed, it may be any of them. */
const elementOf = (
  { index, text: raw }: Bash.ParameterExpansionPart,
  values: readonly Argument[],
): readonly Argument[] => {
  if (index === undefined || /^[@*]$/.test(index.value)) return values;
  if (!/^-?\d+$/.test(index.value)) return [single(values, raw)];
  const found = values.at(Number(index.value));
  return [found ?? unknown(raw)];
};

const parameter = (part: Bash.ParameterExpansionPart, variables: Variables): readonly Argument[] => {
  if (part.prefix !== undefined) return [unknown(part.text)];
  const operation = part.operation;
  if (operation === undefined) return elementOf(part, variable(part.parameter, part.text, variables));
  if (operation.type === "Default" && !variables.has(part.parameter)) return resolveWord(operation.operand, variables);
  if (operation.type === "Default" && /^:?[-=]$/.test(operation.operator))
    return variable(part.parameter, part.text, variables);
  return [unknown(part.text)];
};

const NAMES_OF_PROGRAMS: ReadonlySet<string> = new Set(["which", "type", "command", "whereis", "realpath", "readlink"]);

/** The output of a substitution when it is plain to see: `$(echo rm)`, `$(which rm)`. */
const substitution = (part: Bash.CommandExpansionPart, variables: Variables): Argument => {
  const statement = part.script?.commands.length === 1 ? part.script.commands[0] : undefined;
  const command = statement?.command;
  if (command?.type !== "Command" || command.name === undefined) return unknown(part.text);
  const words = command.args.flatMap((word) => (word.type === "Word" ? resolveWord(word, variables) : []));
  const output = staticOutput(command.name.value, words);
  if (output !== undefined) return { text: output, hidden: "", raw: part.text, pattern: false };
  if (NAMES_OF_PROGRAMS.has(command.name.value)) return { ...(words.at(-1) ?? unknown(part.text)), raw: part.text };
  const print = PATH_PRINTERS.get(command.name.value);
  const paths = words.map((word) => word.text).filter((text) => !text.startsWith("-"));
  return print === undefined || paths.length === 0
    ? unknown(part.text)
    : { ...oneOf(paths.map(print), part.text), raw: part.text };
};

/** What they print lies where their operands do. */
const PATH_PRINTERS: ReadonlyMap<string, (path: string) => string> = new Map([
  ["dirname", (path: string) => path.replace(/\/[^/]*$/, "")],
  ...["ls", "find", "fd"].map((name) => [name, (path: string) => path] as const),
]);

/** `\x72`, `\162` and friends, as printf and echo -e read them. */
export const decodeEscapes = (text: string): string =>
  text
    .replace(/\\x([0-9a-f]{1,2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\0?([0-7]{1,3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t");

/** What echo or printf would print. */
export const staticOutput = (name: string, words: readonly Argument[]): string | undefined => {
  if (name === "echo") {
    const shown = words
      .filter((word, index) => !(index === 0 && /^-[neE]+$/.test(word.text)))
      .map((word) => word.text)
      .join(" ");
    return words[0]?.text.includes("e") === true && words[0].text.startsWith("-") ? decodeEscapes(shown) : shown;
  }
  if (name !== "printf") return undefined;
  const [format, ...values] = words.map((word) => word.text);
  if (format === undefined) return undefined;
  const remaining = [...values];
  const filled = decodeEscapes(format).replace(/%%|%[-\d.]*[a-zA-Z]/g, (verb) => {
    if (verb === "%%") return "%";
    return verb.endsWith("b") ? decodeEscapes(remaining.shift() ?? "") : (remaining.shift() ?? "");
  });
  return [filled, ...remaining].join(" ");
};

const doubleQuoted = (parts: readonly Bash.DoubleQuotedChild[], variables: Variables): Argument =>
  join(
    parts.map((part) => {
      if (part.type === "Literal") return literal(part.value);
      if (part.type === "SimpleExpansion") return single(variable(part.text.slice(1), part.text, variables), part.text);
      if (part.type === "ParameterExpansion") return single(parameter(part, variables), part.text);
      if (part.type === "CommandExpansion") return substitution(part, variables);
      return unknown(part.text);
    }),
  );

const braces = (raw: string): readonly Argument[] => {
  const elements = raw.slice(1, -1).split(",");
  return elements.length < 2 || elements.length > BRACE_WORDS_MAX
    ? [unknown(raw)]
    : elements.map((element) => literal(element.replace(/['"\\]/g, "")));
};

const alternatives = (part: Bash.WordPart, variables: Variables): readonly Argument[] => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ text: part.value, hidden: "", raw: part.text, pattern: false }];
    case "DoubleQuoted":
    case "LocaleString": {
      // "${c[@]}" and "$@" stay several words.
      const only = part.parts.length === 1 ? part.parts[0] : undefined;
      if (only?.type === "ParameterExpansion" && only.index !== undefined) return parameter(only, variables);
      if (only?.type === "SimpleExpansion" && only.text === "$@") return variable("@", only.text, variables);
      return [doubleQuoted(part.parts, variables)];
    }
    case "SimpleExpansion":
      return variable(part.text.slice(1), part.text, variables);
    case "ParameterExpansion":
      return parameter(part, variables);
    case "CommandExpansion":
      return [substitution(part, variables)];
    case "BraceExpansion":
      return braces(part.text);
    case "Glob":
    case "ExtendedGlob":
      return [{ text: part.text, hidden: "", raw: part.text, pattern: true }];
    default:
      return [unknown(part.text)];
  }
};

/** Without quotes around them, their values are split at blanks. */
const SPLIT: ReadonlySet<string> = new Set(["SimpleExpansion", "ParameterExpansion", "CommandExpansion"]);

/** A word may become several: braces, arrays, variables with more than one known value. */
export const resolveWord = (word: Bash.Word, variables: Variables): readonly Argument[] => {
  if (word.parts === undefined) return [{ text: word.value, hidden: "", raw: word.text, pattern: false }];
  let results: Argument[][] = [[]];
  for (const part of word.parts) {
    const choices = alternatives(part, variables);
    results = results.flatMap((run) => choices.map((choice) => [...run, choice])).slice(0, BRACE_WORDS_MAX);
  }
  const words = results.map((run) => ({ ...join(run), raw: word.text }));
  const only = word.parts.length === 1 ? word.parts[0] : undefined;
  return SPLIT.has(only?.type ?? "") ? words.flatMap((value) => splitFields(value, separatorsOf(variables))) : words;
};

/** What the line has made of `IFS`; an unknown value is taken for the usual one. */
const separatorsOf = (variables: Variables): string => {
  const [given] = variables.get("IFS") ?? [];
  return given === undefined || given.text.includes(UNKNOWN) ? " \t\n" : given.text;
};

/** An unquoted value is split at the separators of the shell. */
const splitFields = (argument: Argument, separators: string): readonly Argument[] =>
  (separators === ""
    ? [argument.text]
    : argument.text.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, "\\$&")}]+`))
  )
    .filter((field) => field !== "")
    .map((field) => ({ ...argument, text: field }));
