/**
 * The parser in detection mode: every simple command of the line is looked at, and every command, script and piece of
 * code inside its arguments. Unknown commands pass; a command whose name cannot be known does not.
 */
import { forEachChild, parse } from "unbash";
import type * as Bash from "unbash";
import { findComputedCode } from "./code/computed-code.ts";
import { codeChangesConfig, findConfigChange, findInVariables, targetIsProtected } from "./config-change.ts";
import { findDestructive, isRemover } from "./destructive/destructive.ts";
import { findEmptyingRedirection } from "./destructive/emptying.ts";
import { mentions, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import { codeStopsGateway, findGatewayControl } from "./gateway-control.ts";
import type { Inner, Input, Invocation } from "./invocation.ts";
import { codeDestroys, decodedIn, findEmptyingCode, scriptsInCode } from "./code/languages.ts";
import { fileRead, inputOf, outputOf, printsNothing, sourceOf } from "./output.ts";
import { createLinks } from "./links.ts";
import type { Links } from "./links.ts";
import { absolutePath, placeIn } from "./protected-paths.ts";
import { decodeEscapes, literal, oneOf, resolveWord } from "./resolve.ts";
import type { Argument, Variables } from "./resolve.ts";
import { scriptsInVariable } from "./run-by-options.ts";
import { unwrap } from "./unwrap.ts";
import { createWrittenFiles } from "./written-files.ts";
import type { WrittenFiles } from "./written-files.ts";

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
  reads: string | undefined;
  /** Files that the line itself writes: what runs one of them runs what was written. */
  readonly written: WrittenFiles;
  readonly links: Links;
  /** Words of the commands so far. */
  readonly names: Set<string>;
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
  report(state, endsInRedirection(script, state));
  for (const [, inner = ""] of source.matchAll(SUBSCRIPT)) inspectScript(inner, state);
  if (EXPANDS_PROMPT.test(source)) expandPrompts(state);
  state.depth -= 1;
  return undefined;
};

/**
 * `exec > f` as the last of a script, where the file is there: it is emptied, and nothing is left that would write to it.
 */
const endsInRedirection = ({ commands }: Bash.Script, state: State): Finding | undefined => {
  const last = commands.at(-1)?.command;
  if (last?.type !== "Command" || last.name?.value !== "exec" || last.args.length > 0) return undefined;
  for (const redirect of last.redirects) {
    const target = truncatedBy(redirect, state);
    if (target === undefined || state.place.realpath?.(absolutePath(target, state.place)) === undefined) continue;
    return findEmptyingRedirection({ target, truncates: true, text: "", words: [] }, state.place, state);
  }
  return undefined;
};

const truncatedBy = (redirect: Bash.Redirection, state: State): string | undefined => {
  if (redirect.type !== "Redirect" || redirect.operator !== ">" || !isOutput(redirect) || redirect.target === undefined)
    return undefined;
  return resolveWord(redirect.target, state.variables)[0]?.text;
};

/** Where bash reads arithmetic it runs what stands in a subscript, even in quotes: `test -v 'a[$(x)]'`. */
const SUBSCRIPT = /\w\[\$\(([^()]*)\)\]/g;
/** `${x@P}` runs the substitutions in a value. */
const EXPANDS_PROMPT = /@P\}/;

