/** JSON from a stranger: bounded in length and depth, with no key that could reach a prototype. */
import type { Json } from "../../protocol/json.ts";

const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export type JsonLimits = { bytesMax: number; depthMax: number };

export type ForeignJson = { ok: true; value: Json } | { ok: false; problem: string };

/** Keys that name a prototype are dropped, wherever they stand. */
export function parseForeignJson(text: string, limits: JsonLimits): ForeignJson {
  if (text.length > limits.bytesMax || Buffer.byteLength(text) > limits.bytesMax)
    return { ok: false, problem: `it is larger than ${limits.bytesMax} bytes` };
  try {
    return { ok: true, value: copy(JSON.parse(text), limits.depthMax) };
  } catch (error) {
    if (error instanceof TooDeep) return { ok: false, problem: "it is nested too deeply" };
    return {
      ok: false,
      problem: `it is no JSON (${error instanceof Error ? error.message.slice(0, 200) : "unreadable"})`,
    };
  }
}

class TooDeep extends Error {}

function copy(given: unknown, depthLeft: number): Json {
  if (typeof given === "string" || typeof given === "boolean" || typeof given === "number") return given;
  if (typeof given !== "object" || given === null) return null;
  if (depthLeft === 0) throw new TooDeep();
  if (Array.isArray(given)) return given.map((item) => copy(item, depthLeft - 1));
  const entries = Object.entries(given).filter(([key]) => !PROTOTYPE_KEYS.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, copy(value, depthLeft - 1)]));
}
