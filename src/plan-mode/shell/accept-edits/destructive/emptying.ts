/**
 * Emptying: what stood in a file is gone and nothing takes its place. Giving a file other content is editing, and passes;
 * so is making an empty file where there was none. A file that cannot be looked up counts as existing.
 */
import { absolutePath } from "../protected-paths.ts";
import { UNKNOWN } from "../finding.ts";
import type { EditPlace, Finding } from "../finding.ts";
import type { Argument } from "../resolve.ts";
import type { Invocation } from "../invocation.ts";
import { editorEmpties, emptiesInPlace } from "./in-place.ts";

const finding = (code: string, matched: string): Finding => ({ class: "destructive", code, matched });

const NOTHING = "/dev/null";
const STREAMS = /^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+|pts\/\d+|zero|full|u?random|shm\/.+)$/;
const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|loop\d|md\d|dm-\d|mapper\/|disk\/|r?disk\d|sr\d)/;

/** True when the folder exists and holds no such file: then nothing can be lost. */
const isNew = (path: string, place: EditPlace): boolean => {
  if (place.realpath === undefined || path.includes(UNKNOWN) || /[*?[]/.test(path)) return false;
  const whole = absolutePath(path, place);
  const folder = whole.slice(0, whole.lastIndexOf("/"));
  return place.realpath(folder === "" ? "/" : folder) !== undefined && place.realpath(whole) === undefined;
};

/** The names that a line has used so far: such a file may have been created by an earlier command of the line. */
export type Touched = { readonly names: ReadonlySet<string> };

/** Whether an earlier command may have moved something there, or into a folder above it. */
const wasTouched = (path: string, place: EditPlace, { names }: Touched): boolean => {
  const whole = absolutePath(path, place);
  return [...names].some((name) => `${whole}/`.startsWith(`${absolutePath(name, place).replace(/\/$/, "")}/`));
};

const losesNothing = (path: string, place: EditPlace, touched: Touched): boolean =>
  STREAMS.test(path) || (isNew(path, place) && !wasTouched(path, place, touched));

export type Redirected = {
  readonly target: string;
  /** Whether what was there is thrown away first. */
  readonly truncates: boolean;
  /** What goes in, as far as it is known. */
  readonly text: string | undefined;
  /** The command and its arguments. */
  readonly words: readonly Argument[];
};

const READERS: ReadonlySet<string> = new Set(
  "cat tac sort uniq sed awk gawk grep egrep rg head tail cut tr jq yq fold nl rev".split(" "),
);

export const findEmptyingRedirection = (given: Redirected, place: EditPlace, touched: Touched): Finding | undefined => {
  const { target, truncates, text, words } = given;
  if (DISK.test(target)) return finding("writes-disk", `> ${target}`);
  if (!truncates) return undefined;
  if (text !== undefined && text.trim() === "" && !losesNothing(target, place, touched))
    return finding("empties", `> ${target}`);
  // The shell empties the file before the command reads it.
  const [name = "", ...args] = words.map((word) => word.text);
  return READERS.has(name) && args.includes(target) ? finding("empties", `${name} ${target} > ${target}`) : undefined;
};

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((text) => text === "-" || !text.startsWith("-"));

const valueOf = (args: readonly Argument[], name: string): string | undefined =>
  args.find((argument) => argument.text.startsWith(name))?.text.slice(name.length);

const SHRINKS = /^(?:0+[a-zA-Z]*|[-</%].*)$/;

const sizeOf = (args: readonly Argument[]): string => {
  const texts = args.map((argument) => argument.text);
  const apart = texts.findIndex((text) => /^(?:-\w*s|--s\w*)$/.test(text));
  const attached = texts.map((text) => /^(?:-\w*s|--s\w*=)(.+)/.exec(text)?.[1]).find(Boolean);
  return (apart === -1 ? attached : texts[apart + 1]) ?? "";
};

/** Which files a command empties, for those that can. */
const EMPTIED: Readonly<Record<string, (invocation: Invocation) => readonly string[]>> = {
  cp: ({ args }) => overNothing(args),
  install: ({ args }) => overNothing(args),
  ln: ({ args }) => (args.some(({ text }) => /^-\w*f|^--force$/.test(text)) ? overNothing(args) : []),
  mv: ({ args }) => (operandsOf(args).at(-1) === NOTHING ? operandsOf(args) : []),
  rsync: ({ args }) => overNothing(args),
  sort: ({ args }) => (operandsOf(args).includes(NOTHING) ? operandsOf(args) : []),
  truncate: ({ args }) =>
    args.some(({ text }) => /^(?:-r|--reference=)?\/dev\/null$/.test(text))
      ? operandsOf(args)
      : SHRINKS.test(sizeOf(args))
        ? operandsOf(args).filter((path) => path !== sizeOf(args))
        : [],
  tee: ({ args, input }) =>
    isNothing(input) && !args.some(({ text }) => /^-\w*a|^--append$/.test(text)) ? operandsOf(args) : [],
  sponge: ({ args, input }) => (isNothing(input) ? operandsOf(args) : []),
  dd: ({ args, input }) => {
    const [from, to, count] = ["if=", "of=", "count="].map((name) => valueOf(args, name));
    const isEmpty = from === NOTHING || count === "0" || (from === undefined && isNothing(input));
    return to !== undefined && isEmpty && !args.some(({ text }) => /^conv=.*notrunc/.test(text)) ? [to] : [];
  },
  vim: byEditor,
  vi: byEditor,
  nvim: byEditor,
  ex: byEditor,
  ed: byEditor,
  red: byEditor,
  crontab: ({ args }) => (operandsOf(args)[0] === NOTHING ? ["crontab"] : []),
};

const isNothing = (input: Invocation["input"]): boolean => input?.text !== undefined && input.text.trim() === "";

/** `cp /dev/null f`: nothing is lost in the first, and it does no harm to count it. */
const overNothing = (args: readonly Argument[]): readonly string[] =>
  operandsOf(args).includes(NOTHING) ? operandsOf(args) : [];

function byEditor(invocation: Invocation): readonly string[] {
  return editorEmpties(invocation) ? operandsOf(invocation.args) : [];
}

/** A program of awk that prints `""` to a file of its own. */
const AWK_EMPTIES = /\bprintf\s*\(?\s*""\s*\)?\s*>\s*"/;

const WRITES_OPERANDS: ReadonlySet<string> = new Set("tee cp dd install sponge mv".split(" "));

const disksIn = ({ name, args }: Invocation): string | undefined => {
  if (!WRITES_OPERANDS.has(name)) return undefined;
  const written =
    name === "tee" || name === "sponge" ? operandsOf(args) : [operandsOf(args).at(-1), valueOf(args, "of=")];
  return written.find((path) => path !== undefined && DISK.test(path));
};

export const findEmptying = (invocation: Invocation, place: EditPlace, touched: Touched): Finding | undefined => {
  const { name, args } = invocation;
  const shown = (): string => [name, ...args.map((argument) => argument.text)].join(" ");
  const writesNothing = /^[gmn]?awk$/.test(name) && args.some(({ text }) => AWK_EMPTIES.test(text));
  const inPlace = writesNothing || emptiesInPlace(invocation) ? operandsOf(args) : undefined;
  const empty = inPlace ?? (Object.hasOwn(EMPTIED, name) ? EMPTIED[name]?.(invocation) : undefined);
  if (empty?.some((path) => !losesNothing(path, place, touched)) === true) return finding("empties", shown());
  return disksIn(invocation) === undefined ? undefined : finding("writes-disk", shown());
};
