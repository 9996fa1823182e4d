/** Programs named in options, in settings and in variables: what another program starts because it was told to. */
import { namesIn, UNKNOWN } from "./finding.ts";
import type { Inner, Invocation } from "./invocation.ts";
import type { Argument } from "./resolve.ts";

/** A long option whose last word says that its value is run: `--use-compress-program`, `--open-files-in-pager`, `--pre`. */
const RUNS = namesIn(
  "command cmd exec program prog pager editor shell preview hook pack rsh browser pre bin wrapper launcher runner script call askpass",
);
const lastWord = (option: string): string => option.slice(option.lastIndexOf("-") + 1);

/** Options besides those: the name of a program → its options whose value is a script. */
const SCRIPT_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = optionsByName({
  tar: "-I -F --use-compress-program --checkpoint-action --to-command",
  rsync: "-e --rsync-path",
  scp: "-S",
  sftp: "-S",
  man: "-P -H --html",
  split: "--filter",
  zip: "-TT",
  compgen: "-C",
  complete: "-C",
  mapfile: "-C",
  readarray: "-C",
  bind: "-x",
  git: "-O",
});

function optionsByName(options: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(options).map(([name, list]) => [name, namesIn(list)]));
}

const BEGINNING_LENGTH_MIN = 6;
const NONE: ReadonlySet<string> = new Set();

/** Variables that name a program which another one starts, or that bash itself runs. */
const NAMES_PROGRAM =
  /(?:PAGER|EDITOR|VISUAL|COMMAND|CMD|ASKPASS|BROWSER|LESSOPEN|LESSCLOSE|WRAPPER|EXTERNAL_DIFF|_RSH|GIT_SSH|SHELL|GIT_CONFIG_VALUE_\d+|GIT_CONFIG_PARAMETERS)$|^(?:CC|CXX|CPP|LD|AR|AS|FC|RUSTC|GOFLAGS|RUSTDOC)$/;
/** Variables whose value is read as further arguments of a program. */
const ARGUMENTS_FOR: Readonly<Record<string, string>> = { TAR_OPTIONS: "tar", MAKEFLAGS: "make", NODE_OPTIONS: "node" };

/** What runs because of a variable's value. A value that only the shell knows names nothing. */
export const scriptsInVariable = (name: string, value: string): readonly string[] => {
  if (value.trimStart().startsWith(UNKNOWN)) return [];
  const program = Object.hasOwn(ARGUMENTS_FOR, name) ? ARGUMENTS_FOR[name] : undefined;
  if (program !== undefined) return [`${program} ${value}`];
  return NAMES_PROGRAM.test(name) ? [value.replace(/^[!|]\s*/, "")] : [];
};

const isRunning = (option: string, own: ReadonlySet<string>): boolean =>
  own.has(option) || (option.startsWith("--") && RUNS.has(lastWord(option)));

/** The value behind an option: attached by `=` or directly, or the next word. */
/** tar and git take a long option by any beginning that is unique. */
const beginsOne = (option: string, own: ReadonlySet<string>): boolean =>
  option.startsWith("--") && option.length > BEGINNING_LENGTH_MIN && [...own].some((name) => name.startsWith(option));

const valuesIn = (args: readonly Argument[], own: ReadonlySet<string>): readonly string[] =>
  args.flatMap(({ text }, index): readonly string[] => {
    if (!text.startsWith("-")) return []; // most words are no options
    const equals = text.indexOf("=");
    const option = equals === -1 ? text : text.slice(0, equals);
    const attached = equals === -1 ? undefined : text.slice(equals + 1);
    if (isRunning(option, own) || beginsOne(option, own)) return [attached ?? args[index + 1]?.text ?? ""];
    return !text.startsWith("--") && own.has(text.slice(0, 2)) ? [text.slice(2)] : [];
  });

const SSH_RUNS = /^(?:-o)?\s*(?:Proxy|Local|Remote|KnownHosts)Command[\s=]+(.*)$/is;
const BOUND = /(?:execute|execute-silent|become|reload|transform)\(([^)]*)\)/g;
/** What a debugger is told to do: `shell rm a`, `!rm a`, `python …`. */
const DEBUGGER = /^\s*(?:(?:platform )?shell\s+|!\s*)(.*)$/s;
const DEBUGGER_CODE = /^\s*(?:python(?:-interactive)?|py|script)\s+(.*)$/s;

const inDebugger = ({ args }: Invocation): readonly Inner[] =>
  args.flatMap(({ text }): readonly Inner[] => {
    const script = DEBUGGER.exec(text)?.[1];
    const code = DEBUGGER_CODE.exec(text)?.[1];
    if (script !== undefined) return [{ type: "script", text: script }];
    return code === undefined ? [] : [{ type: "code", text: code, language: "python" }];
  });

const matchesIn = (invocation: Invocation, pattern: RegExp): readonly string[] =>
  [...invocation.args.map((argument) => argument.text), invocation.input?.text ?? ""].flatMap((text) =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? ""),
  );

/** Programs with a language of their own in which a command can stand. */
const EMBEDDED: Readonly<Record<string, RegExp>> = {
  dc: /^\s*!([^\n]*)/gm,
  less: /^\+!(.*)/gs,
  more: /^\+!(.*)/gs,
  m4: /\be?syscmd\(([^)]*)\)/g,
  gnuplot: /(?:\bsystem\s*\(?\s*["']([^"']*)["'])/g,
  fzf: BOUND,
  sk: BOUND,
  socat: /\b(?:EXEC|SYSTEM):["']?([^,"']*)/gi,
  git: /^ext::(.*)/gs,
};
const DEBUGGERS = namesIn("gdb lldb cgdb");
const SHELL_CLIENTS = namesIn("ssh scp sftp autossh mosh");

/** A key binding or a checkpoint says first what kind of action it is. */
const withoutKind = (value: string): string => value.replace(/^exec=/, "").replace(/^"[^"]*":\s*/, "");

const scriptsOf = (invocation: Invocation): readonly string[] => {
  const { name, args } = invocation;
  const own = SCRIPT_OPTIONS.get(name) ?? NONE;
  const embedded = Object.hasOwn(EMBEDDED, name) ? EMBEDDED[name] : undefined;
  return [
    ...valuesIn(args, own).map(withoutKind),
    ...(embedded === undefined ? [] : matchesIn(invocation, embedded)),
    ...(SHELL_CLIENTS.has(name) ? args.flatMap(({ text }) => SSH_RUNS.exec(text)?.[1] ?? []) : []),
    // `make CC='rm x'`, `env PAGER='rm x' man ls`
    ...args.flatMap(({ text }) => {
      if (!text.includes("=")) return [];
      const [, variable, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
      return variable === undefined || value === undefined ? [] : scriptsInVariable(variable, value);
    }),
  ];
};

export const runByOptions = (invocation: Invocation): readonly Inner[] => [
  ...scriptsOf(invocation)
    .filter((text) => text.trim() !== "" && !text.trimStart().startsWith(UNKNOWN))
    .map((text): Inner => ({ type: "script", text })),
  ...(DEBUGGERS.has(invocation.name) ? inDebugger(invocation) : []),
];
