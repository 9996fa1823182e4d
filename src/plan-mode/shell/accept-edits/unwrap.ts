/** Commands inside commands: what a wrapper, a shell, an interpreter or a scheduler is told to run. */
import { namesIn, UNKNOWN } from "./finding.ts";
import { scriptsForGit } from "./destructive/git-destroys.ts";
import { fromInput, interpreter, recipesIn, shell, SHELLS, sourced } from "./code/interpreters.ts";
import type { Inner, Input, Invocation } from "./invocation.ts";
import { stringsIn } from "./code/languages.ts";
import { cmd, powershell } from "./code/powershell.ts";
import { runByOptions } from "./run-by-options.ts";
import { decodeEscapes, literal } from "./resolve.ts";
import type { Argument } from "./resolve.ts";
import { behind, commandsBehind, isOption, optionValues, STARTS_SHELL, scriptsInOptions } from "./wrapped-commands.ts";
import { AWK, EDITORS, isFilter } from "./script-targets.ts";
import type { Reading } from "./wrapped-commands.ts";

const joined = (args: readonly Argument[]): string => args.map((argument) => argument.text).join(" ");

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.filter((argument) => !isOption(argument)).map((argument) => argument.text);

const scripts = (texts: readonly string[]): readonly Inner[] => texts.map((text) => ({ type: "script", text }));

const XARGS_VALUED = namesIn(
  "-n -L -P -d -s -E -a -I --max-args --max-lines --max-procs --delimiter --max-chars --arg-file",
);

/** What xargs reads is appended, or stands where its placeholder does. */
const xargs = ({ args, input }: Invocation): readonly Inner[] => {
  const words = behind(args, XARGS_VALUED);
  if (words.length === 0) return [];
  const own = args.slice(0, args.length - words.length);
  const placeholder = own.flatMap(({ text }, index): readonly string[] => {
    if (/^(?:-i|--replace)$/.test(text)) return ["{}"];
    return text === "-I" ? [own[index + 1]?.text ?? "{}"] : (/^(?:-[Ii]|--replace=)(.+)/.exec(text)?.slice(1) ?? []);
  })[0];
  const listed = optionValues(own, namesIn("-a --arg-file")).join(" ");
  const read: Argument = { text: UNKNOWN, hidden: `${input?.source ?? ""} ${listed}`, raw: "", pattern: false };
  const placed = words.map((word) =>
    placeholder === undefined
      ? word
      : { ...word, text: word.text.replaceAll(placeholder, UNKNOWN), hidden: read.hidden },
  );
  return [{ type: "command", words: placeholder === undefined ? [...words, read] : placed, input: undefined }];
};

/** find -exec and fd -x: the words up to the end; found paths begin with the first starting point. */
const finder = ({ name, args }: Invocation): readonly Inner[] => {
  const first = args[0];
  const start = first === undefined || isOption(first) ? "." : first.text;
  const found = literal(`${start}/${UNKNOWN}`);
  const verbs = name === "find" ? namesIn("-exec -execdir -ok -okdir") : namesIn("-x -X --exec --exec-batch");
  return args.flatMap((argument, index): readonly Inner[] => {
    if (!verbs.has(argument.text)) return [];
    const tail = args.slice(index + 1);
    const end = tail.findIndex((word) => word.text === ";" || word.text === "+");
    const words = (end === -1 ? tail : tail.slice(0, end)).map((word) => ({
      ...word,
      text: word.text.replaceAll("{}", found.text),
    }));
    return [{ type: "command", words: name === "find" ? words : [...words, found], input: undefined }];
  });
};

