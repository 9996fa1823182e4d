/** A card as a permission request of the Agent Client Protocol: its text, and its actions as options for this one time. */
import { findAction, patchOf } from "../../protocol/card/availability.ts";
import type { Card, CardAction } from "../../protocol/card/card.ts";
import type { JsonObject } from "../../protocol/json.ts";

export type Permission = {
  toolCall: JsonObject;
  options: JsonObject[];
  /** The patch that carries a chosen option out; undefined where nothing is to be done. */
  patch(optionId: string): JsonObject | undefined;
};

const NO = "holdpoint-no";

/** Undefined where a person can do nothing about it from here. */
export function permissionFor(card: Card): Permission | undefined {
  const choices = card.kind === "approval" ? approvals(card) : answers(card);
  if (choices.length === 0) return undefined;
  const no = { optionId: NO, name: card.kind === "approval" ? "No, and say why" : "Not now", kind: "reject_once" };
  return {
    toolCall: {
      toolCallId: card.id,
      title: `${card.heading.text}: ${card.title}`,
      kind: card.kind === "approval" ? "switch_mode" : "other",
      status: "pending",
      content: [{ type: "content", content: { type: "text", text: textOf(card) } }],
    },
    options: [...choices.map(({ optionId, name }) => ({ optionId, name, kind: "allow_once" })), no],
    patch: (optionId) => choices.find((choice) => choice.optionId === optionId)?.patch,
  };
}

type Choice = { optionId: string; name: string; patch: JsonObject };

const isOpen = (action: CardAction | undefined): action is CardAction =>
  action !== undefined && action.blocked === undefined;

const approvals = (card: Card): Choice[] =>
  ["approve", "approve-allowing-edits"].flatMap((id) => {
    const action = findAction(card, id);
    return isOpen(action) ? [{ optionId: id, name: action.label.text, patch: patchOf(action) }] : [];
  });

/** What it offers to choose from, and its plain buttons. */
function answers(card: Card): Choice[] {
  return card.actions.filter(isOpen).flatMap((action): Choice[] => {
    const { input } = action;
    if (input.kind === "none" && action.tone !== "other") {
      return [{ optionId: action.id, name: action.label.text, patch: patchOf(action) }];
    }
    if (input.kind !== "option") return [];
    return input.options.map(({ id, label }) => ({
      optionId: `${action.id}:${id}`,
      name: label,
      patch: patchOf(action, id),
    }));
  });
}

function textOf(card: Card): string {
  const steps = card.kind === "approval" ? card.steps.map(({ text }, at) => `${at + 1}. ${text}`) : [];
  const sections =
    card.kind === "approval"
      ? (card.sections ?? []).map(({ heading, text = "", items = [] }) =>
          [`## ${heading.text}`, text, ...items.map((item) => `- ${item}`)].filter((line) => line !== "").join("\n"),
        )
      : [];
  const warnings = (card.warnings ?? []).map(({ text }) => text);
  return [`# ${card.title}`, card.status.text, steps.join("\n"), ...sections, ...warnings]
    .filter((part) => part !== "")
    .join("\n\n");
}
