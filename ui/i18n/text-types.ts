/** The shapes of texts. English is the source: its keys and placeholders are the types of everything else. */
import type { en } from "./en/index.ts";

/** One form per plural category of the language; `{count}` chooses. */
export type Plural = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string };
export type Text = string | Plural;
export type Area = { readonly [name: string]: Text };
export type Texts = { readonly [area: string]: Area };

/** Areas that the first page does without: each comes with the part of the page that says it (`withTexts`). */
export type Apart =
  | "cards"
  | "changes"
  | "inbox"
  | "library"
  | "localized"
  | "modes"
  | "palette"
  | "problems"
  | "proof"
  | "record"
  | "review"
  | "run"
  | "settings"
  | "slots";
/** What a language changes in a text by what is put into it: `shown` is the value of a placeholder. */
export type Fit = (template: string, shown: (name: string) => string) => string;
export type Language = {
  readonly texts: Texts;
  readonly apart: { readonly [Name in Apart]: () => Promise<Area> };
  readonly fit?: Fit;
};

type EnglishApart = { [Name in keyof typeof en.apart]: Awaited<ReturnType<(typeof en.apart)[Name]>> };
/** What the gateway says is found by keys that come from it, and never by a name in the page's own code. */
type English = typeof en.texts & Omit<EnglishApart, "localized">;
export type AreaName = keyof English;

/** `area.name`, as in `t("chat.send")`. */
export type TextKey = { [Name in AreaName]: `${Name}.${keyof English[Name] & string}` }[AreaName];

type TextAt<Key extends TextKey> = Key extends `${infer Name extends AreaName}.${infer Rest}`
  ? Rest extends keyof English[Name]
    ? English[Name][Rest]
    : never
  : never;

type Named<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;
type NamesIn<Value> = Value extends string
  ? Named<Value>
  : Value extends { other: infer Other }
    ? "count" | Named<Other>
    : never;

/** What a text needs to be filled: nothing, or an object with exactly its placeholders. */
export type Fill<Key extends TextKey> = [NamesIn<TextAt<Key>>] extends [never]
  ? []
  : [values: { [Name in NamesIn<TextAt<Key>>]: Name extends "count" ? number : string | number }];

/** A key whose text stands by itself: for tables that name their texts. */
export type PlainKey = { [Key in TextKey]: [NamesIn<TextAt<Key>>] extends [never] ? Key : never }[TextKey];