/** `eval "$(ssh-agent -s)"`: tools whose only job is to print settings for the shell. */
const SETTINGS_PRINTER =
  /^(?:\$\(|`)\s*(?:ssh-agent|direnv|brew|pyenv|rbenv|nodenv|fnm|mise|asdf|starship|zoxide|opam|conda|dircolors|minikube|docker-machine)\s[^;&|<>$`]*[)`]$/;

const printsSettings = (args: readonly Argument[]): boolean =>
  args.length === 1 && args[0]?.text === UNKNOWN && SETTINGS_PRINTER.test(args[0].hidden);

const CRON_FIELDS = /^[ \t]*(?:@\w+|(?:[^\s#]\S*[ \t]+){5})/gm;

/** A table for cron: its text if that is known, and otherwise what the commands that write it say in quotes. */
const scheduled = ({ args, input }: Invocation): readonly Inner[] => {
  // Without the name of a file the table comes in.
  const named = args.some(({ text }, index) => !text.startsWith("-") && args[index - 1]?.text !== "-u");
  if (input === undefined || named) return [];
  const texts = input.text === undefined ? stringsIn(input.source) : [input.text];
  return scripts(texts.map(withoutFields));
};

/** The commands of a table for cron. */
export const withoutFields = (table: string): string => table.replace(CRON_FIELDS, "");

/** A word with blanks in the place of a command is a script. */
const read = ({ words, perhaps, joined: joins }: Reading, input: Input | undefined): Inner =>
  joins || /\s/.test(words[0]?.text ?? "")
    ? { type: "script", text: joined(words) }
    : { type: "command", words, input, perhaps };

/** The commands behind a wrapper; without one some start a shell, which reads the input. */
const wrapped = ({ name, args, input }: Invocation): readonly Inner[] => {
  const readings = commandsBehind(name, args);
  return readings.length === 0 && STARTS_SHELL.has(name)
    ? fromInput(input, name)
    : readings.map((reading) => read(reading, input));
};

/** The command with each of the values behind `:::`; without a command the values are commands. */
const parallel = ({ args, input }: Invocation): readonly Inner[] => {
  const end = args.findIndex((argument) => argument.text.startsWith(":::"));
  const own = end === -1 ? args : args.slice(0, end);
  const readings = commandsBehind("parallel", own);
  if (readings.length > 0) return readings.map((reading) => read(reading, undefined));
  return end === -1 ? fromInput(input, "parallel") : scripts(args.slice(end + 1).map((argument) => argument.text));
};

/** Options that carry a script, and otherwise standard input. */
const switchesUser = ({ name, args, input }: Invocation): readonly Inner[] => {
  const given = scripts(scriptsInOptions(name, args));
  return given.length > 0 ? given : fromInput(input, name);
};

/** `start-stop-daemon -S -x /bin/rm -- -rf a`: the program of an option, with what stands behind the dashes. */
const daemon = ({ args, input }: Invocation): readonly Inner[] => {
  const at = args.findIndex(({ text }) => text === "--");
  const own = at === -1 ? args : args.slice(0, at);
  const rest = at === -1 ? [] : args.slice(at + 1);
  const programs = optionValues(own, namesIn("-x --exec -a --startas"));
  return programs.map((program) => ({ type: "command", words: [literal(program), ...rest], input }));
};

const SHELL_FUNCTION = /\$\(shell ([^)]*)\)/g;

/** `make -f <(printf 'all:\n\trm x\n')`: what the commands that write it say in quotes. */
const printedInto = ({ raw }: Argument): string =>
  raw.startsWith("<(") ? decodeEscapes(stringsIn(raw).join("\n")) : "";

const made = ({ args, input }: Invocation): readonly Inner[] => [
  ...recipesIn(input?.text ?? ""),
  ...args.map(printedInto).flatMap(recipesIn),
  ...optionValues(args, namesIn("-E --eval")).flatMap(recipesIn),
  ...scripts(args.flatMap(({ text }) => [...text.matchAll(SHELL_FUNCTION)].map((match) => match[1] ?? ""))),
];

/** Builtins and tools whose text contains a script in a form of its own. */
const SPECIAL: Readonly<Record<string, (invocation: Invocation) => readonly Inner[]>> = {
  eval: ({ args }) => (printsSettings(args) ? [] : scripts([joined(args)])),
  command: ({ args, input }) =>
    args.some((argument) => /^-[vV]/.test(argument.text))
      ? []
      : [{ type: "command", words: behind(args, new Set()), input }],
  trap: ({ args }) => scripts(operandsOf(args).slice(0, 1)),
  alias: ({ args }) => scripts(args.map((argument) => argument.text.replace(/^[^=]*=/, ""))),
  hash: ({ args }) => scripts(optionValues(args, namesIn("-p"))),
  source: sourced,
  ".": sourced,
  xargs,
  find: finder,
  fd: finder,
  fdfind: finder,
  parallel,
  su: switchesUser,
  at: ({ input }) => fromInput(input, "at"),
  batch: ({ input }) => fromInput(input, "batch"),
  crontab: scheduled,
  make: made,
  git: ({ args }) => scripts(scriptsForGit(args)),
  pwsh: powershell,
  powershell,
  cmd,
  screen: ({ args }) => {
    const typed = args.findIndex((argument) => argument.text === "stuff");
    if (typed !== -1) return scripts([joined(args.slice(typed + 1))]);
    return [{ type: "command", words: behind(args, namesIn("-S -t -c -h -T")), input: undefined }];
  },
  "start-stop-daemon": daemon,
  // Each operand is a command of its own.
  hyperfine: ({ args }) => scripts(operandsOf(args)),
  concurrently: ({ args }) => scripts(operandsOf(args)),
  pee: ({ args }) => scripts(operandsOf(args)),
};

/** Strings that awk hands to a shell, and `!` lines of editors and database clients. */
const embedded = ({ name, args, input }: Invocation): readonly Inner[] => {
  const texts = [...args.map((argument) => argument.text), input?.text ?? ""];
  if (AWK.has(name)) return texts.some((text) => /\bsystem\b|\|/.test(text)) ? scripts(texts.flatMap(stringsIn)) : [];
  if (EDITORS.has(name))
    return texts.flatMap((text) => [
      ...bang(text, /(?:^\+?:?|\|\s*|:)(?:silent\s+)?!\s*([\s\S]+)/),
      ...editorCode(text),
    ]);
  if (name === "sed")
    return texts
      .filter((text) => !isFilter(text)) // a filter has no `e` command
      .flatMap((text) => [
        ...bang(text, /(?:^|[\d$/;{}!\n\s])e\s+(\S[^\n]*)/),
        ...bang(text, /s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1\w*e/).map(withoutEscapes),
      ]);
  return texts.flatMap((text) => bang(text, /(?:^|\n)\s*(?:\\!|\.shell|\.system)\s*([^\n]+)/));
};

/** `:lua …`, `:py3 …`: code in a language that an editor speaks besides its own. */
const editorCode = (text: string): readonly Inner[] => {
  const [, word = "", code] = /^\+?:?(lua|py|python|perl|ruby|tcl)(?:3|x)?\s+([\s\S]+)$/.exec(text) ?? [];
  return code === undefined ? [] : [{ type: "code", text: code, language: word.startsWith("py") ? "python" : word }];
};

/** Behind a backslash stands the delimiter of the substitution. */
const withoutEscapes = (inner: Inner): Inner =>
  inner.type === "script" ? { ...inner, text: inner.text.replace(/\\(.)/g, "$1") } : inner;

const bang = (text: string, pattern: RegExp): readonly Inner[] => {
  const script = pattern.exec(text)?.at(-1);
  return script === undefined ? [] : [{ type: "script", text: script }];
};

const EMBEDDING = namesIn("awk gawk mawk nawk vi vim view nvim ex ed rvim sed psql mysql mariadb sqlite3");

/** Everything that runs because this command does. */
export const unwrap = (invocation: Invocation): readonly Inner[] => [
  ...runByOptions(invocation),
  ...commandsIn(invocation),
];

const commandsIn = (invocation: Invocation): readonly Inner[] => {
  const { name, args } = invocation;
  if (SHELLS.has(name)) return shell(invocation);
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return special(invocation);
  if (EMBEDDING.has(name)) return embedded(invocation);
  const code = interpreter(invocation);
  return code.length > 0 ? code : [...scripts(scriptsInOptions(name, args)), ...wrapped(invocation)];
};
