/**
 * What a cell finds besides the language, as the text that is evaluated once, before the image is taken from which all
 * cells start. It runs inside the guest: everything that it needs of the language is captured before any cell's code
 * can change it, and nothing of it can be reached by a cell but the functions that are meant for it.
 *
 * The host calls the function that this text returns with an order and a text, and gets a text back where it asked for one. The guest calls
 * `send` with a number and a text.
 */
import { PATH_SEPARATOR } from "../../catalog/safe-names.ts";
import { PRELUDE_CALLS } from "./prelude-calls.ts";
import { PRELUDE_GLOBALS } from "./prelude-globals.ts";

/** The name under which a cell's code shows in errors. */
export const CELL_FILE = "cell.js";
export const PRELUDE_FILE = "<prelude>";
/** A cell is the body of this function; it opens on the first line of the code, so that lines are kept. */
export const CELL_OPENING = "(async () => {";
export const CELL_CLOSING = "\n})";

/** What `send` says. */
export const SENT = { text: 1, json: 2 } as const;

/** What the order \`state\` answers; the first line of its text (\`readGuestState\`). */
export type GuestState = {
  /** Whether the program ended, and how. */
  program: "running" | "returned" | "threw";
  /** Newly asked of the host. */
  callIds: string[];
  /** How many the host owes an answer to, and how many wait behind them. */
  asked: number;
  queued: number;
  /** Epoch time of the next timer; 0: there is none. */
  timerAtMs: number;
  timers: number;
  yielded: boolean;
  /** More calls in flight than there may be; none of the newest was made. */
  tooMany: boolean;
};

export type GuestFailure = {
  kind: "thrown" | "null" | "denied" | "call" | "memory" | "value" | "size";
  text: string;
  /** The tool whose failure nobody caught. */
  target?: string;
};
export type GuestEnd = { value: string } | { failure: GuestFailure };

const CAPTURED = String.raw`
  const { apply, getOwnPropertyDescriptor, defineProperty, getPrototypeOf, setPrototypeOf, ownKeys } = Reflect;
  const { create, freeze, prototype: ObjectPrototype } = Object;
  const uncurry = (method) => { const { call } = method; return call.bind(method); };
  const PromiseC = Promise;
  const parse = JSON.parse;
  const stringify = JSON.stringify;
  const ErrorC = Error, TypeErrorC = TypeError, RangeErrorC = RangeError, StringC = String, NumberC = Number;
  const isArray = Array.isArray;
  const push = uncurry(Array.prototype.push);
  const join = uncurry(Array.prototype.join);
  const slice = uncurry(String.prototype.slice), split = uncurry(String.prototype.split);
  const indexOf = uncurry(String.prototype.indexOf), startsWith = uncurry(String.prototype.startsWith);
  const lastIndexOf = uncurry(String.prototype.lastIndexOf);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const fromCharCode = String.fromCharCode;
  const trim = uncurry(String.prototype.trim);
  const mapGet = uncurry(Map.prototype.get), mapSet = uncurry(Map.prototype.set), mapHas = uncurry(Map.prototype.has);
  const mapDelete = uncurry(Map.prototype.delete), mapForEach = uncurry(Map.prototype.forEach);
  const mapSize = uncurry(getOwnPropertyDescriptor(Map.prototype, "size").get);
  const MapC = Map, WeakMapC = WeakMap;
  const weakGet = uncurry(WeakMap.prototype.get), weakSet = uncurry(WeakMap.prototype.set);
  const now = Date.now;
  const floor = Math.floor;
  const Bytes = Uint8Array;
  const InternalErrorPrototype = InternalError.prototype;
  const isView = ArrayBuffer.isView;
  const viewBytes = uncurry(getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "byteLength").get);
  const bufferBytes = uncurry(getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength").get);
  const setSize = uncurry(getOwnPropertyDescriptor(Set.prototype, "size").get);
  const regExpText = uncurry(RegExp.prototype.toString);
  const MapPrototype = Map.prototype, SetPrototype = Set.prototype, PromisePrototype = Promise.prototype;
  const BufferPrototype = ArrayBuffer.prototype, RegExpPrototype = RegExp.prototype, ArrayPrototype = Array.prototype;
  const bufferOf = uncurry(getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "buffer").get);

  // only the engine makes these from here on: they tell the host that memory ran out
  delete globalThis.InternalError;
  delete InternalErrorPrototype.constructor;
  // it would hand out functions of this prelude
  defineProperty(ErrorC, "prepareStackTrace", { value: undefined, writable: false, configurable: false });

  // without a prototype nothing that a cell puts on one is read, called or set here
  const bare = (array) => { setPrototypeOf(array, null); return array; };
  const hidden = (object, name, value) =>
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  const shown = (object, name, value) =>
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
`;

