/** The third-party parser behind guards: its tree is rebuilt as ours; what ours has no node for is refused. */
import { parse as parseBash } from "unbash";
import type * as Bash from "unbash";
import { readArithmetic } from "../arithmetic.ts";
import { bareText, readWord, readWords } from "./parse-word.ts";
import type { WordContext } from "./parse-word.ts";
import { eachCommand } from "../each-command.ts";
import { never, staticText, text } from "../command-tree.ts";
import type {
  ArrayAssignment,
  Assignment,
  Command,
  List,
  Redirection,
  Simple,
  TestExpression,
  Word,
} from "../command-tree.ts";
import { stop } from "../verdict.ts";

const DEPTH_MAX = 24;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

type Context = WordContext & { readonly depth: number };

const deeper = (context: Context): Context => {
  const depth = context.depth + 1;
  if (depth > DEPTH_MAX) stop("too-complex", `nested deeper than ${DEPTH_MAX}`);
  return contextAt(context, depth);
};

const contextAt = ({ home, source }: { readonly home: string; readonly source: string }, depth: number): Context => {
  const context: Context = {
    home,
    source,
    depth,
    // Escaped backticks have a decoded source of their own.
    script: (script) => readScript(script, { ...deeper(context), source: script.source ?? source }),
  };
  return context;
};

const readScript = (script: Bash.ParsedScript, context: Context): List => {
  const error = script.errors?.[0];
  if (error !== undefined) stop("syntax", error.message);
  return script.commands.map((statement) => readStatement(statement, context));
};

const readList = (list: Bash.CompoundList, context: Context): List =>
  list.commands.map((statement) => readStatement(statement, context));

const readStatement = (statement: Bash.Statement, context: Context): Command => {
  if (statement.background === true) stop("background", "&");
  return readNode(statement.command, deeper(context));
};

type Redirections = readonly Redirection[];

const readNode = (node: Bash.PipelineNode | Bash.AndOr, context: Context): Command => {
  switch (node.type) {
    case "Command":
      return readArray(node, context) ?? readSimple(node, context);
    case "Pipeline":
      return readPipeline(node, context);
    case "AndOr":
      return { type: "and-or", items: node.commands.map((item) => readNode(item, context)), operators: node.operators };
    case "Redirected":
      return readCompound(
        node.command,
        node.redirects.map((redirect) => readRedirection(redirect, context)),
        context,
      );
    case "Function":
    case "Coproc":
      return stop("shell-state", node.type.toLowerCase());
    default:
      return readCompound(node, [], context);
  }
};

// oxlint-disable-next-line complexity -- a table of contents over the closed set of compound commands
const readCompound = (node: Bash.CompoundCommand, redirections: Redirections, context: Context): Command => {
  switch (node.type) {
    case "Subshell":
      return { type: "group", subshell: true, body: readList(node.body, context), redirections };
    case "BraceGroup":
      return { type: "group", subshell: false, body: readList(node.body, context), redirections };
    case "If":
      return readIf(node, redirections, context);
    case "For":
      return readFor(node, redirections, context);
    case "While": {
      const condition = readList(node.clause, context);
      return {
        type: "while",
        until: node.kind === "until",
        condition,
        body: readList(node.body, context),
        redirections,
      };
    }
    case "Case":
      return readCase(node, redirections, context);
    case "TestCommand":
      return { type: "test", expression: readTest(node.expression, context), redirections };
    case "ArithmeticCommand":
      return { type: "calculation", ...readArithmetic(node.body), redirections };
    case "ArithmeticFor":
      return readCounting(node, redirections, context);
    case "Select":
      return stop("unsupported-syntax", node.type);
    default:
      return never(node);
  }
};

const calculation = (source: string): Command => ({
  type: "calculation",
  ...readArithmetic(source),
  redirections: [],
});

