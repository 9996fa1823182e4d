/**
 * Arithmetic as far as it can be read: numbers, names and operators. The shell evaluates what a name holds once more, and
 * runs what stands in `a[$(…)]` there; so the judge lets a name stand only if nothing but numbers is ever put into it.
 */
import type { Calculation } from "./command-tree.ts";
import { stop } from "./verdict.ts";

const TOKEN =
  /\s+|0[xX][0-9A-Fa-f]+|\d+(?:#[0-9A-Za-z]+)?|\$?(?<name>[A-Za-z_]\w*)|\$\{(?<braced>[A-Za-z_]\w*)\}|\$[#?]|[-+*/%()<>=!&|^~?:,]/y;

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

export const readArithmetic = (expression: string): Calculation => {
  const names = new Set<string>();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const token = TOKEN.exec(expression);
    if (token === null) return stop("unsupported-syntax", expression, "Only numbers, names and operators in $((…)).");
    const name = token.groups?.["name"] ?? token.groups?.["braced"];
    if (name !== undefined) names.add(name);
  }
  if (expression.trim() === "" || !isBalanced(expression)) return stop("unsupported-syntax", expression);
  return { expression: expression.replaceAll("\n", " "), names: [...names], assigns: ASSIGNS.test(expression) };
};
