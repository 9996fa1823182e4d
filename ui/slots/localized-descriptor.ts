/** A descriptor in the language of the person: each of its texts that is a text of its plugin, by its English words. */
import type { UiDescriptor } from "../state/descriptors.ts";
import { outsideText } from "../localized/outside-text.ts";

/** Where a descriptor holds words for people; everything else of it names something. */
const WORDS: ReadonlySet<string> = new Set(["label", "text", "title", "confirm", "empty", "submit"]);

export const localizedDescriptor = (descriptor: UiDescriptor, pluginId: string): UiDescriptor =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape: strings are replaced by strings
  translated(descriptor, pluginId) as UiDescriptor;

function translated(value: unknown, pluginId: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => translated(item, pluginId));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === "string" && WORDS.has(name) ? (outsideText(pluginId, part) ?? part) : translated(part, pluginId),
  ]);
  return Object.fromEntries(entries);
}
