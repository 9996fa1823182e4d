/** Events of the past come as JSON of many shapes, plugins' among them: what is not as expected is simply not there. */
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import type { By } from "../../src/protocol/actor.ts";
import type { Phrase, LocalizedLine } from "../../src/protocol/localized/localized-text.ts";
import { localizedText } from "../localized/localized-text.ts";

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function recordIn(from: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = from?.[name];
  return isRecord(value) ? value : undefined;
}

/** Empty where there is none. */
export function textIn(from: JsonObject | undefined, name: string): string {
  const value = from?.[name];
  return typeof value === "string" ? value : "";
}

export function listIn(from: JsonObject | undefined, name: string): JsonObject[] {
  const value: Json | undefined = from?.[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Who did it, as far as it is recorded. */
export function byIn(from: JsonObject | undefined): { name: string; kind?: By["kind"]; id: string } {
  const kind = KINDS.find((known) => known === from?.["kind"]);
  return { name: textIn(from, "name"), id: textIn(from, "id"), ...(kind === undefined ? {} : { kind }) };
}

const KINDS = ["operator", "agent", "policy", "system"] as const satisfies readonly By["kind"][];

/** A text with what it means beside it, in the language of the person. */
export const saidIn = (from: JsonObject | undefined, name: string): string =>
  localizedText(textIn(from, name), listIn(from, "said").flatMap(meaningIn));

function meaningIn({ line, key, args }: JsonObject): LocalizedLine[] {
  if (typeof line !== "number" || typeof key !== "string" || !isRecord(args)) return [];
  const read = Object.entries(args).flatMap(([name, value]): [string, string | number | Phrase][] => {
    if (typeof value === "string" || typeof value === "number") return [[name, value]];
    return isRecord(value) ? [[name, phraseIn(value)]] : [];
  });
  return [{ line, key, args: Object.fromEntries(read) }];
}

function phraseIn(value: JsonObject): Phrase {
  const args = Object.entries(recordIn(value, "args") ?? {}).flatMap(([name, arg]): [string, string | number][] =>
    typeof arg === "string" || typeof arg === "number" ? [[name, arg]] : [],
  );
  return { key: textIn(value, "key"), args: Object.fromEntries(args) };
}
