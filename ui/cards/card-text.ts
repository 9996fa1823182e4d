/** The words of a card in the language of the person. */
import type { Card, CardText } from "../../src/protocol/card/card.ts";
import type { By } from "../../src/protocol/actor.ts";
import { t } from "../i18n/t.ts";
import { nameOf } from "../localized/name-of.ts";
import { localizedText } from "../localized/localized-text.ts";
import type { Operator } from "../state/connection.ts";
import { visibly } from "../text/visibly.ts";

export const cardText = ({ text, said }: CardText): string => localizedText(text, said);

/** What this is. A card of a plugin from outside says so first, so that it cannot pass for one of the gateway. */
export const headingText = (card: Pick<Card, "heading" | "plugin">): string => ofPlugin(card, cardText(card.heading));

const ofPlugin = ({ plugin }: Pick<Card, "plugin">, text: string): string =>
  plugin === undefined ? text : t("cards.ofPlugin", { plugin: visibly(plugin), text });

/** A name as it was given, and whether it is one's own. */
export function personName(by: By, operator: Operator | undefined): string {
  return by.id === operator?.id ? t("cards.you", { name: visibly(by.name) }) : nameOf(by);
}

/** How the card stands; what the person did themselves is said to be theirs. */
export function statusText(card: Pick<Card, "status" | "outcome" | "plugin">, operator: Operator | undefined): string {
  return ofPlugin(card, ownStatus(card, operator));
}

function ownStatus({ status, outcome }: Pick<Card, "status" | "outcome">, operator: Operator | undefined): string {
  const by = outcome?.by;
  if (by === undefined || by.id !== operator?.id) return cardText(status);
  const you = t("cards.you", { name: by.name });
  const said = status.said?.map((one) => ("name" in one.args ? { ...one, args: { ...one.args, name: you } } : one));
  const text = status.text.replace(by.name, () => you); // where the page has no texts of its own for it
  return localizedText(text, said);
}

const IS_ENDED = /[.!?。！？…]$/u;
const ENDS_IN_CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** With a full stop of its own language, for what stands before another sentence. */
export const asSentence = (text: string): string =>
  IS_ENDED.test(text) ? text : `${text}${ENDS_IN_CHARACTERS.test(text) ? "。" : "."}`;
