import { forEachChild, parse } from "unbash";
import type * as Bash from "unbash";
import { codeChangesConfig, findConfigChange, targetIsProtected } from "./config-change.ts";
import { codeDestroys, findDestructive, isRemover, scriptsInCode } from "./destructive.ts";
import { mentions, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import { findGatewayControl } from "./gateway-control.ts";
import { absolutePath } from "./protected-paths.ts";
import { decodeEscapes, literal, resolveWord, staticOutput } from "./resolve.ts";
import type { Argument, Variables } from "./resolve.ts";
import { unwrap } from "./unwrap.ts";
import type { Inner, Input, Invocation } from "./unwrap.ts";

/**
 * The parser in detection mode: every simple command of the line is looked at, and every command, script and piece of
 * code inside its arguments. Unknown commands pass; a command whose name cannot be known does not.
 */

const NESTING_MAX = 12;
const COMMANDS_MAX = 2_000;
const COMMAND_LENGTH_MAX = 200_000;

type State = {
  place: EditPlace;
  readonly variables: Variables;
  readonly found: Finding[];
  depth: number;
  commands: number;
  input: Input | undefined;
};

const report = (state: State, finding: Finding | undefined): void => {
  if (finding !== undefined) state.found.push(finding);
};

const opaque = (matched: string): Finding => ({ class: "destructive", code: "unresolved", matched });

const SUSPICIOUS = /[^\w./-]+/;

/** Text that does not parse is only searched for the verbs themselves. */
const scanText = (source: string, state: State): void => {
  const verb = source.split(SUSPICIOUS).find((token) => isRemover(token.slice(token.lastIndexOf("/") + 1)));
  if (verb !== undefined) report(state, opaque(verb));
  if (mentions(source, state.place) && /\b(?:restart|stop|kill|config\s+set)\b/.test(source))
    report(state, { class: "gateway-control", code: "unresolved", matched: source });
};

const inspectScript = (source: string, state: State): void => {
  if (state.depth >= NESTING_MAX) return report(state, opaque("nested too deeply"));
  state.depth += 1;
  const script = parse(source);
  if ((script.errors?.length ?? 0) > 0) scanText(source, state);
  visit(script, state);
  state.depth -= 1;
  return undefined;
};

const visitChildren = (node: Bash.SyntaxNode, state: State): void => forEachChild(node, (child) => visit(child, state));

const visit = (node: Bash.SyntaxNode, state: State): void => {
  if (state.found.length > 0) return undefined;
  switch (node.type) {
    case "Command":
      return visitCommand(node, state);
    case "Pipeline":
      return visitPipeline(node, state);
    case "Redirected":
      for (const redirect of node.redirects) visitRedirect(redirect, state);
      return visitChildren(node, state);
    case "Subshell": {
      const place = state.place;
      visitChildren(node, state);
      state.place = place;
      return undefined;
    }
    case "Function":
      if (isForkBomb(node)) report(state, { class: "destructive", code: "fork-bomb", matched: node.name.text });
      return visitChildren(node, state);
    case "For": {
      const words = node.wordlist?.flatMap((word) => resolveWord(word, state.variables)) ?? [];
      const only = words.length === 1 ? words[0] : undefined;
      state.variables.set(node.name.text, [
        only ?? { ...literal(UNKNOWN), hidden: words.map((word) => word.text).join(" ") },
      ]);
      return visitChildren(node, state);
    }
    default:
      return visitChildren(node, state);
  }
};

const isForkBomb = (node: Bash.Function): boolean => {
  let calls = 0;
  let background = false;
  const look = (child: Bash.SyntaxNode): void => {
    if (child.type === "Command" && child.name?.value === node.name.text) calls += 1;
    if (child.type === "Statement" && child.background === true) background = true;
    forEachChild(child, look);
  };
  forEachChild(node, look);
  return calls >= 2 && background;
};

const visitPipeline = (node: Bash.Pipeline, state: State): void => {
  const outer = state.input;
  let input: Input | undefined = outer;
  let source = "";
  for (const stage of node.commands) {
    state.input = input;
    visit(stage, state);
    source = `${source} ${sourceOf(stage)}`;
    input = { text: stage.type === "Command" ? outputOf(stage, input, state.variables) : undefined, source };
  }
  state.input = outer;
};

const sourceOf = (node: Bash.SyntaxNode): string => {
  const pieces: string[] = [];
  const look = (child: Bash.SyntaxNode): void => {
    if (child.type === "Word") pieces.push(child.text);
    else forEachChild(child, look);
  };
  look(node);
  return pieces.join(" ");
};

/** Filters whose work can be done here: what they print for a known input. */
const FILTERS: Readonly<Record<string, (text: string, options: string) => string | undefined>> = {
  cat: (text, options) => (options === "" ? text : undefined),
  base64: (text, options) =>
    /-d|-D|--decode/.test(options) ? Buffer.from(text, "base64").toString("utf8") : undefined,
  xxd: (text, options) =>
    options.includes("-r") ? Buffer.from(text.replace(/\s/g, ""), "hex").toString("utf8") : undefined,
  rev: (text) =>
    text
      .split("\n")
      .map((line) => Array.from(line).toReversed().join(""))
      .join("\n"),
};

/** What a stage writes to the pipe, when that is plain to see. */
const outputOf = (node: Bash.Command, input: Input | undefined, variables: Variables): string | undefined => {
  const name = node.name?.value ?? "";
  const words = node.args.flatMap((word) => (word.type === "Word" ? resolveWord(word, variables) : []));
  const printed = staticOutput(name, words);
  if (printed !== undefined) return printed.includes(UNKNOWN) ? undefined : printed;
  const text = inputOf(node, input, variables)?.text;
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  return text === undefined ? undefined : filter?.(text, words.map((word) => word.text).join(" "));
};

const inputOf = (node: Bash.Command, input: Input | undefined, variables: Variables): Input | undefined => {
  for (const redirect of node.redirects) {
    if (redirect.type === "HereDoc") return { text: redirect.body.text, source: "<<" };
    if (redirect.type === "HereString" && redirect.target !== undefined) {
      const text = resolveWord(redirect.target, variables)
        .map((word) => word.text)
        .join(" ");
      return { text, source: redirect.target.text };
    }
    if (redirect.type === "Redirect" && redirect.operator === "<") {
      const target = redirect.target?.parts?.[0];
      return target?.type === "ProcessSubstitution" ? { text: undefined, source: target.text } : undefined;
    }
  }
  return input;
};

const WRITE_OPERATORS: ReadonlySet<string> = new Set([">", ">>", ">|", "&>", "&>>", "<>", ">&"]);

const visitRedirect = (redirect: Bash.Redirection, state: State): void => {
  if (redirect.type !== "Redirect" || redirect.target === undefined || !WRITE_OPERATORS.has(redirect.operator)) return;
  for (const target of resolveWord(redirect.target, state.variables))
    report(state, targetIsProtected(target.text, state.place));
};

const assign = (node: Bash.Assignment, state: State): void => {
  const value = node.value;
  const words = value.type === "Word" ? [value] : value.elements;
  state.variables.set(
    node.name,
    words.flatMap((word) => resolveWord(word, state.variables)),
  );
};

/** `alias x='rm y'`: an assignment that is an argument. */
const assignmentArgument = (node: Bash.Assignment, state: State): Argument => {
  const values = node.value.type === "Word" ? resolveWord(node.value, state.variables) : [];
  return { ...literal(`${node.name}=${values.map((value) => value.text).join(" ")}`), raw: node.text };
};

const visitCommand = (node: Bash.Command, state: State): void => {
  const outer = state.input;
  state.input = undefined;
  visitChildren(node, state);
  state.input = outer;
  for (const item of [...node.prefix, ...node.suffix]) if (item.type === "Assignment") assign(item, state);
  for (const redirect of node.redirects) visitRedirect(redirect, state);
  if (node.name === undefined) return;
  const words = [node.name, ...node.args].flatMap((word) =>
    word.type === "Word" ? resolveWord(word, state.variables) : [assignmentArgument(word, state)],
  );
  inspectWords(words, inputOf(node, outer, state.variables), state);
};

/** The last component of the name; unknown when any of it is computed or a pattern. */
const commandName = (word: Argument): string | undefined => {
  const base = word.text.slice(word.text.lastIndexOf("/") + 1);
  if (base.includes(UNKNOWN) || word.pattern || base === "") return undefined;
  return base.replace(/\.exe$/i, "");
};

const changeFolder = (args: readonly Argument[], state: State): void => {
  const target = args.find((argument) => !argument.text.startsWith("-"))?.text ?? state.place.home;
  if (!target.includes(UNKNOWN)) state.place = { ...state.place, cwd: absolutePath(target, state.place) };
};

/** `\x72m` is not what bash makes of it, but it is what its author meant. */
const spelledInBytes = (word: Argument): boolean =>
  /\\(?:x[0-9a-f]{2}|[0-7]{3})/i.test(word.raw) && isRemover(decodeEscapes(word.raw));

const inspectWords = (words: readonly Argument[], input: Input | undefined, state: State): void => {
  const [first, ...args] = words;
  if (first === undefined || state.found.length > 0) return;
  state.commands += 1;
  if (state.commands > COMMANDS_MAX) return report(state, opaque("too many commands"));
  const name = commandName(first);
  if (name === undefined || spelledInBytes(first)) return report(state, opaque(first.raw));
  if (name === "cd" || name === "pushd") changeFolder(args, state);
  if (name === "set")
    state.variables.set(
      "@",
      args.filter((argument) => argument.text !== "--"),
    );
  const invocation: Invocation = { name, args, input };
  report(
    state,
    findDestructive(invocation) ??
      findGatewayControl(invocation, state.place) ??
      findConfigChange(invocation, state.place),
  );
  for (const inner of unwrap(invocation)) inspectInner(inner, state);
  return undefined;
};

const inspectInner = (inner: Inner, state: State): void => {
  if (state.found.length > 0) return undefined;
  switch (inner.type) {
    case "command":
      return inspectWords(inner.words, inner.input, state);
    case "script":
      return inspectScript(inner.text, state);
    case "code":
      report(state, codeDestroys(inner.text) ?? codeChangesConfig(inner.text, state.place));
      for (const script of scriptsInCode(inner.text)) if (!script.includes(UNKNOWN)) inspectScript(script, state);
      return undefined;
    case "opaque":
      return report(state, opaque(inner.what));
    default:
      return inner satisfies never;
  }
};

/** Text nested so deeply that it cannot be walked is searched like text that does not parse. */
const inspectOrScan = (command: string, state: State): void => {
  try {
    inspectScript(command, state);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    scanText(command, state);
  }
};

export const inspectCommand = (command: string, place: EditPlace): Finding | undefined => {
  const variables: Variables = new Map([
    ["HOME", [literal(place.home)]],
    ["PWD", [literal(place.cwd)]],
  ]);
  const state: State = { place, variables, found: [], depth: 0, commands: 0, input: undefined };
  if (command.length > COMMAND_LENGTH_MAX) scanText(command, state);
  else inspectOrScan(command, state);
  return state.found[0];
};
