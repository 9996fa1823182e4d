/**
 * What some readers print, so that `git diff $(git merge-base main HEAD)` can be judged. A mistake here opens the gate.
 */
import { couldBeOption } from "../shape.ts";
import type { Shape } from "../shape.ts";
import type { Prints } from "../command-tree.ts";
import type { Call } from "./rule.ts";

const only = (call: Call, names: string): boolean => {
  const allowed = new Set(names.split(" "));
  return call.options.every((option) => allowed.has(option.name));
};

const REVISION = /^[A-Za-z0-9_./@][\w./@{}^~-]*$/;

/** `a..b`, `a^@` and `a^-` stand for several. */
const SEVERAL = /\.\.|\^[@-]/;

/** Hashes only; with --all, several. */
export const printsMergeBase = (call: Call): Prints => (call.options.length === 0 ? "token" : "tokens");

/** A hash, or the revision itself when there is none such; the folder questions answer with a path. */
export const printsRevParse = (call: Call): Prints | undefined => {
  const texts = call.shapes.map((shape) => shape.text ?? "-");
  if (/^--(?:show-toplevel|git-dir|absolute-git-dir|git-common-dir)$/.test(texts.join(" "))) return "path";
  const plain = texts.every((text) => REVISION.test(text) || /^(?:--short(?:=\d+)?|--verify|-q|--quiet)$/.test(text));
  if (!plain) return undefined;
  const revisions = texts.filter((text) => REVISION.test(text));
  return revisions.length === 1 && !SEVERAL.test(revisions.join(" ")) ? "token" : "tokens";
};

const HASH_OR_TIME = /^(?:format:|tformat:)?%(?:[HhTt]|[ac]t)$/;
const QUIET_LOG =
  "-NUMBER -n --max-count --format --pretty -s --no-patch --no-merges --merges --all --first-parent --reverse --no-ext-diff --no-textconv";

const COUNTS: ReadonlySet<string> = new Set(["-NUMBER", "-n", "--max-count"]);

/** One hash or time for each commit, as long as no diff is asked for. */
export const printsLog = (call: Call): Prints | undefined => {
  const format = call.options.findLast((option) => option.name === "--format" || option.name === "--pretty")?.value
    ?.text;
  if (format === undefined || !HASH_OR_TIME.test(format) || !only(call, QUIET_LOG)) return undefined;
  const count = call.options.findLast(({ name }) => COUNTS.has(name));
  const isOne = count?.value?.text === (count?.name === "-NUMBER" ? "-1" : "1");
  return isOne ? "token" : "tokens";
};

const QUIET_REV_LIST =
  "--count -n --max-count -NUMBER --all --max-parents --min-parents --reverse --no-merges --first-parent";

export const printsRevList = (call: Call): Prints | undefined => {
  if (!only(call, QUIET_REV_LIST)) return undefined;
  return call.options.some((option) => option.name === "--count") ? "token" : "tokens";
};

const DATE = /^\+%[YmdHMSFTsj](?:%[YmdHMSFTsj]|[_.T:Z-])*$/;
const DATE_OPTIONS = "-u --utc --universal -d --date";
/** "yesterday", "7 days ago": one number of three digits at most cannot give a negative year or time. */
const NEAR = /^[a-z ]*\d{0,3}[a-z ]*$/;

/** `date +%s` and the like: digits, colons and dashes, beginning with a digit. */
export const printsDate = (call: Call): Prints | undefined => {
  const format = call.operands[0]?.text ?? "";
  if (!DATE.test(format) || !only(call, DATE_OPTIONS)) return undefined;
  // Seconds are negative before 1970, years before the year 0.
  const isNear = ({ text }: Shape): boolean => NEAR.test(text ?? "…") && !format.startsWith("+%s");
  return call.options.every(({ value }) => value === undefined || isNear(value)) ? "token" : undefined;
};

/** Counting standard input prints one number. */
export const printsCount = (call: Call): Prints | undefined =>
  call.shapes.length === 1 && /^-[lwcm]$/.test(call.shapes[0]?.text ?? "") ? "token" : undefined;

/** A path, or the name itself for a builtin; nothing for an unknown command. */
export const printsLookup = (call: Call): Prints | undefined =>
  call.operands.length === 1 && /^[a-z][\w.+-]*$/.test(call.operands[0]?.text ?? "") ? "path" : undefined;

/** `nproc`; asked for help it prints options. */
export const printsNumber = (call: Call): Prints | undefined =>
  call.shapes.every((shape) => /^--(?:all|ignore=\d+)$/.test(shape.text ?? "")) ? "token" : undefined;

/** The options of `realpath` make the path relative, and then it may begin with a dash. */
export const printsPath = (call: Call): Prints | undefined =>
  call.shapes.every((shape) => !couldBeOption(shape) || /^-[LP]$/.test(shape.text ?? "")) ? "path" : undefined;
