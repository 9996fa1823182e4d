/** Commands that run another command given in their arguments. The inner command is judged like any other. */
import { markStart, unknownShape } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { staticText, text } from "../command-tree.ts";
import type { Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";
import { environmentRefusal } from "./environment-names.ts";
import { printsLookup } from "./prints.ts";
import { has } from "./rule.ts";
import type { Call, Nested, Rule } from "./rule.ts";

/** Everything in front of the inner command stays as it is; `count` is how many words the inner command has. */
const withInner = (call: Call, inner: readonly Shape[], nested: Nested): readonly Word[] => {
  const before = call.shapes.slice(0, call.shapes.length - inner.length).map((shape) => shape.word);
  return inner.length === 0 ? before : [...before, ...nested(inner)];
};

const rewriteEnv = (call: Call, nested: Nested): readonly Word[] => {
  let index = 0;
  for (; index < call.operands.length; index += 1) {
    const operand = call.operands[index];
    const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(operand?.text ?? "");
    if (assignment === null) break;
    const refusal = environmentRefusal(assignment[1] ?? "", assignment[2], "env");
    if (refusal !== undefined) stop("environment", refusal);
  }
  return withInner(call, call.operands.slice(index), nested);
};

const rewriteCommand = (call: Call, nested: Nested): readonly Word[] => {
  if (has(call, "-v -V")) return call.shapes.map((shape) => shape.word);
  return withInner(call, call.operands, nested);
};

/** The first `skip` operands belong to the wrapper (a duration, a niceness). */
const rewriteAfter =
  (skip: number, pattern: RegExp) =>
  (call: Call, nested: Nested): readonly Word[] => {
    for (const own of call.operands.slice(0, skip))
      if (!pattern.test(own.text ?? "")) stop("operand", `${call.name} ${own.text ?? "…"}`);
    if (call.operands.length <= skip) stop("missing-option", `${call.name} without a command`);
    return withInner(call, call.operands.slice(skip), nested);
  };

const REPLACES: ReadonlySet<string> = new Set(["-I", "--replace"]);
const APPENDS: ReadonlySet<string> = new Set(["-n", "-L", "--max-args", "--max-lines"]);

const marked = (shape: Shape, mark: string): Shape => {
  const at = markStart(shape, mark);
  return at === -1 ? shape : { ...unknownShape(shape.word, shape.prefix.slice(0, at)), arity: shape.arity };
};

/** The gate inserts arguments of its own after judging; a mark in them would be replaced by xargs. */
const refuseMarkInAdded = (judged: readonly Word[], inner: readonly Shape[], mark: string): void => {
  const given = new Set(inner.map((shape) => shape.word));
  if (judged.some((word) => !given.has(word) && (staticText(word)?.includes(mark) ?? true)))
    stop("operand", `xargs -I ${mark}`, "Choose another mark, such as {}.");
};

/** Judged with unknown words at the end, which are removed afterwards because xargs appends its own. */
const judgedWithMore = (inner: readonly Shape[], nested: Nested): readonly Word[] => {
  const more: Shape = { ...unknownShape(text("…"), ""), arity: "split" };
  const judged = nested([...inner, more]);
  return judged.at(-1) === more.word ? judged.slice(0, -1) : stop("dynamic-word", "xargs");
};

/** xargs appends unknown strings, or inserts them with `-I`, so the inner command must be harmless with any word. */
const rewriteXargs = (call: Call, nested: Nested): readonly Word[] => {
  const inner = call.operands;
  // Without a command xargs echoes.
  if (inner.length === 0) return call.shapes.map((shape) => shape.word);
  const replacement = call.options.findLast(({ name }) => REPLACES.has(name));
  const mode = call.options.findLast(({ name }) => APPENDS.has(name) || REPLACES.has(name));
  const appended = (): readonly Word[] => judgedWithMore(inner, nested);
  if (replacement === undefined) return [...before(call, inner), ...appended()];
  // Of both modes the last counts, for some versions and some numbers; so the command must be harmless in both.
  if (mode !== replacement) appended();
  const mark = replacement.value === undefined ? "{}" : replacement.value.text;
  if (mark === undefined) return stop("dynamic-word", "xargs -I");
  if (mark === "") stop("operand", "xargs -I");
  const replaced = inner.map((shape) => marked(shape, mark));
  if (replaced[0]?.text === undefined) stop("dynamic-command", "xargs");
  const judged = nested(replaced);
  refuseMarkInAdded(judged, inner, mark);
  return [...before(call, inner), ...judged];
};

const before = (call: Call, inner: readonly Shape[]): readonly Word[] =>
  call.shapes.slice(0, call.shapes.length - inner.length).map((shape) => shape.word);

export const WRAPPERS: readonly Rule[] = [
  {
    names: "env genv",
    options: {
      flags: "0",
      long: "null help version",
      // What is taken away from the environment is what keeps git and others from running programs.
      harmful: "-i --ignore-environment -u --unset -S --split-string -C --chdir",
    },
    operandsEndOptions: true,
    rewrite: rewriteEnv,
  },
  {
    names: "command",
    options: { flags: "vV", harmful: "-p" },
    operandsEndOptions: true,
    rewrite: rewriteCommand,
    prints: (call) => (has(call, "-v") ? printsLookup(call) : undefined),
  },
  { names: "builtin", options: {}, operandsEndOptions: true, rewrite: rewriteCommand },
  {
    names: "nice",
    options: { valued: "n", numeric: true, long: "adjustment=" },
    operandsEndOptions: true,
    rewrite: rewriteAfter(0, /^/),
  },
  { names: "ionice", options: { valued: "cn", flags: "t" }, operandsEndOptions: true, rewrite: rewriteAfter(0, /^/) },
  {
    names: "timeout gtimeout",
    options: { flags: "v", valued: "ks", long: "foreground kill-after= signal= preserve-status verbose" },
    operandsEndOptions: true,
    rewrite: rewriteAfter(1, /^\d+(?:\.\d+)?[smhd]?$/),
  },
  {
    names: "stdbuf",
    options: { valued: "ioe", long: "input= output= error=" },
    operandsEndOptions: true,
    rewrite: rewriteAfter(0, /^/),
  },
  {
    names: "time",
    options: { flags: "pv", long: "portability verbose", harmful: "-o --output -a --append -f --format" },
    operandsEndOptions: true,
    rewrite: rewriteAfter(0, /^/),
  },
  {
    names: "xargs gxargs",
    options: {
      flags: "0rtx",
      valued: "nLPdsEaI",
      long: "null no-run-if-empty max-args= max-lines=? max-procs= delimiter= max-chars= arg-file= verbose exit replace=? help version",
      harmful: "-p --interactive -o --open-tty --process-slot-var",
    },
    operandsEndOptions: true,
    rewrite: rewriteXargs,
  },
];
