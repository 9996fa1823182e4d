/** Which variables of a line hold nothing but numbers, wherever it sets them. */
import { staticText } from "./command-tree.ts";
import type { Command, List, Word } from "./command-tree.ts";

const INTEGER = /^-?\d{1,18}$/;
const COUNT = /^-[lwcm]$/;

const wordsOfLast = (list: List): readonly (string | undefined)[] => {
  const only = list.length === 1 ? list[0] : undefined;
  const last: Command | undefined = only?.type === "pipeline" ? only.stages.at(-1) : only;
  return last?.type === "simple" ? last.words.map(staticText) : [];
};

/** `seq 1 9`, `wc -l < file`, `grep -c x` over its input: what these print is numbers and blanks. */
const PRINTS_NUMBERS: Readonly<Record<string, (args: readonly (string | undefined)[]) => boolean>> = {
  seq: (args) => args.length > 0 && args.every((arg) => INTEGER.test(arg ?? "")),
  wc: (args) => args.length === 1 && COUNT.test(args[0] ?? ""),
  grep: ([flags, pattern, ...files]) =>
    /^-[civwxEF]*c[civwxEF]*$/.test(flags ?? "") && pattern !== undefined && files.length === 0,
  git: (args) => args[0] === "rev-list" && args.includes("--count"),
  date: (args) => args.length === 1 && args[0] === "+%s",
  nproc: (args) => args.length === 0,
};

const printsNumbers = (list: List): boolean => {
  const [name = "", ...args] = wordsOfLast(list);
  return Object.hasOwn(PRINTS_NUMBERS, name) && PRINTS_NUMBERS[name]?.(args) === true;
};

/** True for a word that is a number, or becomes numbers. */
export const isNumeric = (word: Word): boolean => {
  const parts = word.parts.filter((part) => part.type !== "text" || part.value !== "");
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.type === "arithmetic") return true;
  if (only?.type === "substitution") return printsNumbers(only.body);
  return INTEGER.test(staticText(word) ?? "");
};
