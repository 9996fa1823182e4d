/**
 * What the author of a typed decision has seen (PL-20): by the code that they typed, or by a card that the surface proves
 * to have shown them. Otherwise the answer is the code to type.
 */
import type { JsonObject } from "../../protocol/json.ts";
import { findAction } from "../../protocol/card/availability.ts";
import { ofGateway } from "../../protocol/card/card.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import type { StandingTerms } from "../protocol/job/standing.ts";
import type { PendingQuestion, PlanModeState, Submission } from "../protocol/state.ts";
import { localized } from "../texts/localized.ts";
import { type CommandCall, oneLine } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { ALLOW_ONCE } from "../machine/grant/give-grant.ts";
import { submissionOf } from "../machine/plan/cycle.ts";
import { DENY } from "../machine/question/decide.ts";
import { matchAnswer } from "../machine/question/questions.ts";
import { numberRanges } from "../machine/stage/number-ranges.ts";
import { callCode, decisionCode, rejectionsOf } from "../machine/signature/decision-code.ts";

type Typed = { edits: boolean; code?: string; standing?: StandingTerms; steps?: number[] };
type No = { refusal: Refusal };

/** The fields of an approval that say what was seen, or a refusal with the code to type. */
export function seenPlan(call: CommandCall, state: PlanModeState, typed: Typed): JsonObject | No {
  const submission = submissionOf(state);
  if (submission === undefined) return NOTHING_WAITS;
  const rejections = rejectionsOf(state.now);
  const { approvalId, digest } = submission;
  // what cannot be decided any more is answered by the machine, with what became of it
  if (state.now.phase !== "pending" && state.now.phase !== "rejected") return { approvalId, digest };
  const code = typed.code?.toLowerCase();
  if (code === undefined) return shownPlan(call) ?? askCode(submission, state, typed);
  if (code === decisionCode(submission, rejections))
    return { approvalId, digest, ...(rejections === 0 ? {} : { overRejection: rejections }) };
  // a code of the same revision before it was rejected: the machine says who did, and that the approval lost
  const isEarlier = Array.from({ length: rejections }, (_, n) => decisionCode(submission, n)).includes(code);
  return isEarlier ? { approvalId, digest } : askCode(submission, state, typed);
}

/**
 * The approval that the last card shown to the sender offers, with what it says was seen. Over a rejection the code must
 * be typed: a message says no more than that it was read, not that it was read again after it changed.
 */
function shownPlan({ shown = [] }: CommandCall): JsonObject | undefined {
  const card = ofGateway(shown).find(({ kind, slice }) => kind === "approval" && slice === PLAN_MODE_SLICE);
  if (card?.state !== "pending") return undefined;
  const value = findAction(card, "approve")?.patch.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { action: _action, ...seen } = value;
  return seen;
}

function askCode(submission: Submission, { now }: PlanModeState, { edits, code, standing, steps }: Typed): No {
  const rejections = rejectionsOf(now);
  const { title, revision, planId } = submission;
  const terms = standing === undefined ? "" : `standing ${standing.runs} ${standing.days}d `;
  const some = steps === undefined ? "" : `${numberRanges(steps).replaceAll(" ", "")} `;
  const command = `/plan accept ${edits ? "edits " : ""}${some}${terms}${decisionCode(submission, rejections)}`;
  const about = { title: oneLine(title), revision, command };
  const how =
    now.phase === "rejected"
      ? localized("acceptOverByCode", { ...about, name: oneLine(now.decidedBy.name) })
      : localized("acceptByCode", about);
  const words: LocalizedText[] = code === undefined ? [how] : [localized("acceptOther"), how];
  return { refusal: refuse("APPROVAL_CODE_REQUIRED", lines(words), { plan_id: planId, revision, command }).refused };
}

/** Allowing a call is a decision about what was shown; denying it, and answering an agent's question, needs no proof. */
export function answerSeen({ shown = [] }: CommandCall, question: PendingQuestion, choice: string): string | No {
  const { call, approvalId } = question;
  if (call === undefined) return choice;
  const code = callCode({ ...question, call });
  const [first = "", ...rest] = choice.split(/\s+/);
  if (first.toLowerCase() === code) return rest.join(" ");
  const matched = matchAnswer(question, choice);
  const isAllowed = "refused" in matched || matched.optionId === DENY; // what fits no option is refused by the machine
  if (isAllowed || shown.some(({ id }) => id === approvalId)) return choice;
  const command = `/plan answer ${code} ${matched.optionId ?? ALLOW_ONCE}`;
  return { refusal: refuse("APPROVAL_CODE_REQUIRED", localized("answerByCode", { command }), { command }).refused };
}

const NOTHING_WAITS: No = {
  refusal: refuse("APPROVAL_NOT_PENDING", "No plan waits for a decision in this session.").refused,
};
