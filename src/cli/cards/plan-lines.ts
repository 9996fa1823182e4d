/** Plan mode's facts as lines of the conversation, one sentence each; what waits is drawn from its card. */
import { never } from "../../core/never.ts";
import { cardSteps, planSections } from "../../plan-mode/cards/plan-sections.ts";
import type { PlanEventOf, PlanModeEvent } from "../../plan-mode/protocol/event.ts";
import type { PlanModeState } from "../../plan-mode/protocol/state.ts";
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "./marks.ts";
import { planLabel } from "./card-label.ts";
import { changedSteps, foldedSteps, pastPlan } from "./plan-card.ts";
import { isReviewFact, reviewLines } from "./review-lines.ts";
import { type Beholder, who } from "./who.ts";
import { ruleLines, workLines } from "./work-lines.ts";

const ENTERED = "Plan mode. The agent reads and plans; it changes nothing until you approve.";

const EXPIRED = "The plan expired: nobody decided in time. Nothing was changed, and the agent is told.";

/** `before` is the state that the fact met. */
export function planLines(event: PlanModeEvent, before: PlanModeState, beholder: Beholder): string[] {
  const { look } = beholder;
  if (isReviewFact(event)) return reviewLines(event, before, beholder);
  switch (event.type) {
    case "plan.entered":
      return ["", ...note(MARKS.waiting, ENTERED, look)];
    case "plan.refreshed":
    case "plan.rested":
      return [];
    case "plan.seeded":
    case "plan.archetype_set":
      return note(MARKS.note, draftLine(event, beholder), look);
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
    case "plan.standing_signed":
      return standingSigned(event, beholder);
    case "plan.standing_begun":
      return note(MARKS.good, `Run ${event.standing.n} under the plan that stands for this job.`, look);
    case "plan.rejected":
      return rejected(event, beholder);
    case "plan.timed_out":
      return note(MARKS.bad, EXPIRED, look);
    case "plan.updated":
      return changedSteps(cardSteps(before.now.steps), cardSteps(event.steps), look);
    case "plan.completed": // the session's own line tells it, in the same words on every surface
    case "question.asked":
      return [];
    case "question.answered":
      return answered(event, beholder);
    case "question.closed":
      return note(MARKS.bad, CLOSED[event.reason], look);
    case "grant.given":
    case "grant.spent":
    case "grant.denied":
      return []; // the answer, and the call itself, tell it
    case "run.gated":
      return gatedLines(event, look);
    case "run.tried":
      return triedLines(event, look);
    case "hold.set":
    case "hold.lifted":
    case "loosening.signed":
      return holdLines(event, beholder);
    case "plan.staged":
    case "plan.changed":
    case "evidence.captured":
    case "evidence.given":
    case "plan.amended":
      return workLines(event, beholder);
    case "plan.nudged":
      return note(MARKS.note, "Nothing has moved for a while: the agent was nudged.", look);
    case "approval.reminded":
    case "approval.put_off":
    case "approval.undelivered":
      return reachLines(event, beholder);
    case "plan.auto_set":
    case "permission.set":
      return ruleLines(event, beholder);
    default:
      return never(event);
  }
}

function draftLine(event: PlanEventOf<"plan.seeded" | "plan.archetype_set">, beholder: Beholder): string {
  if (event.type === "plan.archetype_set")
    return `${who(event.by, beholder)} chose the kind of plan: ${event.archetype ?? "none"}.`;
  const { seed, steps } = event;
  return `The draft begins with the template of the skill ${sanitiseLine(seed.skill)}: ${steps.length} steps.`;
}
const gatedLines = ({ gated }: PlanEventOf<"run.gated">, look: Beholder["look"]): string[] =>
  gated
    ? note(MARKS.note, "The agent's hooks report again.", look)
    : note(MARKS.bad, "The agent works past its hooks: nothing holds it unless holdpoint run started it.", look);

/** How many others follow stands on the card. */
const triedLines = ({ path, program, others }: PlanEventOf<"run.tried">, look: Beholder["look"]): string[] =>
  others > 0 ? [] : note(MARKS.note, sanitiseLine(`It tried to change ${path} (${program}), and was refused.`), look);

type Reached = PlanEventOf<"approval.reminded" | "approval.put_off" | "approval.undelivered">;

