/** The server's own texts to the agent. Whatever people or agents wrote is defused before it is placed in one. */
import { INJECTION_TEXT_CHARS_MAX } from "../../../protocol/injection.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PhaseOf, Submission } from "../../protocol/state.ts";
import type { By } from "../../../protocol/actor.ts";
import { isTerminal, type PlanStep } from "../../protocol/plan.ts";
import type { LocalizedText } from "../../../protocol/localized/localized-text.ts";
import { localized } from "../../texts/localized.ts";
import { numberRanges } from "../stage/number-ranges.ts";
import { ACCEPT_EDITS_LIMITS } from "./accept-edits-limits.ts";
import { defuseLine, firstChars, quoted } from "../../../plugins/sdk.ts";

/** From this rejection on the agent is advised to ask instead of guessing again. */
const REJECTIONS_UNTIL_ADVICE = 3;

const NAME_CHARS_MAX = 200;
const line = (text: string): string => defuseLine(text, NAME_CHARS_MAX);

export const ENTER_INSTRUCTIONS =
  "You are in plan mode: look, do not touch. Only reading tools run until a person approves your plan. " +
  "Explore, look facts up yourself, ask for preferences with ask_user_question, keep a draft with update_plan, " +
  "then submit the plan with exit_plan_mode and stop.";

export const SUBMIT_INSTRUCTIONS =
  "The plan is before a person. Stop here: the turn ends now, and you are resumed with the decision.";

export const UNLOCKED_INSTRUCTIONS =
  "The plan was approved by a rule, not by a person. Stop here: the turn ends now, and you are resumed to carry it out.";

export const ASK_INSTRUCTIONS = "The question is before a person. Stop here: you are resumed with the answer.";

export function introText(reason: string): string {
  return `[PLAN_MODE_INTRO]\nThis session is in plan mode (${line(reason)}). ${ENTER_INSTRUCTIONS}\n[/PLAN_MODE_INTRO]`;
}

type Decided = Pick<PhaseOf<"executing">, "submission" | "approval" | "decidedBy" | "signatures" | "scoped" | "held">;

/** `notes` are those that are still open, as `notesText` wrote them. */
export function approvedText(decided: Decided, notes = ""): string {
  const { submission, approval, decidedBy, signatures = [] } = decided;
  const edits =
    approval === "edited"
      ? [
          "Edits within this plan are accepted: you need not ask again for each of them.",
          "The approval does not cover:",
          ...ACCEPT_EDITS_LIMITS.map((limit) => `- ${limit}`),
          "Such a call is refused; ask the person with ask_user_question, and their yes unlocks that one call.",
        ]
      : [];
  return decisionText([
    `[PLAN_DECISION]: ${approval}`,
    ...head(submission),
    `decided by: ${signatures.length > 1 ? signatures.map(({ by }) => deciderOf(by)).join(", ") : deciderOf(decidedBy)}`,
    ...editionLines(submission),
    ...stepLines(submission.steps),
    "Mutating tools are unlocked. Carry the plan out now, without planning it again.",
    ...limitLines(decided),
    ...edits,
    ...(notes === "" ? [] : ["notes that came with the approval, as advice (the plan stays as it is):", notes]),
    "Report progress with update_plan. Cancel a step that is no longer viable and add a revised one in its place.",
  ]);
}

/** What the approval does not open. */
function limitLines({ scoped, held = [] }: Decided): string[] {
  return [
    ...(scoped === true
      ? [
          "Only what its steps declare as scope is unlocked. A call outside of that is refused, and a person is asked to amend the plan.",
        ]
      : []),
    ...(held.length === 0
      ? []
      : [`Not accepted yet: ${numberRanges(held)}. Leave these steps until a person accepts them.`]),
  ];
}

/** What was approved, so that nothing has to be remembered or looked up before the work begins. */
const STEPS_CHARS = 6_000;
const CRITERIA_SHOWN_MAX = 10;

function stepLines(steps: readonly PlanStep[]): string[] {
  if (steps.length === 0) return [];
  const lines = ["steps:"];
  let chars = 0;
  for (const [index, { step, status, acceptanceCriteria = [] }] of steps.entries()) {
    const done = status === "pending" ? "" : ` (${status})`;
    const criteria = acceptanceCriteria.slice(0, CRITERIA_SHOWN_MAX).map((criterion) => `   - ${line(criterion)}`);
    const own = [`${index + 1}. ${line(step)}${done}`, ...criteria];
    chars += own.join("\n").length + 1;
    if (chars > STEPS_CHARS) return [...lines, `(and ${steps.length - index} more: read them with plan_mode_status)`];
    lines.push(...own);
  }
  return lines;
}

type Rejected = Pick<PhaseOf<"rejected">, "submission" | "feedback" | "decidedBy" | "cycle">;

