/**
 * The JSON text of large state that changes a little at a time. State is never changed in place: what a commit leaves as
 * it was is the same object before and after. So the text of each large part is kept with the object, and the text of the
 * whole is put together from the parts whose text is known and the few that are new. It is what `JSON.stringify` writes.
 *
 * A part whose text is kept is frozen with everything in it: were it changed in place, its text would no longer be true.
 */

/** Shorter texts are written anew faster than they are looked up. */
export const KEPT_CHARS_MIN = 256;
/**
 * A part from this length on is kept only once it proves to stay. The parts around a change are new with each commit, and
 * a text that is kept for one outlives it until the collector of old objects runs: the young one takes it for alive.
 */
export const LARGE_CHARS_MIN = 16_384;
/** It has stayed when so many documents were written since it was met. One commit writes three: row, cards and answer. */
export const STAYED_AFTER = 4;
/** From so many items on. */
const LONG_LIST = 16;
/** Of each of the two generations, in which a part counts with the parts in it. */
const GENERATION_CHARS_MAX = 16 * 1_048_576;

export type KeptTexts = {
  /** What `JSON.stringify` makes of it. For plain JSON that nobody changes any more; its parts are kept, itself is not. */
  textOf(value: object): string;
  /** The same text in pieces, for who writes them one after the other: the large text is never put together. */
  piecesOf(value: object): string[];
  isKept(value: unknown): boolean;
  /** Whether it was written as a part, and its text is so long that it is kept, or will be when it stays. */
  isLarge(value: unknown): boolean;
};

/** Pieces of a text, and how long they are together. */
type Pieces = { texts: string[]; chars: number };

type Memory = {
  known(value: object): string | undefined;
  isKept(value: unknown): boolean;
  isLarge(value: unknown): boolean;
  /** Keeps the text of a part that is long enough, unless something in it may change. */
  keep(value: object, text: string): void;
  /** Whether this large part was met in an earlier document, long enough ago; if not, it is met now. */
  hasStayed(value: object): boolean;
  countDocument(): void;
};

function createMemory(charsMax: number): Memory {
  // when the young generation is full it becomes the old one; what is used again becomes young again
  let young = new WeakMap<object, string>();
  let old = new WeakMap<object, string>();
  let chars = 0;
  /** Large parts, with the number of the document in which they were met. */
  const met = new WeakMap<object, number>();
  let documents = 0;

  function remember(value: object, text: string): void {
    if (chars + text.length > charsMax) [old, young, chars] = [young, new WeakMap(), 0];
    young.set(value, text);
    chars += text.length;
  }

  const isKept = (value: unknown): boolean => isObject(value) && (young.has(value) || old.has(value));

  /** False where something in it is no plain JSON: its text may change although it is frozen. */
  function frozen(value: object): boolean {
    if (isKept(value)) return true;
    for (const part of Object.values(value)) if (isExotic(part) || (isObject(part) && !frozen(part))) return false;
    Object.freeze(value);
    return true;
  }

  return {
    known(value) {
      const text = young.get(value);
      if (text !== undefined) return text;
      const older = old.get(value);
      if (older !== undefined) remember(value, older);
      return older;
    },
    isKept,
    isLarge: (value) => isObject(value) && (met.has(value) || isKept(value)),
    keep(value, text) {
      if (text.length >= KEPT_CHARS_MIN && frozen(value)) remember(value, text);
    },
    hasStayed(value) {
      const metIn = met.get(value);
      if (metIn === undefined) met.set(value, documents);
      return metIn !== undefined && documents - metIn >= STAYED_AFTER;
    },
    countDocument: () => void (documents += 1),
  };
}

export function createKeptTexts(charsMax = GENERATION_CHARS_MAX): KeptTexts {
  const { known, isKept, isLarge, keep, hasStayed, countDocument } = createMemory(charsMax);

  /** Puts the pieces from there on together where that is one part that is short, or stays. */
  function settle(value: object, out: Pieces, { from, before }: { from: number; before: number }): void {
    if (out.chars - before >= LARGE_CHARS_MIN && !hasStayed(value)) return;
    const text = out.texts.splice(from).join("");
    out.texts.push(text);
    keep(value, text);
  }

  /** False for what JSON has no word for; its parent knows what stands there instead. */
  function putPart(part: unknown, out: Pieces): boolean {
    if (!isObject(part)) return put(out, JSON.stringify(part));
    const text = known(part);
    if (text !== undefined) return put(out, text);
    const start = { from: out.texts.length, before: out.chars };
    putComposed(part, out);
    settle(part, out, start);
    return true;
  }

  /** The items of a long list are many and small, so each is written in one go. */
  function putItem(item: unknown, out: Pieces): boolean {
    if (!isObject(item)) return put(out, JSON.stringify(item));
    const text = known(item);
    if (text !== undefined) return put(out, text);
    const written = JSON.stringify(item);
    keep(item, written);
    return put(out, written);
  }

  const putComposed = (value: object, out: Pieces): void =>
    Array.isArray(value) ? putList(value, out) : putObject(value, out);

  function putList(list: readonly unknown[], out: Pieces): void {
    if (list.some(isExotic)) return void put(out, JSON.stringify(list));
    const putOne = list.length < LONG_LIST ? putPart : putItem;
    for (let at = 0; at < list.length; at += 1) {
      put(out, at === 0 ? "[" : ",");
      if (!putOne(list[at], out)) put(out, "null");
    }
    put(out, list.length === 0 ? "[]" : "]");
  }

  function putObject(value: object, out: Pieces): void {
    const parts = Object.entries(value);
    if (parts.some(([, part]) => isExotic(part))) return void put(out, JSON.stringify(value));
    let opening = "{";
    for (const [key, part] of parts) {
      if (part === undefined || typeof part === "symbol") continue;
      put(out, `${opening}${JSON.stringify(key)}:`);
      putPart(part, out);
      opening = ",";
    }
    put(out, opening === "{" ? "{}" : "}");
  }

  function piecesOf(value: object): string[] {
    countDocument();
    const text = isExotic(value) ? JSON.stringify(value) : known(value);
    if (text !== undefined) return [text];
    const out: Pieces = { texts: [], chars: 0 };
    putComposed(value, out);
    return out.texts;
  }

  return { textOf: (value) => piecesOf(value).join(""), piecesOf, isKept, isLarge };
}

function put(out: Pieces, text: string | undefined): boolean {
  if (text === undefined) return false;
  out.texts.push(text);
  out.chars += text.length;
  return true;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Dates, functions and whatever else writes itself: only `JSON.stringify` knows how, and under which name. */
function isExotic(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (!isObject(value)) return false;
  if ("toJSON" in value && typeof value.toJSON === "function") return true;
  if (Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}

const texts = createKeptTexts();

/** Of this process, for all who write the same state: its row, the event and the answer. */
export const keptText = texts.textOf;
export const keptPieces = texts.piecesOf;

const inParts = new WeakSet<object>();

/** Whether some of these are so large that their text is kept, or will be; then whatever is made of them is best written in parts. */
export const someKept = (parts: object): boolean => Object.values(parts).some(texts.isLarge);

/** Marks something large that is handed to whoever writes answers. */
export function writeInParts(value: object): void {
  inParts.add(value);
}

/** Whether it is an answer with something large in it, which `keptText` writes faster. */
export const carriesParts = (answer: unknown): answer is object =>
  isObject(answer) && Object.values(answer).some((part) => isObject(part) && inParts.has(part));
