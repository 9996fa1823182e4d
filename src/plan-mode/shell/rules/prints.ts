import type { Prints } from "../tree.ts";
import type { Call } from "./rule.ts";

/** What some readers print, so that `git diff $(git merge-base main HEAD)` can be judged. Wrong here is a bypass. */

const only = (call: Call, names: string): boolean => {
  const allowed = new Set(names.split(" "));
  return call.options.every((option) => allowed.has(option.name));
};

const REVISION = /^[A-Za-z0-9_./@][\w./@{}^~-]*$/;

const plainRevisions = (call: Call): boolean =>
  call.operands.every((operand) => operand.text !== undefined && REVISION.test(operand.text));

/** Hashes only; with --all, several. */
export const printsMergeBase = (call: Call): Prints => (call.options.length === 0 ? "token" : "tokens");

/** A hash, or the revision itself when there is none such; the folder questions answer with a path. */
export const printsRevParse = (call: Call): Prints | undefined => {
  const texts = call.shapes.map((shape) => shape.text ?? "-");
  const first = texts[0] ?? "";
  if (texts.length === 1 && /^--(?:show-toplevel|git-dir|absolute-git-dir|git-common-dir)$/.test(first)) return "path";
  const plain = texts.every((text) => REVISION.test(text) || /^(?:--short(?:=\d+)?|--verify|-q|--quiet)$/.test(text));
  if (!plain) return undefined;
  return texts.filter((text) => REVISION.test(text)).length === 1 ? "token" : "tokens";
};

const HASH_OR_TIME = /^(?:format:|tformat:)?%(?:[HhTt]|[ac]t)$/;
const QUIET_LOG =
  "-NUMBER -n --max-count --format --pretty -s --no-patch --no-merges --merges --all --first-parent --reverse --no-ext-diff --no-textconv";

/** One hash or time for each commit, as long as no diff is asked for. */
export const printsLog = (call: Call): Prints | undefined => {
  const format = call.options.findLast((option) => option.name === "--format" || option.name === "--pretty")?.value
    ?.text;
  if (format === undefined || !HASH_OR_TIME.test(format) || !only(call, QUIET_LOG)) return undefined;
  const one = call.options.some(
    ({ name, value }) => value?.text === "-1" || (/^(?:-n|--max-count)$/.test(name) && value?.text === "1"),
  );
  return one ? "token" : "tokens";
};

/** `git show` prints a diff unless told not to. */
export const printsShow = (call: Call): Prints | undefined =>
  call.options.some((option) => option.name === "-s" || option.name === "--no-patch") && plainRevisions(call)
    ? printsLog(call)
    : undefined;

const QUIET_REV_LIST =
  "--count -n --max-count -NUMBER --all --max-parents --min-parents --reverse --no-merges --first-parent";

export const printsRevList = (call: Call): Prints | undefined => {
  if (!only(call, QUIET_REV_LIST)) return undefined;
  return call.options.some((option) => option.name === "--count") ? "token" : "tokens";
};

/** `date +%s` and the like: digits, colons and dashes, beginning with a digit. */
export const printsDate = (call: Call): Prints | undefined => {
  const format = call.operands.length === 1 ? call.operands[0]?.text : undefined;
  return format !== undefined && /^\+%[YmdHMSFTsj](?:%[YmdHMSFTsj]|[_.T:Z-])*$/.test(format) ? "token" : undefined;
};

/** Counting standard input prints one number. */
export const printsCount = (call: Call): Prints | undefined =>
  call.name === "wc" && call.shapes.length === 1 && /^-[lwcm]$/.test(call.shapes[0]?.text ?? "") ? "token" : undefined;

/** A path, or the name itself for a builtin; nothing for an unknown command. */
export const printsLookup = (call: Call): Prints | undefined =>
  call.operands.length === 1 && /^[a-z][\w.+-]*$/.test(call.operands[0]?.text ?? "") ? "path" : undefined;

export const printsNumber = (): Prints => "token";

export const printsPath = (call: Call): Prints | undefined => (call.shapes.length <= 1 ? "path" : undefined);
