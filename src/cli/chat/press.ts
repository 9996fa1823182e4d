/** `/press`: an action of a card that has no command of its own, named by its id. */
import { matchAnswer } from "../../plan-mode/machine/question/questions.ts";
import { patchOf } from "../../protocol/card/availability.ts";
import type { Card, CardAction } from "../../protocol/card/card.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { isPressed } from "../cards/action-lines.ts";

export type Pressed = { patch: JsonObject } | { problem: string };

type Choice = { card: Card; action: CardAction };

/** `typed` is what stands behind the command: [card] action [words]. */
export function pressedOn(typed: string, cards: readonly Card[]): Pressed {
  const [first = "", second = ""] = typed.split(/\s+/, 2);
  const choices = cards.flatMap((card) => card.actions.filter(isPressed).map((action) => ({ card, action })));
  const named = choices.filter(({ card, action }) => card.id === first && action.id === second);
  const meant = named.length > 0 ? named : choices.filter(({ action }) => action.id === first);
  const [only] = meant;
  if (only === undefined)
    return { problem: `No card here has that action. ${offered(choices, (one) => one.action.id)}` };
  if (meant.length > 1) {
    return { problem: `Several cards have it. ${offered(meant, ({ card, action }) => `${card.id} ${action.id}`)}` };
  }
  const words = typed.split(/\s+/).slice(named.length > 0 ? 2 : 1);
  return withWords(only.action, words.join(" "));
}

function offered(choices: readonly Choice[], nameOf: (choice: Choice) => string): string {
  if (choices.length === 0) return "Nothing can be pressed now.";
  return `Type one of: ${choices.map((choice) => `/press ${nameOf(choice)}`).join(" · ")}`;
}

function withWords(action: CardAction, words: string): Pressed {
  const { input } = action;
  switch (input.kind) {
    case "none":
    case "steps":
      return { patch: patchOf(action) };
    case "text":
      if (words.length >= input.charsMin) return { patch: patchOf(action, words) };
      return { problem: `It needs words: /press ${action.id} <${input.label.text}>` };
    case "option": {
      const matched = matchAnswer({ options: input.options, allowFreetext: input.freeText !== undefined }, words);
      if ("refused" in matched) return { problem: matched.refused.message };
      return { patch: patchOf(action, matched.optionId ?? matched.answer) };
    }
  }
}
