import { has } from "../rules/rule.ts";
import type { Call } from "../rules/rule.ts";
import { stop } from "../verdict.ts";
import { bracketEnd } from "./bracket.ts";

/** A reader for sed scripts: every command must be one that only edits the stream. `w`, `W`, `e` and the `e`/`w` flags run or write. */

type Cursor = { readonly script: string; at: number };

const STREAM_COMMANDS = "pdPDgGhHxnNzF=";
const COMMANDS_WITH_NUMBER = "qQlL";
const COMMANDS_WITH_LABEL = "btT:";
const COMMANDS_WITH_TEXT = "aic";
const COMMANDS_WITH_FILE = "rR";
// A delimiter that is a letter, space, newline or backslash reads differently in different seds.
const DELIMITER = /^[/|#@,:;!%~_+=^&'"<>?.*()[\]{}-]$/;
const SUBSTITUTE_FLAGS = /^[gpiImM0-9]*/;

const fail = (cursor: Cursor): never => stop("script", `sed ${cursor.script.slice(Math.max(0, cursor.at - 1))}`);

const peek = (cursor: Cursor): string => cursor.script.charAt(cursor.at);

const skip = (cursor: Cursor, pattern: RegExp): string => {
  const match = pattern.exec(cursor.script.slice(cursor.at))?.[0] ?? "";
  cursor.at += match.length;
  return match;
};

/** Reads up to the delimiter. */
const delimited = (cursor: Cursor, delimiter: string): void => {
  while (cursor.at < cursor.script.length) {
    const character = peek(cursor);
    if (character === "\n") break;
    if (character === delimiter) {
      cursor.at += 1;
      return;
    }
    const next = character === "[" ? bracketEnd(cursor.script, cursor.at, delimiter) : undefined;
    if (character === "[" && next === undefined) break;
    cursor.at = next ?? cursor.at + (character === "\\" ? 2 : 1);
  }
  fail(cursor);
};

/** The replacement of `s` knows no brackets. */
const replacement = (cursor: Cursor, delimiter: string): void => {
  for (; cursor.at < cursor.script.length; cursor.at += 1) {
    const character = peek(cursor);
    if (character === delimiter) {
      cursor.at += 1;
      return;
    }
    if (character === "\\") cursor.at += 1;
    else if (character === "\n") break;
  }
  fail(cursor);
};

const address = (cursor: Cursor): boolean => {
  if (skip(cursor, /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/) !== "") return true;
  const custom = peek(cursor) === "\\";
  if (!custom && peek(cursor) !== "/") return false;
  if (custom) cursor.at += 1;
  const delimiter = peek(cursor);
  if (!DELIMITER.test(delimiter)) fail(cursor);
  cursor.at += 1;
  delimited(cursor, delimiter);
  skip(cursor, /^[IM]*/);
  return true;
};

const addresses = (cursor: Cursor): void => {
  if (address(cursor)) {
    skip(cursor, /^[ \t]*/);
    if (peek(cursor) === ",") {
      cursor.at += 1;
      skip(cursor, /^[ \t]*/);
      if (!address(cursor)) fail(cursor);
    }
  }
  skip(cursor, /^[ \t!]*/);
};

const endOfCommand = (cursor: Cursor): void => {
  skip(cursor, /^[ \t]*/);
  if (cursor.at >= cursor.script.length || peek(cursor) === "}") return;
  if (peek(cursor) === "#") return;
  if (!/[;\n]/.test(peek(cursor))) fail(cursor);
  cursor.at += 1;
};

const substitute = (cursor: Cursor, command: string): void => {
  const delimiter = peek(cursor);
  if (!DELIMITER.test(delimiter)) fail(cursor);
  cursor.at += 1;
  if (command === "s") delimited(cursor, delimiter);
  else replacement(cursor, delimiter);
  replacement(cursor, delimiter);
  if (command === "s") skip(cursor, SUBSTITUTE_FLAGS);
  endOfCommand(cursor);
};

const restOfLine = (cursor: Cursor): void => {
  skip(cursor, /^(?:[^\n\\]|\\[\s\S])*/);
  if (peek(cursor) === "\\") fail(cursor);
  cursor.at += 1;
};

const runCommand = (cursor: Cursor, command: string): void => {
  if (command === "s" || command === "y") return substitute(cursor, command);
  if (STREAM_COMMANDS.includes(command)) return endOfCommand(cursor);
  if (COMMANDS_WITH_TEXT.includes(command)) return restOfLine(cursor);
  if (COMMANDS_WITH_NUMBER.includes(command)) {
    skip(cursor, /^[ \t]*\d*/);
    return endOfCommand(cursor);
  }
  if (COMMANDS_WITH_LABEL.includes(command)) {
    skip(cursor, /^[ \t]*\w*/);
    return endOfCommand(cursor);
  }
  if (COMMANDS_WITH_FILE.includes(command)) {
    skip(cursor, /^[^\n]*/);
    return undefined;
  }
  return fail(cursor);
};

export const sedScriptIsReadOnly = (script: string): void => {
  const cursor: Cursor = { script, at: 0 };
  while (cursor.at < script.length) {
    skip(cursor, /^[\s;]*/);
    if (cursor.at >= script.length) return;
    addresses(cursor);
    const command = peek(cursor);
    cursor.at += 1;
    if (command === "#") skip(cursor, /^[^\n]*/);
    else if (command === "{") continue;
    else if (command === "}") endOfCommand(cursor);
    else runCommand(cursor, command);
  }
};

export const checkSed = (call: Call): void => {
  if (has(call, "--help --version") && call.operands.length === 0) return;
  const given = call.options
    .filter((option) => option.name === "-e" || option.name === "--expression")
    .map((option) => option.value);
  const scripts = given.length > 0 ? given : call.operands.slice(0, 1);
  if (scripts.length === 0) stop("script", "sed without a script");
  const texts = scripts.map((shape) => shape?.text ?? stop("script", "sed", "Write the sed script literally."));
  sedScriptIsReadOnly(texts.join("\n"));
};
