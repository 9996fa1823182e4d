/** Programs that run the command among their arguments: where it begins, and which options carry a script. */
import { namesIn } from "./finding.ts";
import { isTool } from "./destructive/remote-destroys.ts";
import type { Argument } from "./resolve.ts";

const tableOf = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(rows).map(([name, words]) => [name, namesIn(words)]));

const NONE: ReadonlySet<string> = new Set();

const WRAPPERS =
  namesIn(`env builtin coproc exec nohup nice ionice time stdbuf unbuffer rlwrap setsid setpriv setarch linux32 linux64 i386 x86_64 numactl cgexec
  prlimit sudo doas pkexec runuser fakeroot unshare nsenter strace ltrace valgrind gdb catchsegv firejail flatpak-spawn
  dbus-run-session xvfb-run systemd-run busybox toybox caffeinate torsocks proxychains proxychains4 sshpass npx bunx pnpx uvx dotenv env-cmd
  cross-env entr nodemon chokidar nix-shell xterm alacritty konsole kitty gnome-terminal Start-Process shx tini dumb-init
  catatonit cpulimit eatmydata proot chpst softlimit chronic ifne nocache schedtool trickle tsocks runcon aa-exec fakechroot box64
  wine`);

/** The system's loader, and processors in software: their argument is the program. */
const LOADERS = /^(?:ld-(?:linux|musl)[\w.-]*|qemu-\w+)$/;

/** One word of their own stands before the command: a priority, a user, a folder, a lock, a host. */
const AFTER_ONE_WORD = namesIn(
  "chrt taskset timeout gosu su-exec faketime chroot flock perf script dtach abduco envdir setuidgid logsave sg",
);

/** What they are given is joined and handed to a shell. */
const JOINING = namesIn("watch watchexec cross-env-shell parallel");
const REMOTE = namesIn("ssh autossh mosh");
/** Given no command, they start a shell, which reads their input. */
export const STARTS_SHELL = namesIn("ssh autossh sudo doas chroot unshare nsenter runuser");

/** Options that are known to take the next word; any other may, and then both readings are looked at. */
const VALUED = tableOf({
  env: "-u -C",
  exec: "-a",
  nice: "-n",
  ionice: "-c -n -p",
  time: "-o -f",
  timeout: "-k -s",
  stdbuf: "-i -o -e",
  sudo: "-u -g -h -p -C -D -R -T -U --user --group",
  doas: "-u -C",
  runuser: "-u -g",
  nsenter: "-t",
  flock: "-w -E",
  strace: "-e -o -p -s -u -E -P",
  ltrace: "-e -o -p -s -u",
  npx: "-p --package",
  dotenv: "-e",
  caffeinate: "-t -w",
  ssh: "-p -i -l -o -F -J -L -R -D -b -c -e -m -W -w",
  "systemd-run": "-p -u",
  watch: "-n",
  parallel: "-j -S -a --jobs",
});

/** Options whose value is a script. */
const SCRIPTS = tableOf({
  env: "-S --split-string",
  runuser: "-c --command",
  su: "-c --command",
  script: "-c --command",
  flock: "-c --command",
  npx: "-c --call",
  npm: "-c --call",
  nodemon: "-x --exec",
  chokidar: "-c --command",
  "nix-shell": "--run --command",
  docker: "--entrypoint",
  podman: "--entrypoint",
  vagrant: "-c --command",
  gcloud: "--command",
  fly: "-C --command",
  flyctl: "-C --command",
  ansible: "-a --args",
  capsh: "-c",
});

/** The verbs behind which a command stands. */
const RUNNERS = tableOf({
  npm: "exec x",
  pnpm: "exec dlx run",
  yarn: "exec dlx run",
  bun: "x run",
  lerna: "exec",
  corepack: "npm pnpm yarn",
  docker: "exec run",
  podman: "exec run unshare",
  nerdctl: "exec run",
  crictl: "exec",
  "docker-compose": "exec run",
  "podman-compose": "exec run",
  kubectl: "exec run debug",
  oc: "exec rsh run debug",
  lxc: "exec",
  incus: "exec",
  multipass: "exec",
  machinectl: "shell",
  poetry: "run",
  pipenv: "run",
  pipx: "run",
  pdm: "run",
  rye: "run",
  hatch: "run",
  uv: "run",
  conda: "run",
  mamba: "run",
  micromamba: "run",
  toolbox: "run",
  bundle: "exec",
  rbenv: "exec",
  pyenv: "exec",
  asdf: "exec",
  direnv: "exec",
  mise: "exec x",
  nix: "develop shell run",
  guix: "shell environment",
  distrobox: "enter",
  op: "run",
  doppler: "run",
  dotenvx: "run",
  zellij: "run",
  "aws-vault": "exec",
  chamber: "exec",
  vagrant: "ssh",
  gcloud: "ssh",
  dotenv: "run",
  heroku: "run run:detached",
  railway: "run",
  adb: "shell",
  ip: "exec",
  tmux: "new new-session new-window neww split-window send-keys respawn-pane run-shell",
});

