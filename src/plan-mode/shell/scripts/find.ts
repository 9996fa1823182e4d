/** find: the expression decides. `-exec` is allowed for a command that is itself read-only with what find gives it. */
import type { Call, Nested } from "../rules/rule.ts";
import { couldBeSeveral, markStart, unknownShape } from "../shape.ts";
import type { Shape } from "../shape.ts";
import type { Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const TESTS =
  words(`( ) ! , -a -and -o -or -not -true -false -daystart -depth -d -follow -mount -xdev -noleaf -warn -nowarn
  -ignore_readdir_race -noignore_readdir_race -empty -executable -readable -writable -nouser -nogroup -print -print0 -ls -prune
  -quit -help --help -version --version -H -L -P -E -X -x -s -O0 -O1 -O2 -O3`);
const TESTS_WITH_VALUE =
  words(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size
  -mtime -atime -ctime -mmin -amin -cmin -Btime -Bmin -newer -anewer -cnewer -newerXY -user -group -uid -gid -perm -links -inum
  -samefile -maxdepth -mindepth -fstype -regextype -used -context -printf -flags`);
const WRITES = words("-delete -fprint -fprint0 -fprintf -fls");
const RUNS = words("-exec -execdir");
const ASKS = words("-ok -okdir");
const NEWER = /^-newer[aBcmt][aBcmt]$/;

type Reader = { readonly shapes: readonly Shape[]; at: number; readonly out: Word[]; readonly start: string };

const next = (reader: Reader): Shape | undefined => {
  const shape = reader.shapes[reader.at];
  reader.at += 1;
  return shape;
};

const runCommand = (reader: Reader, verb: Shape, nested: Nested): void => {
  const begin = reader.at;
  const end = reader.shapes.findIndex((_shape, index) => index >= begin && isEnd(reader.shapes, index));
  const terminator = reader.shapes[end];
  if (terminator === undefined) return stop("syntax", "find -exec without an end");
  // A found path begins with its starting point. Under -execdir some versions give the mere name, which may be a dash and more.
  const prefix = verb.text === "-execdir" ? "" : reader.start;
  const several = terminator.text === "+";
  const given = reader.shapes.slice(begin, end);
  // A computed `;` would end the command here, and what follows would be read by find as actions.
  const mayEnd = (shape: Shape, index: number): boolean =>
    shape.text === undefined &&
    (shape.neverEnds !== true || shape.arity === "split" || (given[index + 1]?.text === "+" && couldBeBraces(shape)));
  if (given.some(mayEnd))
    stop("dynamic-word", "find -exec", "Write the words of the command literally, or put text in front.");
  const command = given.map((shape) => (markStart(shape, "{}") === -1 ? shape : found(shape, prefix, several)));
  reader.out.push(verb.word, ...nested(command), terminator.word);
  reader.at = end + 1;
};

/** `{} +` only counts as an end behind the braces; a lone `+` is an argument. */
const isEnd = (shapes: readonly Shape[], index: number): boolean => {
  const [before, here] = [shapes[index - 1]?.text, shapes[index]?.text];
  return here === ";" || (here === "+" && before === "{}");
};

const couldBeBraces = ({ prefix }: Shape): boolean => "{}".startsWith(prefix);

/** Behind `+` the braces stand for many paths at once. A computed word becomes a path only if it holds the braces. */
const found = (shape: Shape, prefix: string, several: boolean): Shape => {
  const before = shape.prefix.slice(0, markStart(shape, "{}"));
  const path = unknownShape(shape.word, before === "" ? prefix : before);
  const certain = shape.prefix.includes("{}");
  const either =
    certain || before !== "" ? path : { ...path, prefix: "", safeStart: path.safeStart && shape.safeStart };
  return several ? { ...either, arity: "glob" } : { ...either, arity: shape.arity };
};

const LEADING_OPTION = /^-[HLPEXxs]$|^-O[0-3]$/;

/** A starting point is a path; a computed one must be unable to become an expression. */
const isStart = (shape: Shape): boolean => {
  if (shape.text !== undefined) return !/^[-(),!]/.test(shape.text) || LEADING_OPTION.test(shape.text);
  if (!shape.safeStart || shape.arity === "split" || /^[(),!]/.test(shape.prefix)) stop("dynamic-word", "find …");
  return true;
};

const readStarts = (shapes: readonly Shape[]): { readonly count: number; readonly prefix: string } => {
  const end = shapes.findIndex((shape) => !isStart(shape));
  const starts = end === -1 ? shapes : shapes.slice(0, end);
  const first = starts.find((shape) => !LEADING_OPTION.test(shape.prefix));
  const others = starts.filter((shape) => shape !== first && !LEADING_OPTION.test(shape.prefix));
  const prefix = first === undefined ? "." : beginningOf(first);
  return { count: starts.length, prefix: others.every((shape) => PLAIN_PATH.test(beginningOf(shape))) ? prefix : "" };
};

/** No `@file`, no `host:path`: what commands take for more than a path. */
const PLAIN_PATH = /^[\w./][\w./-]*$/;

/** Of a computed start without a literal beginning only the folders of the environment are known to be absolute. */
const beginningOf = ({ prefix, word }: Shape): string => {
  const [part] = word.parts.filter((one) => one.type !== "text" || one.value !== "");
  const isPath =
    (part?.type === "variable" && (part.name === "HOME" || part.name === "PWD")) ||
    (part?.type === "substitution" && part.prints === "path");
  return prefix === "" && isPath ? "/" : prefix;
};

const readExpression = (reader: Reader, shape: Shape, nested: Nested): void => {
  const name = shape.text;
  if (name === undefined) return stop("dynamic-word", "find …", "Write the find expression literally.");
  if (WRITES.has(name)) return stop("harmful-option", `find ${name}`);
  if (ASKS.has(name)) return stop("runs-programs", `find ${name}`);
  if (RUNS.has(name)) return runCommand(reader, shape, nested);
  reader.out.push(shape.word);
  if (TESTS.has(name)) return undefined;
  if (!TESTS_WITH_VALUE.has(name) && !NEWER.test(name)) return stop("unknown-option", `find ${name}`);
  const value = next(reader);
  if (value === undefined) return stop("syntax", `find ${name}`);
  if (couldBeSeveral(value)) return stop("dynamic-word", `find ${name}`, "Quote the pattern.");
  reader.out.push(value.word);
  return undefined;
};

export const rewriteFind = (call: Call, nested: Nested): readonly Word[] => {
  const { count, prefix } = readStarts(call.shapes);
  const reader: Reader = {
    shapes: call.shapes,
    at: count,
    out: call.shapes.slice(0, count).map((shape) => shape.word),
    start: prefix,
  };
  for (let shape = next(reader); shape !== undefined; shape = next(reader)) readExpression(reader, shape, nested);
  return reader.out;
};
