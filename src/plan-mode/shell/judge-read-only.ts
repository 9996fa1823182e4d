/** The read-only judgement: returns the tree to run, with arguments injected, or throws `ShellRefused`. */
import { printArithmetic } from "./arithmetic.ts";
import { checkCall, readArguments, wordsOf } from "./arguments.ts";
import { craftsOption } from "./crafted-options.ts";
import { checkDescriptor, inputDescriptors } from "./descriptors.ts";
import { environmentRefusal, isAssignable } from "./rules/environment-names.ts";
import { isShellOnly } from "./rules/builtins.ts";
import { effectOf, ruleFor, subcommandOf } from "./rules/index.ts";
import type { Call, Nested, Rule } from "./rules/rule.ts";
import { couldBeSeveral, gatherFacts, holdsNumbers, learnAssigned, learnLooped, shapeOf } from "./shape.ts";
import type { Facts, Shape } from "./shape.ts";
import { never, staticText, text } from "./command-tree.ts";
import { isNumeric, printsNumbers } from "./is-numeric.ts";
import type {
  ArrayAssignment,
  Calculation,
  Command,
  Element,
  For,
  List,
  Part,
  Prints,
  Redirection,
  Simple,
  TestExpression,
  Word,
} from "./command-tree.ts";
import { ShellRefused, stop, UNPROVEN_USE } from "./verdict.ts";
import type { ShellRefusalCode } from "./verdict.ts";

type Walk = {
  readonly facts: Facts;
  readonly rules: Set<string>;
  readonly inputs: ReadonlySet<number>;
  readonly prints: WeakMap<Command, Prints>;
  readonly top: boolean;
  /** What in the line only reads inside of a sandbox. */
  readonly sandboxed: Set<string>;
  /** Asked for few lines only. */
  readonly craftsOption: () => boolean;
};

const PROGRAM_FOLDER = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;
const FILE_TESTS: ReadonlySet<string> = new Set(
  "-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z".split(" "),
);
const STRING_TESTS: ReadonlySet<string> = new Set("= == != < > -nt -ot -ef".split(" "));
const NUMBER_TESTS: ReadonlySet<string> = new Set("-eq -ne -lt -le -gt -ge".split(" "));
const NO_HOME = ["env", "HOME=/dev/null"].map(text);
const INTEGER = /^-?\d{1,18}$/;

export type Judged = { readonly list: List; readonly rules: readonly string[]; readonly needsSandbox: boolean };

export const judgeReadOnly = (list: List): Judged => {
  const inputs = inputDescriptors(list);
  const sandboxed = new Set<string>();
  const walk: Walk = {
    facts: gatherFacts(list),
    rules: new Set(),
    inputs,
    prints: new WeakMap(),
    top: true,
    sandboxed,
    craftsOption: () => craftsOption(list),
  };
  return { list: walkList(list, walk), rules: [...walk.rules], needsSandbox: sandboxed.size > 0 };
};

const walkList = (list: List, walk: Walk): List => list.map((node) => walkCommand(node, walk));

const notTop = (walk: Walk): Walk => (walk.top ? { ...walk, top: false } : walk);

const walkCommand = (node: Command, walk: Walk): Command => {
  if (node.type === "simple") return walkSimple(node, walk);
  const below = notTop(walk);
  switch (node.type) {
    case "array":
      return walkArray(node, walk);
    case "pipeline":
      return { ...node, stages: walkList(node.stages, below) };
    case "and-or":
      // The first one runs whatever becomes of the others.
      return { ...node, items: node.items.map((item, index) => walkCommand(item, index === 0 ? walk : below)) };
    case "group":
      return { ...node, body: walkList(node.body, below), redirections: walkRedirections(node.redirections, below) };
    case "if":
      return {
        ...node,
        branches: node.branches.map(({ condition, body }) => ({
          condition: walkList(condition, below),
          body: walkList(body, below),
        })),
        otherwise: node.otherwise === undefined ? undefined : walkList(node.otherwise, below),
        redirections: walkRedirections(node.redirections, below),
      };
    case "for":
      return walkFor(node, below);
    case "while":
      return {
        ...node,
        condition: walkList(node.condition, below),
        body: walkList(node.body, below),
        redirections: walkRedirections(node.redirections, below),
      };
    case "case":
      return {
        ...node,
        subject: walkWord(node.subject, below),
        items: node.items.map(({ patterns, body }) => ({
          patterns: patterns.map((word) => walkWord(word, below)),
          body: walkList(body, below),
        })),
        redirections: walkRedirections(node.redirections, below),
      };
    case "test":
      return {
        ...node,
        expression: walkTest(node.expression, below),
        redirections: walkRedirections(node.redirections, below),
      };
    case "calculation":
      return { ...node, ...walkCalculation(node, below), redirections: walkRedirections(node.redirections, below) };
    default:
      return never(node);
  }
};

