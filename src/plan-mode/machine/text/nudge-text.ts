/** What wakes an agent that has come to rest with work left, and what its heartbeat says about that work. */
import type { PlanModeState } from "../../protocol/state.ts";
import { isTerminal } from "../../protocol/plan.ts";
import { defuseLine } from "../../../plugins/sdk.ts";
import { nextStep } from "./status-text.ts";

const LINE_CHARS_MAX = 500;
const line = (text: string): string => defuseLine(text, LINE_CHARS_MAX);

export function nudgeText(state: PlanModeState, minutes: number): string {
  const { now } = state;
  const since = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  const said =
    now.phase === "executing"
      ? [
          `For ${since} no step of the approved plan has moved. ${progress(state)}`,
          "Go on with the next step now and report it with update_plan; if it is blocked, say by what, or ask.",
        ]
      : [
          `For ${since} this session has been in plan mode without a plan before a person.`,
          "Go on: look up what is missing, ask with ask_user_question what only the person can know, or submit the plan with exit_plan_mode.",
        ];
  return ["[PLAN_NUDGE]", ...said, "[/PLAN_NUDGE]"].join("\n");
}

/** The plan that is being carried out, in two lines; nothing where there is none. */
export function heartbeatLines(state: PlanModeState): string[] {
  if (state.now.phase !== "executing" || nextStep(state.now.steps) === undefined) return [];
  return [`- the plan "${line(state.now.submission.title)}" is being carried out. ${progress(state)}`];
}

function progress({ now }: PlanModeState): string {
  const next = nextStep(now.steps);
  const done = now.steps.filter(isTerminal).length;
  const counted = `${done} of ${now.steps.length} steps are closed.`;
  return next === undefined ? counted : `${counted} The next step: ${line(next.step)} (${next.status}).`;
}
