/** Whether a text is a program that can be run as a cell, asked of the engine's own parser; and what is said if not. */
import { JSException } from "quickjs-wasi";
import type { ErrorCode } from "../sandbox.ts";
import type { GuestVm } from "./guest-vm.ts";
import { CELL_CLOSING, CELL_OPENING } from "./prelude.ts";

const CODE_BYTES_MAX = 1_048_576;

export type Refusal = { code: ErrorCode; error: string };

const invalid = (error: string): Refusal => ({ code: "invalid_input", error });

const GUIDANCE =
  'Send a program: {"code": "const found = await tools.search(\'what you need\'); return await tools.call(found[0].id, { … })"}.';

/** What needs no parser. */
export function refuseText(code: string): Refusal | undefined {
  if (code.trim() === "") return invalid("The code is empty.");
  if (Buffer.byteLength(code) > CODE_BYTES_MAX) return invalid(`The code is larger than ${CODE_BYTES_MAX} bytes.`);
  if (/^\s*(?:```|~~~)/.test(code)) return fencedText();
  return ONLY_COMMAND.test(code) || PROMPT.test(code) ? shellText() : undefined;
}

export const fencedText = (): Refusal =>
  invalid(`This is a fenced code block; send what is inside of the fence, without it. ${GUIDANCE}`);

const shellText = (): Refusal =>
  invalid(`This is shell text; a cell is a JavaScript program and no shell. ${GUIDANCE}`);

const COMMANDS =
  "ls|cd|pwd|cat|echo|grep|rg|find|mkdir|rm|cp|mv|touch|chmod|chown|curl|wget|git|npm|npx|pnpm|yarn|node|deno|bun|python|python3|pip|pip3|make|cargo|go|docker|kubectl|ssh|scp|tar|unzip|sed|awk|head|tail|wc|sort|uniq|which|whoami|date|env|export|source|bash|sh|zsh|ps|kill|df|du|apt|apt-get|brew|systemctl|tree|xargs|jq|psql|sqlite3|rustc|gcc|java|mvn|gradle|terraform|ffmpeg|openssl|ping|history|man";
/** May parse as JavaScript, and never is a program: a command with flags, paths and other commands alone. */
const ONLY_COMMAND = new RegExp(
  String.raw`^\s*(?:sudo\s+)?(?:${COMMANDS})(?:\s+(?:-{1,2}[A-Za-z][\w-]*|[/~.][\w./~-]*|&&|\|\|?|${COMMANDS}))*\s*;?\s*$`,
  "u",
);
const PROMPT = /^\s*(?:#!|\$ \S)/u;
/** For text that does not parse: its first line is a command with something behind it. */
const COMMAND_LINE = new RegExp(String.raw`^\s*(?:sudo\s+)?(?:${COMMANDS})\s+[^\s=(.,;?:+*%&|^)\]}]`, "u");

/** For text that does not parse: a fence that stands behind words. */
export const FENCE_LINE = /^(?:```|~~~)/mu;

export const wholeProgram = (code: string): string => `${CELL_OPENING}${code}${CELL_CLOSING}`;

type Program = ReturnType<GuestVm["evaluate"]>;
/** `program`: the function that the engine made of it, which nothing has called yet. */
export type Accepted = { program: Program } | { refusal: Refusal };

/**
 * Read in two surroundings that share no token which could follow a brace too many: behind the arrow function only a
 * comma or a bracket may stand, behind the declaration neither. Code that closes its own surroundings fails in one of them.
 * The declaration is only parsed. What passes that and is read as the arrow function is nothing else, and evaluating it calls nothing.
 */
export function acceptProgram(vm: Pick<GuestVm, "parse" | "evaluate">, code: string): Accepted {
  const declared = readIn(DECLARATION, code, (text) => vm.parse(text));
  const arrow = readIn(ARROW, code, (text) => ("problem" in declared ? vm.parse(text) : vm.evaluate(text)));
  if ("problem" in arrow) return { refusal: refusalFor(arrow.problem, code) };
  if ("problem" in declared) return { refusal: refusalFor(declared.problem, code) };
  if (arrow.made === undefined) throw new Error("a program that was not evaluated");
  return { program: arrow.made };
}

type Surroundings = { opening: string; closing: string };
const ARROW: Surroundings = { opening: CELL_OPENING, closing: CELL_CLOSING };
const DECLARATION: Surroundings = { opening: "async function cell() {", closing: "\n}" };

type Problem = { message: string; line: number; column: number };

function readIn<Made>(
  { opening, closing }: Surroundings,
  code: string,
  read: (text: string) => Made,
): { made: Made } | { problem: Problem } {
  try {
    return { made: read(`${opening}${code}${closing}`) };
  } catch (error) {
    if (!(error instanceof JSException)) throw error;
    const [, line = "1", column = "1"] = /:(\d+):(\d+)/.exec(error.stack ?? "") ?? [];
    const shift = line === "1" ? opening.length : 0;
    const at = inside(code, Number(line), Math.max(1, Number(column) - shift));
    return { problem: { message: error.message, ...at } };
  }
}

/** What is missing or too much may only show behind the end. */
function inside(code: string, line: number, column: number): Omit<Problem, "message"> {
  const lines = code.split("\n");
  return line <= lines.length ? { line, column } : { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function refusalFor({ message, line, column }: Problem, code: string): Refusal {
  const at = `line ${line}, column ${column}`;
  if (message === "out of memory") return { code: "memory_limit_exceeded", error: "The code does not fit the memory." };
  if (isModuleWord(message, textBefore(code, line, column))) {
    const error = `There are no modules in a cell (${at}): import and export are refused. Use tools, MCP and API instead.`;
    return { code: "module_access_denied", error };
  }
  if (COMMAND_LINE.test(code)) return shellText();
  if (FENCE_LINE.test(code)) return fencedText();
  return invalid(`SyntaxError: ${message} (${at}). A cell is the body of an async function in JavaScript.`);
}

function isModuleWord(message: string, before: string): boolean {
  if (message === "unsupported keyword: export" || message.startsWith("import.meta")) return true;
  return message.startsWith("Unexpected") && /(?:^|[^.\w$])import\s*$/u.test(before);
}

const textBefore = (code: string, line: number, column: number): string => {
  const lines = code.split("\n");
  return [...lines.slice(0, line - 1), (lines[line - 1] ?? "").slice(0, column - 1)].join("\n").slice(-200);
};
