/**
 * A proven command where no sandbox keeps it inside the workspace (GA-15): its patterns are written out, so that what
 * runs is what was compared, and it is refused unless every name in it stays inside. What is only known when it runs
 * (variables, loops, names that a program finds and hands on) cannot be compared, and links that a search follows neither.
 */
import type { BareWords, WordPiece } from "../../plugins/sdk.ts";
import { staticText, text } from "./command-tree.ts";
import type { Command, List, Redirection, Simple, Word } from "./command-tree.ts";

/** Programs that read what their words name, and no more. `here`: the folder that they run in is searched unasked. */
const PROGRAMS: Readonly<Record<string, { here?: true; unsafe?: RegExp }>> = {
  ...named(
    `basename cat cksum cmp comm cut dirname echo expand expr false file fold head hexdump join md5sum nl od paste printf pwd
    readlink realpath rev seq sha1sum sha256sum sha512sum sort stat strings tac tail test [ tr true uniq wc xxd`,
    {},
  ),
  diff: { unsafe: /^(?:-[A-Za-z]*r|--recursive)/ },
  du: { here: true, unsafe: /^(?:-[A-Za-z]*[LDH]|--dereference)/ },
  find: { here: true, unsafe: /^-(?:L|H|follow|exec|execdir|ok|okdir|files0-from)$/ },
  ls: { here: true, unsafe: /^(?:-[A-Za-z]*[LH]|--dereference)/ },
  tree: { here: true, unsafe: /^-[A-Za-z]*l/ },
  git: { here: true },
  ...named("grep egrep fgrep", { here: true, unsafe: /^(?:-[A-Za-z]*R|--dereference-recursive)/ }),
  rg: { here: true, unsafe: /^(?:-[A-Za-z]*L|--follow)/ },
};
/** A file whose content names the files to be read. */
const NAMES_FILES = /^--files0?-from/;
/** Printing lines by number; other scripts can name files. */
const SED_LINES = /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pq]$/;
const SED_OPTIONS = new Set(["-n", "-e", "--", "--quiet", "--silent", "--posix", "--sandbox"]);

function named<Rule>(names: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, rule]));
}

class CannotBeWrittenOut extends Error {}

const refuse = (why: string): never => {
  throw new CannotBeWrittenOut(why);
};

export function writtenOut(list: List, bare: BareWords): { list: List } | { refused: string } {
  try {
    return { list: list.map((command) => commandOf(command, bare)) };
  } catch (error) {
    if (!(error instanceof CannotBeWrittenOut)) throw error;
    return {
      refused: `${error.message} There is no sandbox here, so only plain commands on files of the workspace run.`,
    };
  }
}

function commandOf(command: Command, bare: BareWords): Command {
  switch (command.type) {
    case "simple":
      return simpleOf(command, bare);
    case "pipeline":
      return { ...command, stages: command.stages.map((stage) => commandOf(stage, bare)) };
    case "and-or":
      return { ...command, items: command.items.map((item) => commandOf(item, bare)) };
    case "group":
      return {
        ...command,
        body: command.body.map((inner) => commandOf(inner, bare)),
        redirections: command.redirections.map((one) => redirectionOf(one, bare)),
      };
    default:
      return refuse(`"${command.type}" computes its words.`);
  }
}

function simpleOf(command: Simple, bare: BareWords): Simple {
  const [first, ...rest] = command.words;
  const name = first === undefined ? undefined : staticText(first);
  if (first === undefined || name === undefined || command.assignments.length > 0)
    return refuse("What it sets or runs is only known when it runs.");
  const words = rest.flatMap((word) => wordsOf(word, bare));
  const values = words.map((word) => staticText(word) ?? "");
  for (const value of values) checkName(value, bare);
  if (name === "sed") checkSed(values);
  else checkProgram(name, values, bare);
  return {
    ...command,
    words: [first, ...words],
    redirections: command.redirections.map((one) => redirectionOf(one, bare)),
  };
}

function checkProgram(name: string, values: readonly string[], bare: BareWords): void {
  const rule = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (rule === undefined) return refuse(`"${name}" may read more than its words name.`);
  const odd = values.find((value) => NAMES_FILES.test(value) || rule.unsafe?.test(value) === true);
  if (odd !== undefined) return refuse(`With "${odd}", "${name}" reads more than its words name.`);
  if (rule.here === true && bare.leadsOut(".")) return refuse(`"${name}" would search what belongs to the gateway.`);
}

function checkSed(values: readonly string[]): void {
  const [script = "", ...files] = values.filter((value) => !SED_OPTIONS.has(value));
  if (!SED_LINES.test(script) || files.some((file) => file.startsWith("-")))
    refuse("A script of sed can name files of its own.");
}

/** As a word of its own, behind an option's name, and right behind a short option. */
function checkName(value: string, bare: BareWords): void {
  const names = [value, value.slice(value.indexOf("=") + 1), ...(value.startsWith("-") ? [value.slice(2)] : [])];
  if (names.some((name) => name !== "" && bare.leadsOut(name))) refuse(`"${value}" leads out of the workspace.`);
}

function wordsOf(word: Word, bare: BareWords): Word[] {
  const value = staticText(word);
  if (value !== undefined) return [word];
  const found = bare.expand(word.parts.map(pieceOf)) ?? refuse("A pattern stands for too many names.");
  return found.map((name) => text(name.startsWith("-") ? `./${name}` : name));
}

const pieceOf = (part: Word["parts"][number]): WordPiece => {
  if (part.type === "text") return { text: part.value };
  return part.type === "glob" ? { pattern: part.pattern } : refuse("A word of it is only known when it runs.");
};

function redirectionOf(redirection: Redirection, bare: BareWords): Redirection {
  if (redirection.type === "copy") return redirection;
  const word = redirection.type === "file" ? redirection.target : redirection.content;
  const value = staticText(word) ?? refuse("A word of it is only known when it runs.");
  if (redirection.type === "file" && value !== "/dev/null") checkName(value, bare);
  return redirection;
}
