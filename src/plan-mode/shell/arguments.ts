/** Sorts the arguments of a command into options and operands, and refuses what its rule does not name. */
import { leads } from "./rules/rule.ts";
import type { Call, Option, OptionTable, Rule } from "./rules/rule.ts";
import { couldBeOption, couldBeSeveral } from "./shape.ts";
import type { Shape } from "./shape.ts";
import { text } from "./command-tree.ts";
import type { Word } from "./command-tree.ts";
import { stop } from "./verdict.ts";

type LongKind = "none" | "required" | "optional";

type Compiled = {
  readonly flags: string;
  readonly valued: string;
  readonly separate: string;
  readonly optional: string;
  readonly long: ReadonlyMap<string, LongKind>;
  readonly single: ReadonlyMap<string, LongKind>;
  readonly numeric: boolean;
  readonly harmful: ReadonlySet<string>;
};

const words = (list: string | undefined): readonly string[] =>
  list === undefined || list === "" ? [] : list.split(" ");

const longKinds = (list: string | undefined): ReadonlyMap<string, LongKind> => {
  const kinds = new Map<string, LongKind>();
  for (const word of words(list)) {
    const name = word.replace(/=\??$/, "");
    kinds.set(name, word.endsWith("=?") ? "optional" : word.endsWith("=") ? "required" : "none");
  }
  return kinds;
};

const compiledTables = new WeakMap<OptionTable, Compiled>();

const compile = (table: OptionTable): Compiled => {
  const known = compiledTables.get(table);
  if (known !== undefined) return known;
  const compiled: Compiled = {
    flags: table.flags ?? "",
    valued: table.valued ?? "",
    separate: table.separate ?? "",
    optional: table.optional ?? "",
    long: longKinds(table.long),
    single: longKinds(table.single),
    numeric: table.numeric === true,
    harmful: new Set(words(table.harmful)),
  };
  compiledTables.set(table, compiled);
  return compiled;
};

const OPTION_IN_DISGUISE = /^-[^\d\s]/;

type Reader = {
  readonly command: string;
  readonly table: Compiled;
  readonly rest: readonly Shape[];
  index: number;
  readonly options: Option[];
  /** How many of the options come before the first operand. */
  leading: number;
  readonly optionWords: Word[];
  needsMarker: boolean;
};

const refuseOption = (reader: Reader, name: string): never =>
  stop(reader.table.harmful.has(name) ? "harmful-option" : "unknown-option", `${reader.command} ${name}`);

const nextValue = (reader: Reader, name: string): Shape => {
  reader.index += 1;
  const value = reader.rest[reader.index];
  if (value === undefined) return stop("syntax", `${reader.command} ${name}`, "The option needs a value.");
  if (couldBeSeveral(value)) stop("dynamic-word", `${reader.command} ${name}`);
  // Should the command read the option differently from our table, the next word must not be an option in disguise.
  if (value.text !== undefined && OPTION_IN_DISGUISE.test(value.text))
    stop("unknown-option", `${reader.command} ${name} ${value.text}`);
  return value;
};

/** The value that stands in the same word: the rest of a literal, or a computed tail behind a literal beginning. */
const attached = (shape: Shape, from: number): Shape | undefined => {
  if (shape.text === undefined) return { ...shape, prefix: shape.prefix.slice(from), safeStart: false };
  return shape.text.length > from
    ? { ...shape, text: shape.text.slice(from), prefix: shape.text.slice(from) }
    : undefined;
};

const readLong = (reader: Reader, shape: Shape): void => {
  const equals = shape.prefix.indexOf("=");
  const name = equals === -1 ? shape.prefix : shape.prefix.slice(0, equals);
  if (equals === -1 && shape.text === undefined) stop("dynamic-word", `${reader.command} ${name}`);
  const kind = reader.table.long.get(name.slice(2));
  if (kind === undefined) return refuseOption(reader, name);
  if (kind === "none" && equals !== -1)
    return refuseOption(reader, reader.table.harmful.has(name) ? name : shape.prefix);
  if (equals !== -1) reader.options.push({ name, value: attached(shape, equals + 1) });
  else reader.options.push({ name, value: kind === "required" ? nextValue(reader, name) : undefined });
};

const readShort = (reader: Reader, shape: Shape): void => {
  const { flags, valued, separate, optional } = reader.table;
  for (let at = 1; at < shape.prefix.length; at += 1) {
    const letter = shape.prefix.charAt(at);
    const name = `-${letter}`;
    if (valued.includes(letter)) {
      reader.options.push({ name, value: attached(shape, at + 1) ?? nextValue(reader, name) });
      return;
    }
    if (optional.includes(letter)) {
      reader.options.push({ name, value: attached(shape, at + 1) });
      return;
    }
    const apart = separate.includes(letter) && at === shape.prefix.length - 1;
    if (!flags.includes(letter) && !apart) refuseOption(reader, name);
    reader.options.push({ name, value: apart ? nextValue(reader, name) : undefined });
  }
  if (shape.text === undefined) stop("dynamic-word", `${reader.command} ${shape.prefix}…`);
};

const readSingle = (reader: Reader, shape: Shape): boolean => {
  const kind = shape.text === undefined ? undefined : reader.table.single.get(shape.text);
  if (shape.text === undefined || kind === undefined) return false;
  reader.options.push({ name: shape.text, value: kind === "required" ? nextValue(reader, shape.text) : undefined });
  return true;
};

