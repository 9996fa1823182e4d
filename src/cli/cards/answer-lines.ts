/** What waits for an answer, for whoever runs one command at a time: the exact call, the answers, and the command. */
import { type Card, type GrantCard, isWaiting, ofGateway } from "../../protocol/card/card.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { optionsOf } from "./question-card.ts";

const INDENT = "    ";

export function answerLines(card: Card, sessionId: string): string[] {
  if (!isWaiting(card) || ofGateway([card]).length === 0) return [];
  if (card.kind !== "question" && card.kind !== "grant") return [];
  const answers =
    card.kind === "grant"
      ? answersOf(card)
      : optionsOf(card).map(({ label }, at) => `${at + 1}. ${sanitiseLine(label)}`);
  const call = card.kind === "grant" ? sanitise(card.call.shown).trimEnd().split("\n") : [];
  const command = `Answer it with: holdpoint plan answer CHOICE --session ${sessionId}`;
  return [...call, ...answers, command].map((line) => `${INDENT}${line}`);
}

/** Those that are answers; to decline or to put it off are commands of their own. */
const answersOf = (card: GrantCard): string[] => {
  const isAnswer = new Set(card.actions.filter(({ patch }) => isAnswering(patch.value)).map(({ id }) => id));
  return optionsOf(card)
    .filter(({ id }) => isAnswer.has(id))
    .map(({ id, label }) => `${id}: ${sanitiseLine(label)}`);
};

const isAnswering = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "action" in value && value.action === "answer";
