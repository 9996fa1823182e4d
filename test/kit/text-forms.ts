/** What translations must have in common with their source: keys, placeholders, and the plural forms of their language. */
import type { PluralText } from "../../src/protocol/localized/text-loaders.ts";

type Text = string | PluralText;

export const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));

const placeholders = (form: string): string[] =>
  [...form.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();

/** Texts with other placeholders than the source, or without a plural form that the language has. */
export function misfits(
  texts: ReadonlyMap<string, Text>,
  english: ReadonlyMap<string, Text>,
  language: string,
): [string, Text][] {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
  return [...texts].filter(([key, text]) => {
    const source = english.get(key) ?? "";
    if (typeof text === "string") return placeholders(text).join() !== formsOf(source).map(placeholders).at(-1)?.join();
    const isComplete = Object.keys(text).toSorted().join() === categories.join();
    const wanted = typeof source === "string" ? "" : placeholders(source.other).join();
    // a form for exactly one thing may leave the number out
    return !isComplete || formsOf(text).some((form) => !["", wanted].includes(placeholders(form).join()));
  });
}
