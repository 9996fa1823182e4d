/**
 * What a plugin from outside says its lines mean: texts of its own, whose keys stand under its id (`lamp.lit`). A key of the
 * house has no dot, so that no plugin speaks in the house's words, and none can replace them.
 */
import { LocalizedLines } from "../../protocol/localized/localized-lines.ts";
import type { LocalizedLine, LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Loaded } from "./contributions.ts";

export type Speaker = { pluginId: string; english: Readonly<Record<string, string>> };

type Own = Pick<Loaded, "id"> & { has: Pick<Loaded["has"], "texts"> };

export const speakerOf = ({ id, has }: Own): Speaker => ({ pluginId: id, english: has.texts[0]?.["en"] ?? {} });

/** What it has no text for is shown as the plugin wrote it. */
export const ownLines = (said: readonly LocalizedLine[], speaker: Speaker): LocalizedLine[] =>
  said.flatMap(({ line, ...phrase }) => {
    const key = ownKey(phrase.key, speaker);
    const args = ownArgs(phrase.args, speaker);
    return key === undefined || args === undefined ? [] : { line, key, args };
  });

type Args = LocalizedLine["args"];

function ownArgs(args: Args, speaker: Speaker): Args | undefined {
  const own: Args = {};
  for (const [name, value] of Object.entries(args)) {
    const key = typeof value === "object" ? ownKey(value.key, speaker) : "";
    if (key === undefined) return undefined;
    own[name] = typeof value === "object" ? { ...value, key } : value;
  }
  return own;
}

/** A key that stands under its id already was passed on: a command returns what its own machine refused with. */
function ownKey(given: string, { pluginId, english }: Speaker): string | undefined {
  const key = given.startsWith(`${pluginId}.`) ? given.slice(pluginId.length + 1) : given;
  return Object.hasOwn(english, key) ? `${pluginId}.${key}` : undefined;
}

/** Whatever carries such lines beside a text: a message, a notice, each text of a card. */
export function withOwnLines<Value>(value: Value, speaker: Speaker): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same value with other lines, or without
  return rewritten(value, speaker) as Value;
}

function rewritten(value: unknown, speaker: Speaker): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => rewritten(item, speaker));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, part]: [string, unknown]): [string, unknown][] => {
    if (name !== "said") return [[name, rewritten(part, speaker)]];
    const lines = LocalizedLines.safeParse(part);
    const said = lines.success ? ownLines(lines.data, speaker) : [];
    return said.length === 0 ? [] : [[name, said]];
  });
  return Object.fromEntries(entries);
}

/** By a key of the plugin's texts: undefined unless there is one that needs no filling. */
export function ownText(key: string, speaker: Speaker): LocalizedText | undefined {
  const text = Object.hasOwn(speaker.english, key) ? speaker.english[key] : undefined;
  if (text === undefined || text.includes("{")) return undefined;
  return { text, said: [{ line: 0, key: `${speaker.pluginId}.${key}`, args: {} }] };
}
