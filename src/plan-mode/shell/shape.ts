/**
 * What is known about a word before the shell expands it. A dynamic word may only stand where none of the strings it
 * can become does harm; usually that means: it cannot turn into an option.
 */
import { never, staticText, text } from "./command-tree.ts";
import type {
  ArrayAssignment,
  Command,
  Element,
  List,
  Part,
  Prints,
  Substitution,
  Variable,
  Word,
} from "./command-tree.ts";
import { eachCommand } from "./each-command.ts";
import { becomesNumbers, isNumeric, isOneNumber } from "./is-numeric.ts";

export type Shape = {
  readonly word: Word;
  /** The exact string, when the shell computes nothing. */
  readonly text: string | undefined;
  /** The literal beginning, shared by every string the word can become. */
  readonly prefix: string;
  /** True when no string it becomes is empty or begins with a dash. */
  readonly safeStart: boolean;
  /** one: exactly one string; glob: any number, all beginning with the prefix; split: any number of any strings. */
  readonly arity: "one" | "glob" | "split";
  /** True when no string it becomes begins with a slash. */
  readonly relative?: boolean;
  /** True when no string it becomes is empty, `;` or `+`, which end a command inside of find. */
  readonly neverEnds?: boolean;
  /** True for a bare substitution that prints at most one word. */
  readonly token?: boolean;
  /** True when what is computed comes from the line itself or from xargs: no bare pattern, no variable from outside, no list of unknown words. */
  readonly given?: boolean;
  /** What it becomes if every number in it is 1: set when nothing but numbers is computed. */
  readonly sample?: string | undefined;
};

type Fact = {
  readonly only: string | undefined;
  readonly safeStart: boolean;
  readonly splitSafe: boolean;
  readonly relative: boolean;
  readonly neverEnds: boolean;
  /** The variable holds what a command with known output printed. */
  readonly prints?: Prints | undefined;
  /** It holds a number, maybe a negative one. */
  readonly numeric?: boolean;
};

const UNKNOWN: Fact = { only: undefined, safeStart: false, splitSafe: false, relative: false, neverEnds: false };
const ABSOLUTE: Fact = { ...UNKNOWN, safeStart: true, neverEnds: true };
const NUMBER: Fact = { ...ABSOLUTE, splitSafe: true, relative: true, numeric: true };
const SPLIT_SAFE = /^[\w./@%+:,=-]+$/;
const NUMBERS: ReadonlySet<string> = new Set(["?", "#", "$"]);
const ENVIRONMENT_PATHS: ReadonlySet<string> = new Set(["HOME", "PWD"]);

const safeBeginning = (value: string): boolean => value !== "" && !value.startsWith("-");

const ENDS: ReadonlySet<string> = new Set(["", ";", "+"]);

/** A pattern matches names, which hold no slash. */
const beginsInFolder = (word: Word | undefined): boolean => {
  const first = word?.parts[0];
  return first?.type === "glob" || (first?.type === "text" && first.value !== "" && !first.value.startsWith("/"));
};

const factFrom = (values: readonly (Word | undefined)[]): Fact => {
  const statics = values.map((word) => (word === undefined ? undefined : staticText(word)));
  const distinct = new Set(statics);
  const safeStart = values.every((word) => {
    const first = word?.parts[0];
    return first?.type === "text" && safeBeginning(first.value);
  });
  return {
    only: distinct.size === 1 ? statics[0] : undefined,
    safeStart,
    splitSafe: statics.every((value) => value !== undefined && SPLIT_SAFE.test(value)),
    relative: values.every(beginsInFolder),
    neverEnds: values.every((word) => {
      const first = word?.parts[0];
      return first?.type === "text" && !ENDS.has(first.value);
    }),
  };
};

const isList = ({ index, prefix }: Element): boolean => (index === "@" || index === "*") && prefix !== "#";

/** `"${xs[@]}"` as a whole word, without empty quotes beside its own: each element is a word, or part of several. */
const listIn = (word: Word | undefined): Element | undefined => {
  const [first, second, ...others] = word?.parts ?? [];
  const only = first?.type === "text" && first.value === "" ? second : first;
  const isAlone = others.length === 0 && (only === second || second === undefined);
  return isAlone && only?.type === "element" && isList(only) ? only : undefined;
};