const readOption = (reader: Reader, shape: Shape): void => {
  if (couldBeSeveral(shape)) stop("dynamic-word", `${reader.command} ${shape.prefix}…`);
  if (readSingle(reader, shape)) return;
  if (reader.table.numeric && shape.text !== undefined && /^-\d+$/.test(shape.text)) {
    reader.options.push({ name: "-NUMBER", value: shape });
    return;
  }
  if (shape.prefix.startsWith("--")) readLong(reader, shape);
  else readShort(reader, shape);
};

const looksLikeOption = (shape: Shape): boolean => shape.prefix.startsWith("-") && shape.prefix !== "-";

/** A computed word that stands for an operand must not be able to become an option. */
const checkOperand = (reader: Reader, shape: Shape, rule: Rule): void => {
  if (shape.text !== undefined || !couldBeOption(shape)) return;
  // A bare pattern may find a name with a dash; where only a sandbox runs the rule, that does no harm either.
  const isFree = shape.given === true || (rule.sandboxed !== undefined && shape.arity === "glob");
  if (rule.marker === undefined || !isFree || shape.prefix.startsWith("-"))
    stop("dynamic-word", `${reader.command} ${shape.prefix}…`);
  reader.needsMarker = true;
};

const takeOption = (reader: Reader, shape: Shape, isLeading: boolean): void => {
  const from = reader.index;
  readOption(reader, shape);
  reader.optionWords.push(...reader.rest.slice(from, reader.index + 1).map(({ word }) => word));
  if (isLeading) reader.leading = reader.options.length;
};

/** Behind the marker every word is an operand; `--` still parts revisions from paths. */
const behindMarker = (reader: Reader, operands: readonly Shape[]): Call => {
  const rest = reader.rest.slice(reader.index + 1);
  const dashes = rest.findIndex((shape) => shape.text === "--");
  reader.needsMarker = true;
  if (dashes === -1) return sorted(reader, [...operands, ...rest]);
  const all = [...operands, ...rest.slice(0, dashes), ...rest.slice(dashes + 1)];
  return { ...sorted(reader, all), beforeDashes: operands.length + dashes };
};

const END_OF_OPTIONS = "--end-of-options";

const newReader = (command: string, shapes: readonly Shape[], table: Compiled): Reader => ({
  command,
  table,
  rest: shapes,
  index: 0,
  options: [],
  leading: 0,
  optionWords: [],
  needsMarker: false,
});

/** Under a rule with "any" options nothing is sorted: every word is harmless. */
export const readArguments = (command: string, shapes: readonly Shape[], rule: Rule): Call => {
  if (rule.options === "any") return { name: command, shapes, options: [], leading: 0, operands: shapes };
  const reader = newReader(command, shapes, compile(rule.options));
  const operands: Shape[] = [];
  for (; reader.index < shapes.length; reader.index += 1) {
    const shape = shapes[reader.index];
    if (shape === undefined) break;
    if (shape.text === "--" && reader.table.single.size === 0) {
      const all = [...operands, ...shapes.slice(reader.index + 1)];
      return { ...sorted(reader, all), beforeDashes: operands.length };
    }
    if (shape.text === END_OF_OPTIONS && rule.marker === END_OF_OPTIONS) return behindMarker(reader, operands);
    if (looksLikeOption(shape)) {
      takeOption(reader, shape, operands.length === 0);
      continue;
    }
    checkOperand(reader, shape, rule);
    if (rule.operandsEndOptions === true) return { ...sorted(reader, operands), operands: shapes.slice(reader.index) };
    operands.push(shape);
  }
  return sorted(reader, operands);
};

const sorted = (reader: Reader, operands: readonly Shape[]): Call => ({
  name: reader.command,
  shapes: reader.rest,
  options: reader.options,
  leading: reader.leading,
  operands,
  optionWords: reader.optionWords,
  needsMarker: reader.needsMarker,
});

/** The arguments as they are to run: as given, or with the options in front of the marker and the operands behind it. */
export const wordsOf = (call: Call, { marker }: Pick<Rule, "marker">): readonly Word[] => {
  if (call.needsMarker !== true || marker === undefined) return call.shapes.map((shape) => shape.word);
  const given = call.operands.map((shape) => shape.word);
  const at = marker === "--" ? undefined : call.beforeDashes;
  const operands = at === undefined ? given : [...given.slice(0, at), text("--"), ...given.slice(at)];
  return [...(call.optionWords ?? []), text(marker), ...operands];
};

const checkOperands = (call: Call, rule: Rule): void => {
  const most = rule.operandsMax;
  if (most !== undefined && (call.operands.length > most || call.operands.some(couldBeSeveral)))
    stop("operand", `${call.name}: at most ${most}`);
  const pattern = rule.operand;
  if (pattern === undefined) return;
  const odd = call.operands.find((operand) => operand.text === undefined || !pattern.test(operand.text));
  if (odd !== undefined) stop("operand", `${call.name} ${odd.text ?? "…"}`);
};

export const checkCall = (call: Call, rule: Rule): void => {
  if (rule.literal === true && call.shapes.some((shape) => shape.text === undefined)) stop("dynamic-word", call.name);
  checkOperands(call, rule);
  if (rule.requires !== undefined && !leads(call, rule.requires))
    stop("missing-option", `${call.name} needs ${rule.requires.replaceAll(" ", " or ")}`);
  rule.check?.(call);
};
