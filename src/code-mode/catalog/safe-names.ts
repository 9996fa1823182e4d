/** Names that a program may use for tools, servers and members, and those that nobody else may have. */

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

const RESERVED_WORDS =
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval async of";
/** Of the language, of the document, and of the prelude. */
const GLOBALS =
  "globalThis undefined NaN Infinity Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Proxy Promise Map Set WeakMap WeakSet WeakRef FinalizationRegistry Date RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError SuppressedError DisposableStack AsyncDisposableStack ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Iterator AsyncIterator Temporal Intl parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape eval ALL_TOOLS tools MCP namespaces API text json yield_control console setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask structuredClone performance TextEncoder TextDecoder URL fetch crypto navigator process require module exports";

const TAKEN: ReadonlySet<string> = new Set(`${RESERVED_WORDS} ${GLOBALS}`.split(" "));
/** Members that mean something to the language wherever they stand. */
const SPECIAL: ReadonlySet<string> = new Set(["then", "toJSON", ...Object.getOwnPropertyNames(Object.prototype)]);
/** Keys that could reach a prototype. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", ""]);
/** Between the parts of a path; nothing that is named holds it. */
export const PATH_SEPARATOR = "\u001f";

/** Why it cannot be a global name; undefined where it can. */
export function globalNameProblem(name: string): string | undefined {
  if (!IDENTIFIER.test(name)) return "is no identifier";
  if (name.startsWith("__")) return "begins with two underscores";
  return TAKEN.has(name) || SPECIAL.has(name) ? "is taken by the language or by code mode" : undefined;
}

/** A member that would change what an object is to the language: `await server` must not call a tool. */
export const isSpecialMember = (name: string): boolean => SPECIAL.has(name);

export const isUnsafeKey = (key: string): boolean => UNSAFE_KEYS.has(key) || key.includes(PATH_SEPARATOR);

/** A tool's name as a function of `tools`; undefined where there can be none. */
export function convenienceName(name: string): string | undefined {
  const safe = name.replaceAll(/[^A-Za-z0-9_$]/g, "_");
  if (!IDENTIFIER.test(safe) || SPECIAL.has(safe) || FIXED.has(safe)) return undefined;
  return safe;
}
const FIXED: ReadonlySet<string> = new Set(["search", "describe", "call"]);

/** As a member of `MCP`: `list-issues` and `list_issues` are both `listIssues`. */
export function camelName(name: string): string | undefined {
  const words = name
    .normalize("NFKD")
    .split(/[^A-Za-z0-9$]+/)
    .filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
  const safe = /^[0-9]/.test(joined) ? `_${joined}` : joined;
  return IDENTIFIER.test(safe) && !SPECIAL.has(safe) && !isUnsafeKey(safe) ? safe : undefined;
}
const lowerFirst = (word: string): string => `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
const upperFirst = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
