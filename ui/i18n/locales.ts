/** The languages of the page. Each is a chunk of its own, loaded when somebody wants it. */
import { pseudoArea, pseudoTexts } from "./pseudo.ts";
import type { Area, Texts } from "./text-types.ts";

type Loader = { readonly name: string; load(): Promise<Texts>; problems(): Promise<Area> };

/** Named in their own language, so that whoever got lost finds the way back. */
export const LOCALES = {
  en: {
    name: "English",
    load: async () => (await import("./en/index.ts")).en,
    problems: async () => (await import("./en/problems.ts")).problems,
  },
  de: {
    name: "Deutsch",
    load: async () => (await import("./de/index.ts")).de,
    problems: async () => (await import("./de/problems.ts")).problems,
  },
  es: {
    name: "Español",
    load: async () => (await import("./es/index.ts")).es,
    problems: async () => (await import("./es/problems.ts")).problems,
  },
  fr: {
    name: "Français",
    load: async () => (await import("./fr/index.ts")).fr,
    problems: async () => (await import("./fr/problems.ts")).problems,
  },
  "pt-BR": {
    name: "Português (Brasil)",
    load: async () => (await import("./pt-BR/index.ts")).ptBr,
    problems: async () => (await import("./pt-BR/problems.ts")).problems,
  },
  id: {
    name: "Bahasa Indonesia",
    load: async () => (await import("./id/index.ts")).id,
    problems: async () => (await import("./id/problems.ts")).problems,
  },
  ja: {
    name: "日本語",
    load: async () => (await import("./ja/index.ts")).ja,
    problems: async () => (await import("./ja/problems.ts")).problems,
  },
  ko: {
    name: "한국어",
    load: async () => (await import("./ko/index.ts")).ko,
    problems: async () => (await import("./ko/problems.ts")).problems,
  },
  "zh-CN": {
    name: "简体中文",
    load: async () => (await import("./zh-CN/index.ts")).zhCn,
    problems: async () => (await import("./zh-CN/problems.ts")).problems,
  },
  "zh-TW": {
    name: "繁體中文",
    load: async () => (await import("./zh-TW/index.ts")).zhTw,
    problems: async () => (await import("./zh-TW/problems.ts")).problems,
  },
  pl: {
    name: "Polski",
    load: async () => (await import("./pl/index.ts")).pl,
    problems: async () => (await import("./pl/problems.ts")).problems,
  },
  tr: {
    name: "Türkçe",
    load: async () => (await import("./tr/index.ts")).tr,
    problems: async () => (await import("./tr/problems.ts")).problems,
  },
  uk: {
    name: "Українська",
    load: async () => (await import("./uk/index.ts")).uk,
    problems: async () => (await import("./uk/problems.ts")).problems,
  },
} as const satisfies Record<string, Loader>;

export type LocaleId = keyof typeof LOCALES;

/** For people who build the page: shows what is not translated, and what breaks when texts grow by a third. */
export const PSEUDO_LOCALE = "en-XA";

export const isLocale = (text: string): text is LocaleId => Object.hasOwn(LOCALES, text);

export async function loadTexts(locale: LocaleId | typeof PSEUDO_LOCALE): Promise<Texts> {
  if (locale === PSEUDO_LOCALE) return pseudoTexts(await LOCALES.en.load());
  return LOCALES[locale].load();
}

export async function loadProblems(locale: LocaleId | typeof PSEUDO_LOCALE): Promise<Area> {
  if (locale === PSEUDO_LOCALE) return pseudoArea(await LOCALES.en.problems());
  return LOCALES[locale].problems();
}

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
