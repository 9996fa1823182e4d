/** The part of the prelude that other places give programs by themselves: output, timers, text codecs. */

const OUTPUT = String.raw`
  // only so much crosses; how long it was is said beside it
  const say = (kind, text) => {
    send(kind, text.length > outputCharsMax ? slice(text, 0, outputCharsMax) : text, text.length);
  };
  const text = (value) => say(1, worded(value));
  const json = (value) => {
    const made = shownJson(value);
    say(2, made === undefined ? "null" : made);
  };
  hidden(globalThis, "text", text);
  hidden(globalThis, "json", json);
  const log = (values) => {
    let line = "";
    for (let at = 0; at < values.length; at++) line += (at === 0 ? "" : " ") + worded(values[at]);
    say(1, line);
  };
  const console = {};
  const levels = ["log", "info", "warn", "error", "debug", "trace", "dir", "table"];
  for (let at = 0; at < levels.length; at++) shown(console, levels[at], (...values) => log(values));
  shown(console, "assert", (holds, ...values) => { if (!holds) { say(1, "Assertion failed"); log(values); } });
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
  // in whole milliseconds, and not before it is due; 0: there is none
  const nextTimerAtMs = () => {
    let first = 0;
    mapForEach(timers, ({ atMs }) => { if (first === 0 || atMs < first) first = atMs; });
    return -floor(-first);
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

export const PRELUDE_GLOBALS = `${OUTPUT}${TIMERS}${CODECS}`;
