/** What the two ways of accepting differ in; a line to read, for a tooltip is nothing on a phone. */
import { html, nothing, type TemplateResult } from "lit";
import { findAction } from "../../src/protocol/card/availability.ts";
import type { ApprovalCard } from "../../src/protocol/card/card.ts";
import { t } from "../i18n/t.ts";
import { cardText } from "./card-text.ts";

/** Buttons refer to it as `accept-hint`. */
export function acceptHint(card: ApprovalCard): TemplateResult | typeof nothing {
  const accept = findAction(card, "approve");
  const edits = findAction(card, "approve-allowing-edits");
  const standing = findAction(card, "approve-standing");
  if (accept === undefined || edits === undefined) return nothing;
  return html`<p class="small quiet" id="accept-hint">
    ${t("cards.acceptHint", { accept: cardText(accept.label), edits: cardText(edits.label) })}
    ${standing?.hint === undefined ? nothing : `“${cardText(standing.label)}”: ${cardText(standing.hint)}`}
  </p>`;
}
