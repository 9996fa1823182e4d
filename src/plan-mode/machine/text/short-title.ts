/** What waits, in one line: for lists, and as the title of a card. */
import type { HeldCall } from "../../protocol/state.ts";
import { firstChars, oneLine } from "../../../plugins/sdk.ts";

const TITLE_CHARS_MAX = 200;

export const shortTitle = (text: string): string => firstChars(oneLine(text), TITLE_CHARS_MAX);

/** The call itself instead of the gateway's words about it: those are said where it is shown, in whatever language. */
export const callTitle = (question: string, { tool }: HeldCall): string =>
  [tool, ...question.split("\n").slice(1, -2)].map((line) => line.trim()).join(" ");
