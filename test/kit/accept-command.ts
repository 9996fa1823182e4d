/** What a person who has read a waiting card types: the command that the card itself shows. */
import { z } from "zod";
import { findAction } from "../../src/protocol/card/availability.ts";
import { CardSchema } from "../../src/protocol/card/card-schema.ts";

export const acceptCommand = (session: { cards?: unknown }): string => shownCommand(session, "approve");

export function shownCommand({ cards }: { cards?: unknown }, action: string): string {
  const shown = z.array(CardSchema).parse(cards);
  const command = shown.map((card) => findAction(card, action)?.command).find((found) => found !== undefined);
  if (command === undefined) throw new Error(`no card offers ${action}`);
  return command;
}