export function rejectedText({ submission, feedback, decidedBy, cycle }: Rejected, notes = ""): string {
  const advice =
    cycle.rejectionCount >= REJECTIONS_UNTIL_ADVICE
      ? [
          `This is rejection ${cycle.rejectionCount}. Do not guess again: ask the person with ask_user_question what they want, then revise.`,
        ]
      : [];
  return decisionText([
    "[PLAN_DECISION]: rejected",
    ...head(submission),
    `decided by: ${deciderOf(decidedBy)}`,
    ...editionLines(submission),
    ...feedbackLines(feedback, notes),
    "You are still in plan mode. Do not submit the same plan again: revise it by the feedback and call exit_plan_mode.",
    ...advice,
  ]);
}

/**
 * Feedback, notes and what a person changed share one injection. Showing hidden characters makes a text longer, so each
 * is measured as it will stand there; only a text made of such characters is ever cut.
 */
const FEEDBACK_BESIDE_NOTES_CHARS = 9_000;
const CHANGES_CHARS = 6_000;

function quotedUpTo(text: string, charsMax: number): string {
  const whole = quoted(text);
  return whole.length <= charsMax ? whole : `${firstChars(whole, charsMax)}\n(the rest was cut)`;
}

function feedbackLines(feedback: string, notes: string): string[] {
  if (notes === "") return ["feedback:", quotedUpTo(feedback, INJECTION_TEXT_CHARS_MAX - CHANGES_CHARS - REST_CHARS)];
  return [
    ...(feedback === "" ? [] : ["feedback:", quotedUpTo(feedback, FEEDBACK_BESIDE_NOTES_CHARS)]),
    "notes, in the order of the plan:",
    notes,
    'Name the notes that your revision answers in addresses of exit_plan_mode, as in ["n1"].',
  ];
}

/** The server's own words around them, with names and titles. */
const REST_CHARS = 2_500;

/** The steps are no longer the ones that the agent wrote. */
function editionLines({ edited, revision }: Pick<Submission, "edited" | "revision">): string[] {
  if (edited === undefined) return [];
  return [
    `${deciderOf(edited.by)} changed the steps (revision ${revision}). What changed:`,
    quotedUpTo(edited.changes, CHANGES_CHARS),
    "The steps of this revision are the plan now; read them with plan_mode_status.",
  ];
}

export function timedOutText({ submission }: Pick<PhaseOf<"timed_out">, "submission">, undelivered = false): string {
  return decisionText([
    "[PLAN_DECISION]: timed_out",
    ...head(submission),
    undelivered
      ? "It could not be delivered: nobody is known to have seen it, so nothing is approved. You are still in plan mode."
      : "Nobody decided before the deadline, so nothing is approved. You are still in plan mode.",
    "If the work is still wanted, submit the plan again with exit_plan_mode.",
  ]);
}

const head = (submission: { planId: string; title: string }): string[] => [
  `plan_id: ${submission.planId}`,
  `plan: ${line(submission.title)}`,
];

const decisionText = (lines: readonly string[]): string => [...lines, "[/PLAN_DECISION]"].join("\n");

const deciderOf = (by: By): string =>
  by.kind === "policy" ? `a rule (${line(by.name)}), not a person` : line(by.name);

export function answerText({ questionId, answer, optionId }: PlanEventOf<"question.answered">): string {
  const chosen = optionId === null ? "option: none, in their own words" : `option: ${line(optionId)}`;
  return envelope("QUESTION_ANSWER", [
    `question_id: ${questionId}`,
    chosen,
    "answer:",
    quoted(answer),
    "Go on from here; the session's mode is unchanged.",
  ]);
}

export function unansweredText(questionId: string): string {
  return envelope("QUESTION_ANSWER", [
    `question_id: ${questionId}`,
    "Nobody answered before the deadline. This is no answer: do not assume one. Take the safer course and say so, or ask again.",
  ]);
}

/** Text for a question without an answer, different for each reason. */
export function notAnsweredText(questionId: string, reason: "declined" | "deferred" | "left", said: string): string {
  return envelope("QUESTION_ANSWER", [
    `question_id: ${questionId}`,
    `result: ${reason === "left" ? "cancelled" : reason}`,
    ...(said === "" ? [] : ["they said:", quoted(said)]),
    NOT_ANSWERED[reason],
  ]);
}

const NOT_ANSWERED = {
  declined:
    "The person declined to answer. This is no answer and no yes: do not ask the same again; take the safer course and say so.",
  deferred:
    "The person will not answer now. This is no answer and no yes: go on with what does not depend on it, or stop and say what waits for it.",
  left: "The person left plan mode without answering: the question is cancelled. This is no answer: do not assume one.",
} as const;

export function completeText(title: string, steps: readonly PlanStep[]): string {
  return envelope("PLAN_COMPLETE", [
    completionSummary(title, steps).text,
    "The session is back in normal mode. Tell the person briefly what was done and what was left out.",
  ]);
}

/** For people as well. */
export function completionSummary(title: string, steps: readonly PlanStep[]): LocalizedText {
  const count = (status: PlanStep["status"]): number => steps.filter((step) => step.status === status).length;
  const closed = steps.filter(isTerminal).length;
  return localized("planComplete", {
    title: line(title),
    done: count("completed"),
    dropped: count("cancelled"),
    closed,
    total: steps.length,
  });
}

const envelope = (name: string, lines: readonly string[]): string => [`[${name}]`, ...lines, `[/${name}]`].join("\n");
