/** What a descriptor names, looked up in what its plugin shows of the session. All of it is the plugin's text: untrusted. */
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import { sayNumber } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { visibly } from "../text/visibly.ts";
import type { Tone, UiElement, UiLeaf, UiText } from "./ui-element.ts";

const TEXT_CHARS_MAX = 2_000;

/** Undefined where the path leads nowhere; never into what objects inherit. */
export function valueAt(data: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = data;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Array.isArray(value) ? value[Number(name)] : value[name];
  }
  return value;
}

export const textOf = (text: UiText, data: JsonObject): string =>
  typeof text === "string" ? short(text) : sayValue(valueAt(data, text.path));

export function sayValue(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return t("slots.none");
  if (typeof value === "string") return short(value);
  if (typeof value === "number") return sayNumber(value);
  if (typeof value === "boolean") return value ? t("slots.yes") : t("slots.no");
  return short(JSON.stringify(value));
}

const short = (text: string): string =>
  visibly(text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}…` : text);

/** Shown only while the field is true, not empty and not zero; with `equals`, while it has that value. */
export function isShown({ when }: Pick<UiElement, "when">, data: JsonObject): boolean {
  if (when === undefined) return true;
  const value = valueAt(data, when.path);
  if (when.equals !== undefined) return (value ?? null) === when.equals;
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

const TONES: Readonly<Record<Tone, string>> = {
  neutral: "",
  info: "accent",
  good: "good",
  warning: "waiting",
  danger: "bad",
};
export const toneClass = (tone: Tone | undefined): string => (tone === undefined ? "" : (TONES[tone] ?? ""));

const leavesOf = (body: readonly UiElement[]): UiLeaf[] =>
  body.flatMap((element) => (element.kind === "card" ? element.children : [element]));

/** Whether it shows or does something that belongs to one session. */
export const needsSession = (body: readonly UiElement[]): boolean =>
  body.some(({ when }) => when !== undefined) ||
  leavesOf(body).some(
    (leaf) => leaf.kind === "action" || leaf.kind === "form" || JSON.stringify(leaf).includes('"path":'),
  );
