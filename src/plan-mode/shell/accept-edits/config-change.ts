import { Refused } from "../verdict.ts";
import { text } from "../tree.ts";
import { judgeReadOnly } from "../walk.ts";
import type { EditPlace, Finding } from "./finding.ts";
import { isProtected, pathsInArgument } from "./protected-paths.ts";
import type { Argument } from "./resolve.ts";
import type { Invocation } from "./unwrap.ts";
import { stringsIn } from "./unwrap.ts";

/** Writes into protected folders. A command that plan mode calls read-only may name them; others may not. */

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** These read some arguments and write others: option names whose value is written, and whether the last operand is. */
const PARTIAL: Readonly<Record<string, { readonly options: string; readonly last: boolean }>> = {
  cp: { options: "-t --target-directory", last: true },
  install: { options: "-t --target-directory", last: true },
  ln: { options: "-t --target-directory", last: true },
  rsync: { options: "--log-file", last: true },
  scp: { options: "", last: true },
  curl: { options: "-o --output --output-dir -c --cookie-jar -D --dump-header --trace", last: false },
  wget: { options: "-O --output-document -P --directory-prefix -o --output-file", last: false },
  tar: { options: "-C --directory", last: false },
  unzip: { options: "-d", last: false },
  "7z": { options: "-o", last: false },
  zip: { options: "", last: false },
  dd: { options: "", last: false },
  cat: { options: "", last: false },
  diff: { options: "", last: false },
  vimdiff: { options: "", last: false },
  less: { options: "", last: false },
  more: { options: "", last: false },
  docker: { options: "", last: false },
};
const CREATES_ARCHIVE = /^-?[a-zA-Z]*[cru][a-zA-Z]*f?$/;

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
    if (error instanceof Refused) return false;
    throw error;
  }
};

const writtenByOptions = (args: readonly Argument[], options: ReadonlySet<string>): readonly string[] =>
  args.flatMap((argument, index) => {
    if (options.has(argument.text)) return [args[index + 1]?.text ?? ""];
    const [name, value] = argument.text.split(/=(.*)/s);
    if (value !== undefined && options.has(name ?? "")) return [value];
    const short = argument.text.slice(0, 2);
    return options.has(short) && argument.text.length > 2 && !argument.text.startsWith("--")
      ? [argument.text.slice(2)]
      : [];
  });

/** What a command writes besides its options, for those with manners of their own. */
const MORE_WRITTEN: Readonly<Record<string, (args: readonly Argument[]) => readonly (string | undefined)[]>> = {
  dd: (args) => args.map(({ text: given }) => (given.startsWith("of=") ? given.slice(3) : undefined)),
  zip: (args) => [operandsOf(args)[0]],
  // Unpacking and fetching without a target fill the current folder.
  tar: (args) => [".", CREATES_ARCHIVE.test(args[0]?.text ?? "") ? args[1]?.text : undefined],
  unzip: () => ["."],
  curl: () => ["."],
  wget: () => ["."],
};

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((given) => !given.startsWith("-"));

const writtenPaths = ({ name, args }: Invocation): readonly string[] => {
  const partial = Object.hasOwn(PARTIAL, name) ? PARTIAL[name] : undefined;
  if (partial === undefined) return args.flatMap((argument) => pathsInArgument(argument.text));
  const more = Object.hasOwn(MORE_WRITTEN, name) ? (MORE_WRITTEN[name]?.(args) ?? []) : [];
  const last = partial.last ? operandsOf(args).at(-1) : undefined;
  return [...writtenByOptions(args, set(partial.options)), last, ...more].filter((path) => path !== undefined);
};

export const findConfigChange = (invocation: Invocation, place: EditPlace): Finding | undefined => {
  const written = writtenPaths(invocation).filter((path) => path !== "" && isProtected(path, place));
  const first = written[0];
  return first === undefined || isReadOnly(invocation) ? undefined : finding(`${invocation.name} ${first}`);
};

const WRITES_IN_CODE =
  /write|append|open\s*\(|rename|copy|mkdir|chmod|truncate|symlink|unlink|dump|save|put_contents|replace|sed|tee/i;

/** Inline code that names a protected path and a way to write. */
export const codeChangesConfig = (code: string, place: EditPlace): Finding | undefined => {
  if (!WRITES_IN_CODE.test(code)) return undefined;
  const path = stringsIn(code).find(
    (piece) => isProtected(piece, place) || isProtected(`${place.home}/${piece}`, place),
  );
  return path === undefined ? undefined : finding(path);
};
