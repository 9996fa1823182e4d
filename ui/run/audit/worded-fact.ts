/** A fact of a plugin in words: how it is worded stands in the plugin's folder, the words in its texts. */
import { BUNDLED_FACTS } from "../../../src/bundled-wording.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import type { FactTone, FactValue, FactWording, FactWordings } from "../../../src/protocol/localized/fact-wording.ts";
import { localizedPhrase } from "../../localized/localized-text.ts";
import { acceptedByRule, answerOf, reasonOf } from "../../localized/name-of.ts";
import { outsideFact } from "../../localized/outside-facts.ts";
import { visibly } from "../../text/visibly.ts";
import { outcomeText } from "../outcome-text.ts";
import { byIn, recordIn, textIn } from "../record-fields.ts";

const BUNDLED: FactWordings = BUNDLED_FACTS;

type WordedFact = { title: string; tone: "" | FactTone; text: string };

/** Undefined where nobody brought words for it. */
export function wordedFact(type: string, detail: JsonObject): WordedFact | undefined {
  const bundled = Object.hasOwn(BUNDLED, type) ? BUNDLED[type] : undefined;
  if (bundled !== undefined)
    return labelled(
      type,
      detail,
      worded(bundled, detail, (key) => key),
    );
  const outside = outsideFact(type);
  if (outside === undefined) return undefined;
  const { pluginId, wording } = outside;
  const fact = worded(wording, detail, (key) => `${pluginId}.${key}`);
  // under its own name, so that it cannot pass for a fact of the gateway
  return fact === undefined ? undefined : { ...fact, title: `${pluginId}: ${fact.title}` };
}

/** The row's actor is whose command it was; that a rule accepted the plan stands in the fact alone. */
function labelled(type: string, detail: JsonObject, fact: WordedFact | undefined): WordedFact | undefined {
  const byRule = type === "plan.decided" ? acceptedByRule(byIn(recordIn(detail, "by"))) : undefined;
  return fact === undefined || byRule === undefined ? fact : { ...fact, tone: "waiting", text: byRule };
}

function worded(wording: FactWording, detail: JsonObject, keyOf: (key: string) => string): WordedFact | undefined {
  const { as = {} } = wording;
  const { title, tone = "", shows } = chosen(wording, detail);
  const plain = Object.entries(detail).flatMap(([name, value]): [string, string | number][] =>
    typeof value === "string" || typeof value === "number" ? [[name, value]] : [],
  );
  const values = plain.map(([name, value]): [string, string | number] => {
    const kind = as[name];
    return [name, kind === undefined ? value : valueText(kind, { text: String(value), detail })];
  });
  const words = localizedPhrase(keyOf(title), Object.fromEntries(values));
  if (words === undefined) return undefined;
  const beside = shows === undefined ? undefined : values.find(([name]) => name === shows)?.[1];
  return { title: words, tone, text: beside === undefined ? "" : visibly(String(beside)) };
}

function chosen({ by, ...otherwise }: FactWording, detail: JsonObject): Omit<FactWording, "as" | "by"> {
  if (by === undefined) return otherwise;
  const held = detail[by.field];
  const value = typeof held === "string" || typeof held === "boolean" ? String(held) : "";
  return (Object.hasOwn(by.values, value) ? by.values[value] : undefined) ?? otherwise;
}

function valueText(kind: FactValue, { text, detail }: { text: string; detail: JsonObject }): string {
  switch (kind) {
    case "reason":
      return reasonOf(text);
    case "answer":
      return answerOf({ answer: text, optionId: textIn(detail, "optionId") });
    case "outcome":
      return outcomeText(text);
  }
}
