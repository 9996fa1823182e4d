/** Prints a tree as the one canonical text that is shown, hashed and run. Static text is quoted unless plainly safe. */
import { printArithmetic } from "./arithmetic.ts";
import { never } from "./command-tree.ts";
import type { Command, List, Part, Redirection, Simple, TestExpression, Word } from "./command-tree.ts";

const PLAIN = /^[A-Za-z0-9_/.,:@%+-][A-Za-z0-9_/.,:=@%+-]*$/;
// As a word of its own each of these means itself to bash, and quoting it would only make the text harder to read.
const PLAIN_WORDS: ReadonlySet<string> = new Set(["[", "]", "{}", "!", "="]);

export const quote = (value: string): string => (PLAIN.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);

/** `$((` would open arithmetic, so a space is put before a leading subshell. */
const spaced = (list: List): string => {
  const printed = emitList(list);
  return printed.startsWith("(") ? ` ${printed}` : printed;
};

const emitPart = (part: Part): string => {
  switch (part.type) {
    case "text":
      return part.value === "" ? "" : quote(part.value);
    case "glob":
      return part.pattern;
    case "variable": {
      const body = `\${${part.length ? "#" : ""}${part.name}${part.operation}}`;
      return part.quoted ? `"${body}"` : body;
    }
    case "element": {
      const body = `\${${part.prefix}${part.name}[${part.index}]${part.slice}}`;
      return part.quoted ? `"${body}"` : body;
    }
    case "substitution": {
      const body = `$(${spaced(part.body)})`;
      return part.quoted ? `"${body}"` : body;
    }
    case "arithmetic":
      return `$((${printArithmetic(part, spaced)}))`;
    case "process-input":
      return `<(${spaced(part.body)})`;
    default:
      return never(part);
  }
};

const isSplit = (part: Part | undefined): boolean =>
  (part?.type === "variable" || part?.type === "element" || part?.type === "substitution") && !part.quoted;
const isQuoted = (part: Part | undefined): boolean =>
  (part?.type === "variable" || part?.type === "element" || part?.type === "substitution") && part.quoted;
/** Each element of the list is a word of its own. */
const isWordEach = (part: Part | undefined): boolean =>
  part?.type === "element" && part.index === "@" && part.prefix !== "#";

/** Empty quotes beside `$x` make a word where bash would split off none; so they do beside a list, other than its own quotes. */
const keepsWord = ({ parts }: Word, at: number): boolean => {
  const [part, around] = [parts[at], [parts[at - 1], parts[at + 1]]];
  if (part?.type !== "text" || part.value !== "") return false;
  return around.some(isWordEach) ? parts.length > 2 : around.some(isSplit) && !around.some(isQuoted);
};

export const emitWord = (word: Word): string => {
  const only = word.parts.length === 1 ? word.parts[0] : undefined;
  if (only?.type === "text" && PLAIN_WORDS.has(only.value)) return only.value;
  const printed = word.parts.map((part, at) => (keepsWord(word, at) ? "''" : emitPart(part))).join("");
  return printed === "" ? "''" : printed;
};

const emitRedirection = (redirection: Redirection): string => {
  const descriptor = redirection.descriptor ?? "";
  switch (redirection.type) {
    case "file":
      return `${descriptor}${redirection.operator} ${emitWord(redirection.target)}`;
    case "copy":
      return `${descriptor}${redirection.operator}${redirection.source}`;
    case "text":
      return `${descriptor}<<< ${emitWord(redirection.content)}`;
    default:
      return never(redirection);
  }
};

const withRedirections = (printed: string, redirections: readonly Redirection[]): string =>
  [printed, ...redirections.map(emitRedirection)].join(" ");

// Quoted, these are names of programs; bare, the shell would take them for its own.
const RESERVED: ReadonlySet<string> = new Set(
  "if then else elif fi do done case esac while until for select function in time coproc ! { } [[ ]]".split(" "),
);

const emitName = (word: Word): string => {
  const printed = emitWord(word);
  return RESERVED.has(printed) ? `'${printed}'` : printed;
};

const emitSimple = (node: Simple): string =>
  [
    ...node.assignments.map(({ name, value }) => `${name}=${emitWord(value)}`),
    ...node.words.map((word, index) => (index === 0 ? emitName(word) : emitWord(word))),
    ...node.redirections.map(emitRedirection),
  ].join(" ");

const emitTest = (expression: TestExpression): string => {
  switch (expression.type) {
    case "unary":
      return `${expression.operator} ${emitWord(expression.operand)}`;
    case "binary":
      return `${emitWord(expression.left)} ${expression.operator} ${emitWord(expression.right)}`;
    case "logical":
      return `( ${expression.operands.map(emitTest).join(` ${expression.operator} `)} )`;
    case "not":
      return `! ${bracketed(expression.operand)}`;
    case "nested":
      return bracketed(expression.operand);
    default:
      return never(expression);
  }
};

/** One pair of brackets, however many were written, so that the printed text parses to the same tree. */
const bracketed = (expression: TestExpression): string =>
  expression.type === "logical" || expression.type === "nested" ? emitTest(expression) : `( ${emitTest(expression)} )`;

const interleave = (items: readonly string[], operators: readonly string[]): string =>
  items.map((item, index) => (index === 0 ? item : `${operators[index - 1] ?? ";"} ${item}`)).join(" ");

const block = (list: List): string => `${emitList(list)};`;

const emitControl = (node: Exclude<Command, Simple>): string => {
  switch (node.type) {
    case "array":
      return `${node.name}${node.append ? "+" : ""}=(${node.elements.map(emitWord).join(" ")})`;
    case "pipeline": {
      const prefix = `${node.negated ? "! " : ""}${node.timed ? "time " : ""}`;
      return prefix + interleave(node.stages.map(emitCommand), node.joins);
    }
    case "and-or":
      return interleave(node.items.map(emitCommand), node.operators);
    case "group":
      return node.subshell ? `( ${emitList(node.body)} )` : `{ ${block(node.body)} }`;
    case "if": {
      const branches = node.branches
        .map(({ condition, body }) => `if ${block(condition)} then ${block(body)}`)
        .join(" el");
      return `${branches}${node.otherwise === undefined ? "" : ` else ${block(node.otherwise)}`} fi`;
    }
    case "for":
      return `for ${node.name} in ${node.words.map(emitWord).join(" ")}; do ${block(node.body)} done`;
    case "while":
      return `${node.until ? "until" : "while"} ${block(node.condition)} do ${block(node.body)} done`;
    case "case": {
      const items = node.items.map(
        ({ patterns, body }) => `(${patterns.map(emitWord).join("|")}) ${emitList(body)} ;;`,
      );
      return `case ${emitWord(node.subject)} in ${items.join(" ")} esac`;
    }
    case "test":
      return `[[ ${emitTest(node.expression)} ]]`;
    case "calculation":
      return `((${printArithmetic(node, spaced)}))`;
    default:
      return never(node);
  }
};

export const emitCommand = (node: Command): string => {
  if (node.type === "simple") return emitSimple(node);
  const printed = emitControl(node);
  return node.type === "pipeline" || node.type === "and-or" ? printed : withRedirections(printed, node.redirections);
};

export const emitList = (list: List): string => list.map(emitCommand).join("; ");