/** `for ((i = 0; i < 3; i++))` as the loop that it stands for; `continue` would leave its last step out. */
const readCounting = (node: Bash.ArithmeticFor, redirections: Redirections, context: Context): Command => {
  const { initialize, test, update } = node;
  if (initialize === undefined || test === undefined || update === undefined)
    return stop("unsupported-syntax", node.type);
  const [first, condition, last] = [initialize, test, update].map(({ pos, end }) =>
    calculation(context.source.slice(pos, end)),
  );
  const body = readList(node.body, context);
  eachCommand(body, (command) => {
    if (command.type === "simple" && command.words.some((word) => staticText(word) === "continue"))
      stop("unsupported-syntax", "continue");
  });
  if (first === undefined || condition === undefined || last === undefined) return stop("syntax", node.type);
  const loop: Command = { type: "while", until: false, condition: [condition], body: [...body, last], redirections };
  return { type: "group", subshell: false, body: [first, loop], redirections: [] };
};

const readIf = (node: Bash.If, redirections: Redirections, context: Context): Command => ({
  type: "if",
  branches: [node, ...node.elif].map((branch) => ({
    condition: readList(branch.clause, context),
    body: readList(branch.then, context),
  })),
  otherwise: node.else === undefined ? undefined : readList(node.else, context),
  redirections,
});

const readFor = (node: Bash.For, redirections: Redirections, context: Context): Command => {
  const name = staticText(readWord(node.name, context)) ?? "";
  if (!NAME.test(name) || node.wordlist === undefined) return stop("unsupported-syntax", node.name.text);
  const words = node.wordlist.flatMap((word) => readWords(word, context));
  return { type: "for", name, words, body: readList(node.body, context), redirections };
};

const readCase = (node: Bash.Case, redirections: Redirections, context: Context): Command => ({
  type: "case",
  subject: readWord(node.word, context),
  items: node.items.map((item) => {
    // Fall-through terminators change which bodies run; every body is judged, but only the plain form is printed.
    if (item.terminator !== undefined && item.terminator !== ";;") stop("unsupported-syntax", item.terminator);
    return { patterns: item.pattern.map((word) => readWord(word, context)), body: readList(item.body, context) };
  }),
  redirections,
});

const readPipeline = (node: Bash.Pipeline, context: Context): Command => {
  const kinds = node.prefixes.map((prefix) => prefix.type);
  if (kinds.length > 2 || new Set(kinds).size !== kinds.length) stop("unsupported-syntax", kinds.join(" "));
  return {
    type: "pipeline",
    negated: kinds.includes("Negation"),
    timed: kinds.includes("Time"),
    stages: node.commands.map((command) => readNode(command, context)),
    joins: node.operators,
  };
};

const readTest = (node: Bash.TestExpression, context: Context): TestExpression => {
  switch (node.type) {
    case "TestUnary":
      return { type: "unary", operator: node.operator, operand: readWord(node.operand, context) };
    case "TestBinary":
      return {
        type: "binary",
        operator: node.operator,
        left: readWord(node.left, context),
        right: readWord(node.right, context),
      };
    case "TestLogical":
      return {
        type: "logical",
        operator: node.operator,
        operands: node.operands.map((operand) => readTest(operand, context)),
      };
    case "TestNot": {
      const operand = readTest(node.operand, context);
      return node.negations.length % 2 === 1 ? { type: "not", operand } : operand;
    }
    case "TestGroup":
      return { type: "nested", operand: readTest(node.expression, deeper(context)) };
    default:
      return never(node);
  }
};

/** `[0]=a` has a subscript, which is arithmetic; `[ab]*` is close to one. */
const elementOf = (word: Word, raw: string): Word => {
  const first = word.parts.find((part) => part.type !== "text" || part.value !== ""); // quotes around nothing are not printed
  const begins = first?.type === "text" ? first.value : first?.type === "glob" ? first.pattern : "";
  return begins.startsWith("[") || first?.type === "process-input" ? stop("unsupported-syntax", raw) : word;
};

/** As a command of its own: nothing else may stand beside it. */
const readArray = (node: Bash.Command, context: Context): ArrayAssignment | undefined => {
  const [only, ...others] = node.prefix;
  if (only?.type !== "Assignment" || only.value.type !== "ArrayValue") return undefined;
  if (others.length > 0 || node.name !== undefined || node.suffix.length > 0 || only.index !== undefined)
    return stop("shell-state", only.text);
  if (!NAME.test(only.name)) return stop("unsupported-syntax", only.text);
  const elements = only.value.elements.flatMap((word) =>
    readWords(word, context).map((read) => elementOf(read, word.text)),
  );
  return { type: "array", name: only.name, append: only.append === true, elements, redirections: [] };
};