/** Before it is assigned, and behind `+=` alone, a list holds what the environment holds under its name. */
const walkArray = (node: ArrayAssignment, walk: Walk): ArrayAssignment => {
  if (!isAssignable(node.name)) stop("shell-state", `${node.name}=`);
  const elements = node.elements.map((word) => walkWord(word, notTop(walk)));
  if (walk.top && !node.append) walk.facts.definite.add(node.name);
  return { ...node, elements };
};

/** Whatever a name in arithmetic holds is evaluated as arithmetic too. */
const checkNumbers = (names: readonly string[], walk: Walk): void => {
  for (const name of names) {
    if (!isAssignable(name)) stop("shell-state", name);
    if (!holdsNumbers(name, walk.facts))
      stop("unsupported-syntax", name, "Only names that hold nothing but numbers may stand in arithmetic.");
  }
};

/** So is what a command prints there. */
const walkCalculation = (calculation: Calculation, walk: Walk): Pick<Calculation, "substitutions"> => {
  checkNumbers(calculation.names, walk);
  const odd = calculation.substitutions.some((list) => !printsNumbers(list));
  if (odd)
    stop(
      "unsupported-syntax",
      printArithmetic(calculation, () => "…"),
      "Only commands that print numbers may stand in arithmetic.",
    );
  return { substitutions: calculation.substitutions.map((list) => walkList(list, notTop(walk))) };
};

const walkFor = (node: For, walk: Walk): For => {
  if (!isAssignable(node.name)) stop("shell-state", node.name);
  const words = node.words.map((word) => walkWord(word, walk));
  const redirections = walkRedirections(node.redirections, walk);
  learnLooped(walk.facts, node.name, words);
  const wasDefinite = walk.facts.definite.has(node.name);
  walk.facts.definite.add(node.name);
  const body = walkList(node.body, walk);
  // An empty list never sets the variable, so outside the body nothing is known about it.
  if (!wasDefinite) walk.facts.definite.delete(node.name);
  return { ...node, words, body, redirections };
};

/** The shell's own lists can have texts for keys, and functions behind them. */
const checkElement = ({ name, index }: Element, walk: Walk): void => {
  const isOwn = isAssignable(name) && walk.facts.arrays.has(name);
  if (name !== "PIPESTATUS" && !isOwn) stop("unsupported-syntax", name);
  const [, counter] = /^\$?([A-Za-z_]\w*)$/.exec(index) ?? [];
  if (counter !== undefined) checkNumbers([counter], walk);
};

const walkPart = (part: Part, walk: Walk): Part => {
  if (part.type === "arithmetic") return { ...part, ...walkCalculation(part, walk) };
  if (part.type === "element") checkElement(part, walk);
  if (part.type !== "substitution" && part.type !== "process-input") return part;
  const body = walkList(part.body, notTop(walk));
  if (part.type === "process-input") return { ...part, body };
  const only = body.length === 1 ? body[0] : undefined;
  return { ...part, body, prints: only === undefined ? undefined : walk.prints.get(only) };
};

const walkWord = (word: Word, walk: Walk): Word =>
  word.parts.every((part) => part.type === "text") ? word : { parts: word.parts.map((part) => walkPart(part, walk)) };

const walkSimple = (node: Simple, walk: Walk): Simple => {
  const redirections = walkRedirections(node.redirections, walk);
  const assignments = node.assignments.map(({ name, value }) => ({ name, value: walkWord(value, walk) }));
  const words = node.words.map((word) => walkWord(word, walk));
  if (words.length === 0) {
    for (const { name, value } of assignments) {
      if (!isAssignable(name)) stop("shell-state", `${name}=`);
      learnAssigned(walk.facts, name, value);
      if (walk.top) walk.facts.definite.add(name);
    }
    return { ...node, assignments, redirections };
  }
  const command = staticText(words[0] ?? text("")) ?? "";
  for (const { name, value } of assignments) {
    const refusal = environmentRefusal(name, staticText(value), command);
    if (refusal !== undefined) stop("environment", refusal);
  }
  const shapes = words.map((word) => shapeOf(word, walk.facts));
  const judged = judgeWords(shapes, walk);
  const simple: Simple = { type: "simple", assignments, words: judged.words, redirections };
  if (judged.prints !== undefined) walk.prints.set(simple, judged.prints);
  return simple;
};

