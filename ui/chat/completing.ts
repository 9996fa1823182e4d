/** The list of completions that a slash opens in the composer. */
import type { LocalizedLine } from "../../src/protocol/localized/localized-text.ts";

export type Completion = { text: string; description: string; said?: readonly LocalizedLine[] };

export type Completing = { status: "closed" } | { status: "open"; items: readonly Completion[]; at: number };

export const NOT_COMPLETING: Completing = { status: "closed" };

/** Nothing to choose where the only completion is what stands there already. */
export function completingAfter(typed: string, items: readonly Completion[]): Completing {
  const [first] = items;
  if (first === undefined || (items.length === 1 && first.text === typed.trimEnd())) return NOT_COMPLETING;
  return { status: "open", items, at: 0 };
}
