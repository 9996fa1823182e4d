/** An approval typed into the field: it is about the card that this page shows, as a click on it would be. */
import { approvalIn, type Card } from "../../src/protocol/card/card.ts";
import { type Decision, decisionOn } from "../state/decide.ts";

const ACCEPT = /^\/(?:plan\s+accept|approve)(\s+edits)?$/i;

/** Undefined where nothing waits on this page, and over a rejection: the gateway then says what to type. */
export function typedAccept(text: string, cards: readonly Card[]): Decision | undefined {
  const typed = ACCEPT.exec(text.trim());
  const card = approvalIn(cards);
  if (typed === null || card?.state !== "pending") return undefined;
  return decisionOn(card, typed[1] === undefined ? "approve" : "approve-allowing-edits");
}
