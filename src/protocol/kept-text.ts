/**
 * The JSON text of large state that changes a little at a time. State is never changed in place: what a commit leaves as
 * it was is the same object before and after. So the text of each large part is kept with the object, and the text of the
 * whole is put together from the parts whose text is known and the few that are new. It is what `JSON.stringify` writes.
 *
 * A part whose text is kept is frozen with everything in it: were it changed in place, its text would no longer be true.
 */

/** Shorter texts are written anew faster than they are looked up. */
export const KEPT_CHARS_MIN = 256;
/** From so many items on. */
const LONG_LIST = 16;
/** Of each of the two generations, in which a part counts with the parts in it. */
const GENERATION_CHARS_MAX = 16 * 1_048_576;

export type KeptTexts = {
  /** What `JSON.stringify` makes of it. For plain JSON that nobody changes any more; its parts are kept, itself is not. */
  textOf(value: object): string;
  isKept(value: unknown): boolean;
};

export function createKeptTexts(charsMax = GENERATION_CHARS_MAX): KeptTexts {
  // when the young generation is full it becomes the old one; what is used again becomes young again
  let young = new WeakMap<object, string>();
  let old = new WeakMap<object, string>();
  let chars = 0;

  function keep(value: object, text: string): void {
    if (chars + text.length > charsMax) [old, young, chars] = [young, new WeakMap(), 0];
    young.set(value, text);
    chars += text.length;
  }

  function known(value: object): string | undefined {
    const text = young.get(value);
    if (text !== undefined) return text;
    const older = old.get(value);
    if (older !== undefined) keep(value, older);
    return older;
  }

  const isKept = (value: unknown): boolean => isObject(value) && (young.has(value) || old.has(value));

  /** False where something in it is no plain JSON: its text may change although it is frozen. */
  function frozen(value: object): boolean {
    if (isKept(value)) return true;
    for (const part of Object.values(value)) if (isExotic(part) || (isObject(part) && !frozen(part))) return false;
    Object.freeze(value);
    return true;
  }

  function remembered(value: object, text: string): string {
    if (text.length >= KEPT_CHARS_MIN && frozen(value)) keep(value, text);
    return text;
  }

  /** Undefined for what JSON has no word for; its parent knows what stands there instead. */
  function partText(part: unknown): string | undefined {
    if (!isObject(part)) return JSON.stringify(part);
    return known(part) ?? remembered(part, composed(part));
  }

  function itemText(item: unknown): string | undefined {
    if (!isObject(item)) return JSON.stringify(item);
    return known(item) ?? remembered(item, JSON.stringify(item));
  }

  const composed = (value: object): string => (Array.isArray(value) ? listText(value) : objectText(value));

  /** The items of a long list are many and small, so each is written in one go. */
  function listText(list: readonly unknown[]): string {
    if (list.some(isExotic)) return JSON.stringify(list);
    const write = list.length < LONG_LIST ? partText : itemText;
    return `[${Array.from(list, (item) => write(item) ?? "null").join(",")}]`;
  }

  function objectText(value: object): string {
    const parts = Object.entries(value);
    if (parts.some(([, part]) => isExotic(part))) return JSON.stringify(value);
    let text = "";
    for (const [key, part] of parts) {
      const written = partText(part);
      if (written !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${written}`;
    }
    return `{${text}}`;
  }

  return { textOf: (value) => (isExotic(value) ? JSON.stringify(value) : (known(value) ?? composed(value))), isKept };
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

const inParts = new WeakSet<object>();

/** Whether some of these are so large that their text is kept; then whatever is made of them is best written in parts. */
export const someKept = (parts: object): boolean => Object.values(parts).some(texts.isKept);

/** Marks something large that is handed to whoever writes answers. */
export function writeInParts(value: object): void {
  inParts.add(value);
}

/** Whether it is an answer with something large in it, which `keptText` writes faster. */
export const carriesParts = (answer: unknown): answer is object =>
  isObject(answer) && Object.values(answer).some((part) => isObject(part) && inParts.has(part));
