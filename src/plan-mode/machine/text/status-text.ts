/** The state of the plan for the agent: at the start of each executing turn, and after the conversation was summarised. */
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import { isTerminal, type PlanStep } from "../../protocol/plan.ts";
import { STEP_MARKS } from "../../protocol/step/step-marks.ts";
import { isAtCheckpoint } from "../stage/stages.ts";
import { defuseLine, type Continuation } from "../../../plugins/sdk.ts";

const LINE_CHARS_MAX = 500;
const CRITERIA_SHOWN_MAX = 10;
/** A plan may hold more steps than are worth repeating; the rest is counted. */
const STEPS_SHOWN_MAX = 50;

const line = (text: string): string => defuseLine(text, LINE_CHARS_MAX);

/** Part of the recorded input of the turn. */
export function statusText({ now, held }: PlanModeState): string[] {
  if (held !== undefined) return [HELD_TEXT];
  if (now.phase === "exploring") return draftText(now);
  if (now.phase !== "executing") return [];
  if (isAtCheckpoint(now)) return [CHECKPOINT_TEXT];
  const next = nextStep(now.steps);
  if (next === undefined) return [];
  const done = now.steps.filter(isTerminal).length;
  return [
    [
      "[PLAN_STATUS]",
      `plan: ${line(now.submission.title)}`,
      `progress: ${done} of ${now.steps.length} steps closed`,
      `next step: ${line(next.step)} (${next.status})`,
      ...openCriteria(next),
      "[/PLAN_STATUS]",
    ].join("\n"),
  ];
}

/** A draft that a skill brought is the agent's to change; it has to know that it is there. */
function draftText({ cycle: { seed }, steps }: PhaseOf<"exploring">): string[] {
  if (seed?.untouched !== true || steps.length === 0) return [];
  const shown = steps.slice(0, STEPS_SHOWN_MAX).map(({ step }) => `- ${line(step)}`);
  const more = steps.length - shown.length;
  return [
    [
      "[PLAN_STATUS]",
      `draft: begun with the template of the skill ${line(seed.skill)}, ${steps.length} steps; it is a proposal: make it fit with update_plan, or submit another plan`,
      ...shown,
      ...(more > 0 ? [`- and ${more} more`] : []),
      "[/PLAN_STATUS]",
    ].join("\n"),
  ];
}

const CHECKPOINT_TEXT = [
  "[PLAN_STATUS]",
  "Every step that was accepted is done; the others wait for a person. Only reading works until they are accepted.",
  "[/PLAN_STATUS]",
].join("\n");

const HELD_TEXT = [
  "[PLAN_STATUS]",
  "mode: normal, held",
  "Plan mode was left by somebody who could not have approved a plan: only reading works until whoever may approve lifts the hold.",
  "To change something, call enter_plan_mode and submit a plan.",
  "[/PLAN_STATUS]",
].join("\n");

function openCriteria({ acceptanceCriteria = [], verifiedCriteria = [] }: PlanStep): string[] {
  const verified = new Set(verifiedCriteria.map((criterion) => criterion.trim()));
  const open = acceptanceCriteria.filter((criterion) => !verified.has(criterion.trim()));
  if (open.length === 0) return [];
  const shown = open.slice(0, CRITERIA_SHOWN_MAX).map((criterion) => `- ${line(criterion)}`);
  const more = open.length - shown.length;
  return ["to verify before it is completed:", ...shown, ...(more > 0 ? [`- and ${more} more`] : [])];
}

export const nextStep = (steps: readonly PlanStep[]): PlanStep | undefined =>
  steps.find((step) => step.status === "in_progress") ?? steps.find((step) => step.status === "pending");

/** IN-07: a statement of fact, nothing where no step is active. */
export function preservedText({ now }: PlanModeState): string[] {
  const active = now.steps.filter((step) => !isTerminal(step));
  if (active.length === 0) return [];
  const shown = active
    .slice(0, STEPS_SHOWN_MAX)
    .map(({ step, status }) => `- ${STEP_MARKS[status]} ${line(step)} (${status})`);
  const more = active.length - shown.length;
  return [
    [
      "[Your active plan was preserved across context compression]",
      ...shown,
      ...(more > 0 ? [`- and ${more} more`] : []),
    ].join("\n"),
  ];
}

/** An agent that plans or waits for a person is not urged to act; one with approved steps left may be. */
export function continuation({ now, question, held }: PlanModeState): Continuation {
  if (now.mode === "plan" || question !== null || held !== undefined || isAtCheckpoint(now)) return "hold";
  return now.phase === "executing" && nextStep(now.steps) !== undefined ? "work" : undefined;
}
