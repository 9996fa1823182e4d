/** Texts of the page in the language of the person, switched without a reload. */
import { cell, type Readable } from "../state/cell.ts";
import { numberFormat, pluralRules } from "./formats.ts";
import { bestLocale, isLocale, loadApart, loadFit, loadTexts, type LocaleId, PSEUDO_LOCALE } from "./locales.ts";
import type { Apart, Area, Fill, Fit, Text, TextKey, Texts } from "./text-types.ts";

type Spoken = { locale: LocaleId | typeof PSEUDO_LOCALE; texts: Texts; fit?: Fit | undefined };

const spoken = cell<Spoken>({ locale: "en", texts: {} });
const wantedApart = new Set<Apart>();

/** For elements: draw again when it changes. */
export const language: Readable<Spoken> = spoken;

/**
 * Loads a language and speaks it from then on, in every part of the page that is loaded by then. Whatever cannot be told
 * apart is answered in English. Asked again meanwhile, it is the last one that counts.
 */
export async function speak(wanted: readonly string[]): Promise<void> {
  const best = wanted.includes(PSEUDO_LOCALE) ? PSEUDO_LOCALE : bestLocale(wanted);
  const locale = best === PSEUDO_LOCALE || isLocale(best) ? best : "en";
  asked += 1;
  const mine = asked;
  let texts = await loadTexts(locale);
  // ends: there are few areas, and each is loaded once; one may be wanted while others are on their way
  for (let missing = missingIn(texts); missing.length > 0; missing = missingIn(texts)) {
    const loaded = await Promise.all(missing.map(async (area) => [area, await loadApart(locale, area)] as const));
    texts = { ...texts, ...Object.fromEntries(loaded) };
  }
  const fit = await loadFit(locale);
  if (mine === asked) spoken.set({ locale, texts, fit });
}

let asked = 0;
const missingIn = (texts: Texts): Apart[] => [...wantedApart].filter((area) => texts[area] === undefined);

/**
 * Code that is loaded when it is wanted, together with the texts that it says, in this language and in every other from
 * now on: `withTexts(() => import("../run/run-view.ts"), "run")`. Fails where either of them cannot be had.
 */
export async function withTexts<Loaded>(load: () => Promise<Loaded>, ...areas: readonly Apart[]): Promise<Loaded> {
  const [loaded] = await Promise.all([load(), ...areas.map(speakOf)]);
  return loaded;
}

/** Texts for what the gateway says are wanted from now on. Where they cannot be had, its own words stand. */
export const loadLocalized = (): Promise<void> => speakOf("localized").catch(() => undefined);

async function speakOf(area: Apart): Promise<void> {
  wantedApart.add(area);
  const { locale, texts } = spoken.get();
  if (texts[area] !== undefined) return;
  const load = loading.get(area) ?? loadOnce(locale, area);
  loading.set(area, load);
  await load;
}

async function loadOnce(locale: Spoken["locale"], area: Apart): Promise<void> {
  try {
    const loaded = await loadApart(locale, area);
    spoken.change((now) => (now.locale === locale ? withArea(now, area, loaded) : now)); // else `speak` has brought it
  } finally {
    loading.delete(area);
  }
}

const loading = new Map<Apart, Promise<void>>();

const withArea = (now: Spoken, area: Apart, loaded: Area): Spoken => ({
  ...now,
  texts: { ...now.texts, [area]: loaded },
});

/** What plugins from outside say, by `<plugin>.<key>`: their keys have a dot, and no text of the page can be theirs. */
export const OUTSIDE_AREA = "outside";

/** In the language in which they were asked for; of no use when another is spoken by now. */
export const keepOutsideTexts = (locale: string, texts: Area): void =>
  spoken.change((now) => (now.locale === locale ? { ...now, texts: { ...now.texts, [OUTSIDE_AREA]: texts } } : now));

/** `t("chat.queued", { count: 2 })`: the text of a key with its placeholders filled. */
export function t<Key extends TextKey>(key: Key, ...[values]: Fill<Key>): string {
  const { texts } = spoken.get();
  const [area = "", name = ""] = key.split(".");
  const text = texts[area]?.[name];
  return text === undefined ? key : fillText(text, values ?? {});
}

/** For texts that are found by a key from outside. */
export function fillText(text: Text, values: { [name: string]: string | number }): string {
  const { locale, fit } = spoken.get();
  const template =
    typeof text === "string" ? text : (text[pluralRules(locale).select(Number(values["count"]))] ?? text.other);
  const shown = (name: string): string => {
    const value = values[name] ?? "";
    return typeof value === "number" ? numberFormat(locale).format(value) : value;
  };
  return (fit?.(template, shown) ?? template).replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(name));
}
