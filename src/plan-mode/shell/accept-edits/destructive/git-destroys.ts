/**
 * What git can take away for good: changes that no commit holds, files that it does not know, refs, and the objects or
 * the log by which they could be found again. Moving a branch on (commit, merge, rebase, a mixed reset) loses nothing.
 * git takes a long option by any beginning that is unique; so does this table.
 */
import type { Argument } from "../resolve.ts";

/** `--hard` by any beginning of at least `least` letters. */
const long = (name: string, least: number): string => {
  const optional = Array.from(name.slice(least)).reduceRight((rest, letter) => `(?:${letter}${rest})?`, "");
  return `--${name.slice(0, least)}${optional}(?![\\w-])`;
};
const short = (letters: string): string => `-[a-zA-Z]*[${letters}][a-zA-Z]*(?![\\w-])`;
const any = (...options: readonly string[]): RegExp => new RegExp(`(?:^| )(?:${options.join("|")})`);

/** Whether the arguments behind a verb, joined by blanks, make it destructive. */
type Test = (rest: string) => boolean;
const matches =
  (pattern: RegExp): Test =>
  (rest) =>
    pattern.test(rest);
const has = (...options: readonly string[]): Test => matches(any(...options));
const lacks = (...options: readonly string[]): Test => {
  const pattern = any(...options);
  return (rest) => !pattern.test(rest);
};

const FORCE = [short("f"), long("force", 3)];
const DELETE = [short("dD"), long("delete", 3)];

const STARTS_BRANCH = any(short("bBt"), long("orphan", 2), long("track", 2), long("detach", 3));
const NAMES_PATHS = any(...FORCE, "--(?: |$)", "\\.{1,2}/?(?: |$)");
/** A name with the ending of a file; `v1.2` and `release/1.x` are none. */
const FILE = /\.(?:[a-zA-Z][a-zA-Z0-9]{1,5}|[chmrsv])$/;

const checkoutDiscards: Test = (rest) => {
  if (NAMES_PATHS.test(rest)) return true;
  if (STARTS_BRANCH.test(rest)) return false;
  const operands = rest.split(" ").filter((word) => word !== "" && !word.startsWith("-"));
  return operands.length > 1 || FILE.test(operands[0] ?? "");
};

const STAGED = any("-S(?![\\w-])", long("staged", 2));
const WORKTREE = any("-[a-zA-Z]*W", long("worktree", 2));

const VERBS: Readonly<Record<string, Test>> = {
  clean: lacks(short("ni"), long("dry-run", 1), long("interactive", 1)),
  reset: has(long("hard", 2), long("merge", 2), long("keep", 1)),
  // a refspec with a plus overwrites, one without a source deletes
  push: has(...FORCE, ...DELETE, "--force-", long("mirror", 1), long("prune", 3), "[+:]\\S"),
  checkout: checkoutDiscards,
  switch: has(...FORCE, long("discard-changes", 2)),
  restore: (rest) => !STAGED.test(rest) || WORKTREE.test(rest),
  "checkout-index": has(...FORCE),
  "read-tree": has(long("reset", 1)),
  stash: matches(/^(?:clear|drop)\b/),
  // a branch that is set elsewhere by force no longer leads to its commits
  branch: has(...DELETE, ...FORCE),
  tag: has(...DELETE),
  rm: lacks(long("cached", 1), short("n"), long("dry-run", 1)),
  reflog: matches(/^(?:expire|delete|drop)\b/),
  gc: matches(/--prune=(?:now|all)/),
  prune: lacks(short("n"), long("dry-run", 1)),
  worktree: matches(/^(?:remove|prune)\b/),
  remote: matches(/^(?:remove|rm)\b/),
  notes: matches(/^(?:remove|prune)\b/),
  replace: has(...DELETE),
  submodule: matches(/^deinit\b/),
  lfs: matches(/^prune\b/),
  "symbolic-ref": has(...DELETE),
  "update-ref": has(short("d")),
  "filter-branch": () => true,
  "filter-repo": () => true,
};

const GLOBAL_VALUED: ReadonlySet<string> = new Set(
  "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix".split(" "),
);

const textsOf = (args: readonly Argument[]): readonly string[] => args.map((argument) => argument.text);

const gitVerb = (args: readonly Argument[]): { readonly verb: string; readonly rest: readonly Argument[] } => {
  let index = 0;
  while (args[index]?.text.startsWith("-") === true) index += GLOBAL_VALUED.has(args[index]?.text ?? "") ? 2 : 1;
  return { verb: args[index]?.text ?? "", rest: args.slice(index + 1) };
};

/** What is destroyed, as the person would write it. */
export const gitDestroys = (
  args: readonly Argument[],
): { readonly verb: string; readonly line: string } | undefined => {
  const { verb, rest } = gitVerb(args);
  const line = textsOf(rest).join(" ");
  const destroys = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  return destroys?.(line) === true ? { verb, line } : undefined;
};

/** Settings whose value git runs. */
const PROGRAM_SETTINGS =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass)|sequence\.editor|diff\.external|pager\..+|.+\.(?:textconv|cmd|clean|smudge|process|driver|program))$/i;

/** `alias.x=!rm a`, `core.pager=rm a`, and the same as two words behind `git config`. */
const scriptsInSettings = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text, index) => {
    const [name = "", value = texts[index + 1] ?? ""] = text.split(/=(.*)/s);
    if (PROGRAM_SETTINGS.test(name)) return [value];
    if (!name.startsWith("alias.") || value === "" || value.startsWith("-")) return [];
    return value.startsWith("!") ? [value.slice(1)] : [`git ${value}`];
  });

const EXECUTES: Readonly<Record<string, RegExp>> = {
  rebase: /^(?:-x|--exec)(?:=?(.+))?/,
  difftool: /^(?:-x|--extcmd)(?:=?(.+))?/,
};

/** Commands that git is told to run: in settings, by `rebase --exec`, `bisect run`, `submodule foreach`. */
export const scriptsForGit = (args: readonly Argument[]): readonly string[] => {
  const { verb, rest } = gitVerb(args);
  const texts = textsOf(rest);
  const inSettings = scriptsInSettings(textsOf(args));
  if (verb === "bisect" && texts[0] === "run") return [...inSettings, texts.slice(1).join(" ")];
  if (verb === "submodule" && texts.includes("foreach")) {
    const script = texts.slice(texts.indexOf("foreach") + 1).filter((text) => text !== "--recursive");
    return [...inSettings, script.join(" ")];
  }
  const option = Object.hasOwn(EXECUTES, verb) ? EXECUTES[verb] : undefined;
  const executed = texts.flatMap((text, index) => {
    const match = option?.exec(text) ?? undefined;
    return match === undefined ? [] : [match[1] ?? texts[index + 1] ?? ""];
  });
  return [...inSettings, ...executed];
};
