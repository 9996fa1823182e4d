/** Writes into protected folders. A command that plan mode calls read-only may name them; others may not. */
import { ShellRefused } from "../verdict.ts";
import { text } from "../command-tree.ts";
import { judgeReadOnly } from "../judge-read-only.ts";
import { namesIn, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import { isProtected, pathsInArgument } from "./protected-paths.ts";
import type { Argument } from "./resolve.ts";
import type { Invocation } from "./invocation.ts";
import { joinStrings } from "./code/computed-code.ts";
import { stringsIn } from "./code/languages.ts";

/** These read some arguments and write others: the options whose value is written. */
const WRITTEN_BY_OPTION: Readonly<Record<string, string>> = {
  cp: "-t --target-directory",
  install: "-t --target-directory",
  ln: "-t --target-directory",
  rsync: "--log-file",
  curl: "-o --output --output-dir -c --cookie-jar -D --dump-header --trace",
  wget: "-O --output-document -P --directory-prefix -o --output-file",
  tar: "-C --directory",
  unzip: "-d",
  "7z": "-o",
};
/** Commands whose last operand is written. */
const WRITES_LAST = namesIn("cp install ln rsync scp");
const READS_MOST = namesIn(
  "cp install ln rsync scp curl wget tar unzip 7z zip dd cat diff vimdiff less more docker podman",
);
const CREATES_ARCHIVE = /^-?[a-zA-Z]*[cru]/;

const finding = (matched: string): Finding => ({ class: "config-change", code: "protected-path", matched });

export const targetIsProtected = (target: string, place: EditPlace): Finding | undefined =>
  isProtected(target, place) ? finding(target) : undefined;

const isReadOnly = ({ name, args }: Invocation): boolean => {
  try {
    judgeReadOnly([
      {
        type: "simple",
        assignments: [],
        words: [name, ...args.map((argument) => argument.text)].map(text),
        redirections: [],
      },
    ]);
    return true;
  } catch (error) {
    if (error instanceof ShellRefused) return false;
    throw error;
  }
};

const writtenByOptions = (args: readonly Argument[], options: ReadonlySet<string>): readonly string[] =>
  args.flatMap((argument, index) => {
    // `-so file`: the last letter of a cluster takes the value.
    const clustered = /^-[a-zA-Z]{2,6}$/.test(argument.text) && options.has(`-${argument.text.slice(-1)}`);
    if (options.has(argument.text) || clustered) return [args[index + 1]?.text ?? ""];
    const [name, value] = argument.text.split(/=(.*)/s);
    if (value !== undefined && options.has(name ?? "")) return [value];
    return options.has(argument.text.slice(0, 2)) ? [argument.text.slice(2)] : [];
  });

/** What a command writes besides its options, for commands with rules of their own. */
const MORE_WRITTEN: Readonly<Record<string, (args: readonly Argument[]) => readonly (string | undefined)[]>> = {
  dd: (args) => args.map(({ text: given }) => (given.startsWith("of=") ? given.slice(3) : undefined)),
  zip: (args) => [operandsOf(args)[0]],
  // Unpacking and fetching without a target fill the current folder.
  tar: (args) => [".", CREATES_ARCHIVE.test(args[0]?.text ?? "") ? args[1]?.text : undefined, ...membersOf(args)],
  unzip: () => ["."],
  docker: (args) => mountsIn(args),
  podman: (args) => mountsIn(args),
  curl: () => ["."],
  wget: () => ["."],
};

/** Members that tar unpacks into a folder of its own: `-C ~ .holdpoint/config.yaml`. */
const membersOf = (args: readonly Argument[]): readonly string[] => {
  if (CREATES_ARCHIVE.test(args[0]?.text ?? "")) return [];
  const [folder] = writtenByOptions(args, namesIn("-C --directory"));
  return folder === undefined ? [] : operandsOf(args).map((member) => `${folder}/${member}`);
};

/** Folders that a container may write to: `-v from:to`, `--mount src=from,dst=to`. */
const mountsIn = (args: readonly Argument[]): readonly string[] =>
  args.flatMap(({ text: given }) => {
    if (/[:,](?:ro|readonly)\b/.test(given)) return [];
    return (
      /^(?:-v|--volume=)?([~/.$\ufffc][^:]*):/.exec(given)?.[1] ?? /\b(?:src|source)=([^,]+)/.exec(given)?.[1] ?? []
    );
  });

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((given) => !given.startsWith("-"));

/** What xargs hands on has no source of its own: its names stand in the commands before the pipe. */
const listedIn = ({ raw, hidden }: Argument): readonly string[] =>
  raw === "" ? hidden.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, "")) : [];

const writtenPaths = ({ name, args }: Invocation): readonly string[] => {
  if (!READS_MOST.has(name))
    return args.flatMap((argument) => [...pathsInArgument(argument.text), ...listedIn(argument)]);
  const more = Object.hasOwn(MORE_WRITTEN, name) ? (MORE_WRITTEN[name]?.(args) ?? []) : [];
  const last = WRITES_LAST.has(name) ? operandsOf(args).at(-1) : undefined;
  return [...writtenByOptions(args, namesIn(WRITTEN_BY_OPTION[name] ?? "")), last, ...more].filter(
    (path) => path !== undefined,
  );
};

export const findConfigChange = (invocation: Invocation, place: EditPlace): Finding | undefined => {
  const written = writtenPaths(invocation).filter((path) => isProtected(path, place));
  const first = written[0];
  return first === undefined || isReadOnly(invocation) ? undefined : finding(`${invocation.name} ${first}`);
};

const WRITES_IN_CODE =
  /write|append|open\s*\(|rename|copy|mkdir|chmod|truncate|symlink|unlink|dump|save|put_contents|replace|sed|tee/i;

/** Inline code that names a protected path and a way to write. */
export const codeChangesConfig = (code: string, place: EditPlace): Finding | undefined => {
  if (!WRITES_IN_CODE.test(code)) return undefined;
  // `${os.homedir()}/.codex`: what stands in braces is unknown.
  const pieces = stringsIn(joinStrings(code)).map((piece) => piece.replace(/\$?\{[^{}]*\}/g, UNKNOWN));
  const path = pieces.find((piece) => isProtected(piece, place) || isProtected(`${place.home}/${piece}`, place));
  return path === undefined ? undefined : finding(path);
};
