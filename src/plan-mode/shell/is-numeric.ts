/** Which variables of a line hold nothing but numbers, wherever it sets them. */
import { staticText } from "./command-tree.ts";
import type { Command, List, Word } from "./command-tree.ts";

const INTEGER = /^-?\d{1,18}$/;
const COUNT = /^-[lwcm]$/;

/** With `2>&1` an error would be seen, and in it the name of a file. */
const wordsOfLast = (list: List): readonly Word[] => {
  const only = list.length === 1 ? list[0] : undefined;
  const last: Command | undefined = only?.type === "pipeline" ? only.stages.at(-1) : only;
  if (last?.type !== "simple" || last.redirections.some(({ type }) => type === "copy")) return [];
  return last.words;
};

type Args = readonly (string | undefined)[];

/** At most one, written out: several would be printed with their names. */
const namesFile = (files: Args): boolean => files.length === 0 || (files.length === 1 && /^[^-]/.test(files[0] ?? ""));

const TIME = /^\+%(?:s|Y|j|m|d|H|M|S|u|w)$/;

/** `date +%s`, also with `-u` and one `-d` that is written out. */
const printsTime = (args: Args): boolean => {
  const rest = args.filter((arg) => arg !== "-u" && !TIME.test(arg ?? ""));
  const isFor = rest.length === 0 || (rest.length === 2 && rest[0] === "-d" && /^[^+]/.test(rest[1] ?? ""));
  return isFor && args.filter((arg) => TIME.test(arg ?? "")).length === 1;
};

/** Size, times, owner and the like of one file. A word that is computed may be `--help`, unless it stands behind `--`. */
const printsStat = ([option, format, ...files]: Args): boolean => {
  const isOne = files[0] === "--" ? files.length === 2 : files.length === 1 && namesFile(files);
  return option === "-c" && /^%[sXYZWhugibB]$/.test(format ?? "") && isOne;
};

const COMMIT_TIME = /^--(?:format=|pretty=(?:format:)?)%[ac]t$/;

const optionsOf = (args: Args): Args => (args.includes("--") ? args.slice(0, args.indexOf("--")) : args);

const printsGit = ([verb, ...args]: Args): boolean => {
  if (verb === "rev-list") return optionsOf(args).includes("--count");
  const revisions = args.filter((arg) => arg !== "-1" && !COMMIT_TIME.test(arg ?? ""));
  return verb === "log" && args.length - revisions.length === 2 && args.includes("-1") && namesFile(revisions);
};

/**
 * `seq 1 9`, `wc -l < file`, `grep -c x file`: what these print is numbers and blanks. `grep -c -r x` prints the names of files,
 * and one may be called `a[$(…)]`: no further option stands where the pattern does.
 */
const PRINTS_NUMBERS: Readonly<Record<string, (args: Args) => boolean>> = {
  seq: (args) => args.length > 0 && args.every((arg) => INTEGER.test(arg ?? "")),
  wc: (args) => args.length === 1 && COUNT.test(args[0] ?? ""),
  grep: ([flags, pattern, ...files]) =>
    /^-[civwxEF]*c[civwxEF]*$/.test(flags ?? "") && /^[^-]/.test(pattern ?? "") && namesFile(files),
  git: printsGit,
  date: printsTime,
  stat: printsStat,
  nproc: (args) => args.length === 0,
};

/** A word that becomes several could bring options along. */
const isOneWord = ({ parts }: Word): boolean =>
  parts.every((part) => part.type === "text" || (part.type === "variable" && part.quoted));

/** True when the list ends in a command of which nothing but numbers is ever seen. */
export const printsNumbers = (list: List): boolean => {
  const words = wordsOfLast(list);
  const [name = "", ...args] = words.map(staticText);
  return words.every(isOneWord) && Object.hasOwn(PRINTS_NUMBERS, name) && PRINTS_NUMBERS[name]?.(args) === true;
};

/** True for a word that is exactly one number, whatever happens. */
export const isOneNumber = (word: Word): boolean => {
  const parts = word.parts.filter((part) => part.type !== "text" || part.value !== "");
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.type === "arithmetic") return true;
  if (only?.type === "element") return only.prefix === "#";
  return INTEGER.test(staticText(word) ?? "");
};

/** In a list of words, where none is left of what printed nothing: each word that it becomes is one number. */
export const becomesNumbers = (word: Word): boolean => {
  const [only, ...others] = word.parts;
  if (others.length > 0 || only === undefined || isOneNumber(word)) return isOneNumber(word);
  if (only.type === "substitution") return !only.quoted && isNumeric(word);
  return only.type === "element" && only.prefix === "!" && (!only.quoted || only.index === "@");
};

/** True for a word that is a number, or becomes numbers: one, several or none. */
export const isNumeric = (word: Word): boolean => {
  const parts = word.parts.filter((part) => part.type !== "text" || part.value !== "");
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.type === "arithmetic") return true;
  if (only?.type === "element") return only.prefix !== ""; // arrays with texts for keys cannot be made
  if (only?.type === "substitution") return printsNumbers(only.body);
  return INTEGER.test(staticText(word) ?? "");
};