function reachLines(event: Reached, { look }: Beholder): string[] {
  if (event.type === "approval.undelivered")
    return note(MARKS.bad, sanitiseLine(`It could not be delivered to ${event.place}: ${event.why}`), look);
  const isReminder = event.type === "approval.reminded" && event.reminds;
  return isReminder ? note(MARKS.note, "Nobody has answered yet: people were reminded.", look) : [];
}

function holdLines(event: PlanEventOf<"hold.set" | "hold.lifted" | "loosening.signed">, beholder: Beholder): string[] {
  const { look } = beholder;
  switch (event.type) {
    case "hold.set":
      return note(
        MARKS.waiting,
        "The session is held: only reading runs until those who may approve say /plan lift.",
        look,
      );
    case "hold.lifted":
      return note(MARKS.note, `${who(event.by, beholder)} lifted the hold: the agent may change things again.`, look);
    case "loosening.signed": {
      const { signature, what, needs } = event;
      const about =
        what.kind === "permission"
          ? `for permissions ${what.mode}`
          : what.kind === "lift"
            ? "to lift the hold"
            : what.kind === "amend"
              ? "to amend the plan"
              : "to accept further steps";
      return note(MARKS.note, `${who(signature.by, beholder)} signed ${about}; ${needs.quorum} must.`, look);
    }
    default:
      return never(event);
  }
}

const CLOSED = {
  timed_out: "The question expired: nobody answered in time. The agent is told.",
  superseded: "The question was withdrawn: the agent went on without it.",
  left: "The question was withdrawn with plan mode.",
  declined: "The question was declined. The agent is told, and goes on without an answer.",
  deferred: "The question was put off. The agent is told, and goes on with what does not depend on it.",
} as const;

/** A plan that needs no approval has no waiting card: its whole text is shown here. */
function submitted(event: PlanEventOf<"plan.submitted">, { look }: Beholder): string[] {
  const { body, submission } = event;
  const { edited } = submission;
  const decide = event.unlocked === true ? "" : " Decide about this one; /plan diff shows what it changed.";
  const author = edited === undefined ? "" : ` ${sanitiseLine(edited.by.name)} edited its steps.`;
  const replaced =
    event.supersedes === undefined
      ? []
      : note(MARKS.note, `Revision ${submission.revision - 1} is superseded.${author}${decide}`, look);
  if (event.unlocked !== true) return replaced.length === 0 ? [] : ["", ...replaced];
  const document = { title: body.title, steps: cardSteps(body.plan), sections: planSections(body) };
  return ["", ...replaced, ...pastPlan({ document, label: planLabel(submission.revision), note: "not asked" }, look)];
}

function approved(event: PlanEventOf<"plan.approved">, before: PlanModeState, beholder: Beholder): string[] {
  const { look } = beholder;
  const edits = event.unlock === "edited" ? ", with accept-edits" : "";
  const text =
    event.by.kind === "operator"
      ? `${who(event.by, beholder)} approved the plan${edits}. The agent may make its changes now.`
      : `Approved automatically (${sanitiseLine(event.by.name)}), not by a person. The agent may make its changes now.`;
  return [
    ...hang(`${MARKS.good} `, text, look.columns).map(look.paint.good),
    ...foldedSteps(cardSteps(before.now.steps), look),
  ];
}

function standingSigned({ by, plan }: PlanEventOf<"plan.standing_signed">, beholder: Beholder): string[] {
  const until = new Date(plan.untilMs).toISOString().slice(0, 10);
  const text = `${who(by, beholder)} signed the plan for the job: ${plan.runs} runs, until ${until}. Its next run carries it out.`;
  return ["", ...hang(`${MARKS.good} `, text, beholder.look.columns).map(beholder.look.paint.good)];
}

function rejected(event: PlanEventOf<"plan.rejected">, beholder: Beholder): string[] {
  const said = event.feedback === "" ? "as the notes say." : sanitise(event.feedback);
  const text = `${who(event.by, beholder)} sent the plan back: ${said}`;
  return hang(`${MARKS.back} `, text, beholder.look.columns).map(beholder.look.paint.waiting);
}

function answered(event: PlanEventOf<"question.answered">, beholder: Beholder): string[] {
  const text = `${who(event.by, beholder)} answered: ${sanitiseLine(event.answer)}`;
  return hang(`${MARKS.good} `, text, beholder.look.columns).map(beholder.look.paint.good);
}

function note(mark: string, text: string, { columns, paint }: Look): string[] {
  const stroke = mark === MARKS.waiting || mark === MARKS.bad ? paint.waiting : paint.quiet;
  return hang(`${mark} `, text, columns).map(stroke);
}
