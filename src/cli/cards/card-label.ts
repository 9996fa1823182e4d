/** What stands on the frame of a card. One of a plugin from outside says so, whatever the card itself says. */
import type { Card } from "../../protocol/card/card.ts";
import { sanitiseLine } from "../text/sanitise.ts";

export const cardLabel = ({ plugin }: Pick<Card, "plugin">, own: string): string =>
  plugin === undefined ? own : `Plugin ${sanitiseLine(plugin)}`;

export const planLabel = (revision = 1): string => (revision === 1 ? "Plan" : `Plan · revision ${revision}`);