/** A bare name, or a program folder that the pinned PATH contains as well. */
export const commandName = (name: string): string => PROGRAM_FOLDER.exec(name)?.[1] ?? name;

type JudgedWords = { readonly words: readonly Word[]; readonly prints: Prints | undefined };

const judgeWords = (shapes: readonly Shape[], walk: Walk): JudgedWords => {
  const [first, ...rest] = shapes;
  if (first === undefined) return stop("empty", "");
  // Only a literal name counts: a value that happens to be known could still be changed by a later edit of the line.
  const given = staticText(first.word);
  if (given === undefined || given === "") return stop("dynamic-command", first.prefix);
  const name = commandName(given);
  const rule = ruleFor(name);
  if (rule === undefined) return stop(effectOf(name) ?? "unknown-command", given);
  if (name !== given && isShellOnly(name)) return stop("unknown-command", given);
  walk.rules.add(name);
  const { words, prints } = applyRule({ rule, name, shapes: rest }, walk);
  // The bare name: a path would choose a program past the folders that PATH was trusted with.
  return { words: [...(rule.withoutHome === true ? NO_HOME : []), text(name), ...words], prints };
};

type Application = { readonly rule: Rule; readonly name: string; readonly shapes: readonly Shape[] };

/** Reading the arguments once more under it refuses the line. */
const withoutMarker = ({ marker: _marker, ...rule }: Rule): Rule => rule;

const GIT_VERB = /^git \S+$/;
const NOT_THIS_WAY: ReadonlySet<ShellRefusalCode> = new Set(["unknown-option", "missing-option", "operand"]);

/** Of git every verb that writes is known by name; of other programs only that they write in general. */
const unprovenUse = (effect: ShellRefusalCode, name: string): string | undefined =>
  effect === "known-write" && !name.startsWith("git ") ? UNPROVEN_USE : undefined;

/** A command that writes in general, used in a way that its rule does not name: that is no unknown command (GA-10). */
const applyRule = (application: Application, walk: Walk): JudgedWords => {
  const { rule, name } = application;
  const isVerb = rule.subcommands === undefined && GIT_VERB.test(name);
  const effect = rule.sandboxed === true || isVerb ? effectOf(name) : undefined;
  if (effect === undefined) return applyKnown(application, walk);
  try {
    return applyKnown(application, walk);
  } catch (error) {
    if (error instanceof ShellRefused && NOT_THIS_WAY.has(error.refusal.code))
      stop(effect, error.refusal.matched, unprovenUse(effect, name));
    throw error;
  }
};

const applyKnown = ({ rule, name, shapes: given }: Application, walk: Walk): JudgedWords => {
  const shapes = rule.normalise?.(given) ?? given;
  const call = readArguments(name, shapes, rule);
  if (call.needsMarker === true && walk.craftsOption()) readArguments(name, shapes, withoutMarker(rule));
  const injected = (rule.inject ?? []).map(text);
  if (rule.subcommands !== undefined && call.operands.length > 0) {
    const { words, prints } = applySubcommand(call, rule, walk);
    return { words: [...injected, ...words], prints };
  }
  checkCall(call, rule);
  if (rule.sandboxed !== undefined) checkSandboxed({ rule, call }, walk);
  const nested: Nested = (command) => judgeWords(command, walk).words;
  const judged = rule.rewrite === undefined ? wordsOf(call, rule) : rule.rewrite(call, nested);
  return { words: [...injected, ...judged], prints: rule.prints?.(call) };
};

const checkSandboxed = ({ rule, call }: { readonly rule: Rule; readonly call: Call }, walk: Walk): void => {
  if (rule.sandboxed === undefined || (rule.sandboxed !== true && !rule.sandboxed(call))) return;
  if (rule.sandboxed !== true && walk.craftsOption()) stop("dynamic-word", call.name);
  walk.sandboxed.add(call.name);
};

const applySubcommand = (call: Call, rule: Rule, walk: Walk): JudgedWords => {
  const [chosen, ...rest] = call.operands;
  checkCall({ ...call, operands: [] }, rule);
  if (rule.sandboxed === true) walk.sandboxed.add(call.name);
  const name = `${call.name} ${chosen?.text ?? "…"}`;
  const inner = subcommandOf(rule, chosen?.text ?? "");
  if (inner === undefined) {
    const effect = effectOf(name) ?? "unknown-command";
    return stop(effect, name, unprovenUse(effect, name));
  }
  walk.rules.add(name);
  const before = call.shapes.slice(0, call.shapes.length - rest.length).map((shape) => shape.word);
  const { words, prints } = applyRule({ rule: inner, name, shapes: rest }, walk);
  return { words: [...before, ...words], prints };
};

