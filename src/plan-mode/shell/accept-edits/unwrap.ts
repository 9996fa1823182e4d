import { sedScriptIsReadOnly } from "../scripts/sed.ts";
import { Refused } from "../verdict.ts";
import { UNKNOWN } from "./finding.ts";
import { scriptsForGit } from "./git-destroys.ts";
import { isUnknown, literal } from "./resolve.ts";
import type { Argument } from "./resolve.ts";

/** Commands inside commands: what a wrapper, a shell, an interpreter or a scheduler is told to run. */

/** Standard input as far as it is known: its text, and the source of the commands that produce it. */
export type Input = { readonly text: string | undefined; readonly source: string };

export type Invocation = {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly input: Input | undefined;
};

export type Inner =
  | { readonly type: "command"; readonly words: readonly Argument[]; readonly input: Input | undefined }
  | { readonly type: "script"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "opaque"; readonly what: string };

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** Wrapper → its options that take a value, and how many operands of its own precede the command. */
const WRAPPERS: Readonly<Record<string, { readonly valued: string; readonly skip: number }>> = {
  env: { valued: "-u -C", skip: 0 },
  command: { valued: "", skip: 0 },
  builtin: { valued: "", skip: 0 },
  exec: { valued: "-a", skip: 0 },
  nohup: { valued: "", skip: 0 },
  nice: { valued: "-n", skip: 0 },
  ionice: { valued: "-c -n -p", skip: 0 },
  chrt: { valued: "-p", skip: 1 },
  taskset: { valued: "", skip: 1 },
  time: { valued: "-o -f", skip: 0 },
  timeout: { valued: "-k -s", skip: 1 },
  stdbuf: { valued: "-i -o -e", skip: 0 },
  setsid: { valued: "", skip: 0 },
  sudo: { valued: "-u -g -h -p -C -D -R -T -U", skip: 0 },
  doas: { valued: "-u -C", skip: 0 },
  runuser: { valued: "-u -g", skip: 0 },
  chroot: { valued: "", skip: 1 },
  unshare: { valued: "", skip: 0 },
  nsenter: { valued: "-t", skip: 0 },
  flock: { valued: "-w -E", skip: 1 },
  strace: { valued: "-e -o -p -s -u -E -P", skip: 0 },
  ltrace: { valued: "-e -o -p -s -u", skip: 0 },
  valgrind: { valued: "", skip: 0 },
  firejail: { valued: "", skip: 0 },
  bwrap: { valued: "", skip: 0 },
  busybox: { valued: "", skip: 0 },
  toybox: { valued: "", skip: 0 },
  npx: { valued: "-p --package -c --call", skip: 0 },
  bunx: { valued: "", skip: 0 },
  pnpx: { valued: "", skip: 0 },
  uvx: { valued: "", skip: 0 },
  dotenv: { valued: "-e", skip: 0 },
  "cross-env": { valued: "", skip: 0 },
  caffeinate: { valued: "-t -w", skip: 0 },
  xargs: { valued: "-n -L -P -d -s -E -a -I -i", skip: 0 },
  entr: { valued: "", skip: 0 },
  ssh: { valued: "-p -i -l -o -F -J -L -R -D -b -c -e -m -W -w", skip: 1 },
  torsocks: { valued: "", skip: 0 },
  "systemd-run": { valued: "-p -u", skip: 0 },
};

const RUNNERS: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: set("exec x"),
  pnpm: set("exec dlx"),
  yarn: set("exec dlx run"),
  bun: set("x run"),
  docker: set("exec run"),
  podman: set("exec run"),
  kubectl: set("exec run debug"),
  oc: set("exec rsh"),
  poetry: set("run"),
  pipenv: set("run"),
  uv: set("run"),
  bundle: set("exec"),
  "docker-compose": set("exec run"),
  ip: set("netns"),
  tmux: set("new new-session new-window neww split-window send-keys respawn-pane run-shell"),
};
const RUNNER_VALUED = set(
  "-u -w -e -v -p -n -c -l --user --workdir --env --volume --name --namespace --container --package -t -s --network --entrypoint --mount",
);

/** `pnpm name …` and `yarn name …` run an installed program; these verbs are their own. */
const PACKAGE_MANAGERS = set("pnpm yarn bun");
const PACKAGE_VERBS = set("exec dlx run x rm remove un uninstall unlink add install i ci test build create");

