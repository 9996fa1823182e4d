/** What was typed → the action of the card that this terminal showed. */
import { parsePlanCommand, type PlanCommand } from "../../plan-mode/commands/parse-plan-command.ts";
import { PLAN_MODE_SLICE } from "../../plan-mode/machine/slice.ts";
import { findAction, patchOf } from "../../protocol/card/availability.ts";
import type { StandingTerms } from "../../plan-mode/protocol/job/standing.ts";
import { approvalIn, askingIn, type Card, type CardAction, ofGateway } from "../../protocol/card/card.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { PlanNote } from "../../plan-mode/protocol/review.ts";
import { ApprovalId } from "../../protocol/ids.ts";

/**
 * A decision as it was typed, bound to what this terminal showed: the id, and for an approval the digest of the exact
 * plan. Undefined for everything else, and when no card is shown: the gateway answers that. A piped line was written
 * before anything was shown, so an approval in it names its plan by the code.
 */
export function decisionFor(
  typed: string,
  all: readonly Card[],
  { isPiped = false }: { isPiped?: boolean } = {},
): JsonObject | undefined {
  if (!/^\/plan(?=\s|$)/i.test(typed.trim())) return undefined;
  const command = parsePlanCommand(typed);
  if ("refused" in command) return undefined; // the gateway says it, with the usage
  const cards = all.filter(({ slice }) => slice === PLAN_MODE_SLICE);
  switch (command.verb) {
    case "accept":
      return isPiped ? undefined : accepted(approvalIn(cards), command);
    case "revise":
      return acted(approvalIn(cards), "reject", command.feedback);
    case "answer":
      return planAnswer(askingIn(ofGateway(cards)), command.choice);
    default:
      return undefined;
  }
}

/**
 * The plan as it was shown here. With a code, and over a rejection, which may have come after the person began to type,
 * the gateway answers. A plan stands for a job only where its card offers that.
 */
function accepted(
  card: Card | undefined,
  { edits, code, standing }: Extract<PlanCommand, { verb: "accept" }>,
): JsonObject | undefined {
  if (code !== undefined || card?.state !== "pending") return undefined;
  if (standing === undefined) return acted(card, edits ? "approve-allowing-edits" : "approve");
  return withTerms(findAction(card, "approve-standing"), { edits, standing });
}

/** The card's own action, with other limits. */
export function withTerms(
  action: CardAction | undefined,
  { edits, standing }: { edits: boolean; standing: StandingTerms },
): JsonObject | undefined {
  const value = action?.patch.value;
  if (action === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { [action.patch.field]: { ...value, action: edits ? "edit" : "approve", standing: { ...standing } } };
}

const acted = (card: Card | undefined, id: string, given?: string): JsonObject | undefined => {
  const action = findAction(card, id);
  return action === undefined ? undefined : patchOf(action, given);
};

type Answer = { typed: string; answer: string; optionId: string | null };

/** Plan mode finds out which option the words mean; another plugin receives the option, or its action is taken. */
export function answerTo(card: Card, { typed, answer, optionId }: Answer): JsonObject | undefined {
  if (card.slice === PLAN_MODE_SLICE) return planAnswer(card, typed);
  const choosing = card.actions.find(({ input }) => input.kind === "option");
  if (choosing !== undefined) return patchOf(choosing, optionId ?? answer);
  return optionId === null ? undefined : acted(card, optionId);
}

/** An answer in the words that were typed. */
export function planAnswer(card: Card | undefined, answer: string): JsonObject | undefined {
  const action = findAction(card, "answer") ?? findAction(card, "allow-once");
  if (action === undefined) return undefined;
  return patchOf({ ...action, input: { kind: "option", field: "answer", options: [] } }, answer);
}

/** A note as it was typed, on the revision that this terminal showed: a newer one would give its number another step. */
export function noteFor(typed: string, cards: readonly Card[]): PlanNote | undefined {
  const shown = approvalIn(cards.filter(({ slice }) => slice === PLAN_MODE_SLICE));
  if (!/^\/plan\s+note(?=\s|$)/i.test(typed.trim()) || shown === undefined) return undefined;
  const command = parsePlanCommand(typed);
  if ("refused" in command || command.verb !== "note") return undefined;
  return { action: "add", approvalId: ApprovalId.parse(shown.id), ...command.note };
}