/** Behind the verb stands the name of a container, a pod, a machine or a folder first. */
const RUNS_IN = namesIn(
  `docker podman nerdctl crictl docker-compose podman-compose kubectl oc lxc incus multipass machinectl direnv aws-vault chamber
  ip`,
);
/** Where there is a `--`, the command stands behind it, whatever stands before. */
const AFTER_DASHES = namesIn("kubectl oc lxc incus multipass aws-vault chamber");
/** And without one there is no command. */
const ONLY_AFTER_DASHES = namesIn("mise nix guix distrobox vagrant gcloud");
const DASHES = /^--$/;
const DASHES_OF_NIX = /^(?:--|-c|--command)$/;
const RUNNER_VALUED =
  namesIn(`-u -w -e -v -p -n -l -s --user --workdir --env --volume --name --namespace --container --package --network --mount
  --entrypoint`);
const WORDS_LOOKED_AT = 6;

/** What does not begin with one of these verbs of their own is an installed program, or one of the verbs above. */
const PACKAGE_MANAGERS = namesIn("pnpm yarn bun");
const PACKAGE_VERBS = namesIn("rm remove un uninstall unlink add install i ci test build create");
/** These have a verb `rm` of their own, so what follows them is no command. */
const SPEAKING = namesIn("git npm pnpm yarn bun cargo brew apt apt-get pip conda composer");
const isSpeaking = (name: string): boolean => SPEAKING.has(name) || isTool(name);

export const isOption = (argument: Argument): boolean => argument.text.startsWith("-") && argument.text !== "-";

/** What a program is told to run, in one of the ways in which its arguments can be read. */
export type Reading = {
  readonly words: readonly Argument[];
  /** Only possible: an option before it may take a value or not. */
  readonly perhaps: boolean;
  /** The words are joined and read by a shell. */
  readonly joined: boolean;
};

const READINGS_MAX = 6;

const isAssignment = (argument: Argument): boolean => /^[A-Za-z_]\w*=/.test(argument.text);

/** `-n`, and `-dmS` where `-S` takes a value. */
const takesValue = (option: string, valued: ReadonlySet<string>): boolean =>
  valued.has(option) || (/^-[A-Za-z0-9]{2,6}$/.test(option) && valued.has(`-${option.slice(-1)}`));

const mayTake = (option: Argument, next: Argument | undefined): boolean =>
  option.text !== "--" && next !== undefined && !isOption(next);

/**
 * The arguments behind options, assignments and `skip` words of a program's own; the likely reading comes first. Each option
 * that is not known may take a value: then the command begins one word later.
 */
const readingsOf = (args: readonly Argument[], valued: ReadonlySet<string>, skip: number): readonly Reading[] => {
  const starts: number[] = [];
  let left = skip;
  let doubtful = 0;
  for (let index = 0; index < args.length && starts.length < READINGS_MAX; index += 1) {
    const argument = args[index];
    if (argument === undefined || isAssignment(argument)) continue;
    if (isOption(argument)) {
      if (takesValue(argument.text, valued)) index += 1;
      else if (mayTake(argument, args[index + 1])) doubtful += 1;
    } else if (left > 0) left -= 1;
    else {
      starts.push(index);
      doubtful -= 1;
      if (doubtful < 0 || isSpeaking(argument.text)) break;
    }
  }
  return starts.map((start, rank) => ({ words: args.slice(start), perhaps: rank > 0, joined: false }));
};

/** The words behind options and their values. */
export const behind = (args: readonly Argument[], valued: ReadonlySet<string>): readonly Argument[] =>
  readingsOf(args, valued, 0)[0]?.words ?? [];

