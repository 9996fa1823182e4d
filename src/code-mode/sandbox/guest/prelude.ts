/**
 * What a cell finds besides the language, as the text that is evaluated once, before the image is taken from which all
 * cells start. It runs inside the guest: everything that it needs of the language is captured before any cell's code
 * can change it, and nothing of it can be reached by a cell but the functions that are meant for it.
 *
 * The host calls the function that this text returns with an order and a text, and gets a text back. The guest calls
 * `send` with a number and a text.
 */

/** The name under which a cell's code shows in errors. */
export const CELL_FILE = "cell.js";
export const PRELUDE_FILE = "<prelude>";
/** A cell is the body of this function; it opens on the first line of the code, so that lines are kept. */
export const CELL_OPENING = "(async () => {";
export const CELL_CLOSING = "\n})";

/** What `send` says. */
export const SENT = { text: 1, json: 2 } as const;

/** What an order answers, as JSON. */
export type GuestState = {
  /** Whether the program ended, and how. */
  program: "running" | "returned" | "threw";
  /** Newly asked of the host: callId, method, target, arguments as JSON. */
  calls: [string, string, string, string][];
  /** How many the host owes an answer to, and how many wait behind them. */
  asked: number;
  queued: number;
  /** Epoch time of the next timer. */
  timerAtMs: number | null;
  timers: number;
  yielded: boolean;
  /** More calls in flight than there may be; none of the newest was made. */
  tooMany: boolean;
};

export type GuestFailure = {
  kind: "thrown" | "denied" | "call" | "memory" | "value" | "size";
  text: string;
  /** The tool whose failure nobody caught. */
  target?: string;
};
export type GuestEnd = { value: string } | { failure: GuestFailure };

const CAPTURED = String.raw`
  const { apply, getOwnPropertyDescriptor, defineProperty, getPrototypeOf, ownKeys } = Reflect;
  const { create, freeze, prototype: ObjectPrototype } = Object;
  const uncurry = (method) => { const { call } = method; return call.bind(method); };
  const PromiseC = Promise;
  const then = uncurry(Promise.prototype.then);
  const parse = JSON.parse;
  const stringify = JSON.stringify;
  const ErrorC = Error, TypeErrorC = TypeError, RangeErrorC = RangeError, StringC = String, NumberC = Number;
  const isArray = Array.isArray;
  const push = uncurry(Array.prototype.push), shift = uncurry(Array.prototype.shift);
  const join = uncurry(Array.prototype.join);
  const slice = uncurry(String.prototype.slice), split = uncurry(String.prototype.split);
  const indexOf = uncurry(String.prototype.indexOf), startsWith = uncurry(String.prototype.startsWith);
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
  const bufferOf = uncurry(getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "buffer").get);

  // only the engine makes these from here on: they tell the host that memory ran out
  delete globalThis.InternalError;
  delete InternalErrorPrototype.constructor;
  // it would hand out functions of this prelude
  defineProperty(ErrorC, "prepareStackTrace", { value: undefined, writable: false, configurable: false });

  const hidden = (object, name, value) =>
    defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
  const shown = (object, name, value) =>
    defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
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
      const text = jsonOf(value);
      return text === undefined ? "[object]" : text;
    } catch {
      return "[object that cannot be shown]";
    }
  };
  const isError = ErrorC.isError;
  const replaced = (_key, value) => (typeof value === "bigint" ? StringC(value) : value);
  const jsonOf = (value) => stringify(value, replaced);

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
  const LINE_CHARS_MAX = 2000, FRAMES_MAX = 8;
  const wordedError = (error) => {
    const name = textOf(field(error, "name"), "Error");
    const message = slice(textOf(field(error, "message"), ""), 0, LINE_CHARS_MAX);
    const head = message === "" ? slice(name, 0, 200) : slice(name, 0, 200) + ": " + message;
    return head + framesOf(textOf(field(error, "stack"), ""));
  };
  // frames of the cell alone; its first line is behind the words that open it
  const framesOf = (stack) => {
    const lines = split(slice(stack, 0, 20000), "\n");
    let text = "";
    let count = 0;
    for (let at = 0; at < lines.length && count < FRAMES_MAX; at++) {
      const line = trim(lines[at]);
      const from = indexOf(line, FILE + ":");
      if (!startsWith(line, "at ") || from < 0) continue;
      const place = split(slice(line, from + FILE.length + 1), ":");
      const row = NumberC(place[0]);
      const column = parseIntC(place[1], 10);
      if (!(row >= 1)) continue;
      const shownColumn = row === 1 ? column - OPENING.length : column;
      const open = indexOf(line, "(");
      const named = open > 3 && open < from ? trim(slice(line, 3, open)) : "";
      const who = named === "" || named === "<anonymous>" || named === "<eval>" ? "" : slice(named, 0, 100) + " ";
      text += "\n    at " + who + "(" + SHOWN_FILE + ":" + row + ":" + (shownColumn >= 1 ? shownColumn : 1) + ")";
      count += 1;
    }
    return text;
  };
  const parseIntC = parseInt;
`;

