/** How each fact changes plan mode. Facts are never judged here: what may happen was settled in `decide`. */
import type { PlanEventOf, PlanModeEvent } from "../protocol/event.ts";
import { PAST_SUBMISSIONS_MAX, type PhaseOf, type PlanModeState, type PlanPhase } from "../protocol/state.ts";
import { never } from "../../plugins/sdk.ts";
import { evolveReading } from "./reading/reading-change.ts";
import { evolveReview, NO_REVIEW, onlyOpen } from "./review/evolve-review.ts";
import { samePerson } from "./signing/approvers.ts";
import { withoutGrant, withoutVoidGrant } from "./calls/grant.ts";

export const INITIAL: PlanModeState = {
  now: { phase: "off", mode: "normal", approval: "none", left: "never", steps: [] },
  auto: false,
  question: null,
};

export function evolve(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  return withoutVoidGrant(evolved(state, event), event);
}

function evolved(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  switch (event.type) {
    case "plan.entered":
      return { ...withoutReview(remembering(state)), now: exploring(event) };
    case "plan.refreshed":
      return { ...state, now: refreshed(state.now, event.atMs) };
    case "plan.left":
      return { ...withoutReview(remembering(state)), auto: false, now: off(state.now, "off") };
    case "plan.submitted":
      return { ...withOpenNotes(remembering(state)), now: pending(state.now, event) };
    case "plan.signed":
      return { ...state, now: signed(state.now, event) };
    case "plan.approved":
      return { ...state, now: executing(state.now, event) };
    case "plan.rejected":
      return { ...state, now: rejected(state.now, event) };
    case "plan.timed_out":
      return { ...state, now: timedOut(state.now) };
    case "plan.updated":
      return { ...state, now: { ...state.now, steps: event.steps } };
    case "plan.completed":
      return { ...withoutReview(remembering(state)), now: off(state.now, "completed") };
    case "plan.reading":
      return evolveReading(state, event);
    case "plan.shared":
    case "plan.unshared":
    case "plan.nudged":
    case "plan.rested":
      return state;
    case "note.added":
    case "note.replied":
    case "note.resolved":
    case "note.reopened":
    case "notes.moved":
      return { ...state, review: evolveReview(state.review ?? NO_REVIEW, event) };
    case "plan.auto_set":
      return { ...state, auto: event.enabled };
    case "question.asked":
      return { ...state, question: event.question };
    case "question.answered":
    case "question.closed":
      return { ...state, question: null };
    case "grant.given":
      return { ...state, grant: event.grant };
    case "grant.spent":
      return withoutGrant(state);
    case "grant.denied":
      return state;
    case "permission.set":
      return { ...state, permission: event.mode };
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

function refreshed(now: PlanPhase, atMs: number): PlanPhase {
  return now.phase === "off" ? now : { ...now, cycle: { ...now.cycle, enteredAtMs: atMs } };
}

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

/** Signing again replaces what the same person said before. */
function signed(now: PlanPhase, { signature, needs }: PlanEventOf<"plan.signed">): PlanPhase {
  if (now.phase !== "pending" && now.phase !== "rejected") throw new Error(`plan.signed in ${now.phase}`);
  const others = (now.signatures ?? []).filter(({ by }) => !samePerson(by, signature.by));
  return { ...now, signatures: [...others, signature], needs };
}

function executing(
  now: PlanPhase,
  { unlock, by, signatures, atMs }: PlanEventOf<"plan.approved">,
): PhaseOf<"executing"> {
  const { cycle, submission } = submitted(now, "plan.approved");
  return {
    phase: "executing",
    mode: "executing",
    approval: unlock,
    cycle: { ...cycle, rejectionCount: 0 },
    steps: submission.steps, // exactly what was approved, whatever the draft had become
    submission,
    decidedBy: by,
    decidedAtMs: atMs,
    ...(signatures === undefined ? {} : { signatures }),
  };
}

function rejected(now: PlanPhase, { feedback, by }: PlanEventOf<"plan.rejected">): PhaseOf<"rejected"> {
  const { cycle, submission, steps } = submitted(now, "plan.rejected");
  return {
    phase: "rejected",
    mode: "plan",
    approval: "rejected",
    cycle: { ...cycle, rejectionCount: cycle.rejectionCount + 1 },
    steps,
    submission,
    feedback,
    decidedBy: by,
  };
}

function timedOut(now: PlanPhase): PhaseOf<"timed_out"> {
  const { cycle, submission, steps } = submitted(now, "plan.timed_out");
  return { phase: "timed_out", mode: "plan", approval: "timed_out", cycle, steps, submission };
}

/** The submission that is about to be replaced goes to the list of past ones. */
function remembering(state: PlanModeState): PlanModeState {
  const { now, past = [] } = state;
  if (now.phase === "off" || now.phase === "exploring") return state;
  const { approvalId, planId } = now.submission;
  return { ...state, past: [...past, { approvalId, planId, cycleId: now.cycle.id }].slice(-PAST_SUBMISSIONS_MAX) };
}

type InCycle = Exclude<PlanPhase, { phase: "off" }>;
type Submitted = Exclude<InCycle, { phase: "exploring" }>;

function inCycle(now: PlanPhase, type: string): InCycle {
  if (now.phase === "off") throw new Error(`${type} outside a cycle`);
  return now;
}

function submitted(now: PlanPhase, type: string): Submitted {
  const cycle = inCycle(now, type);
  if (cycle.phase === "exploring") throw new Error(`${type} before plan.submitted`);
  return cycle;
}
