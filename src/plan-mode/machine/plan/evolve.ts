/** How the facts of a plan's life change the state: entered, submitted, expired, updated, completed, left. */
import type { PlanEventOf } from "../../protocol/event.ts";
import { PAST_SUBMISSIONS_MAX, type PhaseOf, type PlanModeState, type PlanPhase } from "../../protocol/state.ts";
import { never } from "../../../plugins/sdk.ts";
import { onlyOpen } from "../note/evolve.ts";
import { touched } from "../seed/evolve.ts";
import { inCycle, submittedPhase } from "./cycle.ts";

export type PlanLifeEvent = PlanEventOf<
  | "plan.entered"
  | "plan.refreshed"
  | "plan.left"
  | "plan.submitted"
  | "plan.timed_out"
  | "plan.updated"
  | "plan.completed"
>;

export function evolvePlan(state: PlanModeState, event: PlanLifeEvent): PlanModeState {
  switch (event.type) {
    case "plan.entered":
      return { ...withoutReview(remembering(state)), now: exploring(event) };
    case "plan.refreshed":
      return state; // the commit itself is newer; when plan mode was entered stays what its line said
    case "plan.left":
      return { ...withoutAuto(withoutReview(remembering(state))), now: off(state.now, "off") };
    case "plan.submitted":
      return { ...withOpenNotes(remembering(state)), now: pending(state.now, event) };
    case "plan.timed_out":
      return { ...state, now: timedOut(state.now) };
    case "plan.updated":
      return { ...state, now: { ...touched(state.now), steps: event.steps } };
    case "plan.completed":
      return { ...withoutReview(remembering(state)), now: off(state.now, "completed") };
    default:
      return never(event);
  }
}

const exploring = ({ cycle }: PlanEventOf<"plan.entered">): PhaseOf<"exploring"> => ({
  phase: "exploring",
  mode: "plan",
  approval: "none",
  cycle,
  steps: [],
});

function off(now: PlanPhase, left: "off" | "completed"): PhaseOf<"off"> {
  const cycleId = now.phase === "off" ? now.cycleId : now.cycle.id;
  return {
    phase: "off",
    mode: "normal",
    approval: "none",
    left,
    ...(cycleId === undefined ? {} : { cycleId }),
    steps: left === "completed" || now.phase === "off" ? now.steps : [],
  };
}

function withoutAuto({ autoBy: _before, ...state }: PlanModeState): PlanModeState {
  return { ...state, auto: false };
}

/** The cycle is over; what was said about its plan stays in the records. */
function withoutReview({ review: _past, ...state }: PlanModeState): PlanModeState {
  return state;
}

const withOpenNotes = (state: PlanModeState): PlanModeState =>
  state.review === undefined ? state : { ...state, review: onlyOpen(state.review) };

function pending(now: PlanPhase, { submission, needs }: PlanEventOf<"plan.submitted">): PhaseOf<"pending"> {
  const { cycle } = inCycle(now, "plan.submitted");
  return {
    phase: "pending",
    mode: "plan",
    approval: "pending",
    cycle: { ...cycle, revisionCount: submission.revision },
    steps: submission.steps,
    submission,
    ...(needs === undefined ? {} : { needs }),
  };
}

function timedOut(now: PlanPhase): PhaseOf<"timed_out"> {
  const { cycle, submission, steps } = submittedPhase(now, "plan.timed_out");
  return { phase: "timed_out", mode: "plan", approval: "timed_out", cycle, steps, submission };
}

/** The submission that is about to be replaced goes to the list of past ones. */
export function remembering(state: PlanModeState): PlanModeState {
  const { now, past = [] } = state;
  if (now.phase === "off" || now.phase === "exploring") return state;
  const { approvalId, planId } = now.submission;
  return { ...state, past: [...past, { approvalId, planId, cycleId: now.cycle.id }].slice(-PAST_SUBMISSIONS_MAX) };
}
