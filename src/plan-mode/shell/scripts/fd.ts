/** fd: `-x` and `-X` run a command for what was found; it must be read-only with whatever path fd gives it. */
import { readArguments } from "../arguments.ts";
import type { Call, Nested, Rule } from "../rules/rule.ts";
import { unknownShape } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { text } from "../command-tree.ts";
import type { Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";

const RUNS_EACH: ReadonlySet<string> = new Set(["-x", "--exec"]);
const RUNS_ONCE: ReadonlySet<string> = new Set(["-X", "--exec-batch"]);
const END = ";";

const wordOf = ({ word }: Shape): Word => word;

/** `{}`, `{/}`, `{//}`, `{.}` and `{/.}` stand for a path or a part of it, and a part may begin with a dash. */
const withPath = (shape: Shape, arity: Shape["arity"]): Shape => {
  const at = shape.prefix.indexOf("{");
  return at === -1 ? shape : { ...unknownShape(shape.word, shape.prefix.slice(0, at)), arity };
};

/** The command up to the end of the line, or to a `;` that ends the line too. */
const commandIn = (shapes: readonly Shape[]): readonly Shape[] => {
  const command = shapes.at(-1)?.text === END ? shapes.slice(0, -1) : shapes;
  const mayEnd = ({ text: literal, neverEnds }: Shape): boolean =>
    literal === undefined ? neverEnds !== true : literal === END || RUNS_EACH.has(literal) || RUNS_ONCE.has(literal);
  if (command.length === 0 || command.some(mayEnd))
    stop("dynamic-word", "fd -x", "Write the command literally, as the last words.");
  return command;
};

const rewriteCommand = (shapes: readonly Shape[], arity: Shape["arity"], nested: Nested): readonly Word[] => {
  const given = commandIn(shapes).map((shape) => withPath(shape, arity));
  if (given[0]?.text === undefined) stop("dynamic-command", "fd -x");
  if (given.some(({ prefix, text: literal }) => literal === undefined && prefix.includes("{")))
    stop("dynamic-word", "fd -x");
  const marked = given.some((shape, index) => shape !== shapes[index]);
  // Without a placeholder fd appends the path.
  return marked ? nested(given) : nested([...given, { ...unknownShape(text("…"), ""), arity }]).slice(0, -1);
};

export const rewriteFd =
  (options: Rule) =>
  (call: Call, nested: Nested): readonly Word[] => {
    const runs = ({ text: name = "" }: Shape): boolean => RUNS_EACH.has(name) || RUNS_ONCE.has(name);
    // Behind `--` these are names.
    const first = call.shapes.findIndex((shape) => shape.text === "--" || runs(shape));
    const at = call.shapes[first]?.text === "--" ? -1 : first;
    const own = at === -1 ? call.shapes : call.shapes.slice(0, at);
    readArguments(call.name, own, options);
    const verb = call.shapes[at];
    if (verb === undefined) return own.map(wordOf);
    const arity = RUNS_ONCE.has(verb.text ?? "") ? "split" : "one";
    return [...own.map(wordOf), verb.word, ...rewriteCommand(call.shapes.slice(at + 1), arity, nested)];
  };
