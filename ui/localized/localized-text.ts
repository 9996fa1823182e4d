/**
 * What the gateway said, in the language of the person. Beside its English words it tells what each line means; what this
 * page has no text for, and what others said, stays as it is. The texts are loaded when the first of them is wanted.
 */
import type { Phrase, LocalizedLine } from "../../src/protocol/localized/localized-text.ts";
import { sayDate } from "../i18n/say.ts";
import { fillText, language, loadLocalized, OUTSIDE_AREA } from "../i18n/t.ts";
import type { Area } from "../i18n/text-types.ts";
import { visibly } from "../text/visibly.ts";

type Value = string | number | Phrase;

/** All of it shows what it holds: arguments are words of strangers as often as not. */
export function localizedText(text: string, said: readonly LocalizedLine[] | undefined): string {
  if (said === undefined || said.length === 0) return visibly(text);
  const texts = localizedTexts();
  if (texts === undefined) return visibly(text);
  const meanings = new Map(said.map((one) => [one.line, one]));
  return text
    .split("\n")
    .map((line, at) => phraseText(meanings.get(at), texts) ?? visibly(line))
    .join("\n");
}

/** Undefined where the page does not know the phrase, or has no texts yet. */
export function localizedPhrase(key: string, args: Phrase["args"] = {}): string | undefined {
  const texts = localizedTexts();
  return texts === undefined ? undefined : phraseText({ key, args }, texts);
}

/** Of a line of usage, `/plan view — the plan and its steps`, what it says behind the dash; others are descriptions. */
export const describedAs = (text: string): string => text.slice(text.indexOf(DASH) === -1 ? 0 : afterDash(text));

const DASH = " — ";
const afterDash = (text: string): number => text.indexOf(DASH) + DASH.length;

function localizedTexts(): Area | undefined {
  const texts = language.get().texts["localized"];
  if (texts === undefined) void loadLocalized(); // whoever shows it draws again when they are there
  return texts;
}

function phraseText(
  phrase: { key: string; args: { [name: string]: Value } } | undefined,
  texts: Area,
): string | undefined {
  if (phrase === undefined) return undefined;
  const table = phrase.key.includes(".") ? (language.get().texts[OUTSIDE_AREA] ?? {}) : texts; // `<plugin>.<key>`
  const text = Object.hasOwn(table, phrase.key) ? table[phrase.key] : undefined;
  if (text === undefined) return undefined;
  const values = Object.entries(phrase.args).map(([name, value]): [string, string | number] => [
    name,
    argText(name, value, texts),
  ]);
  return fillText(text, Object.fromEntries(values));
}

function argText(name: string, value: Value, texts: Area): string | number {
  if (typeof value === "string") return visibly(value);
  if (typeof value === "number") return name.endsWith("AtMs") ? sayDate(value) : value;
  return phraseText(value, texts) ?? "";
}
