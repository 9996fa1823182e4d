import { LOCALES, loadApart, loadTexts, type LocaleId } from "../../ui/i18n/locales.ts";
import type { Apart, Texts } from "../../ui/i18n/text-types.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a table that has exactly these
export const APART = Object.keys((await LOCALES.en.load()).apart) as Apart[];

/** All that the page says in a language, with the areas that it loads apart. */
export async function allTexts(id: LocaleId): Promise<Texts> {
  const apart = await Promise.all(APART.map(async (area) => [area, await loadApart(id, area)] as const));
  return { ...(await loadTexts(id)), ...Object.fromEntries(apart) };
}

/** One of them that needs no filling: `word(texts, "chat.send")`. */
export function word(texts: Texts, key: `${string}.${string}`): string {
  const [area = "", name = ""] = key.split(".");
  const text = texts[area]?.[name];
  if (typeof text !== "string") throw new Error(`${key} is no plain text`);
  return text;
}
