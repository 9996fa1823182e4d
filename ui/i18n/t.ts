/** Texts of the page in the language of the person, switched without a reload. */
import { cell, type Readable } from "../state/cell.ts";
import { numberFormat, pluralRules } from "./formats.ts";
import { bestLocale, isLocale, loadProblems, loadTexts, type LocaleId, PSEUDO_LOCALE } from "./locales.ts";
import type { Fill, Text, TextKey, Texts } from "./text-types.ts";

type Spoken = { locale: LocaleId | typeof PSEUDO_LOCALE; texts: Texts };

const spoken = cell<Spoken>({ locale: "en", texts: {} });
let knowsProblems = false;

/** For elements: draw again when it changes. */
export const language: Readable<Spoken> = spoken;

/** Loads a language and speaks it from then on. Whatever cannot be told apart is answered in English. */
export async function speak(wanted: readonly string[]): Promise<void> {
  const best = wanted.includes(PSEUDO_LOCALE) ? PSEUDO_LOCALE : bestLocale(wanted);
  const locale = best === PSEUDO_LOCALE || isLocale(best) ? best : "en";
  const [texts, problems] = await Promise.all([
    loadTexts(locale),
    knowsProblems ? loadProblems(locale) : Promise.resolve(undefined),
  ]);
  spoken.set({ locale, texts: problems === undefined ? texts : { ...texts, problems } });
}

/** Texts about problems are wanted from now on, in every language. Where they cannot be had, the page does without. */
export async function speakOfProblems(): Promise<void> {
  knowsProblems = true;
  const { locale, texts } = spoken.get();
  if (texts["problems"] !== undefined) return;
  const problems = await loadProblems(locale).catch(() => undefined); // the gateway may be away just now
  if (problems === undefined) return;
  spoken.change((now) => (now.locale === locale ? { locale, texts: { ...now.texts, problems } } : now));
}

/** `t("chat.queued", { count: 2 })`: the text of a key with its placeholders filled. */
export function t<Key extends TextKey>(key: Key, ...[values]: Fill<Key>): string {
  const { texts, locale } = spoken.get();
  const [area = "", name = ""] = key.split(".");
  const text = texts[area]?.[name];
  return text === undefined ? key : filled(text, values ?? {}, locale);
}

function filled(text: Text, values: { [name: string]: string | number }, locale: string): string {
  const template =
    typeof text === "string" ? text : (text[pluralRules(locale).select(Number(values["count"]))] ?? text.other);
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? numberFormat(locale).format(value) : value;
  });
}
