/** What a plugin from outside says where it gives its English words alone, such as the labels of a slot. */
import { language, OUTSIDE_AREA } from "../i18n/t.ts";

/** No key has such a sign, so that words are never taken for one. */
export const wordsKey = (pluginId: string, english: string): string => `${pluginId}.=${english}`;

/** Undefined where the plugin has no text of these words. */
export function outsideText(pluginId: string, english: string): string | undefined {
  const texts = language.get().texts[OUTSIDE_AREA] ?? {};
  const key = wordsKey(pluginId, english);
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return typeof text === "string" ? text : undefined;
}