export const SHELLS: ReadonlySet<string> = set("sh bash zsh dash ksh mksh ash fish csh tcsh rbash");
const INTERPRETERS: Readonly<Record<string, ReadonlySet<string>>> = {
  python: set("-c"),
  node: set("-e --eval -p --print -pe"),
  deno: set("eval"),
  bun: set("-e --eval -p --print"),
  perl: set("-e -E"),
  ruby: set("-e"),
  php: set("-r"),
  lua: set("-e"),
  osascript: set("-e"),
  tclsh: set(""),
  R: set("-e"),
  Rscript: set("-e"),
};

const isOption = (argument: Argument): boolean => argument.text.startsWith("-") && argument.text !== "-";

/** The arguments behind a wrapper's own options, assignments and operands. */
const behind = (args: readonly Argument[], valued: ReadonlySet<string>, skip: number): readonly Argument[] => {
  let index = 0;
  let left = skip;
  for (; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === undefined) break;
    if (argument.text === "--") continue;
    if (isOption(argument)) {
      if (valued.has(argument.text)) index += 1;
      continue;
    }
    if (
      /^[A-Za-z_]\w*=/.test(argument.text) &&
      !isUnknown({ ...argument, text: argument.text.slice(0, argument.text.indexOf("=")) })
    )
      continue;
    if (left === 0) break;
    left -= 1;
  }
  return args.slice(index);
};

const joined = (args: readonly Argument[]): string => args.map((argument) => argument.text).join(" ");

const valueAfter = (args: readonly Argument[], names: ReadonlySet<string>): readonly Argument[] =>
  args.flatMap((argument, index) => {
    const value = names.has(argument.text) ? args[index + 1] : undefined;
    return value === undefined ? [] : [value];
  });

const fromInput = (input: Input | undefined, what: string, type: "script" | "code"): readonly Inner[] => {
  if (input === undefined) return [];
  if (input.text !== undefined) return [{ type, text: input.text }];
  // Code piped in from nowhere we can see.
  return [{ type: "opaque", what: `${input.source} | ${what}` }];
};

const shell = ({ name, args, input }: Invocation): readonly Inner[] => {
  const flag = args.findIndex((argument) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(argument.text));
  if (flag !== -1) {
    const script = args.slice(flag + 1).find((argument) => !isOption(argument));
    return script === undefined ? [] : [{ type: "script", text: script.text }];
  }
  const file = args.find((argument) => !isOption(argument) && !argument.text.startsWith("+"));
  if (file === undefined || args.some((argument) => argument.text === "-s")) return fromInput(input, name, "script");
  if (file.text === UNKNOWN && file.hidden.startsWith("<("))
    return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  return file.text === "/dev/stdin" || file.text === "-" ? fromInput(input, name, "script") : [];
};

const familyOf = (name: string): string =>
  name
    .replace(/[\d.]+$/, "")
    .replace(/^nodejs$/, "node")
    .replace(/^pypy$/, "python");

export const isInterpreter = (name: string): boolean => Object.hasOwn(INTERPRETERS, familyOf(name));

const interpreter = ({ name, args, input }: Invocation): readonly Inner[] => {
  const flags = Object.hasOwn(INTERPRETERS, familyOf(name)) ? INTERPRETERS[familyOf(name)] : undefined;
  if (flags === undefined) return [];
  const code = args.flatMap((argument, index): readonly string[] => {
    const clustered = /^-[a-zA-Z]*[eEcr]$/.test(argument.text) && flags.has(`-${argument.text.slice(-1)}`);
    if (flags.has(argument.text) || clustered) return [args[index + 1]?.text ?? ""];
    const attached = /^--(?:eval|print)=([\s\S]*)$/.exec(argument.text)?.[1];
    return attached === undefined ? [] : [attached];
  });
  if (code.length > 0) return code.map((text) => ({ type: "code", text }));
  const file = args.find((argument) => !isOption(argument));
  const stdin = file === undefined || file.text === "-";
  return stdin && input?.text !== undefined ? [{ type: "code", text: input.text }] : [];
};

const xargs = (invocation: Invocation): readonly Inner[] => {
  const words = behind(invocation.args, set(WRAPPERS.xargs?.valued ?? ""), 0);
  if (words.length === 0) return [];
  const appended: Argument = { text: UNKNOWN, hidden: invocation.input?.source ?? "", raw: "", pattern: false };
  return [{ type: "command", words: [...words, appended], input: undefined }];
};

