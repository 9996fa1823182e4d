/**
 * What the gateway says to people: the words in English, and beside them what they mean, so that a surface can say it in
 * the language of whoever reads. The words are made from the meaning, so the two cannot differ. Without a schema library:
 * the page reads this file too.
 */
import { ENGLISH } from "./english.ts";

/** Arguments are data: names, titles, numbers. One that is itself a phrase of the house has a key of its own. */
export type Phrase = { key: string; args: { [name: string]: string | number } };
type MessageArgs = { [name: string]: string | number | Phrase };
/** What one line of a text means. Lines that nothing is said about are data, and are shown as they are. */
export type LocalizedLine = { line: number; key: string; args: MessageArgs };
export type LocalizedText = { text: string; said: LocalizedLine[] };

type Named<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;
type NamesIn<Value> = Value extends string
  ? Named<Value>
  : Value extends { other: infer Other }
    ? "count" | Named<Other>
    : never;
type Arg<Name> = Name extends "count" | `${string}AtMs` ? number : string | number | LocalizedText;
type FillOf<Value> = [NamesIn<Value>] extends [never] ? [] : [args: { [Name in NamesIn<Value>]: Arg<Name> }];

type EnglishTable = { readonly [key: string]: Phrasing };
type Localized<Table> = <Key extends keyof Table & string>(key: Key, ...fill: FillOf<Table[Key]>) => LocalizedText;
/** Lines of a plugin's own texts and of the gateway's; written out by its name where a declaration must spell it. */
export type LocalizedWith<Own> = Localized<typeof ENGLISH & Own>;

/**
 * For a plugin: one line of its own texts or of the gateway's, `localized("planTitle", { title })`. An argument is one
 * line too: what has more would move the lines behind it.
 */
export function createLocalized<const Own extends EnglishTable>(own: Own): LocalizedWith<Own> {
  const table: EnglishTable = { ...ENGLISH, ...own };
  return (key, ...[given]) => {
    const args: MessageArgs = {};
    const english: { [name: string]: string | number } = {};
    for (const [name, value] of Object.entries<string | number | LocalizedText>(given ?? {})) {
      const flat = typeof value === "string" ? inOneLine(value) : value;
      args[name] = typeof flat === "object" ? phraseOf(flat) : flat;
      english[name] = typeof flat === "object" ? flat.text : flat;
    }
    return { text: filled(table[key] ?? "", english), said: [{ line: 0, key, args }] };
  };
}

/** One line of the gateway's own. */
export const localized = createLocalized({});

/** For keys that are known only at run time: undefined unless the table has a text there that needs no filling. */
export function createLocalizedByKey(table: EnglishTable): (key: string) => LocalizedText | undefined {
  return (key) => {
    const text = Object.hasOwn(table, key) ? table[key] : undefined;
    return typeof text === "string" && !text.includes("{") ? { text, said: [{ line: 0, key, args: {} }] } : undefined;
  };
}

/** Words of somebody else, or data: they are shown as they are. */
export const asIs = (text: string): LocalizedText => ({ text, said: [] });

/** Beneath each other. */
export function lines(parts: readonly (string | LocalizedText)[]): LocalizedText {
  const said: LocalizedLine[] = [];
  const texts: string[] = [];
  let at = 0;
  for (const part of parts) {
    const words = typeof part === "string" ? asIs(part) : part;
    said.push(...words.said.map((one) => ({ ...one, line: one.line + at })));
    texts.push(words.text);
    at += words.text.split("\n").length;
  }
  return { text: texts.join("\n"), said };
}

/** As a message or a refusal carries them. */
export const messageOf = ({ text, said }: LocalizedText): { message: string; said?: LocalizedLine[] } =>
  said.length === 0 ? { message: text } : { message: text, said };

/** As a notice carries them. */
export const noticeOf = ({ text, said }: LocalizedText): { text: string; said?: LocalizedLine[] } =>
  said.length === 0 ? { text } : { text, said };

export const localizedTextOf = ({
  message,
  said = [],
}: {
  message: string;
  said?: LocalizedLine[] | undefined;
}): LocalizedText => ({
  text: message,
  said,
});

function phraseOf({ text, said: [first] }: LocalizedText): string | Phrase {
  if (first === undefined) return inOneLine(text);
  const plain = Object.entries(first.args).map(([name, value]): [string, string | number] => [
    name,
    typeof value === "object" ? "" : value,
  ]);
  return { key: first.key, args: Object.fromEntries(plain) };
}

const inOneLine = (text: string): string => text.replaceAll(/\s*[\n\r\u2028\u2029\u0085\v\f]+\s*/g, " ");

type Phrasing = string | { readonly one: string; readonly other: string };

function filled(template: Phrasing, values: { [name: string]: string | number }): string {
  const text = typeof template === "string" ? template : values["count"] === 1 ? template.one : template.other;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" && name.endsWith("AtMs") ? moment(value) : String(value);
  });
}

/** RFC 3339 in UTC, to the second. */
const moment = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
