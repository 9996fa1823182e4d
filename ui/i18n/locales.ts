/** The languages of the page. Each is a chunk of its own, loaded when somebody wants it, and so is each area apart. */
import type { PageLanguage } from "../../src/protocol/localized/text-loaders.ts";
import type { Apart, Area, Fit, Language, Text, Texts } from "./text-types.ts";

type Loader = { readonly name: string; load(): Promise<Language> };

/** Named in their own language, so that whoever got lost finds the way back. */
export const LOCALES = {
  en: { name: "English", load: async () => (await import("./en/index.ts")).en },
  de: { name: "Deutsch", load: async () => (await import("./de/index.ts")).de },
  es: { name: "Español", load: async () => (await import("./es/index.ts")).es },
  fr: { name: "Français", load: async () => (await import("./fr/index.ts")).fr },
  "pt-BR": { name: "Português (Brasil)", load: async () => (await import("./pt-BR/index.ts")).ptBr },
  id: { name: "Bahasa Indonesia", load: async () => (await import("./id/index.ts")).id },
  ja: { name: "日本語", load: async () => (await import("./ja/index.ts")).ja },
  ko: { name: "한국어", load: async () => (await import("./ko/index.ts")).ko },
  "zh-CN": { name: "简体中文", load: async () => (await import("./zh-CN/index.ts")).zhCn },
  "zh-TW": { name: "繁體中文", load: async () => (await import("./zh-TW/index.ts")).zhTw },
  pl: { name: "Polski", load: async () => (await import("./pl/index.ts")).pl },
  tr: { name: "Türkçe", load: async () => (await import("./tr/index.ts")).tr },
  uk: { name: "Українська", load: async () => (await import("./uk/index.ts")).uk },
} as const satisfies Record<PageLanguage, Loader>;

export type LocaleId = keyof typeof LOCALES;

/** For people who build the page: shows what is not translated, and what breaks when texts grow by a third. */
export const PSEUDO_LOCALE = "en-XA";

export const isLocale = (text: string): text is LocaleId => Object.hasOwn(LOCALES, text);

/** What the first page says. */
export async function loadTexts(locale: LocaleId | typeof PSEUDO_LOCALE): Promise<Texts> {
  const { texts } = await languageOf(locale);
  if (locale !== PSEUDO_LOCALE) return texts;
  const { pseudoTexts } = await import("./pseudo.ts");
  return pseudoTexts(texts);
}

export const loadFit = async (locale: LocaleId | typeof PSEUDO_LOCALE): Promise<Fit | undefined> =>
  (await languageOf(locale)).fit;

/** What a part of the page says that is loaded later. */
export async function loadApart(locale: LocaleId | typeof PSEUDO_LOCALE, area: Apart): Promise<Area> {
  const texts =
    area === "localized" ? await loadLocalizedTexts(locale) : await (await languageOf(locale)).apart[area]();
  if (locale !== PSEUDO_LOCALE) return texts;
  const { pseudoArea } = await import("./pseudo.ts");
  return pseudoArea(texts);
}

/** What the gateway says: its own texts, and those of its plugins beside them. */
async function loadLocalizedTexts(locale: LocaleId | typeof PSEUDO_LOCALE): Promise<Area> {
  const { PLUGIN_TEXTS } = await import("./plugin-texts.ts");
  const tables = await Promise.all([
    ...PLUGIN_TEXTS.map((texts) => texts[locale === PSEUDO_LOCALE ? "en" : locale]()),
    languageOf(locale).then(({ apart }) => apart.localized()),
  ]);
  return Object.fromEntries(tables.flatMap((table) => Object.entries<Text>(table)));
}

const languageOf = (locale: LocaleId | typeof PSEUDO_LOCALE): Promise<Language> =>
  LOCALES[locale === PSEUDO_LOCALE ? "en" : locale].load();

/** The first of a person's languages that the page speaks; `zh-Hant-HK` finds `zh-TW`, `pt` finds `pt-BR`. */
export function bestLocale(wanted: readonly string[], known: readonly string[] = Object.keys(LOCALES)): string {
  for (const tag of wanted.filter(isTag)) {
    const { language, script } = new Intl.Locale(tag).maximize();
    const exact = known.find((id) => id.toLowerCase() === tag.toLowerCase());
    if (exact !== undefined) return exact;
    const alike = known.filter((id) => new Intl.Locale(id).language === language);
    const sameScript = alike.find((id) => new Intl.Locale(id).maximize().script === script);
    if (sameScript !== undefined) return sameScript;
  }
  return "en";
}

/** Some systems hand their browsers names that are none, such as `en-US@posix`. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}