const runner = (invocation: Invocation): readonly Inner[] | undefined => {
  const verbs = RUNNERS[invocation.name];
  const at = invocation.args.findIndex((argument) => !isOption(argument) && argument.text !== "compose");
  const verb = invocation.args[at]?.text ?? "";
  if (PACKAGE_MANAGERS.has(invocation.name) && !PACKAGE_VERBS.has(verb))
    return [{ type: "command", words: invocation.args.slice(Math.max(at, 0)), input: undefined }];
  if (verbs === undefined || !verbs.has(verb)) return undefined;
  const rest = invocation.args.slice(at + 1);
  const dashes = rest.findIndex((argument) => argument.text === "--");
  if (dashes !== -1) return [{ type: "command", words: rest.slice(dashes + 1), input: invocation.input }];
  if (invocation.name === "tmux") return [{ type: "script", text: joined(behind(rest, RUNNER_VALUED, 0)) }];
  const containers = ["docker", "podman", "kubectl", "oc", "docker-compose", "ip"].includes(invocation.name);
  return [{ type: "command", words: behind(rest, RUNNER_VALUED, containers ? 1 : 0), input: invocation.input }];
};

/** find -exec and fd -x: the words up to the end; found paths begin with the first starting point. */
const finder = ({ name, args }: Invocation): readonly Inner[] => {
  const starts =
    name === "find"
      ? args.filter(
          (argument, index) => !isOption(argument) && args.slice(0, index).every((earlier) => !isOption(earlier)),
        )
      : [];
  const found = literal(`${starts[0]?.text ?? "."}/${UNKNOWN}`);
  const verbs = name === "find" ? set("-exec -execdir -ok -okdir") : set("-x -X --exec --exec-batch");
  return args.flatMap((argument, index): readonly Inner[] => {
    if (!verbs.has(argument.text)) return [];
    const tail = args.slice(index + 1);
    const end = tail.findIndex((word) => word.text === ";" || word.text === "+");
    const words = (end === -1 ? tail : tail.slice(0, end)).map((word) =>
      word.text === "{}" ? found : { ...word, text: word.text.replaceAll("{}", found.text) },
    );
    return [{ type: "command", words: name === "find" ? words : [...words, found], input: undefined }];
  });
};

const NONE: ReadonlySet<string> = new Set();