const OUTPUT = String.raw`
  // only so much crosses; how long it was is said beside it
  const say = (kind, text) => {
    send(kind, text.length > outputCharsMax ? slice(text, 0, outputCharsMax) : text, text.length);
  };
  const text = (value) => say(1, worded(value));
  const json = (value) => {
    const made = jsonOf(value);
    say(2, made === undefined ? "null" : made);
  };
  hidden(globalThis, "text", text);
  hidden(globalThis, "json", json);
  const log = (...values) => {
    let line = "";
    for (let at = 0; at < values.length; at++) line += (at === 0 ? "" : " ") + worded(values[at]);
    say(1, line);
  };
  const console = {};
  const levels = ["log", "info", "warn", "error", "debug", "trace", "dir", "table"];
  for (let at = 0; at < levels.length; at++) shown(console, levels[at], (...values) => log(...values));
  shown(console, "assert", (holds, ...values) => { if (!holds) log("Assertion failed", ...values); });
  hidden(globalThis, "console", console);
`;

const TIMERS = String.raw`
  const TIMERS_MAX = 1000, DELAY_MS_MAX = 2147483647;
  let timers = new MapC();
  let timerCount = 0;
  const arm = (work, delay, values, repeats) => {
    if (typeof work !== "function") throw new TypeErrorC("A timer needs a function.");
    if (mapSize(timers) >= TIMERS_MAX) throw new RangeErrorC("There are too many timers.");
    const given = NumberC(delay);
    const delayMs = given > 0 ? (given > DELAY_MS_MAX ? DELAY_MS_MAX : given) : 0;
    timerCount += 1;
    mapSet(timers, timerCount, { work, values, atMs: now() + delayMs, everyMs: repeats ? (delayMs < 1 ? 1 : delayMs) : 0 });
    return timerCount;
  };
  const disarm = (id) => void mapDelete(timers, id);
  hidden(globalThis, "setTimeout", (work, delay, ...values) => arm(work, delay, values, false));
  hidden(globalThis, "setInterval", (work, delay, ...values) => arm(work, delay, values, true));
  hidden(globalThis, "clearTimeout", disarm);
  hidden(globalThis, "clearInterval", disarm);
  const nextTimerAtMs = () => {
    let first = null;
    mapForEach(timers, ({ atMs }) => { if (first === null || atMs < first) first = atMs; });
    return first;
  };
  // one of those that are due, the earliest: what it does comes before the next
  const fireTimer = () => {
    const atMs = now();
    let due = 0, earliest = 0;
    mapForEach(timers, (timer, id) => {
      if (timer.atMs <= atMs && (due === 0 || timer.atMs < earliest)) { due = id; earliest = timer.atMs; }
    });
    if (due === 0) return;
    const timer = mapGet(timers, due);
    if (timer.everyMs > 0) timer.atMs = atMs + timer.everyMs;
    else mapDelete(timers, due);
    try {
      apply(timer.work, undefined, timer.values);
    } catch (error) {
      uncaught(error);
    }
  };
`;