const WORDING = String.raw`
  // text of any value; what cannot be read is named by its type
  const worded = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "bigint") return StringC(value);
    if (typeof value === "function") return "[function]";
    if (typeof value === "symbol") return "[symbol]";
    if (typeof value !== "object" || value === null) return StringC(value);
    try {
      if (isError(value)) return wordedError(value);
      const text = shownJson(value);
      return text === undefined ? "[object]" : text;
    } catch {
      return "[object that cannot be shown]";
    }
  };
  const isError = ErrorC.isError;
  const replaced = (_key, value) => (typeof value === "bigint" ? StringC(value) : value);
  const jsonOf = (value) => stringify(value, replaced);
  // what JSON would leave out or write as an empty object is named: who wrote the program sees why, and what to write instead
  const named = (_key, value) => {
    if (typeof value === "bigint") return StringC(value);
    if (typeof value === "function") return "[function]";
    if (typeof value === "symbol") return "[symbol]";
    if (typeof value !== "object" || value === null) return value;
    const kind = getPrototypeOf(value);
    if (kind === ObjectPrototype || kind === ArrayPrototype || kind === null) return value;
    return otherwiseNamed(value, kind);
  };
  const otherwiseNamed = (value, kind) => {
    try {
      if (kind === MapPrototype) return "[a Map of " + mapSize(value) + ": return Object.fromEntries(map) or [...map]]";
      if (kind === SetPrototype) return "[a Set of " + setSize(value) + ": return [...set]]";
      if (kind === PromisePrototype) return "[a promise: await it]";
      if (kind === RegExpPrototype) return regExpText(value);
      if (kind === BufferPrototype) return "[" + bufferBytes(value) + " bytes: bytes cannot be returned]";
      if (isView(value)) return "[" + viewBytes(value) + " bytes: bytes cannot be returned]";
      if (isError(value)) return wordedError(value);
    } catch {}
    return value;
  };
  const shownJson = (value) => stringify(value, named);

  const textOf = (value, otherwise) => {
    try {
      return typeof value === "string" ? value : value === undefined ? otherwise : slice(StringC(value), 0, LINE_CHARS_MAX);
    } catch {
      return otherwise;
    }
  };
  const field = (object, name) => {
    try {
      return object[name];
    } catch {
      return undefined;
    }
  };
  const LINE_CHARS_MAX = 2000, FRAMES_MAX = 8, FRAME_CHARS_MAX = 200, STACK_CHARS_MAX = 20000;
  const wordedError = (error) => {
    const name = textOf(field(error, "name"), "Error");
    const message = slice(textOf(field(error, "message"), ""), 0, LINE_CHARS_MAX);
    const head = message === "" ? slice(name, 0, 200) : slice(name, 0, 200) + ": " + message;
    return head + framesOf(textOf(field(error, "stack"), ""));
  };
  const framesOf = (stack) => {
    const lines = split(slice(stack, 0, STACK_CHARS_MAX), "\n");
    let text = "";
    let count = 0;
    for (let at = 0; at < lines.length && count < FRAMES_MAX; at++) {
      const line = trim(lines[at]);
      if (!startsWith(line, "at ") || indexOf(line, "(" + SHOWN_FILE + ":") < 0) continue;
      text += "\n    " + slice(line, 0, FRAME_CHARS_MAX);
      count += 1;
    }
    return text;
  };
  // frames of the cell alone; its first line is behind the words that open it
  const ownFrames = (stack) => {
    const lines = split(slice(stack, 0, STACK_CHARS_MAX), "\n");
    let text = "";
    for (let at = 0; at < lines.length; at++) {
      const line = trim(lines[at]);
      if (startsWith(line, "at " + FILE + ":")) text += "    " + line + "\n"; // where the host could not read it
      const open = lastIndexOf(line, "(");
      if (!startsWith(line, "at ") || !startsWith(slice(line, open), "(" + FILE + ":")) continue;
      const place = split(slice(line, open + FILE.length + 2), ":");
      const row = NumberC(place[0]);
      const column = parseIntC(place[1], 10);
      if (!(row >= 1)) continue;
      const shownColumn = row === 1 ? column - OPENING.length : column;
      const named = trim(slice(line, 3, open));
      const who = named === "" || named === "<anonymous>" || named === "<eval>" ? "" : slice(named, 0, 100) + " ";
      text += "    at " + who + "(" + SHOWN_FILE + ":" + row + ":" + (shownColumn >= 1 ? shownColumn : 1) + ")\n";
    }
    return text;
  };
  // the engine's own stacks name functions of this prelude: a cell gets to them by these two ways only
  const { get: engineStack, set: setStack } = getOwnPropertyDescriptor(ErrorC.prototype, "stack");
  const captureStack = ErrorC.captureStackTrace;
  const cleaned = (stack) => (typeof stack === "string" ? ownFrames(stack) : stack);
  defineProperty(ErrorC.prototype, "stack", {
    __proto__: null,
    get() { return cleaned(apply(engineStack, this, bare([]))); },
    set: setStack,
    enumerable: false,
    configurable: true,
  });
  hidden(ErrorC, "captureStackTrace", (target, above) => {
    const made = create(null);
    apply(captureStack, ErrorC, bare(typeof above === "function" ? [made, above] : [made]));
    const value = cleaned(made.stack);
    if (!defineProperty(target, "stack", { __proto__: null, value, writable: true, enumerable: false, configurable: true }))
      throw new TypeErrorC("The object takes no stack.");
  });
  const parseIntC = parseInt;
`;

