/** Plan mode's facts as lines of the conversation: cards while something waits, one sentence when it was settled. */
import { never } from "../../core/never.ts";
import type { By, PlanEventOf, PlanModeEvent, PlanModeState } from "../../protocol/plan-mode.ts";
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "./marks.ts";
import { changedSteps, planCard, progress, stepList } from "./plan-card.ts";
import { questionCard } from "./question-card.ts";

export type Beholder = { look: Look; nowMs: number; operatorId: string };

/** `before` is the state that the fact met. */
export function planLines(event: PlanModeEvent, before: PlanModeState, beholder: Beholder): string[] {
  const { look } = beholder;
  const { paint } = look;
  switch (event.type) {
    case "plan.entered":
      return [
        "",
        ...note(MARKS.waiting, "Plan mode. The agent reads and plans; it changes nothing until you approve.", look),
      ];
    case "plan.refreshed":
      return [];
    case "plan.left":
      return note(
        MARKS.note,
        `${who(event.by, beholder)} switched plan mode off. The agent may make changes without a plan.`,
        look,
      );
    case "plan.submitted":
      return submitted(event, beholder);
    case "plan.approved":
      return ["", ...approved(event, before, beholder)];
    case "plan.rejected":
      return rejected(event, beholder);
    case "plan.timed_out":
      return note(
        MARKS.bad,
        "The plan expired: nobody decided in time. Nothing was changed, and the agent is told.",
        look,
      );
    case "plan.updated":
      return changedSteps(before.now.steps, event.steps, look);
    case "plan.completed":
      return [
        "",
        ...hang(
          `${MARKS.good} `,
          `Plan completed: ${sanitiseLine(event.title)} (${progress(before.now.steps)})`,
          look.columns,
        ).map(paint.good),
      ];
    case "plan.auto_set":
      return note(
        MARKS.note,
        `${who(event.by, beholder)} switched automatic approval ${event.enabled ? "on: plans are approved by rule" : "off"}.`,
        look,
      );
    case "question.asked":
      return ["", ...questionCard(event.question, beholder.nowMs, look)];
    case "question.answered":
      return answered(event, before, beholder);
    case "question.closed":
      return note(MARKS.bad, CLOSED[event.reason], look);
    case "grant.given":
    case "grant.spent":
      return []; // the answer, and the call itself, tell it
    default:
      return never(event);
  }
}

const CLOSED = {
  timed_out: "The question expired: nobody answered in time. The agent is told.",
  superseded: "The question was withdrawn: the agent went on without it.",
  left: "The question was withdrawn with plan mode.",
} as const;

function submitted(event: PlanEventOf<"plan.submitted">, { look, nowMs }: Beholder): string[] {
  const { body, submission } = event;
  const replaced =
    event.supersedes === undefined
      ? []
      : note(MARKS.note, `Revision ${submission.revision - 1} is superseded; decide about this one.`, look);
  const card = { body, revision: submission.revision, deadlineAtMs: submission.deadlineAtMs, nowMs };
  return ["", ...replaced, ...planCard(card, look)];
}

function approved(event: PlanEventOf<"plan.approved">, before: PlanModeState, beholder: Beholder): string[] {
  const { look } = beholder;
  const edits = event.unlock === "edited" ? ", with accept-edits" : "";
  const text =
    event.by.kind === "operator"
      ? `${who(event.by, beholder)} approved the plan${edits}. The agent may make its changes now.`
      : `Approved automatically (${sanitiseLine(event.by.name)}), not by a person. The agent may make its changes now.`;
  return [...hang(`${MARKS.good} `, text, look.columns).map(look.paint.good), ...stepList(before.now.steps, look)];
}

function rejected(event: PlanEventOf<"plan.rejected">, beholder: Beholder): string[] {
  const text = `${who(event.by, beholder)} sent the plan back: ${sanitise(event.feedback)}`;
  return hang(`${MARKS.back} `, text, beholder.look.columns).map(beholder.look.paint.waiting);
}

function answered(event: PlanEventOf<"question.answered">, before: PlanModeState, beholder: Beholder): string[] {
  const option = before.question?.options.find(({ id }) => id === event.optionId);
  const text = `${who(event.by, beholder)} answered: ${sanitiseLine(option?.label ?? event.answer)}`;
  return hang(`${MARKS.good} `, text, beholder.look.columns).map(beholder.look.paint.good);
}

function note(mark: string, text: string, { columns, paint }: Look): string[] {
  const stroke = mark === MARKS.waiting || mark === MARKS.bad ? paint.waiting : paint.quiet;
  return hang(`${mark} `, text, columns).map(stroke);
}

function who(by: By, { operatorId }: Beholder): string {
  if (by.kind === "operator") return by.id === operatorId ? "You" : sanitiseLine(by.name);
  return by.kind === "agent" ? "The agent" : sanitiseLine(by.name);
}