const readSimple = (node: Bash.Command, context: Context): Simple => {
  const assignments: Assignment[] = [];
  const words: Word[] = node.name === undefined ? [] : [...readWords(node.name, context)];
  const redirections: Redirection[] = [];
  for (const item of [...node.prefix, ...node.suffix]) {
    if (item.type === "Word") words.push(...readWords(item, context));
    else if (item.type === "Assignment" && isExported(item, node)) words.push(exported(item, node, context));
    else if (item.type === "Assignment") assignments.push(readAssignment(item, node, context));
    else redirections.push(readRedirection(item, context));
  }
  return { type: "simple", assignments, words, redirections };
};

/** `export LANG=C` */
const isExported = (item: Bash.Assignment, owner: Bash.Command): boolean =>
  owner.name?.text === "export" && owner.suffix.includes(item);

/** As the word that it is to the builtin. */
const exported = (item: Bash.Assignment, owner: Bash.Command, context: Context): Word => {
  const { name, value } = readAssignment(item, { ...owner, prefix: [item] }, context);
  const literal = staticText(value);
  return literal === undefined ? stop("shell-state", item.text) : text(`${name}=${literal}`);
};

const readAssignment = (node: Bash.Assignment, owner: Bash.Command, context: Context): Assignment => {
  // After the command name an assignment belongs to `declare` and its kin, which are never read-only.
  const inFront = owner.prefix.includes(node);
  const value = node.value;
  if (!inFront || node.append === true || node.index !== undefined || value.type !== "Word")
    return stop("shell-state", node.text);
  if (!NAME.test(node.name)) return stop("unsupported-syntax", node.text);
  // behind a colon bash puts the home folder too
  if (/:~/.test(bareText(value))) return stop("unsupported-syntax", node.text);
  return { name: node.name, value: value.text === "" ? text("") : readWord(value, context) };
};

const descriptorOf = (descriptor: Bash.RedirectDescriptor | undefined): number | undefined => {
  if (descriptor === undefined) return undefined;
  if (descriptor.type !== "FileDescriptor") return stop("redirect-form", `{${descriptor.name}}`);
  return descriptor.value > 9 ? stop("redirect-form", String(descriptor.value)) : descriptor.value;
};

const readRedirection = (node: Bash.Redirection, context: Context): Redirection => {
  const descriptor = descriptorOf(node.descriptor);
  if (node.type === "HereDoc") return readHereDocument(node, descriptor);
  if (node.target === undefined) return stop("syntax", node.operator);
  const target = readWord(node.target, context);
  if (node.type === "HereString") return { type: "text", descriptor, content: target };
  const operator = node.operator;
  if (operator !== ">&" && operator !== "<&") return { type: "file", operator, descriptor, target };
  const source = staticText(target) ?? "";
  if (/^(?:\d|-)$/.test(source)) return { type: "copy", operator, descriptor, source };
  // `>& file` is the old spelling of `&> file`; `>&-word` and the like are read differently by different parsers.
  if (operator === "<&" || descriptor !== undefined || source === "" || /^[\d-]/.test(source))
    stop("redirect-form", `${operator}${node.target.text}`);
  return { type: "file", operator: "&>", descriptor: undefined, target };
};

const readHereDocument = (node: Bash.HereDoc, descriptor: number | undefined): Redirection => {
  if (node.delimiter === undefined || node.closing === undefined) return stop("syntax", node.operator);
  const body = node.operator === "<<-" ? node.body.text.replace(/^\t+/gm, "") : node.body.text;
  if (!node.delimiter.quoted && /[$`\\]/.test(body))
    stop("unsupported-syntax", `<<${node.delimiter.text}`, "Quote the delimiter: <<'EOF'.");
  if (body === "") return { type: "file", operator: "<", descriptor, target: text("/dev/null") };
  // A here-string adds exactly the newline that ends a here-document, and needs no delimiter that text could forge.
  return body.endsWith("\n")
    ? { type: "text", descriptor, content: text(body.slice(0, -1)) }
    : stop("syntax", node.operator);
};

/** Throws `ShellRefused` for whatever the tree has no node for. */
export const parseShell = (command: string, home: string): List => {
  const script = parseBash(command);
  return readScript(script, contextAt({ home, source: command }, 0));
};