/** `eval "$(ssh-agent -s)"`: tools whose only job is to print settings for the shell. */
const SETTINGS_PRINTER =
  /^(?:\$\(|`)\s*(?:ssh-agent|direnv|brew|pyenv|rbenv|nodenv|fnm|mise|asdf|starship|zoxide|opam|conda|dircolors|minikube|docker-machine)\s[^;&|<>$`]*[)`]$/;

const printsSettings = (args: readonly Argument[]): boolean =>
  args.length === 1 && args[0]?.text === UNKNOWN && SETTINGS_PRINTER.test(args[0].hidden);

const CRON_FIELDS = /^\s*(?:@\w+|(?:\S+\s+){5})/;

/** Builtins and tools whose text is a script in some dress of its own. */
const SPECIAL: Readonly<Record<string, (invocation: Invocation) => readonly Inner[]>> = {
  eval: ({ args }) => (printsSettings(args) ? [] : [{ type: "script", text: joined(args) }]),
  command: ({ args, input }) =>
    args.some((argument) => /^-[vV]+$/.test(argument.text))
      ? []
      : [{ type: "command", words: behind(args, NONE, 0), input }],
  trap: ({ args }) => [{ type: "script", text: args.find((argument) => !isOption(argument))?.text ?? "" }],
  alias: ({ args }) => args.map((argument) => ({ type: "script", text: argument.text.replace(/^[^=]*=/, "") })),
  hash: ({ args }) => valueAfter(args, set("-p")).map((path) => ({ type: "command", words: [path], input: undefined })),
  source: (invocation) => sourced(invocation),
  ".": (invocation) => sourced(invocation),
  xargs,
  find: finder,
  fd: finder,
  fdfind: finder,
  parallel: ({ args }) => {
    const end = args.findIndex((argument) => argument.text.startsWith(":::"));
    return [{ type: "script", text: joined(behind(end === -1 ? args : args.slice(0, end), set("-j -S --jobs"), 0)) }];
  },
  watch: ({ args }) => [{ type: "script", text: joined(behind(args, set("-n"), 0)) }],
  script: ({ args }) =>
    valueAfter(args, set("-c -qc -qec -ec --command")).map((value) => ({ type: "script", text: value.text })),
  su: ({ args }) => valueAfter(args, set("-c --command")).map((value) => ({ type: "script", text: value.text })),
  at: ({ input }) => fromInput(input, "at", "script"),
  batch: ({ input }) => fromInput(input, "batch", "script"),
  crontab: ({ args, input }) =>
    args.some((argument) => argument.text === "-") && input?.text !== undefined
      ? [{ type: "script", text: input.text.replace(CRON_FIELDS, "") }]
      : [],
  make: ({ args, input }) => [
    ...(input?.text === undefined
      ? []
      : input.text
          .split("\n")
          .flatMap((line): readonly Inner[] =>
            /^[\t@-]/.test(line) ? [{ type: "script", text: line.replace(/^[\t @-]+/, "") }] : [],
          )),
    ...args.flatMap((argument): readonly Inner[] =>
      [...argument.text.matchAll(/\$\(shell ([^)]*)\)/g)].map((match) => ({ type: "script", text: match[1] ?? "" })),
    ),
  ],
  git: ({ args }) => scriptsForGit(args).map((text) => ({ type: "script", text })),
  pwsh: ({ args }) => powershell(args),
  powershell: ({ args }) => powershell(args),
  ansible: ({ args }) => valueAfter(args, set("-a --args")).map((value) => ({ type: "script", text: value.text })),
  screen: ({ args }) => [{ type: "command", words: behind(args, set("-S -t"), 0), input: undefined }],
  ssh: ({ args }) => [{ type: "script", text: joined(behind(args, set(WRAPPERS.ssh?.valued ?? ""), 1)) }],
};

const powershell = (args: readonly Argument[]): readonly Inner[] => [{ type: "code", text: joined(args) }];

const sourced = ({ name, args, input }: Invocation): readonly Inner[] => {
  const file = args[0];
  if (file?.text === UNKNOWN && file.hidden.startsWith("<("))
    return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  return file?.text === "/dev/stdin" ? fromInput(input, name, "script") : [];
};

const AWK = set("awk gawk mawk nawk");
const EDITORS = set("vi vim view nvim ex ed rvim");

/** Strings that awk hands to a shell, and `!` lines of editors and database clients. */
const embedded = ({ name, args, input }: Invocation): readonly Inner[] => {
  const texts = [...args.map((argument) => argument.text), input?.text ?? ""];
  if (AWK.has(name)) return texts.some((text) => /\bsystem\b|\|/.test(text)) ? texts.flatMap(stringsAsScripts) : [];
  if (EDITORS.has(name)) return texts.flatMap((text) => bang(text, /(?:^\+?:?|\|\s*|:)(?:silent\s+)?!\s*([\s\S]+)$/));
  if (name === "sed" || name === "gsed")
    return texts.filter(sedMayRun).flatMap((text) => bang(text, /(?:^|[\d$/;{\n\s])e\s+(\S[^\n]*)/));
  return texts.flatMap((text) => bang(text, /(?:^|\n)\s*(?:\\!|\.shell|\.system)\s*([^\n]+)/));
};

/** A script that plan mode's reader accepts has no `e` command. */
const sedMayRun = (script: string): boolean => {
  try {
    sedScriptIsReadOnly(script);
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
};

const bang = (text: string, pattern: RegExp): readonly Inner[] => {
  const script = pattern.exec(text)?.[1];
  return script === undefined ? [] : [{ type: "script", text: script }];
};

export const stringsIn = (code: string): readonly string[] =>
  [...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );

const stringsAsScripts = (code: string): readonly Inner[] => stringsIn(code).map((text) => ({ type: "script", text }));

const EMBEDDING = set("awk gawk mawk nawk vi vim view nvim ex ed rvim sed gsed psql mysql mariadb sqlite3");

export const unwrap = (invocation: Invocation): readonly Inner[] => {
  const { name, args, input } = invocation;
  if (SHELLS.has(name)) return shell(invocation);
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return special(invocation);
  const run = runner(invocation);
  if (run !== undefined) return run;
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper !== undefined) {
    const scripts = valueAfter(args, set("-S --split-string -c --call")).map((value): Inner => ({
      type: "script",
      text: value.text,
    }));
    const words = behind(args, set(wrapper.valued), wrapper.skip);
    return words.length === 0 ? scripts : [...scripts, { type: "command", words, input }];
  }
  return EMBEDDING.has(name) ? embedded(invocation) : interpreter(invocation);
};
