/** Writes into protected folders. A command that plan mode calls read-only may name them; others may not. */
import { ShellRefused } from "../verdict.ts";
import { text } from "../command-tree.ts";
import { judgeReadOnly } from "../judge-read-only.ts";
import { namesIn, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import { containsProtected, isProtected, pathsInArgument } from "./protected-paths.ts";
import { scriptTargets, withoutScripts } from "./script-targets.ts";
import type { Argument } from "./resolve.ts";
import type { Invocation } from "./invocation.ts";
import { joinStrings } from "./code/computed-code.ts";
import { languageOf, stringsIn } from "./code/languages.ts";

/** These read some arguments and write others: the options whose value is written. */
const WRITTEN_BY_OPTION: Readonly<Record<string, string>> = {
  cp: "-t --target-directory",
  install: "-t --target-directory",
  ln: "-t --target-directory",
  rsync: "--log-file --backup-dir --partial-dir -T --temp-dir --write-batch --only-write-batch",
  tar: "-C --directory",
  unzip: "-d",
  "7z": "-o",
  docker: "-o --output",
  podman: "-o --output",
  less: "-o -O --log-file --LOG-FILE",
};
/** Their operands are addresses: each name of a file belongs to an option, and is written unless the option reads it. */
const READ_BY_OPTION: Readonly<Record<string, string>> = {
  curl: `-T --upload-file -K --config -b --cookie -E --cert --key --cacert --capath --crlfile --netrc-file --proxy-cacert
    --proxy-cert --proxy-key --pubkey --unix-socket --abstract-unix-socket`,
  wget: `-i --input-file --post-file --body-file --load-cookies --ca-certificate --ca-directory --certificate --private-key
    --crl-file --config`,
};
/** Long options that only read what is named behind `=`; any other may write it. */
const READS = /^--(?:.*-(?:from|file|dest)|exclude|include|filter|checksum|owner|group|mode)$/;
/** Commands whose last operand is written. */
const WRITES_LAST = namesIn("cp install ln rsync scp");
const READS_MOST = namesIn("cp install ln rsync scp tar unzip 7z zip dd cat diff vimdiff less more docker podman");
const CONTAINERS = namesIn("docker podman");
const CREATES_ARCHIVE = /^-?[a-zA-Z]*[cru]/;
const CREATES_BY_OPTION = /^-[a-zA-Z]*[cru]|^--(?:create|append|update|concatenate|catenate)$/;

const finding = (matched: string): Finding => ({ class: "config-change", code: "protected-path", matched });

export const targetIsProtected = (target: string, place: EditPlace): Finding | undefined =>
  isProtected(target, place) ? finding(target) : undefined;

/** A variable in front of a command. */
type Given = { readonly name: string; readonly value: string };

const isReadOnly = ({ name, args }: Invocation, given: readonly Given[] = []): boolean => {
  try {
    judgeReadOnly([
      {
        type: "simple",
        assignments: given.map((one) => ({ name: one.name, value: text(one.value) })),
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
  tar: (args) => [".", ...archivesOf(args), ...membersOf(args)],
  unzip: () => ["."],
  docker: inContainer,
  podman: inContainer,
};

/** The archive that tar writes. */
const archivesOf = (args: readonly Argument[]): readonly (string | undefined)[] => {
  const named = args.some(({ text: given }) => CREATES_BY_OPTION.test(given))
    ? writtenByOptions(args, namesIn("-f --file"))
    : [];
  return CREATES_ARCHIVE.test(args[0]?.text ?? "") ? [args[1]?.text, ...named] : named;
};

/** Folders that it is given, and where `cp` puts what it takes out. */
function inContainer(args: readonly Argument[]): readonly (string | undefined)[] {
  const operands = operandsOf(args);
  return [...mountsIn(args), operands.includes("cp") ? operands.at(-1) : undefined];
}

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

/** `--target=f`, `--backup-dir=f`: behind a long option. */
const behindLongOptions = (args: readonly Argument[]): readonly string[] =>
  args.flatMap(({ text: given }) => {
    const [name = "", value] = given.split(/=(.*)/s);
    return value !== undefined && name.startsWith("--") && !READS.test(name) && name !== "--file" ? [value] : [];
  });

/** What curl and wget write: the folder that they run in, and what no reading option names. */
const fetched = (args: readonly Argument[], reading: ReadonlySet<string>): readonly string[] => [
  ".",
  ...args.flatMap(({ text: given }, index) => {
    const before = args[index - 1]?.text ?? "";
    const isRead = reading.has(before) || reading.has(given.split("=")[0] ?? "") || reading.has(given.slice(0, 2));
    return isRead ? [] : [...pathsInArgument(given), ...given.split(/[{}]/)];
  }),
];

/** `OPEN:/f,creat`: a word with several names in it, as long as it is no text. */
const namesInWord = ({ text: given }: Argument): readonly string[] => (/[\s'"]/.test(given) ? [] : given.split(/[:,]/));

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const KEEPS_FOLDERS = /^(?:--parents|--relative|-[a-zA-Z]*R)$/;

/** The last operand, and what lies in it afterwards if it is a folder: `cp -r .codex ~`. */
const putInto = (args: readonly Argument[]): readonly string[] => {
  const operands = operandsOf(args);
  const [named] = writtenByOptions(args, namesIn("-t --target-directory"));
  const to = named ?? operands.at(-1);
  if (to === undefined) return [];
  const keeps = args.some(({ text: given }) => KEEPS_FOLDERS.test(given));
  const put = operands.filter((operand) => operand !== to && !operand.endsWith("/"));
  return [to, ...put.flatMap((from) => [`${to}/${baseOf(from)}`, ...(keeps ? [`${to}/${from}`] : [])])];
};

const writtenPaths = (invocation: Invocation): readonly string[] => {
  const { name, args } = invocation;
  if (Object.hasOwn(READ_BY_OPTION, name)) return fetched(args, namesIn(READ_BY_OPTION[name] ?? ""));
  if (!READS_MOST.has(name))
    return [
      ...withoutScripts(invocation).flatMap((argument) => [...pathsInArgument(argument.text), ...listedIn(argument)]),
      ...(languageOf(name) === undefined ? withoutScripts(invocation).flatMap(namesInWord) : []),
      ...(name === "mv" ? putInto(args) : []),
    ];
  const more = Object.hasOwn(MORE_WRITTEN, name) ? (MORE_WRITTEN[name]?.(args) ?? []) : [];
  const last = WRITES_LAST.has(name) ? putInto(args) : [];
  const long = CONTAINERS.has(name) ? [] : behindLongOptions(args);
  return [...writtenByOptions(args, namesIn(WRITTEN_BY_OPTION[name] ?? "")), ...last, ...long, ...more].filter(
    (path) => path !== undefined,
  );
};

/** The same command with each of the values that an argument is known to have. */
const variantsOf = (invocation: Invocation): readonly Invocation[] => {
  const count = Math.max(0, ...invocation.args.map(({ values }) => values?.length ?? 0));
  const chosen = (at: number): Invocation => ({
    ...invocation,
    args: invocation.args.map((argument) => ({
      ...argument,
      text: argument.values === undefined ? argument.text : (argument.values[at] ?? argument.values[0] ?? ""),
    })),
  });
  return [invocation, ...Array.from({ length: count }, (_none, at) => chosen(at))];
};

const writtenBy = (invocation: Invocation, place: EditPlace): string | undefined =>
  [...writtenPaths(invocation), ...scriptTargets(invocation)].find((path) => isProtected(path, place)) ??
  // A container that is given a folder is given what lies below it.
  (CONTAINERS.has(invocation.name)
    ? mountsIn(invocation.args).find((path) => containsProtected(path, place))
    : undefined);

export const findConfigChange = (invocation: Invocation, place: EditPlace): Finding | undefined => {
  const written = variantsOf(invocation)
    .map((variant) => writtenBy(variant, place))
    .find((path) => path !== undefined);
  return written === undefined || isReadOnly(invocation) ? undefined : finding(`${invocation.name} ${written}`);
};

/** There a program looks for its own settings. */
const SETTINGS_VARIABLE = /(?:HOME|CONFIG|CONFIG_DIR|PATH)$/;

/** `GIT_TRACE=f git status`: a file that a command is told of by a variable, as by an argument. */
export const findInVariables = (
  given: readonly Given[],
  invocation: Invocation,
  place: EditPlace,
): Finding | undefined => {
  const named = given.find(({ name, value }) => !SETTINGS_VARIABLE.test(name) && isProtected(value, place));
  return named === undefined || isReadOnly(invocation, given) ? undefined : finding(`${named.name}=${named.value}`);
};

const WRITES_IN_CODE =
  /write|append|\bopen|rename|cop(?:y|ie)|\bcp|mkdir|chmod|truncate|link|dump|save|put_contents|replace|sed|tee|with-temp-file|move|extract|makedirs|chown|touch/i;
const READS_IN_CODE =
  /read|load|require\(|\bl?stat|exists|isfile|isdir|listdir|glob|walk|print|console|echo|\bls\b|slurp|getsize/i;

/** Languages in which a text needs no quotes. */
const UNQUOTED = namesIn("tcl");

/** Inline code that names a protected path and a way to write, or no way to read. */
export const codeChangesConfig = (code: string, language: string, place: EditPlace): Finding | undefined => {
  if (!WRITES_IN_CODE.test(code) && READS_IN_CODE.test(code)) return undefined;
  // `${os.homedir()}/.codex`: what stands in braces is unknown.
  const words = UNQUOTED.has(language) ? code.split(/[\s"()[\]{};]+/) : [];
  const pieces = [...stringsIn(joinStrings(code)), ...words].map((piece) =>
    piece.replace(/\$?\{[^{}]*\}/g, UNKNOWN).replace(/^[+<>|\s]+/, ""),
  );
  const path = pieces.find((piece) => isProtected(piece, place) || isProtected(`${place.home}/${piece}`, place));
  return path === undefined ? undefined : finding(path);
};