const expandPrompts = (state: State): void => {
  for (const values of state.variables.values())
    for (const { text } of values) if (/\$\(|`/.test(text)) inspectScript(`: "${text}"`, state);
};

const visitChildren = (node: Bash.SyntaxNode, state: State): void => forEachChild(node, (child) => visit(child, state));

const visit = (node: Bash.SyntaxNode, state: State): void => {
  if (state.found.length > 0) return undefined;
  switch (node.type) {
    case "Command":
      return visitCommand(node, state);
    case "Pipeline":
      return visitPipeline(node, state);
    case "Redirected": {
      const text = printsNothing(node.command) ? "" : undefined;
      for (const redirect of node.redirects) visitRedirect(redirect, { text, words: [] }, state);
      const { input: outer, reads } = state;
      state.input = inputOf(node, outer, state.variables);
      state.reads = fileRead(node) ?? reads;
      visitChildren(node, state);
      state.input = outer;
      state.reads = reads;
      return undefined;
    }
    case "Subshell": {
      const { cwd } = state.place;
      visitChildren(node, state);
      state.place = placeIn(cwd, state.place); // the folder is the shell's own, links that were made inside stay
      return undefined;
    }
    case "Function":
      if (isForkBomb(node)) report(state, { class: "destructive", code: "fork-bomb", matched: node.name.text });
      return visitChildren(node, state);
    case "For": {
      const words = node.wordlist?.flatMap((word) => resolveWord(word, state.variables)) ?? [];
      const only = words.length === 1 ? words[0] : undefined;
      const texts = words.flatMap((word) => word.values ?? [word.text]);
      state.variables.set(node.name.text, [
        only ?? oneOf(texts, words.map((word) => `${word.text} ${word.hidden}`).join(" ")),
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

const WRITE_OPERATORS: ReadonlySet<string> = new Set([">", ">>", ">|", "&>", "&>>", "<>", ">&"]);

const KEEPING_OPERATORS: ReadonlySet<string> = new Set([">>", "&>>", "<>"]);

type Printed = { readonly text: string | undefined; readonly words: readonly Argument[] };

const NAMES_DESCRIPTOR = /^\/+(?:dev\/+(?:std|fd)|proc\/)/;

/**
 * `tee /dev/stderr 2< file` opens the file anew, to write. Only standard input of a command that names no descriptor is
 * safe.
 */
const visitOpened = ({ operator, descriptor, target }: Bash.Redirect, words: Printed["words"], state: State): void => {
  const isInput = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
  const isRead = isInput && !words.some(({ text }) => NAMES_DESCRIPTOR.test(text));
  if (operator !== "<" || isRead || target === undefined) return;
  for (const { text } of resolveWord(target, state.variables)) report(state, targetIsProtected(text, state.place));
};

const isOutput = ({ descriptor }: Bash.Redirect): boolean =>
  descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 1);

/** Git runs what stands there. */
const GIT_HOOK = /(?:^|\/)\.git\/hooks\/[^/]+$/;

const visitRedirect = (redirect: Bash.Redirection, { text, words }: Printed, state: State): void => {
  if (redirect.type !== "Redirect" || redirect.target === undefined) return;
  visitOpened(redirect, words, state);
  if (WRITE_OPERATORS.has(redirect.operator)) visitWritten(redirect, { text, words }, state);
};

const visitWritten = (redirect: Bash.Redirect, { text, words }: Printed, state: State): void => {
  const targets = redirect.target === undefined ? [] : resolveWord(redirect.target, state.variables);
  const truncates = !KEEPING_OPERATORS.has(redirect.operator);
  // `2> f` gets only the error stream; it is known to stay empty only for a command that prints nothing.
  const carries = isOutput(redirect) || text === "";
  for (const { text: target, values } of targets) {
    for (const value of values ?? []) report(state, targetIsProtected(value, state.place));
    if (redirect.operator === ">&" && /^(?:\d+|-)$/.test(target)) continue;
    report(state, targetIsProtected(target, state.place));
    const given = { target, truncates: truncates && carries, text, words };
    report(state, findEmptyingRedirection(given, state.place, state));
    if (carries) state.written.add({ path: absolutePath(target, state.place), text, appends: !truncates });
    if (GIT_HOOK.test(target)) inspectScript(text ?? "", state);
  }
};

const PROMPT = /^PS[0-4]$/;

/** `c+=' -rf src'`: one text behind another. */
const appended = (before: readonly Argument[] | undefined, added: readonly Argument[]): readonly Argument[] => {
  const [first, last] = [before?.[0] ?? literal(UNKNOWN), added[0] ?? literal("")];
  return [
    {
      text: `${first.text}${last.text}`,
      hidden: `${first.hidden} ${last.hidden}`.trim(),
      raw: `${first.raw}${last.raw}`,
      pattern: first.pattern || last.pattern,
    },
  ];
};

const assign = (node: Bash.Assignment, state: State): void => {
  const value = node.value;
  const words = value.type === "Word" ? [value] : value.elements;
  const values = words.flatMap((word) => resolveWord(word, state.variables));
  const at = node.index?.value;
  if (at !== undefined && /^\d{1,3}$/.test(at)) return assignElement(node.name, { at: Number(at), values }, state);
  state.variables.set(node.name, assigned(node, values, state));
  for (const { text } of values) {
    if (PROMPT.test(node.name)) inspectScript(`: "${text}"`, state);
    for (const script of scriptsInVariable(node.name, text)) inspectScript(script, state);
  }
};

const assigned = (node: Bash.Assignment, values: readonly Argument[], state: State): readonly Argument[] => {
  const before = node.append === true ? state.variables.get(node.name) : [];
  const isList = node.value.type !== "Word" || before?.length === 0;
  return isList ? [...(before ?? []), ...values] : appended(before, values);
};

/** `a[1]=m`: what stands before it and was never given is nothing. */
const assignElement = (name: string, given: { at: number; values: readonly Argument[] }, state: State): void => {
  const list = [...(state.variables.get(name) ?? [])];
  while (list.length < given.at) list.push(literal(""));
  list[given.at] = given.values[0] ?? literal("");
  state.variables.set(name, list);
};

const restore = (name: string, values: readonly Argument[] | undefined, state: State): void => {
  if (values === undefined) state.variables.delete(name);
  else state.variables.set(name, values);
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
  // `IFS=, read a b` changes how that one command splits, and nothing after it.
  const kept = state.variables.get("IFS");
  for (const item of [...node.prefix, ...node.suffix]) if (item.type === "Assignment") assign(item, state);
  if (node.name !== undefined) restore("IFS", kept, state);
  const words =
    node.name === undefined
      ? []
      : [node.name, ...node.args].flatMap((word) =>
          word.type === "Word" ? resolveWord(word, state.variables) : [assignmentArgument(word, state)],
        );
  if (node.redirects.length > 0) {
    const text = node.name === undefined ? "" : outputOf(node, outer, state.variables);
    for (const redirect of node.redirects) visitRedirect(redirect, { text, words }, state);
  }
  if (node.name === undefined) return;
  const input = ownInput(node, state) ?? inputOf(node, outer, state.variables);
  inspectVariables(node, { words, input }, state);
  const { reads } = state;
  state.reads = fileRead(node) ?? reads;
  inspectWords({ words, input }, state);
  state.reads = reads;
};

/** What stands in front of a command is for that command. */
const inspectVariables = (node: Bash.Command, { words, input }: Read, state: State): void => {
  const given = node.prefix.flatMap((item) =>
    item.type === "Assignment" && item.value.type === "Word"
      ? resolveWord(item.value, state.variables).map(({ text }) => ({ name: item.name, value: text }))
      : [],
  );
  if (given.length === 0) return;
  const [first, ...args] = words;
  report(state, findInVariables(given, { name: first?.text ?? "", args, input }, state.place));
};

/** `bash < s.sh`, where the line itself has written `s.sh`. */
const ownInput = (node: Bash.Command, state: State): Input | undefined => {
  const source = node.redirects.findLast((redirect) => redirect.type === "Redirect" && redirect.operator === "<");
  return source?.type === "Redirect" && source.target !== undefined
    ? state.written.readBy(source.target.value, state.place)
    : undefined;
};

/** GNU's tools beside others of the same name: `grm`, `gxargs`. */
const GNU: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred truncate cp mv ln dd tee install env nice timeout stdbuf chroot nohup sed awk tar find xargs make".split(
    " ",
  ),
);

const plainName = (name: string): string => {
  if (name === "bsdtar") return "tar";
  return name.startsWith("g") && GNU.has(name.slice(1)) ? name.slice(1) : name;
};

/** The last component of the name; unknown when any of it is computed or a pattern. */
const commandName = (word: Argument): string | undefined => {
  const base = word.text.slice(word.text.lastIndexOf("/") + 1);
  if (base.includes(UNKNOWN) || word.pattern) return undefined;
  if (!base.includes(".") && !base.includes("@")) return plainName(base); // almost every name
  return plainName(base.replace(/\.exe$/i, "").replace(/(?<=.)@.*$/, ""));
};

const changeFolder = (args: readonly Argument[], state: State): void => {
  const target = args.find((argument) => !argument.text.startsWith("-"))?.text ?? state.place.home;
  if (!target.includes(UNKNOWN)) state.place = placeIn(absolutePath(target, state.place), state.place);
};

/** Bash does not decode `\x72m` here, but its author meant `rm`. */
const spelledInBytes = (word: Argument): boolean =>
  /\\(?:x[0-9a-f]{2}|[0-7]{3})/i.test(word.raw) && isRemover(decodeEscapes(word.raw));

const MOVES: ReadonlySet<string> = new Set(["cd", "pushd"]);

const READERS: ReadonlySet<string> = new Set(["read", "mapfile", "readarray"]);
const LINES_MAX = 64;

/** `read f`, `mapfile -t list`: what comes in, word by word, or the words of the commands that it comes from. */
const readInto = ({ args, input, reads = "" }: Invocation, state: State): void => {
  const words = (input?.text ?? input?.source ?? "").split(/\s+/).slice(0, LINES_MAX);
  const values = words.map((word) => word.replace(/^["']|["']$/g, "")).filter((word) => word !== "");
  for (const { text } of args)
    if (/^[A-Za-z_]\w*$/.test(text)) state.variables.set(text, [oneOf(values, input?.source ?? reads)]);
};

/** What a builtin does to the words that follow. */
const followBuiltin = (invocation: Invocation, state: State): void => {
  const { name, args } = invocation;
  if (MOVES.has(name)) changeFolder(args, state);
  if (READERS.has(name)) readInto(invocation, state);
  if (name === "set")
    state.variables.set(
      "@",
      args.filter((argument) => argument.text !== "--"),
    );
};

type Read = { readonly words: readonly Argument[]; readonly input: Input | undefined; readonly perhaps?: boolean };

const inspectWords = ({ words, input, perhaps = false }: Read, state: State): void => {
  const [first, ...args] = words;
  if (first === undefined || state.found.length > 0) return;
  state.commands += 1;
  if (state.commands > COMMANDS_MAX) return report(state, opaque("too many commands"));
  const name = state.links.programAt(first.text, state.place) ?? commandName(first);
  if (name === undefined && perhaps) return undefined;
  if (name === undefined || spelledInBytes(first)) return report(state, opaque(first.raw));
  return inspectInvocation({ name, args, input, reads: state.reads }, first.text, state);
};

/** `command` is the name as given. */
const inspectInvocation = (invocation: Invocation, command: string, state: State): void => {
  const { name, args } = invocation;
  followBuiltin(invocation, state);
  report(
    state,
    findDestructive(invocation, state.place, state) ??
      findGatewayControl(invocation, state.place, state.variables) ??
      findConfigChange(invocation, state.place),
  );
  for (const inner of unwrap(invocation)) inspectInner(inner, state);
  for (const inner of state.written.runBy(command, invocation, state.place)) inspectInner(inner, state);
  state.written.addBy(invocation, state.place);
  if (state.links.addBy(invocation, state.place)) followLinks(state);
  if (!MOVES.has(name)) for (const { text } of args) state.names.add(text);
};

/** From its first link on, paths lead where the line itself made them lead. */
const followLinks = (state: State): void => {
  const { links, place } = state;
  const realpath = (path: string): string | undefined => {
    const led = links.follow(path);
    return led === undefined ? place.realpath?.(path) : (place.realpath?.(led) ?? led);
  };
  state.place = { ...place, realpath };
};

const inspectInner = (inner: Inner, state: State): void => {
  if (state.found.length > 0) return undefined;
  switch (inner.type) {
    case "command":
      return inspectWords(inner, state);
    case "script":
      return inner.positional === undefined
        ? inspectScript(inner.text, state)
        : inspectWithArguments(inner.text, inner.positional, state);
    case "code":
      return inspectCode(inner.text, inner.language, state);
    case "opaque":
      return report(state, opaque(inner.what));
    default:
      return inner satisfies never;
  }
};

/** `bash -c '"$@"' _ npm test`: the words behind a script are its `$0`, `$1` and so on. */
const inspectWithArguments = (script: string, positional: readonly Argument[], state: State): void => {
  const names = ["@", "*", ...positional.map((_argument, index) => String(index))];
  const before = names.map((name) => state.variables.get(name));
  const given = positional.slice(1);
  if (given.length > 0) for (const name of ["@", "*"]) state.variables.set(name, given);
  for (const [index, argument] of positional.entries()) state.variables.set(String(index), [argument]);
  inspectScript(script, state);
  for (const [index, name] of names.entries()) restore(name, before[index], state);
};

/** A string that begins with something unknown is not searched: the command in it cannot be known. */
const inspectCode = (code: string, language: string, state: State): void => {
  const found =
    [code, ...decodedIn(code)].map((text) => codeDestroys(text, language)).find((finding) => finding !== undefined) ??
    findComputedCode(code) ??
    codeStopsGateway(code, state.place) ??
    codeChangesConfig(code, language, state.place) ??
    findEmptyingCode(code);
  report(state, found);
  for (const script of scriptsInCode(code, language))
    if (!script.trimStart().startsWith(UNKNOWN)) inspectScript(script, state);
};

/** Text nested so deeply that it cannot be walked is held: nobody writes so, and how deep is too deep depends on the machine. */
const inspectOrScan = (command: string, state: State): void => {
  try {
    inspectScript(command, state);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(state, opaque("nested too deeply"));
  }
};

export const inspectCommand = (command: string, place: EditPlace): Finding | undefined => {
  const variables: Variables = new Map([
    ["HOME", [literal(place.home)]],
    ["PWD", [literal(place.cwd)]],
    ["XDG_CONFIG_HOME", [literal(`${place.home}/.config`)]],
  ]);
  const state: State = {
    place: place.realpath === undefined ? place : { ...place }, // what is resolved for it holds for this judgement alone
    links: createLinks(),
    variables,
    found: [],
    depth: 0,
    commands: 0,
    input: undefined,
    reads: undefined,
    written: createWrittenFiles(),
    names: new Set(),
  };
  if (command.length > COMMAND_LENGTH_MAX) scanText(command, state);
  else inspectOrScan(command, state);
  return state.found[0];
};