const CODECS = String.raw`
  const encode = (given) => {
    const source = given === undefined ? "" : StringC(given);
    const bytes = new Bytes(source.length * 3);
    let count = 0;
    for (let at = 0; at < source.length; at++) {
      let code = charCodeAt(source, at);
      if (code >= 0xd800 && code < 0xe000) {
        const low = code < 0xdc00 && at + 1 < source.length ? charCodeAt(source, at + 1) : 0;
        if (low >= 0xdc00 && low < 0xe000) { code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00); at += 1; }
        else code = 0xfffd;
      }
      if (code < 0x80) bytes[count++] = code;
      else if (code < 0x800) { bytes[count++] = 0xc0 | (code >> 6); bytes[count++] = 0x80 | (code & 63); }
      else if (code < 0x10000) {
        bytes[count++] = 0xe0 | (code >> 12); bytes[count++] = 0x80 | ((code >> 6) & 63); bytes[count++] = 0x80 | (code & 63);
      } else {
        bytes[count++] = 0xf0 | (code >> 18); bytes[count++] = 0x80 | ((code >> 12) & 63);
        bytes[count++] = 0x80 | ((code >> 6) & 63); bytes[count++] = 0x80 | (code & 63);
      }
    }
    return new Bytes(bufferSlice(bufferOf(bytes), 0, count));
  };
  const bufferSlice = uncurry(ArrayBuffer.prototype.slice);
  const viewOf = (given) => {
    if (given === undefined) return new Bytes(0);
    return isView(given) ? new Bytes(given.buffer, given.byteOffset, given.byteLength) : new Bytes(given);
  };
  const NEEDED = (byte) => (byte < 0x80 ? 0 : byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : -1);
  const LEAST = [0, 0x80, 0x800, 0x10000];
  const decode = (given, fatal) => {
    const bytes = viewOf(given);
    const bad = () => { if (fatal) throw new TypeErrorC("The bytes are no UTF-8."); return "�"; };
    let made = "";
    for (let at = 0; at < bytes.length; at++) {
      const more = NEEDED(bytes[at]);
      if (more === 0) { made += fromCharCode(bytes[at]); continue; }
      if (more < 0) { made += bad(); continue; }
      let code = bytes[at] & (0x3f >> more);
      let read = 0;
      while (read < more && (bytes[at + read + 1] & 0xc0) === 0x80) { code = (code << 6) | (bytes[at + read + 1] & 63); read += 1; }
      at += read;
      if (read < more || code < LEAST[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) { made += bad(); continue; }
      if (code >= 0x10000) { code -= 0x10000; made += fromCharCode(0xd800 + (code >> 10), 0xdc00 + (code & 1023)); }
      else if (!(code === 0xfeff && made === "")) made += fromCharCode(code);
    }
    return made;
  };
  hidden(globalThis, "TextEncoder", class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(value) { return encode(value); }
  });
  hidden(globalThis, "TextDecoder", class TextDecoder {
    #fatal;
    constructor(label = "utf-8", options = {}) {
      if (label !== "utf-8" && label !== "utf8") throw new RangeErrorC("Only utf-8 can be decoded.");
      this.#fatal = options.fatal === true;
    }
    get encoding() { return "utf-8"; }
    get fatal() { return this.#fatal; }
    decode(value) { return decode(value, this.#fatal); }
  });
`;