/** Facts about the variables of one command line, the same at every point of it, whatever the order of execution. */
export type Facts = {
  readonly known: Map<string, Fact>;
  readonly definite: Set<string>;
  /** Variables that get their value in one place only. */
  readonly once: ReadonlySet<string>;
  /** Variables that hold nothing but numbers; a text of them may be empty, or hold several. */
  readonly numeric: ReadonlySet<string>;
  /** Those of them that hold one number at a time. */
  readonly single: ReadonlySet<string>;
  /** Lists: what is known of one holds for each of its elements, and there may be none. */
  readonly arrays: ReadonlySet<string>;
};

/** Whether arithmetic may name it: whatever the line puts into it is a number. */
export const holdsNumbers = (name: string, { known, numeric }: Facts): boolean => known.has(name) && numeric.has(name);

type Values = {
  readonly words: Map<string, (Word | undefined)[]>;
  readonly others: Set<string>;
  /** Numbers, but maybe none of them or several in one text. */
  readonly several: Set<string>;
  readonly arrays: Set<string>;
};

/** `"${xs[@]}"`: the elements as they are. */
const isElements = (word: Word | undefined): boolean => {
  const list = listIn(word);
  return list?.quoted === true && list.index === "@" && list.prefix === "" && list.slice === "";
};

type IsOne = (word: Word) => boolean;

type Assigned = { readonly name: string; readonly value: Word | undefined };

const add = ({ words, others, several }: Values, { name, value }: Assigned, isOne: IsOne = isOneNumber): void => {
  if (value === undefined || !isNumeric(value)) others.add(name);
  else if (!isOne(value)) several.add(name);
  // A value built from other variables is not followed: a loop could change it behind our back.
  const plain = value?.parts.every((part) => part.type === "text" || part.type === "glob") === true;
  const list = words.get(name) ?? [];
  list.push(plain || isElements(value) ? value : undefined);
  words.set(name, list);
};

const READERS: ReadonlySet<string> = new Set(["read", "mapfile", "readarray"]);

const LEADING: ReadonlySet<string> = new Set(["builtin", "command"]);

/**
 * `read`, behind `builtin` and `command` too: whatever is written behind that word may be a variable that it sets. A list
 * it makes only where it is the command.
 */
const readTargets = (words: readonly Word[], values: Values): void => {
  const texts = words.map((word) => staticText(word) ?? "");
  const at = texts.findIndex((one) => READERS.has(one));
  if (at === -1) return;
  const makesList = texts[at] !== "read" && texts.slice(0, at).every((one) => LEADING.has(one));
  for (const name of texts.slice(at + 1)) {
    add(values, { name, value: undefined });
    if (makesList) values.arrays.add(name);
  }
};

const collectArray = ({ name, elements }: ArrayAssignment, values: Values): void => {
  values.arrays.add(name);
  if (!values.words.has(name)) values.words.set(name, []);
  for (const word of elements) add(values, { name, value: word }, becomesNumbers);
};

const collect = (node: Command, values: Values): void => {
  if (node.type === "for") for (const word of node.words) add(values, { name: node.name, value: word }, becomesNumbers);
  if (node.type === "calculation" && node.assigns)
    for (const name of node.names) add(values, { name, value: { parts: [{ ...node, type: "arithmetic" }] } });
  if (node.type === "array") collectArray(node, values);
  if (node.type !== "simple") return;
  for (const assigned of node.assignments) add(values, assigned);
  readTargets(node.words, values);
};

/** A loop over a list has its elements; a list of lists is not followed. */
const followed = (words: readonly (Word | undefined)[], values: Values): readonly (Word | undefined)[] =>
  words.flatMap((word) => {
    const list = isElements(word) ? listIn(word) : undefined;
    if (list === undefined) return [word];
    return (values.words.get(list.name) ?? [undefined]).map((inner) => (isElements(inner) ? undefined : inner));
  });

export const gatherFacts = (list: List): Facts => {
  const values: Values = { words: new Map(), others: new Set(), several: new Set(), arrays: new Set() };
  eachCommand(list, (node) => collect(node, values));
  const known = new Map<string, Fact>();
  const numeric = new Set([...values.words.keys()].filter((name) => !values.others.has(name)));
  const single = new Set([...numeric].filter((name) => !values.several.has(name)));
  for (const [name, words] of values.words) {
    const fact = factFrom(followed(words, values));
    known.set(name, single.has(name) ? numberFrom(fact) : fact);
  }
  const once = new Set([...values.words].filter(([, words]) => words.length === 1).map(([name]) => name));
  return { known, definite: new Set(), once, numeric, single, arrays: values.arrays };
};

