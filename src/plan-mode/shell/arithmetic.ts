/**
 * Arithmetic as far as it can be read: numbers, names, operators and plain commands. The shell evaluates what a name holds
 * or a command prints once more, and runs what stands in `a[$(…)]` there; so the judge lets both stand only if nothing but
 * numbers is ever put into the name, or printed by the command.
 */
import type { Calculation, List } from "./command-tree.ts";
import { stop } from "./verdict.ts";

const TOKEN =
  /\s+|0[xX][0-9A-Fa-f]+|\d+(?:#[0-9A-Za-z]+)?|\$?(?<name>[A-Za-z_]\w*)|\$\{(?<braced>[A-Za-z_]\w*)\}|\$\{#[A-Za-z_]\w*\[[@*]\]\}|\$[#?]|[-+*/%()<>=!&|^~?:,]/y;

/** No parentheses, comments or nested quotes in it: where it ends is the same to every shell. */
const COMMAND = /\$\((?<command>(?:[\w ./<|+%:,@~=-]|"(?:[\w ./+%:,@~=-]|\$\w+|\$\{\w+\})*"|'[\w ./+%:,@~=-]*')+)\)/y;
const PLACE_OF_COMMAND = "$()";

const ASSIGNS = /\+\+|--|<<=|>>=|(?<![=!<>])=(?!=)/;

/** `$((a)|(b))` is no arithmetic to bash but a substitution with two commands in it. */
const isBalanced = (expression: string): boolean => {
  let depth = 0;
  for (const character of expression) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
};

const matchAt = (pattern: RegExp, source: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(source);
};

/** Names, numbers and expansions: two of them side by side would be one name to the shell, or one number. */
const IS_VALUE = /^[\w$]/;

type Piece = { readonly length: number; readonly printed: string; readonly name?: string; readonly command?: string };

const pieceAt = (source: string, at: number): Piece | undefined => {
  const token = matchAt(TOKEN, source, at);
  if (token !== null) {
    const name = token.groups?.["name"] ?? token.groups?.["braced"];
    return { length: token[0].length, printed: token[0], ...(name !== undefined && { name }) };
  }
  const found = matchAt(COMMAND, source, at);
  const command = found?.groups?.["command"];
  return command === undefined ? undefined : { length: found?.[0].length ?? 0, printed: PLACE_OF_COMMAND, command };
};

const refuse = (source: string): never =>
  stop("unsupported-syntax", source, "Only numbers, names and operators in $((…)).");

/** `readCommand` reads the text inside of `$(…)`; without it no command may stand there. */
export const readArithmetic = (source: string, readCommand?: (command: string) => List): Calculation => {
  const names = new Set<string>();
  const substitutions: List[] = [];
  let printed = "";
  let wasValue = false;
  for (let at = 0; at < source.length;) {
    const piece = pieceAt(source, at) ?? refuse(source);
    if (piece.command !== undefined) substitutions.push(readCommand?.(piece.command) ?? refuse(source));
    if (piece.name !== undefined) names.add(piece.name);
    const isValue = IS_VALUE.test(piece.printed);
    if (isValue && wasValue) refuse(source);
    wasValue = isValue;
    printed += piece.printed;
    at += piece.length;
  }
  if (printed.trim() === "" || !isBalanced(printed)) return stop("unsupported-syntax", source);
  const expression = printed.replaceAll("\n", " ");
  return { expression, substitutions, names: [...names], assigns: ASSIGNS.test(expression) };
};

/** The expression as text, each command printed by `print`. */
export const printArithmetic = ({ expression, substitutions }: Calculation, print: (list: List) => string): string => {
  const [first = "", ...rest] = expression.split(PLACE_OF_COMMAND);
  return first + rest.map((text, index) => `$(${print(substitutions[index] ?? [])})${text}`).join("");
};
