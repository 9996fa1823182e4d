/** The cards of a session for channels: the card itself is what is drawn, and its actions are the buttons. */
import { closedBy, withdrawnCard } from "../../core/cards.ts";
import type { Card as DeliveredCard, CardAction as ButtonAction } from "../../delivery/card.ts";
import type { DeliveryParts } from "../../delivery/delivery-parts.ts";
import type { Engine } from "../../engine/engine.ts";
import { digestOf } from "../../plugins/digest-of.ts";
import { patchOf } from "../../protocol/card/availability.ts";
import { type Card, type CardAction, isWaiting } from "../../protocol/card/card.ts";
import { CardSchema } from "../../protocol/card/card-schema.ts";
import { Json, JsonObject } from "../../protocol/json.ts";

export function createChannelCards(
  engine: Pick<Engine, "cards" | "slices">,
): Pick<DeliveryParts, "describe" | "lastState"> {
  return {
    describe: (session) => engine.cards(session).map(delivered),
    lastState(drawn, events) {
      const { data: card } = CardSchema.safeParse(drawn);
      if (card === undefined) return undefined;
      const facts = events.flatMap(({ event }) => (event.type === "slice.changed" ? [event] : []));
      return Json.parse(closedBy(card, facts, engine.slices) ?? withdrawnCard(card));
    },
  };
}

function delivered(card: Card): DeliveredCard {
  const payload = Json.parse(card);
  return {
    cardId: card.id,
    revisionHash: digestOf(payload),
    payload,
    actions: Object.fromEntries(card.actions.flatMap(buttonsOf)),
    newFor: isWaiting(card) ? "everybody" : card.kind === "notice" ? "session" : "nobody",
    ...(card.kind === "notice" && card.remindsOf !== undefined ? { remindsOf: card.remindsOf } : {}),
    ...(card.escalation === undefined ? {} : { escalation: card.escalation }),
  };
}

/** One for each thing that a press can say by itself, or with words that the person is asked for. */
function buttonsOf(action: CardAction): [string, ButtonAction][] {
  const { id, input, blocked } = action;
  if (blocked !== undefined) return [];
  switch (input.kind) {
    case "none":
      return [[id, setting(action)]];
    case "option":
      return input.options.map((option) => [`${id}:${option.id}`, setting(action, option.id)]);
    case "text":
      return [[id, input.charsMin === 0 ? setting(action) : settingText(action, input)]];
    case "steps":
      return [];
  }
}

/** What takes words takes them into an object; an action that is not so is typed as a command. */
function settingText(action: CardAction, { field: textField, charsMax, label }: TextInput): ButtonAction {
  const { field, value } = action.patch;
  const base = JsonObject.safeParse(value).data ?? {};
  return { kind: "set-text", field, value: base, textField, charsMax, label: label.text, scope: action.scope };
}

type TextInput = Extract<CardAction["input"], { kind: "text" }>;

function setting(action: CardAction, given?: Json): ButtonAction {
  const { field } = action.patch;
  return { kind: "set", field, value: patchOf(action, given)[field] ?? null };
}
