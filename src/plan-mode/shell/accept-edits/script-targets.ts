/**
 * Programs with a language of their own in which a file can be written: `sed 'w f'`, `awk '{ print > "f" }'`, `vim -c 'w f'`,
 * `sqlite3 db '.output f'`. A script that plan mode's reader proves to be a filter writes nothing. Any other is taken
 * apart, and each piece of it may be the name of a file that it writes.
 */
import { awkProgramIsReadOnly } from "../scripts/awk.ts";
import { sedScriptIsReadOnly } from "../scripts/sed.ts";
import { ShellRefused } from "../verdict.ts";
import { joinStrings } from "./code/computed-code.ts";
import { languageOf, stringsIn } from "./code/languages.ts";
import { DATABASE_CLIENTS } from "./destructive/destructive.ts";
import { namesIn, UNKNOWN } from "./finding.ts";
import type { Invocation } from "./invocation.ts";
import { decodeEscapes } from "./resolve.ts";
import type { Argument } from "./resolve.ts";

export const AWK = namesIn("awk gawk mawk nawk");
export const EDITORS = namesIn("vi vim view nvim ex ed rvim");
const PAGERS = namesIn("less more");

/** The options behind which a file with a script stands. */
const SCRIPT_FILE = namesIn("-f --file -S -s -u --exec -E");
const FROM_INPUT = namesIn("- /dev/stdin /dev/fd/0 /proc/self/fd/0");
const VARIABLES_MAX = 20;

const accepts = (reader: (script: string) => unknown, script: string): boolean => {
  try {
    reader(script);
    return true;
  } catch (error) {
    if (error instanceof ShellRefused) return false;
    throw error;
  }
};

export const isFilter = (script: string): boolean => accepts(sedScriptIsReadOnly, script);

/** Where a name of a file may begin inside of a longer piece: `1w/home/u/f`, `%s/a/b/w~/f`. */
const BEGINNING = /[/~$.\ufffc]/g;
/** What stands behind something computed: `ENVIRON["HOME"] "/.codex/x"`. */
const withBeginning = (piece: string): string => (piece.startsWith("/.") ? `${UNKNOWN}${piece}` : piece);

const suffixesOf = (piece: string): readonly string[] => [
  withBeginning(piece),
  ...[...piece.matchAll(BEGINNING)].map(({ index }) => piece.slice(index)),
];

const plain = (script: string): string =>
  decodeEscapes(joinStrings(script).replace(/\\([/.~ ])/g, "$1")).replaceAll('""', "");

