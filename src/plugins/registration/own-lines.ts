/**
 * What a plugin from outside says its lines mean: texts of its own, whose keys stand under its id (`lamp.lit`). A key of the
 * house has no dot, so that no plugin speaks in the house's words, and none can replace them.
 */
import type { LocalizedLine, LocalizedText, Phrase } from "../../protocol/localized/localized-text.ts";
import type { Loaded } from "./contributions.ts";

export type Speaker = { pluginId: string; english: Readonly<Record<string, string>> };

type Own = Pick<Loaded, "id"> & { has: Pick<Loaded["has"], "texts"> };

export const speakerOf = ({ id, has }: Own): Speaker => ({ pluginId: id, english: has.texts[0]?.["en"] ?? {} });

/** What it has no text for is shown as the plugin wrote it. */
export const ownLines = (said: readonly LocalizedLine[], speaker: Speaker): LocalizedLine[] =>
  said.flatMap((line) => {
    const key = ownKey(line.key, speaker);
    const args = Object.entries(line.args).map(([name, value]) => [name, ownArg(value, speaker)] as const);
    const isKnown = args.every(([, value]) => value !== undefined);
    return key === undefined || !isKnown ? [] : { line: line.line, key, args: Object.fromEntries(args) as Args };
  });

type Args = LocalizedLine["args"];

function ownArg(value: Args[string], speaker: Speaker): Args[string] | undefined {
  if (typeof value !== "object") return value;
  const key = ownKey(value.key, speaker);
  return key === undefined ? undefined : ({ ...value, key } satisfies Phrase);
}

const ownKey = (key: string, { pluginId, english }: Speaker): string | undefined =>
  Object.hasOwn(english, key) ? `${pluginId}.${key}` : undefined;

/** Whatever carries such lines beside a text: a message, a notice, each text of a card. */
export function withOwnLines<Value>(value: Value, speaker: Speaker): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => withOwnLines(item, speaker)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    if (name !== "said" || !Array.isArray(part)) return [[name, withOwnLines<unknown>(part, speaker)]];
    const said = ownLines(part as LocalizedLine[], speaker);
    return said.length === 0 ? [] : [[name, said]];
  });
  return Object.fromEntries(entries) as Value;
}

/** By a key of the plugin's texts: undefined unless there is one that needs no filling. */
export function ownText(key: string, speaker: Speaker): LocalizedText | undefined {
  const text = Object.hasOwn(speaker.english, key) ? speaker.english[key] : undefined;
  if (text === undefined || text.includes("{")) return undefined;
  return { text, said: [{ line: 0, key: `${speaker.pluginId}.${key}`, args: {} }] };
}