/** Of a number that is computed only the sign is not known. */
const numberFrom = ({ only, safeStart }: Fact): Fact => ({ ...NUMBER, only, safeStart });

const printedBy = (word: Word): Substitution | undefined => {
  const only = word.parts.length === 1 ? word.parts[0] : undefined;
  return only?.type === "substitution" ? only : undefined;
};

/** `x=$(git merge-base main HEAD)`: what the walk found out about the substitution holds for the variable. */
export const learnAssigned = (facts: Facts, name: string, value: Word): void => {
  const printed = printedBy(value);
  if (printed !== undefined && facts.once.has(name) && !facts.single.has(name))
    facts.known.set(name, { ...UNKNOWN, prints: printed.prints });
};

/** `for x in $(git rev-list -3 HEAD)`: each round has one of the words that are printed. */
export const learnLooped = (facts: Facts, name: string, [only]: readonly Word[]): void => {
  const printed = only === undefined ? undefined : printedBy(only);
  const areWords = printed?.quoted === false && (printed.prints === "token" || printed.prints === "tokens");
  if (areWords && facts.once.has(name)) facts.known.set(name, { ...UNKNOWN, safeStart: true, splitSafe: true });
};

const factOf = (part: Variable, facts: Facts): Fact => {
  if (part.length || NUMBERS.has(part.name)) return NUMBER;
  const assigned = facts.known.get(part.name);
  if (assigned === undefined) return ENVIRONMENT_PATHS.has(part.name) && part.operation === "" ? ABSOLUTE : UNKNOWN;
  if (!facts.definite.has(part.name) || facts.arrays.has(part.name)) return UNKNOWN;
  return part.operation === "" ? assigned : UNKNOWN;
};

type Draft = {
  text: string;
  open: boolean;
  safeStart: boolean;
  relative: boolean;
  neverEnds: boolean;
  arity: Shape["arity"];
  sample: string | undefined;
  /** True when nothing that could be a dash follows the part at hand. */
  alone: boolean;
};

/** After the first computed part only the beginning that was literal so far is known. */
const close = (draft: Draft, first: Partial<Fact>): void => {
  if (!draft.open) return;
  const { text: before } = draft;
  draft.open = false;
  draft.safeStart = before === "" ? first.safeStart === true : safeBeginning(before);
  draft.relative = before === "" ? first.relative === true : !before.startsWith("/");
  draft.neverEnds = before === "" ? first.neverEnds === true : !ENDS.has(before);
};

const extendSample = (draft: Draft, more: string | undefined): void => {
  draft.sample = draft.sample === undefined || more === undefined ? undefined : draft.sample + more;
};

/** Behind a backslash a number may stand for any character. */
const sampleOf = (draft: Draft, fact: Fact): string | undefined =>
  fact.numeric === true && draft.sample?.includes("\\") === false ? (fact.only ?? "1") : fact.only;

const addVariable = (draft: Draft, part: Variable, facts: Facts): void => {
  const fact = factOf(part, facts);
  extendSample(draft, sampleOf(draft, fact));
  if (fact.prints !== undefined) return addPrinted(draft, { prints: fact.prints, quoted: part.quoted });
  const whole = part.quoted || fact.splitSafe;
  if (fact.only !== undefined && whole && draft.open) {
    draft.text += fact.only;
    return;
  }
  close(draft, fact);
  if (!whole) draft.arity = "split";
};

/** Printed words never begin with a dash, but there may be none: then what follows in the same word comes first. */
const addPrinted = (draft: Draft, part: Pick<Substitution, "prints" | "quoted">): void => {
  const literalBefore = draft.text !== "";
  close(draft, { safeStart: part.prints !== undefined && draft.alone });
  if (part.quoted) return;
  if (part.prints === "token" && literalBefore && draft.arity === "one") return;
  const harmless = part.prints === "token" || part.prints === "tokens";
  if (!harmless) draft.arity = "split";
  else if (draft.arity === "one") draft.arity = "glob";
};

