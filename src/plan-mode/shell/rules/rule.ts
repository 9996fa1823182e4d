/**
 * A rule says, as data, with which options and operands a command is proven read-only. What a rule does not name is
 * refused, abbreviations of long options included.
 */
import type { Shape } from "../shape.ts";
import type { Prints, Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";

export type OptionTable = {
  /** Short options without a value: "lah". */
  readonly flags?: string;
  /** Short options with a value, attached or in the next word. */
  readonly valued?: string;
  /** Short options whose value is always the next word, whatever letters follow in their own. */
  readonly separate?: string;
  /** Short options whose value, if any, is attached: "-n5". */
  readonly optional?: string;
  /** Long options: "all", "width=" takes a value, "color=?" may take one after "=". */
  readonly long?: string;
  /**
   * Options that are read as whole words, as in `java -version`: "-version", "-cmd=" takes the next word. Whoever reads
   * them so has a reader of its own, to which `--` is no end of the options.
   */
  readonly single?: string;
  /** "-20" is an option. */
  readonly numeric?: boolean;
  /** Options known to write, run or connect. They are refused anyway; naming them makes the answer "writes". */
  readonly harmful?: string;
};

export type Rule = {
  /** Space-separated command names. */
  readonly names: string;
  /** "any": no option and no operand of this command can do harm. */
  readonly options: "any" | OptionTable;
  readonly operandsMax?: number;
  /** Each operand must be literal and match. */
  readonly operand?: RegExp;
  /** Options end at the first operand, as in awk, printf or env. */
  readonly operandsEndOptions?: boolean;
  /** At least one of these options must be given: "-c --stdout". */
  readonly requires?: string;
  /** No word may be computed. */
  readonly literal?: boolean;
  /** Spells the arguments out before they are sorted. */
  readonly normalise?: (shapes: readonly Shape[]) => readonly Shape[];
  /** Runs without a home folder: settings in it could name files to write and programs to run. */
  readonly withoutHome?: boolean;
  /** Ends the options: put in front of the operands when a computed one could become an option. */
  readonly marker?: "--" | "--end-of-options";
  /**
   * Reads only where nothing can be written and nobody reached: it loads settings or code of the project before it
   * answers, or opens what only the running command knows. Without a sandbox the line is refused.
   */
  readonly sandboxed?: true | ((call: Call) => boolean);
  /** Words put in front of the given arguments. */
  readonly inject?: readonly string[];
  /** The first operand chooses a rule of its own. */
  readonly subcommands?: readonly Rule[];
  /** What the command prints, when that is certain enough to stand inside other commands. */
  readonly prints?: (call: Call) => Prints | undefined;
  /** Checks what options and operands alone cannot express; refuses through `stop`. */
  readonly check?: (call: Call) => void;
  /** Replaces the arguments: judges commands inside them with `nested` and returns the ones to run. */
  readonly rewrite?: (call: Call, nested: Nested) => readonly Word[];
};

export type Option = { readonly name: string; readonly value: Shape | undefined };

/** One use of a command, its arguments sorted into options and operands. */
export type Call = {
  readonly name: string;
  readonly shapes: readonly Shape[];
  readonly options: readonly Option[];
  /** How many of the options stand before the first operand. */
  readonly leading: number;
  readonly operands: readonly Shape[];
  /** The words of the options, values included. */
  readonly optionWords?: readonly Word[];
  /** How many operands stand before a `--`; undefined when there is none. */
  readonly beforeDashes?: number | undefined;
  /** True when an operand could become an option, so that the rule's marker must stand in front of it. */
  readonly needsMarker?: boolean;
};

/** Judges a command that stands inside the arguments of another one and returns its words, arguments injected. */
export type Nested = (shapes: readonly Shape[]) => readonly Word[];

export const has = (call: Call, names: string): boolean => {
  const wanted = names.split(" ");
  return call.options.some((option) => wanted.includes(option.name));
};

/**
 * For an option that makes a command harmless: many programs, and the BSD versions of most, take what stands behind the
 * first operand for one more operand (`unzip a.zip '*' -l` unpacks).
 */
export const leads = (call: Call, names: string): boolean =>
  has({ ...call, options: call.options.slice(0, call.leading) }, names);

/** For programs that read their commands from standard input when none is given. */
export const needsVerb = (call: Call): void => {
  if (call.shapes.every(({ text }) => text === "--")) stop("runs-programs", call.name, "Name what it is to show.");
};

/** `host:file`, `scheme:rest`. Behind a slash a colon is part of a name. */
export const couldNameHost = ({ text, prefix }: Shape): boolean =>
  /^[^/]*:/.test(prefix) || (text === undefined && !prefix.includes("/"));

/** Lets a table wrap its long lists over several lines. */
export const list = (names: string): string => names.trim().split(/\s+/).join(" ");
