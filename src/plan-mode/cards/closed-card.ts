/** How a card of plan mode looks once a fact has closed it: for whoever showed it, since the state no longer knows it. */
import type { ApprovalCard, Card, CardOutcome, GrantCard, NoticeCard, QuestionCard } from "../../protocol/card/card.ts";
import { ApprovalId } from "../../protocol/ids.ts";
import type { PlanEventOf, PlanModeEvent } from "../protocol/event.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { never, oneLine } from "../../plugins/sdk.ts";
import { MODE_CHANGES } from "../machine/grant/grant.ts";
import { cardText, nameOf } from "./card-text.ts";
import { scopeLines } from "../protocol/step/step-lines.ts";
import { cardSteps } from "./plan-sections.ts";
import { CHECKPOINT_NOTICE } from "./checkpoint-card.ts";
import { AUTO_NOTICE } from "./notice-cards.ts";
import { isReminder } from "./reminder-card.ts";

/** Undefined where this fact does not close it. */
export function closedCard(card: Card, event: PlanModeEvent, earlier: readonly PlanModeEvent[] = []): Card | undefined {
  switch (card.kind) {
    case "approval":
      return closedApproval(card, event, earlier);
    case "question":
      return closedQuestion(card, event);
    case "grant":
      return closedGrant(card, event);
    case "notice":
      return closedNotice(card, event);
    default:
      return never(card);
  }
}

/** Nothing can be done on it any more, and no time runs. */
function closing<Kind extends Card>(card: Kind, words: LocalizedText, outcome: CardOutcome) {
  const { deadline: _over, ...rest } = card;
  return { ...rest, status: cardText(words), outcome: { ...card.outcome, ...outcome }, actions: [] };
}

function closedApproval(
  card: ApprovalCard,
  event: PlanModeEvent,
  earlier: readonly PlanModeEvent[],
): ApprovalCard | undefined {
  switch (event.type) {
    case "plan.submitted":
      if (event.submission.approvalId === card.id) return undefined;
      return { ...closing(card, localized("cardSuperseded"), { atMs: event.atMs }), state: "superseded" };
    case "plan.entered":
      return { ...closing(card, localized("cardWithdrawn"), { atMs: event.atMs }), state: "left" };
    case "plan.left": {
      const { by, atMs } = event;
      return { ...closing(card, localized("cardLeft", { name: nameOf(by) }), { by, atMs }), state: "left" };
    }
    case "plan.standing_signed": {
      const { plan, by, atMs } = event;
      const words = localized("cardStanding", { name: nameOf(by), runs: plan.runs, untilAtMs: plan.untilMs });
      return { ...closing(card, words, { by, atMs }), state: plan.unlock };
    }
    case "plan.completed":
      return {
        ...closing(card, localized("cardCompleted"), { atMs: event.atMs }),
        ...endedSteps(event, earlier),
        state: "completed",
      };
    default:
      return undefined;
  }
}

/** The change that closed the last step ends the plan as well, so no card was drawn in between. */
function endedSteps(
  { seen }: PlanEventOf<"plan.completed">,
  earlier: readonly PlanModeEvent[],
): Partial<Pick<ApprovalCard, "steps">> {
  const last = earlier.findLast((event) => event.type === "plan.updated");
  return last === undefined ? {} : { steps: cardSteps(last.steps, seen) };
}

function closedQuestion(card: QuestionCard, event: PlanModeEvent): QuestionCard | undefined {
  if (event.type === "question.answered" && event.questionId === card.questionId) {
    const { by, atMs, answer, optionId } = event;
    const outcome = { by, atMs, words: answer, ...(optionId === null ? {} : { optionId }) };
    const words = localized("cardAnswered", { name: nameOf(by), answer: oneLine(answer) });
    return { ...closing(card, words, outcome), state: "answered" };
  }
  if (event.type !== "question.closed" || event.questionId !== card.questionId) return undefined;
  const state = event.reason === "timed_out" ? "expired" : event.reason;
  return { ...closing(card, closedWords(event), leftBy(event)), state };
}

type Closed = PlanEventOf<"question.closed">;

function closedWords({ reason, by }: Closed): LocalizedText {
  const name = by === undefined ? localized("theAgent") : nameOf(by);
  switch (reason) {
    case "declined":
      return localized("cardDeclined", { name });
    case "deferred":
      return localized("cardDeferred", { name });
    case "timed_out":
      return localized("cardQuestionExpired");
    case "left":
    case "superseded":
      return localized("cardQuestionSuperseded");
    default:
      return never(reason);
  }
}

const leftBy = ({ by, atMs, said }: Closed): CardOutcome => ({
  atMs,
  ...(by === undefined ? {} : { by }),
  ...(said === undefined ? {} : { words: said }),
});

