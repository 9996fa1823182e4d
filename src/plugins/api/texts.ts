/** A plugin's texts, by language. */
import { z } from "zod";

const TEXTS_MAX = 500;
const TEXT_CHARS_MAX = 2_000;
const LANGUAGES_MAX = 30;

const key = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "letters, digits and _ only");
const language = z.string().regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, "a language such as de or pt-BR");
const few = (record: object): boolean => Object.keys(record).length <= TEXTS_MAX;
const Table = z.record(key, z.string().max(TEXT_CHARS_MAX)).refine(few, `at most ${TEXTS_MAX} texts`);

/** By language; `{name}` stands for an argument. English is the source, and stands in for what a language lacks. */
export const PluginTexts = z
  .record(language, Table)
  .refine((texts) => Object.hasOwn(texts, "en"), "English is the source: give en")
  .refine((texts) => Object.keys(texts).length <= LANGUAGES_MAX, `at most ${LANGUAGES_MAX} languages`)
  .refine(
    (texts) =>
      Object.values(texts).every((table) => Object.keys(table).every((one) => Object.hasOwn(texts["en"] ?? {}, one))),
    "a text that English lacks",
  );
export type PluginTexts = z.infer<typeof PluginTexts>;