/** Every piece of a script that may be the name of a file. */
const piecesOf = (script: string): readonly string[] =>
  plain(script)
    .split(/[\s"'`|;,()<>{}!=]+/)
    .filter((piece) => piece !== "")
    .flatMap(suffixesOf);

type Sorted = { readonly scripts: readonly string[]; readonly rest: readonly Argument[] };

const NAMES_FILE = /^-[a-zA-Z]*f|^--file/;

/** Scripts behind options, or else the first operand; the other words are names of files. */
const sortedBy = (args: readonly Argument[], option: RegExp, valued: RegExp): Sorted => {
  const isGiven = args.some(({ text }) => option.test(text) || NAMES_FILE.test(text));
  const isValue = (index: number): boolean => valued.test(args[index - 1]?.text ?? "");
  const first = isGiven ? -1 : args.findIndex(({ text }, index) => !text.startsWith("-") && !isValue(index));
  const scriptAt = (index: number): string | undefined => {
    const text = args[index]?.text ?? "";
    if (index === first || option.exec(args[index - 1]?.text ?? "")?.[1] === "") return text;
    const attached = option.exec(text)?.[1];
    return attached === "" ? undefined : attached;
  };
  const scripts = args.flatMap((_argument, index) => scriptAt(index) ?? []);
  return { scripts, rest: args.filter((_argument, index) => scriptAt(index) === undefined) };
};

const fileBehind = (args: readonly Argument[], index: number): string | undefined => {
  const before = args[index - 1]?.text ?? "";
  const isFile = SCRIPT_FILE.has(before) || /^-[a-zA-Z]*f$/.test(before);
  const text = args[index]?.text ?? "";
  return isFile ? text : /^(?:-f|--file=)(.+)/s.exec(text)?.[1];
};

/** The script that a program reads instead of one that it is given: from its input, or from the commands that print it. */
const scriptsFromFile = ({ args, input }: Invocation): readonly string[] =>
  args.flatMap(({ raw }, index) => {
    const name = fileBehind(args, index);
    if (name === undefined) return [];
    if (FROM_INPUT.has(name)) return [input?.text ?? input?.source ?? ""];
    return raw.startsWith("<(") ? [decodeEscapes(stringsIn(raw).join("\n"))] : [];
  });

const inSed = (invocation: Invocation): readonly string[] => {
  const { scripts } = sortedBy(invocation.args, SED_SCRIPT, SED_VALUED);
  return [...scripts, ...scriptsFromFile(invocation)].filter((script) => !isFilter(script)).flatMap(piecesOf);
};
const SED_SCRIPT = /^(?:-[nErszu]*e|--expression=?)(.*)$/s;
const SED_VALUED = /^(?:-[nErszu]*[fl]|--file|--line-length)$/;

const AWK_SCRIPT = /^(?:-e|--source=?)(.*)$/s;
const AWK_VALUED = /^(?:-[FvfilEm]|--(?:field-separator|assign|file|include|load|exec))$/;
const ASSIGNED = /\b([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"/g;
/** `print > $1`, `print > name`: only the input or a variable says where to. */
const WRITES_COMPUTED = />\s*\(?\s*[$A-Za-z_]/;

/** Names in the program are replaced by what they hold, and strings that stand in a row are one. */
const withValues = (program: string, args: readonly Argument[]): string => {
  const given = args.flatMap(({ text }) => [...text.replace(/^-v/, "").matchAll(/^([A-Za-z_]\w*)=(.*)$/gs)]);
  const values = new Map(
    [...program.matchAll(ASSIGNED), ...given].slice(0, VARIABLES_MAX).map(([, name = "", value = ""]) => [name, value]),
  );
  const filled = program.replace(/"(?:[^"\\]|\\.)*"|\b[A-Za-z_]\w*\b(?!\s*=[^=])/g, (word) =>
    values.has(word) ? `"${values.get(word) ?? ""}"` : word,
  );
  return filled.replace(/"[ \t]*"/g, "");
};

const inAwk = (invocation: Invocation): readonly string[] => {
  const { args, input } = invocation;
  const { scripts } = sortedBy(args, AWK_SCRIPT, AWK_VALUED);
  const programs = [...scripts, ...scriptsFromFile(invocation)].filter(
    (script) => !accepts(awkProgramIsReadOnly, script),
  );
  const read = programs.some((program) => WRITES_COMPUTED.test(program)) ? (input?.text ?? input?.source ?? "") : "";
  return [...programs.map((program) => withValues(program, args)), ...programs, read].flatMap(piecesOf);
};

/** Lines that `a`, `i` or `c` takes for text up to a dot, as in `ed`. */
const TYPED = /^\$?[aic]\n(?:[^]*?\n)?\.$/gm;
const COMMAND_MARK = /^\s*\+?[:\s]*%?/;
/** Of the commands that sed has too only the substitution means the same. */
const SUBSTITUTES = /^[\d,.$]*s\W/;
const substitutes = (command: string): boolean => SUBSTITUTES.test(command) && isFilter(command);

const inEditor = (invocation: Invocation): readonly string[] => {
  const { args, input } = invocation;
  const given = args.flatMap(({ text }, index) =>
    /^(?:-c|--cmd)$/.test(args[index - 1]?.text ?? "") || /^(?:\+|-c.)/.test(text) ? [text.replace(/^-c/, "")] : [],
  );
  return [...given, (input?.text ?? "").replace(TYPED, ""), ...scriptsFromFile(invocation)]
    .flatMap((script) => script.split(/\n/))
    .filter((command) => !substitutes(command.replace(COMMAND_MARK, "")))
    .flatMap(piecesOf);
};

/** A name of a file is a word or a string of its own; a sentence that is put into a table is none. */
const inQueries = ({ args, input }: Invocation): readonly string[] =>
  [...args.map((argument) => argument.text).filter((text) => /\s/.test(text)), input?.text ?? ""].flatMap((query) => [
    ...stringsIn(query),
    ...query.replace(/"[^"]*"|'[^']*'/g, " ").split(/[\s;(),=]+/),
  ]);

const inPager = ({ args }: Invocation): readonly string[] =>
  args.flatMap(({ text }) => (text.startsWith("+") ? piecesOf(text) : []));

/** `tmux pipe-pane 'cat > f'`: whatever the program does with the text, a shell would write there. */
const REDIRECTED = /(?<![-=])>[>|]?\s*(\S+)/g; // `->` and `=>` are arrows
const behindRedirection = ({ args }: Invocation): readonly string[] =>
  args.flatMap(({ text }) => [...text.matchAll(REDIRECTED)].map((match) => (match[1] ?? "").replace(/["');}]+/g, "")));

/** What the scripts among the arguments may write. */
export const scriptTargets = (invocation: Invocation): readonly string[] => {
  const { name } = invocation;
  if (name === "sed") return inSed(invocation);
  if (AWK.has(name)) return inAwk(invocation);
  if (EDITORS.has(name)) return inEditor(invocation);
  if (PAGERS.has(name)) return inPager(invocation);
  if (DATABASE_CLIENTS.has(name)) return inQueries(invocation);
  return languageOf(name) === undefined ? behindRedirection(invocation) : [];
};

/** The arguments that are no scripts: they may be names of files. */
export const withoutScripts = ({ name, args }: Invocation): readonly Argument[] =>
  name === "sed" ? sortedBy(args, SED_SCRIPT, SED_VALUED).rest : args;

/** A file with a script of a program's own language, by the option before it. */
export const scriptFileOf = ({ name, args }: Invocation): string | undefined => {
  if (name !== "sed" && !AWK.has(name) && !EDITORS.has(name)) return undefined;
  return args.map((_argument, index) => fileBehind(args, index)).find((file) => file !== undefined);
};