const CALLS = String.raw`
  const IN_FLIGHT_MAX = 128, ARGUMENTS_CHARS_MAX = 1048576, TARGET_CHARS_MAX = 1000;
  let callCount = 0;
  let maxAsked = 16;
  let open = new MapC(); // callId → how its promise is settled
  let queue = [];
  let asked = 0;
  let tooMany = false;
  const failures = new WeakMapC(); // errors of calls and of refused modules, by identity: a cell cannot make one

  const request = (method, target, values) =>
    new PromiseC((resolve, reject) => {
      const name = typeof target === "string" ? target : worded(target);
      if (name.length > TARGET_CHARS_MAX) throw new RangeErrorC("The name of what is called is too long.");
      const given = jsonOf(values);
      if (given.length > ARGUMENTS_CHARS_MAX) throw new RangeErrorC("The arguments are larger than " + ARGUMENTS_CHARS_MAX + " characters.");
      callCount += 1;
      const callId = "c" + callCount;
      mapSet(open, callId, { resolve, reject, target: name });
      push(queue, [callId, method, name, given]);
    });
  const settle = (callId, ok, text) => {
    const call = mapGet(open, callId);
    if (call === undefined) return;
    mapDelete(open, callId);
    asked -= 1;
    let value;
    try { value = parse(text); } catch { ok = false; value = "The answer was no JSON."; }
    if (ok) return call.resolve(value);
    const error = new ErrorC(worded(value));
    error.name = "ToolError";
    hidden(error, "toolId", call.target);
    weakSet(failures, error, { kind: "call", target: call.target });
    call.reject(error);
  };
  // calls that may be made now; a batch that goes beyond the limit is refused whole
  const nextCalls = () => {
    const made = [];
    if (asked + queue.length > IN_FLIGHT_MAX) { tooMany = true; return made; }
    while (queue.length > 0 && asked < maxAsked) { push(made, shift(queue)); asked += 1; }
    return made;
  };

  const denied = (what) => {
    const error = new ErrorC(what + " is not available in a cell: there are no modules. Use tools, MCP and API.");
    error.name = "ModuleError";
    weakSet(failures, error, { kind: "denied" });
    return error;
  };
  hidden(globalThis, "require", () => { throw denied("require"); });

  const tools = create(null);
  shown(tools, "search", (query, options) => request("search", query === undefined ? "" : query, [options === undefined ? {} : options]));
  shown(tools, "describe", (id) => request("describe", id, []));
  shown(tools, "call", (id, input) => request("call", id, [input === undefined ? {} : input]));

  // as an exception that nobody catches: it ends the program
  const uncaught = (error) => { if (ended === 0) { ended = 2; result = error; } };
  const settled = new PromiseC((resolve) => resolve(undefined));
  hidden(globalThis, "queueMicrotask", (work) => {
    if (typeof work !== "function") throw new TypeErrorC("queueMicrotask needs a function.");
    then(then(settled, () => { apply(work, undefined, []); }), undefined, uncaught);
  });
  // its callbacks would run at times that depend on the collector
  delete globalThis.FinalizationRegistry;

  let yielded = false;
  let goOn;
  hidden(globalThis, "yield_control", () => new PromiseC((resolve) => { yielded = true; goOn = resolve; }));
`;

