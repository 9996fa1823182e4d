/** Ids, secrets and counters of a run replaced by stable names, so that two runs of the same conversation can be compared. */
import type { Json } from "../../src/protocol/json.ts";

const ID =
  /\b(?:ses|pln|apr|cyc|nte|qst|shr|job|run|msg|opr|con|trn|inj|hp|grt|node)_[A-Za-z0-9_-]{12,}|pln\\_(?:\\?[A-Za-z0-9_-])+|\/share\/[A-Za-z0-9_-]{43}/g;
const NAME = /<([a-z]+):(\d+)>/g;
/** Counters of the store and of the connection, ends of leases, and hashes of secrets; a redesign may commit more or less often. */
const COUNTERS: ReadonlySet<string> = new Set("cursor seq version nextCursor before tokenHash leaseUntilMs".split(" "));

export type Masks = {
  mask(value: Json): Json;
  /** As `mask`, and counters stay: in a request they were chosen by the client. */
  named(value: Json): Json;
  /** The other way: names of a recorded request become the ids of this run. */
  unmask(value: Json): Json;
};

/** `texts`: what differs from run to run besides ids, such as folders, each with its name. */
export function createMasks(texts: Readonly<Record<string, string>>): Masks {
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();

  function nameOf(found: string): string {
    const id = found.replaceAll("\\", ""); // Markdown escapes the underscore
    const known = names.get(id);
    if (known !== undefined) return known;
    const kind = id.startsWith("/") ? "share" : id.slice(0, id.indexOf("_"));
    const n = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, n);
    const name = `<${kind}:${n}>`;
    names.set(id, name);
    ids.set(name, id);
    return name;
  }
  const masked = (text: string): string => {
    let left = text;
    for (const [name, value] of Object.entries(texts)) left = left.replaceAll(value, `<${name}>`);
    return left.replaceAll(ID, nameOf);
  };
  const unmasked = (text: string): string => {
    const found = text.replaceAll(NAME, (name) => ids.get(name) ?? name);
    return Object.entries(texts).reduce((left, [name, value]) => left.replaceAll(`<${name}>`, value), found);
  };
  return {
    mask: (value) => mapped(value, masked, true),
    named: (value) => mapped(value, masked, false),
    unmask: (value) => mapped(value, unmasked, false),
  };
}

function mapped(value: Json, text: (text: string) => string, counters: boolean): Json {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, text, counters));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      text(key),
      counters && COUNTERS.has(key) && item !== null ? `<${key}>` : mapped(item, text, counters),
    ]),
  );
}