/** An element that is not there is empty, and a list may be. */
const addElement = (draft: Draft, part: Element): void => {
  extendSample(draft, part.prefix === "#" ? sampleOf(draft, NUMBER) : undefined);
  close(draft, part.prefix === "#" ? NUMBER : {});
  if (part.prefix !== "#" && (!part.quoted || (isList(part) && part.index === "@"))) draft.arity = "split";
};

const addPart = (draft: Draft, part: Part, facts: Facts): void => {
  switch (part.type) {
    case "text":
      extendSample(draft, part.value);
      if (draft.open) draft.text += part.value;
      return;
    case "variable":
      return addVariable(draft, part, facts);
    case "element":
      return addElement(draft, part);
    case "glob":
      draft.sample = undefined;
      close(draft, { relative: true });
      if (draft.arity === "one") draft.arity = "glob";
      return;
    case "substitution":
      draft.sample = undefined;
      return addPrinted(draft, part);
    case "arithmetic":
      extendSample(draft, sampleOf(draft, NUMBER));
      return close(draft, {});
    case "process-input":
      draft.sample = undefined;
      return close(draft, { safeStart: true });
    default:
      return never(part);
  }
};

/** A list alone: any number of words, each of which is known to begin well, or nothing is known. */
const listShape = (word: Word, list: Element, facts: Facts): Shape | undefined => {
  if (list.slice !== "") return undefined; // of a plain variable it is a part of the text
  const fact = list.prefix === "!" ? NUMBER : facts.known.get(list.name);
  const whole = list.quoted ? list.index === "@" : fact?.splitSafe === true;
  const isOwn = list.prefix === "!" || facts.definite.has(list.name);
  if (fact === undefined || !isOwn || !whole || !fact.safeStart) return undefined;
  const { safeStart, relative, neverEnds } = fact;
  return { word, text: undefined, prefix: "", safeStart, arity: "glob", relative, neverEnds, given: true };
};

export const shapeOf = (word: Word, facts: Facts): Shape => {
  const list = listIn(word);
  const known = list === undefined ? undefined : listShape(word, list, facts);
  if (known !== undefined) return known;
  const nothing = { safeStart: false, relative: false, neverEnds: false, alone: false };
  const draft: Draft = { text: "", open: true, arity: "one", sample: "", ...nothing };
  for (const [index, part] of word.parts.entries()) {
    const next = word.parts[index + 1];
    draft.alone = next === undefined || (next.type === "text" && safeBeginning(next.value));
    addPart(draft, part, facts);
  }
  if (draft.open) return staticShape(word, draft.text);
  const { text: prefix, safeStart, arity, relative, neverEnds, sample } = draft;
  const token = printedBy(word)?.prints === "token";
  const given = word.parts.every((part) => isGiven(part, facts));
  return { word, text: undefined, prefix, safeStart, arity, relative, neverEnds, token, sample, given };
};

const isGiven = (part: Part, facts: Facts): boolean => {
  if (part.type === "variable") return part.length || NUMBERS.has(part.name) || facts.known.has(part.name);
  if (part.type === "element") return part.prefix !== "" || !isList(part);
  if (part.type === "substitution") return part.quoted || part.prints !== undefined;
  return part.type !== "glob";
};

const staticShape = (word: Word, value: string): Shape => ({
  word,
  text: value,
  prefix: value,
  safeStart: safeBeginning(value),
  arity: "one",
});

export const literalShape = (value: string): Shape => staticShape(text(value), value);

/** A word whose content comes from elsewhere: `{}` of find, the lines that xargs appends. */
export const unknownShape = (word: Word, prefix: string): Shape => ({
  word,
  text: undefined,
  prefix,
  safeStart: safeBeginning(prefix),
  arity: "one",
  given: true,
});

export const couldBeOption = (shape: Shape): boolean => shape.arity === "split" || !shape.safeStart;

export const couldBeSeveral = (shape: Shape): boolean => shape.arity !== "one";

/** Where a mark could begin in what the word becomes: its computed tail may hold the mark or complete it. -1: nowhere. */
export const markStart = ({ text: literal, prefix }: Shape, mark: string): number => {
  const whole = prefix.indexOf(mark);
  if (whole !== -1 || literal !== undefined) return whole;
  const cut = Array.from({ length: prefix.length }, (_none, at) => at).find((at) => mark.startsWith(prefix.slice(at)));
  return cut ?? prefix.length;
};