const BINDINGS = String.raw`
  const unsafe = create(null);
  const inherited = ownKeys(ObjectPrototype);
  for (let at = 0; at < inherited.length; at++) unsafe[inherited[at]] = true;
  unsafe.then = true; unsafe.toJSON = true; unsafe.prototype = true;

  const built = (node, seen) => {
    if ("call" in node) { const path = node.call; return (...values) => request("namespace", path, values); }
    if ("same" in node) return seen[node.same];
    if ("value" in node) return node.value;
    if ("items" in node) {
      const list = [];
      push(seen, list);
      for (let at = 0; at < node.items.length; at++) push(list, built(node.items[at], seen));
      return list;
    }
    const object = {};
    push(seen, object);
    for (let at = 0; at < node.members.length; at++) shown(object, node.members[at][0], built(node.members[at][1], seen));
    return object;
  };
  const fileNames = [];
  let files = new MapC();
  const api = create(null);
  const badPath = (path) => {
    if (typeof path !== "string" || path === "") return true;
    const parts = split(path, "/");
    for (let at = 0; at < parts.length; at++) if (parts[at] === "." || parts[at] === "..") return true;
    return false;
  };
  const later = (work) => new PromiseC((resolve) => resolve(work()));
  shown(api, "list", (prefix) => later(() => {
    if (prefix !== undefined && prefix !== "" && badPath(prefix)) throw new ErrorC("There is no such path.");
    const found = [];
    for (let at = 0; at < fileNames.length; at++) {
      const path = fileNames[at];
      if (prefix === undefined || prefix === "" || path === prefix || startsWith(path, prefix[prefix.length - 1] === "/" ? prefix : prefix + "/"))
        push(found, { path, chars: mapGet(files, path).length });
    }
    return found;
  }));
  shown(api, "read", (path) => later(() => {
    if (badPath(path) || !mapHas(files, path)) throw new ErrorC("There is no such file; API.list() names them.");
    return mapGet(files, path);
  }));

  const bind = (bindings) => {
    for (let at = 0; at < bindings.convenience.length; at++) {
      const [name, id] = bindings.convenience[at];
      if (unsafe[name] || name in tools) continue;
      shown(tools, name, (input) => request("call", id, [input === undefined ? {} : input]));
    }
    for (let at = 0; at < bindings.apiFiles.length; at++) {
      push(fileNames, bindings.apiFiles[at][0]);
      mapSet(files, bindings.apiFiles[at][0], bindings.apiFiles[at][1]);
    }
    const mcp = create(null);
    for (let at = 0; at < bindings.mcp.length; at++) shown(mcp, bindings.mcp[at][0], built(bindings.mcp[at][1], []));
    const namespaces = create(null);
    for (let at = 0; at < bindings.namespaces.length; at++) {
      const [name, node] = bindings.namespaces[at];
      const scope = built(node, []);
      shown(namespaces, name, scope);
      hidden(globalThis, name, scope);
    }
    hidden(globalThis, "tools", freeze(tools));
    hidden(globalThis, "API", freeze(api));
    hidden(globalThis, "MCP", freeze(mcp));
    hidden(globalThis, "namespaces", freeze(namespaces));
    const list = bindings.allToolsJson;
    defineProperty(globalThis, "ALL_TOOLS", {
      get() { const value = parse(list); hidden(globalThis, "ALL_TOOLS", value); return value; },
      set(value) { hidden(globalThis, "ALL_TOOLS", value); },
      enumerable: false,
      configurable: true,
    });
  };
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

  const start = (program) => {
    const made = apply(program, undefined, []);
    then(made, (value) => { if (ended === 0) { ended = 1; result = value; } }, (error) => { if (ended === 0) { ended = 2; result = error; } });
  };
  const stateNow = () => {
    const calls = ended === 2 ? [] : nextCalls();
    return stringify({
      program: ended === 0 ? "running" : ended === 1 ? "returned" : "threw",
      calls, asked, queued: queue.length, timerAtMs: nextTimerAtMs(), timers: mapSize(timers), yielded, tooMany,
    });
  };
  const failureOf = (error) => {
    const text = worded(error);
    const shownText = text === "" ? "An empty value was thrown." : slice(text, 0, 8000);
    if (typeof error !== "object" || error === null) return { kind: "thrown", text: shownText };
    const known = weakGet(failures, error);
    if (known !== undefined) return { kind: known.kind, text: shownText, target: known.target };
    const message = getPrototypeOf(error) === InternalErrorPrototype ? getOwnPropertyDescriptor(error, "message") : undefined;
    const ranOut = message !== undefined && (message.value === "out of memory" || message.value === "string too long");
    return { kind: ranOut ? "memory" : "thrown", text: shownText };
  };
  const endNow = () => {
    if (ended === 2) return stringify({ failure: failureOf(result) });
    let value;
    try {
      value = jsonOf(result);
    } catch (error) {
      const failure = failureOf(error);
      return stringify({ failure: failure.kind === "memory" ? failure : { kind: "value", text: "The value cannot be returned as JSON: " + failure.text } });
    }
    if (value === undefined) value = "null";
    if (value.length > outputCharsMax) return stringify({ failure: { kind: "size", text: "The value has " + value.length + " characters; " + outputCharsMax + " bytes can be returned." } });
    return stringify({ value });
  };
  const queuedNow = () => {
    const list = [];
    for (let at = 0; at < queue.length && at < IN_FLIGHT_MAX; at++) push(list, [queue[at][0], queue[at][1], queue[at][2], ""]);
    return stringify(list);
  };
  return (order, given, program) => {
    switch (order) {
      case "bind": {
        const { bindings, chance: words, outputCharsMax: chars, maxAsked: most } = parse(given);
        outputCharsMax = chars; maxAsked = most;
        seed(words);
        bind(bindings);
        return "";
      }
      case "start": start(program); return "";
      case "state": return stateNow();
      case "end": return endNow();
      case "queued": return queuedNow();
      case "timer": fireTimer(); return "";
      case "answers": {
        const answers = parse(given);
        for (let at = 0; at < answers.length; at++) settle(answers[at][0], answers[at][1], answers[at][2]);
        return "";
      }
      case "resumed": {
        const { chance: words, outputCharsMax: chars, maxAsked: most } = parse(given);
        outputCharsMax = chars; maxAsked = most;
        seed(words);
        if (yielded) { yielded = false; goOn(undefined); }
        return "";
      }
      default: return "";
    }
  };
`;

/** A function of `send`; it returns the function that takes orders. */
export const PRELUDE = `(function (send) {
"use strict";
const FILE = ${JSON.stringify(CELL_FILE)}, OPENING = ${JSON.stringify(CELL_OPENING)}, SHOWN_FILE = "cell";
${CAPTURED}${WORDING}${OUTPUT}${TIMERS}${CODECS}${CALLS}${BINDINGS}${ORDERS}
})`;