function closedGrant(card: GrantCard, event: PlanModeEvent): GrantCard | undefined {
  if (card.state === "given") return usedGrant(card, event);
  switch (event.type) {
    case "grant.given": {
      const { by, id, untilMs } = event.grant;
      if (event.questionId !== card.questionId) return undefined;
      const words = localized("cardGiven", { name: nameOf(by) });
      return { ...closing(card, words, { by, atMs: event.atMs }), state: "given", grantId: id, untilMs };
    }
    case "plan.amended": {
      const { by, n, add } = event.amendment;
      if (event.questionId !== card.questionId) return undefined;
      const words = localized("planAmended", { name: nameOf(by), n, what: oneLine(scopeLines(add).join("; ")) });
      return { ...closing(card, words, { by, atMs: event.atMs }), state: "spent" };
    }
    case "grant.denied": {
      const { by, atMs } = event;
      if (event.questionId !== card.questionId) return undefined;
      return { ...closing(card, localized("cardDenied", { name: nameOf(by) }), { by, atMs }), state: "denied" };
    }
    case "question.closed":
      return event.questionId === card.questionId
        ? { ...closing(card, closedWords(event), leftBy(event)), state: unanswered(event.reason) }
        : undefined;
    default:
      return undefined;
  }
}

function unanswered(reason: Closed["reason"]): GrantCard["state"] {
  if (reason === "timed_out") return "expired";
  return reason === "left" || reason === "superseded" ? "void" : reason;
}

/** A yes that was given: used, out of time, or void because what it was given under has changed. */
function usedGrant(card: GrantCard, event: PlanModeEvent): GrantCard | undefined {
  const outcome = { atMs: event.atMs };
  if (event.type === "grant.spent" && event.grantId === card.grantId) {
    return { ...closing(card, localized("cardSpent"), outcome), state: "spent" };
  }
  const isReplaced = event.type === "grant.given" && event.grant.id !== card.grantId;
  if (!isReplaced && !MODE_CHANGES.has(event.type)) return undefined;
  return isOver(card, event.atMs)
    ? { ...closing(card, localized("cardGrantExpired"), outcome), state: "expired" }
    : { ...closing(card, localized("cardVoid"), outcome), state: "void" };
}

const isOver = ({ untilMs }: GrantCard, atMs: number): boolean => untilMs !== undefined && atMs >= untilMs;

/** A hold ends by being lifted, or because plan mode takes its place. */
function endedHold(card: NoticeCard, event: PlanModeEvent): NoticeCard | undefined {
  if (event.type === "plan.entered")
    return { ...closing(card, localized("planOn"), { atMs: event.atMs }), state: "ended" };
  if (event.type !== "hold.lifted" || event.holdId !== card.id) return undefined;
  const { by, atMs } = event;
  return { ...closing(card, localized("planLifted"), { by, atMs }), state: "ended" };
}

/** It says what became of the thing that it reminded of. */
function closedReminder(card: NoticeCard, event: PlanModeEvent): NoticeCard | undefined {
  const ended = (words: LocalizedText, outcome: CardOutcome): NoticeCard => ({
    ...closing(card, words, { atMs: event.atMs, ...outcome }),
    state: "ended",
  });
  switch (event.type) {
    case "approval.reminded":
      return event.reminds ? ended(localized("cardReminderOver"), {}) : undefined;
    case "plan.approved": {
      const name = nameOf(event.by);
      return ended(localized(event.unlock === "edited" ? "cardEdited" : "cardApproved", { name }), { by: event.by });
    }
    case "plan.rejected":
      return ended(localized("cardRejected", { name: nameOf(event.by) }), { by: event.by, words: event.feedback });
    case "plan.timed_out":
      return ended(localized("cardTimedOut"), {});
    case "question.answered": {
      const { by, answer } = event;
      return ended(localized("cardAnswered", { name: nameOf(by), answer: oneLine(answer) }), { by });
    }
    case "question.closed":
      return ended(closedWords(event), leftBy(event));
    case "plan.submitted":
      return ended(localized("cardSuperseded"), {});
    case "plan.left":
      return ended(localized("cardLeft", { name: nameOf(event.by) }), { by: event.by });
    default:
      return undefined;
  }
}

function passedCheckpoint(card: NoticeCard, event: PlanModeEvent): NoticeCard | undefined {
  if (!CHECKPOINT_ENDS.has(event.type)) return undefined;
  const words = localized(event.type === "plan.left" ? "planOff" : "stepsDecided");
  return { ...closing(card, words, { atMs: event.atMs }), state: "ended" };
}

const CHECKPOINT_ENDS: ReadonlySet<PlanModeEvent["type"]> = new Set([
  "plan.staged",
  "plan.left",
  "plan.entered",
  "plan.completed",
]);

function closedNotice(card: NoticeCard, event: PlanModeEvent): NoticeCard | undefined {
  if (isReminder(card)) return closedReminder(card, event);
  if (ApprovalId.safeParse(card.id).success) return endedHold(card, event);
  if (card.id.startsWith(CHECKPOINT_NOTICE)) return passedCheckpoint(card, event);
  const isOff = event.type === "plan.left" || (event.type === "plan.auto_set" && !event.enabled);
  if (!isOff) return undefined;
  const words = card.id === AUTO_NOTICE ? localized("autoOff") : localized("planOff");
  return { ...closing(card, words, { atMs: event.atMs }), state: "ended" };
}
