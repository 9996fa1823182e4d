/** Warnings of a card that the lint found in the plan itself, apart from those about the gateway. */
import type { CardText } from "../../src/protocol/card/card.ts";

const says = ({ said = [] }: CardText, beginning: string): boolean => said.some(({ key }) => key.startsWith(beginning));

export const isLintWarning = (text: CardText): boolean => says(text, "lint_");

/** A step has no way back. */
export const isIrreversible = (text: CardText): boolean => says(text, "lint_L003");
