/** The gateway's words on a card: English, with what they mean beside it. */
import type { By } from "../../protocol/actor.ts";
import type { CardText } from "../../protocol/card/card.ts";
import { noticeOf, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { oneLine } from "../../plugins/sdk.ts";
import { ruleWords } from "../machine/text/rule-words.ts";

export const cardText = (words: LocalizedText): CardText => noticeOf(words);

/** People by their names; a rule and the agent by what they are. */
export function nameOf(by: By): string | LocalizedText {
  if (by.kind === "agent") return localized("theAgent");
  return by.kind === "policy" ? ruleWords(by) : oneLine(by.name);
}
