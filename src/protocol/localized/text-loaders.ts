/** The shapes of texts in the languages of the page, as a plugin's folder brings them (`texts/index.ts`). */

/** The languages that the page speaks. A plugin of the house speaks all of them. */
export type PageLanguage =
  | "en"
  | "de"
  | "es"
  | "fr"
  | "pt-BR"
  | "id"
  | "ja"
  | "ko"
  | "zh-CN"
  | "zh-TW"
  | "pl"
  | "tr"
  | "uk";

/** One form per plural category of the language; `{count}` chooses. */
export type PluralText = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string };
export type TextTable = { readonly [key: string]: string | PluralText };

/** Each language is a chunk of its own, loaded when somebody reads it. */
export type TextLoaders = { readonly [Language in PageLanguage]: () => Promise<TextTable> };
