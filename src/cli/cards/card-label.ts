/** What stands on the frame of a card. One of a plugin from outside says so, whatever the card itself says. */
import type { Card } from "../../protocol/card/card.ts";
import { sanitiseLine } from "../text/sanitise.ts";

export const cardLabel = ({ plugin }: Pick<Card, "plugin">, own: string): string =>
  plugin === undefined ? own : `Plugin ${sanitiseLine(plugin)}`;

/** How a card stands, in the words that every surface has for it, short enough for a frame. */
export const stateWords = ({ status }: Pick<Card, "status">): string => sanitiseLine(status.text).replace(/\.$/, "");

/** What the gateway has to say beside every card. */
export const warningTexts = ({ warnings = [] }: Pick<Card, "warnings">): string[] =>
  warnings.map(({ text }) => sanitiseLine(text));

export const planLabel = (revision = 1): string => (revision === 1 ? "Plan" : `Plan · revision ${revision}`);
