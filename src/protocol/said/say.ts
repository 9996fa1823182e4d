/**
 * What the gateway says to people: the words in English, and beside them what they mean, so that a surface can say it in
 * the language of whoever reads. The words are made from the meaning, so the two cannot differ. Without a schema library:
 * the page reads this file too.
 */
import { ENGLISH } from "./english.ts";

/** Arguments are data: names, titles, numbers. One that is itself a phrase of the house has a key of its own. */
export type Phrase = { key: string; args: { [name: string]: string | number } };
type SaidArgs = { [name: string]: string | number | Phrase };
/** What one line of a text means. Lines that nothing is said about are data, and are shown as they are. */
export type Said = { line: number; key: string; args: SaidArgs };
export type Words = { text: string; said: Said[] };

type SaidKey = keyof typeof ENGLISH;
type Named<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;
type NamesIn<Value> = Value extends string
  ? Named<Value>
  : Value extends { other: infer Other }
    ? "count" | Named<Other>
    : never;
type Arg<Name> = Name extends "count" | `${string}AtMs` ? number : string | number | Words;
type FillOf<Key extends SaidKey> = [NamesIn<(typeof ENGLISH)[Key]>] extends [never]
  ? []
  : [args: { [Name in NamesIn<(typeof ENGLISH)[Key]>]: Arg<Name> }];

/** A phrase that needs nothing to be filled. */
type PlainSaidKey = {
  [Key in SaidKey]: [NamesIn<(typeof ENGLISH)[Key]>] extends [never] ? Key : never;
}[SaidKey];

const isSaidKey = (key: string): key is SaidKey => Object.hasOwn(ENGLISH, key);

export const isPlainSaidKey = (key: string): key is PlainSaidKey =>
  isSaidKey(key) && typeof ENGLISH[key] === "string" && !ENGLISH[key].includes("{");

/** One line of ours. An argument is one line too: what has more would move the lines behind it. */
export function say<Key extends SaidKey>(key: Key, ...[given]: FillOf<Key>): Words {
  const args: SaidArgs = {};
  const english: { [name: string]: string | number } = {};
  for (const [name, value] of Object.entries<string | number | Words>(given ?? {})) {
    const flat = typeof value === "string" ? inOneLine(value) : value;
    args[name] = typeof flat === "object" ? phraseOf(flat) : flat;
    english[name] = typeof flat === "object" ? flat.text : flat;
  }
  return { text: filled(ENGLISH[key], english), said: [{ line: 0, key, args }] };
}

/** Words of somebody else, or data: they are shown as they are. */
export const asIs = (text: string): Words => ({ text, said: [] });

/** Beneath each other. */
export function lines(parts: readonly (string | Words)[]): Words {
  const said: Said[] = [];
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
export const messageOf = ({ text, said }: Words): { message: string; said?: Said[] } =>
  said.length === 0 ? { message: text } : { message: text, said };

/** As a notice carries them. */
export const noticeOf = ({ text, said }: Words): { text: string; said?: Said[] } =>
  said.length === 0 ? { text } : { text, said };

export const wordsOf = ({ message, said = [] }: { message: string; said?: Said[] | undefined }): Words => ({
  text: message,
  said,
});

function phraseOf({ text, said: [first] }: Words): string | Phrase {
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
