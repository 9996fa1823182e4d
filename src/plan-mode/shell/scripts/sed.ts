/** A reader for sed scripts: every command must be one that only edits the stream. `w`, `W`, `e` and the `e`/`w` flags run or write. */
import { wordsOf } from "../arguments.ts";
import { staticText, text as literal } from "../command-tree.ts";
import type { Word } from "../command-tree.ts";
import { has } from "../rules/rule.ts";
import type { Call, Option } from "../rules/rule.ts";
import type { Shape } from "../shape.ts";
import { stop } from "../verdict.ts";
import { bracketEnd } from "./bracket.ts";

type Cursor = {
  readonly script: string;
  at: number;
  /** Where a label ends at something else than a newline. */
  readonly labelEnds: number[];
};

const STREAM_COMMANDS = "pdPDgGhHxnNzF=";
const COMMANDS_WITH_NUMBER = "qQlL";
const COMMANDS_WITH_LABEL = "btT:";
const COMMANDS_WITH_TEXT = "aic";
const COMMANDS_WITH_FILE = "rR";
// A delimiter that is a letter, space, newline or backslash reads differently in different seds.
const DELIMITER = /^[/|#@,:;!%~_+=^&'"<>?.*()[\]{}-]$/;
const SUBSTITUTE_FLAGS = /[gpiImM0-9]*/y;
const BLANKS = /[ \t]*/y;
const LINE = /[^\n]*/y;
const TEXT = /(?:[^\n\\]|\\[^])*/y;
const SEPARATORS = /[\s;]*/y;

const fail = (cursor: Cursor): never => stop("script", `sed ${cursor.script.slice(Math.max(0, cursor.at - 1))}`);

const peek = (cursor: Cursor): string => cursor.script.charAt(cursor.at);

/** Takes what a sticky pattern matches right here; false when that is nothing. */
const skip = (cursor: Cursor, pattern: RegExp): boolean => {
  pattern.lastIndex = cursor.at;
  const length = pattern.exec(cursor.script)?.[0].length ?? 0;
  cursor.at += length;
  return length > 0;
};

/** Reads up to the delimiter. Only a regular expression has brackets: a replacement and the lists of `y` have none. */
const delimited = (cursor: Cursor, delimiter: string, brackets: boolean): void => {
  for (let character = peek(cursor); character !== delimiter; character = peek(cursor)) {
    const bracket = brackets && character === "[";
    const next = bracket ? bracketEnd(cursor.script, cursor.at, delimiter) : cursor.at + (character === "\\" ? 2 : 1);
    if (character === "" || character === "\n" || next === undefined) return fail(cursor);
    cursor.at = next;
  }
  cursor.at += 1;
};

const address = (cursor: Cursor): boolean => {
  if (skip(cursor, /\d+(?:~\d+)?|\$|[+~]\d+/y)) return true;
  const custom = peek(cursor) === "\\";
  if (!custom && peek(cursor) !== "/") return false;
  if (custom) cursor.at += 1;
  const delimiter = peek(cursor);
  if (!DELIMITER.test(delimiter)) fail(cursor);
  cursor.at += 1;
  delimited(cursor, delimiter, true);
  skip(cursor, /[IM]*/y);
  return true;
};

const addresses = (cursor: Cursor): void => {
  if (address(cursor)) {
    skip(cursor, BLANKS);
    if (skip(cursor, /,[ \t]*/y) && !address(cursor)) fail(cursor);
  }
  skip(cursor, /[ \t!]*/y);
};

const endOfCommand = (cursor: Cursor): void => {
  skip(cursor, BLANKS);
  if (!/^[;\n}#]?$/.test(peek(cursor))) fail(cursor);
};

const substitute = (cursor: Cursor, command: string): void => {
  const delimiter = peek(cursor);
  if (!DELIMITER.test(delimiter)) fail(cursor);
  cursor.at += 1;
  delimited(cursor, delimiter, command === "s");
  delimited(cursor, delimiter, false);
  if (command === "s") skip(cursor, SUBSTITUTE_FLAGS);
  endOfCommand(cursor);
};

const runCommand = (cursor: Cursor, command: string): void => {
  if (command === "s" || command === "y") return substitute(cursor, command);
  if (STREAM_COMMANDS.includes(command)) return endOfCommand(cursor);
  if (COMMANDS_WITH_NUMBER.includes(command)) {
    skip(cursor, /[ \t]*\d*/y);
    return endOfCommand(cursor);
  }
  if (COMMANDS_WITH_LABEL.includes(command)) {
    skip(cursor, /[ \t]*\w*/y);
    endOfCommand(cursor);
    if (!/^\n?$/.test(peek(cursor))) cursor.labelEnds.push(cursor.at);
    return undefined;
  }
  if (COMMANDS_WITH_FILE.includes(command)) skip(cursor, LINE);
  else if (COMMANDS_WITH_TEXT.includes(command)) skip(cursor, TEXT);
  else fail(cursor);
  return undefined;
};

const readScript = (script: string): Cursor => {
  const cursor: Cursor = { script, at: 0, labelEnds: [] };
  for (skip(cursor, SEPARATORS); cursor.at < script.length; skip(cursor, SEPARATORS)) {
    addresses(cursor);
    const command = peek(cursor);
    cursor.at += 1;
    if (command === "#") skip(cursor, LINE);
    else if (command === "{") continue;
    else if (command === "}") endOfCommand(cursor);
    else runCommand(cursor, command);
  }
  return cursor;
};

/**
 * Elsewhere than on GNU a label goes on to the end of its line, so that what follows on a continued one would be read as
 * a command. A script with both is refused; in others a newline is put behind each label.
 */
export const sedScriptIsReadOnly = (script: string): readonly number[] => {
  const { labelEnds } = readScript(script);
  if (labelEnds.length > 0 && script.includes("\\\n"))
    stop("script", `sed ${script}`, "End each label with a newline.");
  return labelEnds;
};

const isExpression = ({ name }: Option): boolean => name === "-e" || name === "--expression";

const scriptsOf = (call: Call): readonly Shape[] => {
  const given = call.options.filter(isExpression).flatMap(({ value }) => value ?? []);
  return given.length > 0 ? given : call.operands.slice(0, 1);
};

const asksVersion = (call: Call): boolean => has(call, "--help --version") && call.operands.length === 0;

/** A number that is computed reads like any other number. */
const textOf = ({ text, sample, arity }: Shape): string =>
  text ?? (arity === "one" ? sample : undefined) ?? stop("script", "sed", "Write the sed script literally.");

export const checkSed = (call: Call): void => {
  if (asksVersion(call)) return;
  const scripts = scriptsOf(call);
  if (scripts.length === 0) stop("script", "sed without a script");
  const isLiteral = scripts.every(({ text }) => text !== undefined);
  const labelEnds = sedScriptIsReadOnly(scripts.map(textOf).join("\n"));
  if (!isLiteral && labelEnds.length > 0) stop("script", "sed", "Write a script with labels literally.");
};

/** The same script with a newline behind every label; `;` gives way to it, a closing brace does not. */
const withNewlines = (script: string, ends: readonly number[]): string =>
  ends.reduceRight((done, at) => `${done.slice(0, at)}\n${done.slice(done.charAt(at) === ";" ? at + 1 : at)}`, script);

/** The same words, each script with its labels ended. */
export const rewriteSed = (call: Call): readonly Word[] => {
  const words = wordsOf(call, { marker: "--" });
  if (asksVersion(call)) return words;
  const scripts = scriptsOf(call);
  const rewritten = new Map<Word, Word>();
  let from = 0;
  const all = sedScriptIsReadOnly(scripts.map(textOf).join("\n"));
  for (const shape of scripts) {
    const script = textOf(shape);
    const ends = all.filter((at) => at >= from && at < from + script.length).map((at) => at - from);
    // `-e` and `--expression=` may stand in front of it in the same word.
    const before = (staticText(shape.word) ?? "").slice(0, -script.length);
    if (ends.length > 0) rewritten.set(shape.word, literal(`${before}${withNewlines(script, ends)}`));
    from += script.length + 1;
  }
  return words.map((word) => rewritten.get(word) ?? word);
};
