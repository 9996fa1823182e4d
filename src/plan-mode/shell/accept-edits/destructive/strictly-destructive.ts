/**
 * What counts as destructive besides, where that needs a signature of its own (`approvals.presence: destructive`). As
 * edits these pass, because the text of a plan usually means them; nobody has signed for them there:
 *
 * - `mv` over something that exists, or out of the session's folder; a destination that cannot be known counts as both;
 * - `dd` over a file that exists;
 * - `chmod -R` that takes the owner's access away, `chown -R`, `chgrp -R`.
 */
import { UNKNOWN } from "../finding.ts";
import type { EditPlace, Finding, StrictPlace } from "../finding.ts";
import type { Invocation } from "../invocation.ts";
import { absolutePath } from "../protected-paths.ts";

const STREAM = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+|full|zero)$/;
const COMPUTED = new RegExp(`[*?[${UNKNOWN}]`);

export function findStrictlyDestructive(invocation: Invocation, place: EditPlace): Finding | undefined {
  const { strict } = place;
  const judge = Object.hasOwn(JUDGES, invocation.name) ? JUDGES[invocation.name] : undefined;
  if (strict === undefined || judge === undefined) return undefined;
  const words = invocation.args.map(({ text }) => text);
  const code = judge(words, { ...place, strict });
  const matched = [invocation.name, ...words].join(" ");
  return code === undefined ? undefined : { class: "destructive", code, matched };
}

type Place = EditPlace & { strict: StrictPlace };
type Judge = (words: readonly string[], place: Place) => string | undefined;

const JUDGES: Readonly<Record<string, Judge>> = {
  mv: moves,
  dd: (words, place) => {
    const target = words.find((word) => word.startsWith("of="))?.slice("of=".length);
    return target !== undefined && !STREAM.test(target) && mayExist(target, place) ? "dd-overwrites" : undefined;
  },
  chmod: (words) => (isRecursive(words) && takesAccess(words) ? "chmod-recursive" : undefined),
  chown: (words) => (isRecursive(words) ? "chown-recursive" : undefined),
  chgrp: (words) => (isRecursive(words) ? "chown-recursive" : undefined),
};

const isRecursive = (words: readonly string[]): boolean => words.some((word) => /^-\w*R\w*$|^--recursive$/.test(word));

const OPTION = /^-[RvcfhHLPd]+$|^--/;
const OWNER_READS_AND_WRITES = 6;

/** By its first word that is no option: a mode under which the owner cannot read and write, or one that takes from somebody. */
function takesAccess(words: readonly string[]): boolean {
  const mode = words.find((word) => !OPTION.test(word)) ?? "";
  if (/^[0-7]+$/.test(mode)) return (Number(mode.at(-3) ?? 0) & OWNER_READS_AND_WRITES) !== OWNER_READS_AND_WRITES;
  return mode.split(",").some((clause) => {
    const [, who = "", sign, rights = ""] = /^([ugoa]*)([-=])(.*)$/.exec(clause) ?? [];
    if (sign !== "=") return sign === "-";
    return (who === "" || /[ua]/.test(who)) && !(rights.includes("r") && rights.includes("w"));
  });
}

function moves(words: readonly string[], place: Place): string | undefined {
  const { targets, sources, replaces } = destinationOf(words);
  for (const target of targets) {
    if (COMPUTED.test(target) || isOutside(target, place)) return "moves-out";
    if (!replaces) continue;
    const names = place.strict.isFolder(absolutePath(target, place))
      ? sources.map((source) => `${target}/${source.replace(/\/+$/, "").split("/").at(-1) ?? ""}`)
      : [target];
    if (names.some((name) => mayExist(name, place))) return "moves-over";
  }
  return undefined;
}

/** `mv a b dir`, `mv -t dir a b`; with `-n` nothing that exists is replaced. */
function destinationOf(words: readonly string[]) {
  const operands: string[] = [];
  let given: string | undefined;
  let replaces = true;
  let isOver = false; // after `--` everything is an operand
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (isOver || word === "-" || !word.startsWith("-")) operands.push(word);
    else if (word === "--") isOver = true;
    else if (/^-\w*t$|^--target-directory$/.test(word)) given = words[(at += 1)];
    else if (/^-\w*t.+|^--target-directory=/.test(word)) given = word.replace(/^-\w*?t|^--target-directory=/, "");
    else if (/^-\w*n|^--no-clobber$/.test(word)) replaces = false;
  }
  const last = operands.at(-1);
  if (given !== undefined) return { targets: [given], sources: operands, replaces };
  return { targets: last === undefined ? [] : [last], sources: operands.slice(0, -1), replaces };
}

const isIn = (at: string, folder: string): boolean => at === folder || at.startsWith(`${folder}/`);

/** By where the path leads: the deepest folder of it that exists decides. */
function isOutside(path: string, place: Place): boolean {
  const whole = absolutePath(path, place);
  const { workspace } = place.strict;
  const root = place.realpath?.(workspace) ?? workspace;
  let real: string | undefined;
  for (let end = whole.length; real === undefined && end > 0; end = whole.lastIndexOf("/", end - 1))
    real = place.realpath?.(whole.slice(0, end));
  return real === undefined
    ? !isIn(whole, workspace)
    : !isIn(real, root) || !(isIn(whole, workspace) || isIn(whole, root));
}

/** A path that cannot be looked up counts as existing. */
const mayExist = (path: string, place: Place): boolean =>
  COMPUTED.test(path) || place.realpath === undefined || place.realpath(absolutePath(path, place)) !== undefined;
