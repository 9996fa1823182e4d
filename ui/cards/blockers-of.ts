/** What keeps this person from saying yes to a card now, once each. */
import { availabilityOf } from "../../src/protocol/card/availability.ts";
import type { Card, CardBlock } from "../../src/protocol/card/card.ts";
import type { Operator } from "../state/connection.ts";
import { beholdingOf } from "./waiting-card.ts";

/** That their log-in may not decide at all is said where the connection is. */
export function blockersOf(card: Card, operator: Operator | undefined): CardBlock[] {
  if (operator === undefined) return [];
  const blocks = card.actions
    .filter(({ tone, input }) => tone === "yes" && input.kind === "none")
    .flatMap((action) => {
      const answer = availabilityOf(card, action, beholdingOf(operator));
      return answer.allowed || answer.why.code === "FORBIDDEN" ? [] : [answer.why];
    });
  return [...new Map(blocks.map((block) => [block.code, block])).values()];
}