const ORDERS = String.raw`
  // xorshift: cells that start from one image must not share their chance
  let chance = [1, 2, 3, 4];
  const seed = (words) => { chance = [words[0] | 1, words[1], words[2], words[3]]; };
  const nextWord = () => {
    let turned = chance[3];
    turned ^= turned << 11; turned ^= turned >>> 8;
    chance[3] = chance[2]; chance[2] = chance[1]; chance[1] = chance[0];
    turned ^= chance[0]; turned ^= chance[0] >>> 19;
    chance[0] = turned;
    return turned >>> 0;
  };
  hidden(Math, "random", () => (nextWord() * 2097152 + (nextWord() >>> 11)) / 9007199254740992);

  let ended = 0; // 1: returned, 2: threw
  let result;
  let outputCharsMax = 65536;

  // by await, which asks a promise for its constructor and for nothing else that a cell may have changed
  const start = async (program) => {
    try {
      const made = apply(program, undefined, bare([]));
      hidden(made, "constructor", PromiseC);
      const value = await made;
      if (ended === 0) { ended = 1; result = value; }
    } catch (error) {
      uncaught(error);
    }
  };
  // put together by hand: of objects and arrays the engine's own JSON asks what a cell may have put on their prototypes
  const quoted = (text) => stringify(text);
  let [lastTarget, lastQuoted] = [undefined, ""];
  const target = (name) => {
    if (name !== lastTarget) { lastTarget = name; lastQuoted = quoted(name); }
    return lastQuoted;
  };
  // in one line of whole numbers how far it is, in a second one what is asked of the host now, behind it the arguments
  const stateNow = () => {
    const count = ended === 2 ? 0 : countNext();
    let calls = "", args = "", first = 0;
    for (let at = 0; at < count; at++) {
      const call = takeNext();
      if (at === 0) first = call.number;
      calls += (at === 0 ? '["' : ',["') + call.id + '","' + call.method + '",' + target(call.target) + "," + call.args.length + "]";
      args += call.args;
      call.args = "";
    }
    const timerCount = mapSize(timers);
    const head = ended + "," + asked + "," + queuedCount + "," + first + "," + count;
    const rare = timerCount > 0 || yielded || tooMany
      ? "," + timerCount + "," + nextTimerAtMs() + "," + (yielded ? 1 : 0) + "," + (tooMany ? 1 : 0)
      : "";
    return count === 0 ? head + rare + "\n" : head + rare + "\n[" + calls + "]\n" + args;
  };
  const failed = ({ kind, text, target }) =>
    '{"failure":{"kind":' + quoted(kind) + ',"text":' + quoted(text) + (target === undefined ? "" : ',"target":' + quoted(target)) + "}}";
  // a proxy may throw where it is asked, and is no error of the engine's
  const ranOut = (error) => {
    if (!isError(error)) return false;
    const message = getPrototypeOf(error) === InternalErrorPrototype ? getOwnPropertyDescriptor(error, "message") : undefined;
    return message !== undefined && (message.value === "out of memory" || message.value === "string too long");
  };
  const failureOf = (error) => {
    let text = "An error that cannot be shown.";
    try { text = worded(error); } catch {}
    const shownText = text === "" ? "An empty value was thrown." : slice(text, 0, 8000);
    if (error === null) return { __proto__: null, kind: "null", text: shownText };
    if (typeof error !== "object") return { __proto__: null, kind: "thrown", text: shownText };
    const known = weakGet(failures, error);
    if (known !== undefined) return { __proto__: null, kind: known.kind, text: shownText, target: known.target };
    return { __proto__: null, kind: ranOut(error) ? "memory" : "thrown", text: shownText };
  };
  const endNow = () => {
    if (ended === 2) return failed(failureOf(result));
    let value;
    try {
      value = shownJson(result);
    } catch (error) {
      const failure = failureOf(error);
      return failed(failure.kind === "memory" ? failure : { __proto__: null, kind: "value", text: "The value cannot be returned as JSON: " + failure.text });
    }
    if (value === undefined) value = "null";
    if (value.length > outputCharsMax) return failed({ __proto__: null, kind: "size", text: "The value has " + value.length + " characters; " + outputCharsMax + " bytes can be returned." });
    return '{"value":' + quoted(value) + "}";
  };
  const queuedNow = () => {
    let made = "", count = 0;
    for (let call = firstQueued; call !== undefined && count < IN_FLIGHT_MAX; call = call.next) {
      made += (count === 0 ? '["' : ',["') + call.id + '","' + call.method + '",' + quoted(call.target) + "]";
      count += 1;
    }
    return "[" + made + "]";
  };
  // in a first line callId, whether it is well, and how long its text is, of each; behind it the texts
  const settleAll = (given) => {
    let from = indexOf(given, "\n");
    const heads = parse(slice(given, 0, from));
    from += 1;
    for (let at = 0; at < heads.length; at += 3) {
      const to = from + heads[at + 2];
      settle(heads[at], heads[at + 1] === 1, slice(given, from, to));
      from = to;
    }
  };
  return (order, given, program) => {
    switch (order) {
      case "answers": settleAll(given); return;
      case "state": return stateNow();
      case "bind": {
        const { bindings, chance: words, outputCharsMax: chars, maxAsked: most } = parse(given);
        outputCharsMax = chars; maxAsked = most;
        seed(words);
        bind(bindings);
        return;
      }
      case "start": start(program); return;
      case "end": return endNow();
      case "queued": return queuedNow();
      case "timer": fireTimer(); return;
      case "resumed": {
        const { chance: words, outputCharsMax: chars, maxAsked: most } = parse(given);
        outputCharsMax = chars; maxAsked = most;
        seed(words);
        if (yielded) { yielded = false; goOn(undefined); }
        return;
      }
      default: return;
    }
  };
`;

/** A function of `send`; it returns the function that takes orders. */
export const PRELUDE = `(function (send) {
"use strict";
const FILE = ${JSON.stringify(CELL_FILE)}, SEPARATOR = ${JSON.stringify(PATH_SEPARATOR)}, OPENING = ${JSON.stringify(CELL_OPENING)}, SHOWN_FILE = "cell";
${CAPTURED}${WORDING}${PRELUDE_GLOBALS}${PRELUDE_CALLS}${ORDERS}
})`;