const joinedReadings = (readings: readonly Reading[]): readonly Reading[] =>
  readings.map((reading) => (reading.perhaps ? reading : { ...reading, joined: true }));

const PAIRED = /^--(?:(?:ro-|dev-)?bind(?:-try|-data)?|symlink|setenv|file)$/;

/** `--bind from to`: of the two words one is left, as behind other options. */
const withoutPairs = (args: readonly Argument[]): readonly Argument[] =>
  args.filter((_argument, index) => !PAIRED.test(args[index - 1]?.text ?? ""));

const wrapped = (name: string, args: readonly Argument[]): readonly Reading[] => {
  const valued = VALUED.get(name) ?? NONE;
  if (name === "bwrap") return readingsOf(withoutPairs(args), valued, 0);
  if (WRAPPERS.has(name) || LOADERS.test(name)) return readingsOf(args, valued, 0);
  if (AFTER_ONE_WORD.has(name)) return readingsOf(args, valued, 1);
  if (JOINING.has(name)) return joinedReadings(readingsOf(args, valued, 0));
  return REMOTE.has(name) ? joinedReadings(readingsOf(args, valued, 1)) : [];
};

const run = (name: string, args: readonly Argument[]): readonly Reading[] => {
  const verbs = RUNNERS.get(name) ?? NONE;
  const operands = args.flatMap((argument, at) => (isOption(argument) ? [] : [at])).slice(0, WORDS_LOOKED_AT);
  const at = operands.find((operand) => verbs.has(args[operand]?.text ?? ""));
  if (at === undefined) return [];
  // `corepack pnpm …`: the verb is the command.
  const rest = args.slice(name === "corepack" ? at : at + 1);
  const dashed = afterDashes(name, rest);
  if (dashed !== undefined) return dashed;
  const readings = readingsOf(rest, RUNNER_VALUED, RUNS_IN.has(name) ? 1 : 0);
  return name === "tmux" || name === "adb" ? joinedReadings(readings) : readings;
};

/** For programs in which `--` separates the command; undefined where it has to be found otherwise. */
const afterDashes = (name: string, rest: readonly Argument[]): readonly Reading[] | undefined => {
  const dashes = rest.findIndex(({ text }) => (name === "nix" ? DASHES_OF_NIX : DASHES).test(text));
  if (ONLY_AFTER_DASHES.has(name)) return dashes === -1 ? [] : readingsOf(rest.slice(dashes + 1), NONE, 0);
  return dashes !== -1 && AFTER_DASHES.has(name) ? readingsOf(rest.slice(dashes + 1), NONE, 0) : undefined;
};

/** `pnpm eslint .` runs an installed program, `pnpm add eslint` runs none. The first verb decides. */
const runByPackageManager = (name: string, args: readonly Argument[]): readonly Reading[] => {
  const installed = readingsOf(args, NONE, 0);
  const words = installed.map((reading) => reading.words[0]?.text ?? "");
  const verb = words.find((word) => PACKAGE_VERBS.has(word) || RUNNERS.get(name)?.has(word) === true);
  return PACKAGE_VERBS.has(verb ?? "") ? [] : [...installed, ...run(name, args)];
};

/** Every way in which the arguments can be read as a command. */
export const commandsBehind = (name: string, args: readonly Argument[]): readonly Reading[] =>
  PACKAGE_MANAGERS.has(name) ? runByPackageManager(name, args) : [...wrapped(name, args), ...run(name, args)];

/** The values of options: apart (`-c x`, `-lc x`), attached (`--command=x`), as the program would take them. */
export const optionValues = (args: readonly Argument[], names: ReadonlySet<string>): readonly string[] =>
  args.flatMap(({ text }, index): readonly string[] => {
    if (takesValue(text, names)) return [args[index + 1]?.text ?? ""];
    const [name = "", value] = text.split(/=(.*)/s);
    return value !== undefined && names.has(name) ? [value] : [];
  });

/** Scripts that stand in options of such a program. */
export const scriptsInOptions = (name: string, args: readonly Argument[]): readonly string[] => {
  const options = SCRIPTS.get(name) ?? NONE;
  // `env -S'rm x'`: the script stands in the same word.
  const attached = args.flatMap(({ text }) =>
    options.has(text.slice(0, 2)) && /^-\w.*\s/s.test(text) ? [text.slice(2)] : [],
  );
  return [...attached, ...optionValues(args, options)];
};