const walkRedirections = (redirections: readonly Redirection[], walk: Walk): readonly Redirection[] =>
  redirections.length === 0 ? redirections : redirections.map((redirection) => walkRedirection(redirection, walk));

const walkRedirection = (redirection: Redirection, walk: Walk): Redirection => {
  checkDescriptor(redirection, walk.inputs);
  switch (redirection.type) {
    case "copy":
      return redirection;
    case "text":
      return { ...redirection, content: walkWord(redirection.content, walk) };
    case "file": {
      const target = walkWord(redirection.target, walk);
      const shape = shapeOf(target, walk.facts);
      if (redirection.operator === "<") return { ...redirection, target: checkInput(shape, walk) };
      if (redirection.operator === "<>" || shape.text !== "/dev/null")
        stop("redirect-write", `${redirection.operator} ${shape.text ?? "…"}`);
      return { ...redirection, target };
    }
    default:
      return never(redirection);
  }
};

/** bash opens a connection for `/dev/tcp/…`; a computed name could become one. */
const checkInput = (given: Shape, walk: Walk): Word => {
  const shape = quotedWhole(given, walk);
  const whole = shape.text ?? shape.prefix;
  const processInput = shape.word.parts[0]?.type === "process-input";
  const written = shape.word.parts.map((part) => (part.type === "text" ? part.value : "")).join("");
  // What is computed in front of it may be empty.
  const network = [whole, written].find((path) => /^\/+dev\/+(?:tcp|udp)/.test(path));
  if (network !== undefined) stop("redirect-network", network);
  if (shape.text !== undefined || processInput) return shape.word;
  if (couldBeSeveral(shape) || couldBeDevice(whole))
    stop("redirect-form", `< ${whole}…`, "Quote the name of the file.");
  if (shape.relative === true) return shape.word;
  if (shape.given !== true || walk.craftsOption()) stop("redirect-form", `< ${whole}…`);
  walk.sandboxed.add("<");
  return shape.word;
};

const couldBeDevice = (beginning: string): boolean =>
  beginning !== "" && ("/dev/tcp".startsWith(beginning) || beginning.startsWith("/dev/"));

/** `< $f` opens one file or fails; for a variable that the line itself sets, the quotes that were meant are put. */
const quotedWhole = (shape: Shape, { facts }: Walk): Shape => {
  const { parts } = shape.word;
  if (!parts.every((part) => part.type === "text" || (part.type === "variable" && facts.definite.has(part.name))))
    return shape;
  const quoted = parts.map((part) => (part.type === "variable" ? { ...part, quoted: true } : part));
  return shapeOf({ parts: quoted }, facts);
};

const walkTest = (expression: TestExpression, walk: Walk): TestExpression => {
  switch (expression.type) {
    case "unary":
      if (!FILE_TESTS.has(expression.operator)) stop("unsupported-syntax", `[[ ${expression.operator} ]]`);
      return { ...expression, operand: walkWord(expression.operand, walk) };
    case "binary": {
      const left = walkWord(expression.left, walk);
      const right = walkWord(expression.right, walk);
      checkBinaryTest(expression.operator, [expression.left, expression.right], walk);
      return { ...expression, left, right };
    }
    case "logical":
      return { ...expression, operands: expression.operands.map((operand) => walkTest(operand, walk)) };
    case "not":
    case "nested":
      return { ...expression, operand: walkTest(expression.operand, walk) };
    default:
      return never(expression);
  }
};

const isNumberVariable = ({ parts }: Word, facts: Facts): boolean => {
  const [only] = parts.length === 1 ? parts : [];
  const isPlain = only?.type === "variable" && only.operation === "" && !only.length;
  return isPlain && facts.definite.has(only.name) && holdsNumbers(only.name, facts);
};

/** `[[ x -eq y ]]` evaluates both sides as arithmetic, which runs what stands in `a[$(…)]`; so only numbers. */
const checkBinaryTest = (operator: string, operands: readonly Word[], walk: Walk): void => {
  if (STRING_TESTS.has(operator)) return;
  const numbers = operands.every((word) => {
    const { text: literal, sample } = shapeOf(word, walk.facts);
    return isNumeric(word) || isNumberVariable(word, walk.facts) || INTEGER.test(literal ?? sample ?? "");
  });
  if (!NUMBER_TESTS.has(operator) || !numbers)
    stop("unsupported-syntax", `[[ ${operator} ]]`, "Use [ … ] for numbers.");
};
