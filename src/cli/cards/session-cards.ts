/** The cards of a session as the gateway has them. */
import { z } from "zod";
import type { Card } from "../../protocol/card/card.ts";
import { CardSchema } from "../../protocol/card/card-schema.ts";
import type { SessionView } from "../../protocol/methods.ts";
import { CliError } from "../cli-error.ts";

const Cards = z.array(CardSchema);

/** What this program cannot read it does not guess: a card might be missing. */
export function cardsOf({ id, cards }: Pick<SessionView, "id" | "cards">): Card[] {
  const read = Cards.safeParse(cards);
  if (read.success) return read.data;
  throw new CliError({
    exit: "failed",
    message: `The cards of session ${id} are written in a form that this version cannot read.`,
    advice: "Use the same version of holdpoint as the gateway.",
    code: "VERSION_MISMATCH",
    cause: read.error,
  });
}
