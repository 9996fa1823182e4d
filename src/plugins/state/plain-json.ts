/**
 * Whether a value is nothing but JSON: plain objects and arrays, no key that reaches into a prototype, no number that
 * JSON cannot write, within bounds. Asked before a plugin's value is stored or handed on.
 */
export type JsonBounds = { depthMax: number; charsMax: number };

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** What is wrong with it, with the place; undefined when nothing is. */
export function plainJsonProblem(value: unknown, bounds: JsonBounds): string | undefined {
  const walk = { chars: 0, bounds };
  return problemAt(value, { path: "value", depth: 0 }, walk);
}

type Place = { path: string; depth: number };
type Walk = { chars: number; bounds: JsonBounds };

function problemAt(value: unknown, at: Place, walk: Walk): string | undefined {
  if (walk.chars > walk.bounds.charsMax) return `more than ${walk.bounds.charsMax} characters`;
  switch (typeof value) {
    case "string":
      walk.chars += value.length + 2;
      return walk.chars > walk.bounds.charsMax ? `more than ${walk.bounds.charsMax} characters` : undefined;
    case "number":
      walk.chars += 8;
      return Number.isFinite(value) ? undefined : `${at.path}: ${value} is no JSON`;
    case "boolean":
      walk.chars += 5;
      return undefined;
    case "object":
      walk.chars += 4;
      return value === null ? undefined : problemInside(value, at, walk);
    default:
      return `${at.path}: a ${typeof value} is no JSON`;
  }
}

function problemInside(value: object, at: Place, walk: Walk): string | undefined {
  if (at.depth >= walk.bounds.depthMax) return `${at.path}: deeper than ${walk.bounds.depthMax} levels`;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null;
  if (!isPlain) return `${at.path}: only plain objects and arrays`;
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    const problem = problemOfKey(value, key, at) ?? problemAt(Reflect.get(value, key), inside(at, key), walk);
    if (problem !== undefined) return problem;
    walk.chars += String(key).length + 4;
  }
  return undefined;
}

function problemOfKey(value: object, key: string | symbol, { path }: Place): string | undefined {
  if (typeof key === "symbol") return `${path}: a symbol is no key`;
  if (FORBIDDEN_KEYS.has(key)) return `${path}: the key "${key}" is not allowed`;
  const property = Object.getOwnPropertyDescriptor(value, key);
  if (property?.get !== undefined || property?.set !== undefined) return `${path}.${key}: computed, not stored`;
  return undefined;
}

const PATH_CHARS_MAX = 200;
const inside = ({ path, depth }: Place, key: string | symbol): Place => ({
  path: `${path}.${String(key)}`.slice(0, PATH_CHARS_MAX),
  depth: depth + 1,
});
