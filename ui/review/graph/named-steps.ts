/**
 * Numbers of steps that a text names, in any language of the page: "Schritt 2", "steps 1 and 3", "第3步", "3. adım",
 * "(#4)". A number without a word for a step counts something, and an issue has a "#" as well: there, only one that
 * stands for itself is taken. The text is read once from left to right, whatever it is made of.
 */
type Kind =
  /** "step": a number follows. */
  | "step"
  /** "步": the number stands before it. */
  | "nth"
  /** "단계" is both. */
  | "either"
  | "and"
  | "to"
  | "hash"
  /** What a "#" may follow when it stands for itself. */
  | "opens"
  | "number"
  | "other";
type Token = { kind: Exclude<Kind, "number"> } | { kind: "number"; value: number; isOrdinal: boolean };

/** A number; a word in letters that words are made of; a word in letters that run on; any other sign. Blanks are nothing. */
const TOKEN =
  /(?<digits>\d+)(?<ordinal>\.(?=\s?\p{Ll}))?|[\p{Script=Latin}\p{Script=Cyrillic}]+|ステップ|手順|步骤|步驟|단계|から|\S/gu;

/** With whatever grammar hangs onto the word. */
const STEP =
  /^(?:steps?|schritt(?:en?|e?s)?|pasos?|passos?|etapas?|étapes?|langkah|krok\p{L}{0,3}|adım\p{L}{0,5}|крок\p{L}{0,3}|ステップ|手順|步骤|步驟)$/iu;
const AND = /^(?:[,、，&]|and|und|y|e|et|dan|i|oraz|ve|та|і|й|と|和|與|与|及|및|와|과)$/iu;
const TO = /^(?:[–~～-]|to|bis|hasta|a|à|até|sampai|do|до|から|至|到)$/iu;
const DIGITS_MAX = 3;
/** "1-999" names two numbers; those between are left out. */
const RANGE_MAX = 60;

export function namedSteps(text: string): number[] {
  const tokens = tokensOf(text);
  const found: number[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.kind !== "number") continue;
    const list = listAt(tokens, at);
    if (list.isNamed || isNamedBefore(tokens, at)) found.push(...list.numbers);
    at = list.end;
  }
  return found;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)]
    .filter(([word]) => word !== "第")
    .map(([word, digits, ordinal]) => {
      if (digits === undefined) return { kind: kindOf(word) };
      if (digits.length > DIGITS_MAX) return { kind: "other" };
      return { kind: "number", value: Number(digits), isOrdinal: ordinal !== undefined };
    });
}

function kindOf(word: string): Exclude<Kind, "number"> {
  if (word === "단계") return "either";
  if (word === "步") return "nth";
  if (word === "#") return "hash";
  if (AND.test(word)) return "and";
  if (TO.test(word)) return "to";
  if (STEP.test(word)) return "step";
  return /^[([{:;→]$/.test(word) ? "opens" : "other";
}

const isStep = (token: Token | undefined): boolean => token?.kind === "step" || token?.kind === "either";

function isNamedBefore(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind !== "hash") return isStep(before);
  const opening = tokens[at - 2];
  return opening === undefined || opening.kind === "opens" || isStep(opening);
}

type List = { numbers: number[]; /** Where it ends. */ end: number; isNamed: boolean };

/** From its first number on: "1 and 3", "1단계와 3단계", "2, step 4", "1-3". */
function listAt(tokens: readonly Token[], start: number): List {
  const list: List = { numbers: [], end: start, isNamed: false };
  let at: number | undefined = start;
  let joint: Kind = "and";
  while (at !== undefined) {
    const token: Token | undefined = tokens[at];
    if (token?.kind !== "number") break;
    const last = list.numbers.at(-1);
    list.numbers.push(...(joint === "to" && last !== undefined ? between(last, token.value) : [token.value]));
    list.end = at;
    const isNamed = isBehind(tokens[at + 1], token.isOrdinal);
    list.isNamed ||= isNamed;
    const next: number = at + (isNamed ? 2 : 1);
    joint = tokens[next]?.kind ?? "other";
    at = joint === "and" || joint === "to" ? pastNames(tokens, next + 1) : undefined;
  }
  return list;
}

/** In "step 2, step #3" each has its own word. */
function pastNames(tokens: readonly Token[], start: number): number {
  let at = start;
  while (isStep(tokens[at]) || tokens[at]?.kind === "hash") at += 1;
  return at;
}

/** "3 steps" are three; "3. adım" is the third. */
const isBehind = (token: Token | undefined, isOrdinal: boolean): boolean =>
  token?.kind === "nth" || token?.kind === "either" || (isOrdinal && token?.kind === "step");

/** What comes after the first up to the last. */
const between = (first: number, last: number): number[] =>
  last <= first || last - first > RANGE_MAX
    ? [last]
    : Array.from({ length: last - first }, (_, more) => first + more + 1);
