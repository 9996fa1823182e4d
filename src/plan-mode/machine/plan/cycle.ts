/** The one way a cycle begins, whoever enters: a tool, a person, a default or a rule. */
import { CycleId } from "../../../protocol/ids.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { Cycle, PlanModeState, PlanPhase, Submission } from "../../protocol/state.ts";
import type { By } from "../../../protocol/actor.ts";
import type { PlanContext } from "../actors.ts";

const CYCLE_SLOT = 0;

/** Why a cycle began in which a held run submits what it wants to change. */
export const PROPOSAL = "unattended";

/** Starts a cycle and closes what the one before it left open. */
export function beginCycle(
  state: PlanModeState,
  entering: { by: By; reason: string },
  context: PlanContext,
): PlanModeEvent[] {
  const previous = cycleIdOf(state);
  const entered: PlanEventOf<"plan.entered"> = {
    type: "plan.entered",
    cycle: newCycle(entering, context),
    ...(previous === undefined ? {} : { previousCycleId: previous }),
    atMs: context.nowMs,
  };
  return [...closeQuestion(state, "superseded", context), entered];
}

export function newCycle({ by, reason }: { by: By; reason: string }, context: PlanContext): Cycle {
  return {
    id: CycleId.parse(context.freshId("cyc", CYCLE_SLOT)),
    enteredAtMs: context.nowMs,
    enteredBy: by,
    reason,
    rejectionCount: 0,
    revisionCount: 0,
  };
}

export function cycleIdOf({ now }: PlanModeState): CycleId | undefined {
  return now.phase === "off" ? now.cycleId : now.cycle.id;
}

export const submissionOf = ({ now }: PlanModeState): Submission | undefined =>
  now.phase === "off" || now.phase === "exploring" ? undefined : now.submission;

export function closeQuestion(
  { question }: PlanModeState,
  reason: PlanEventOf<"question.closed">["reason"],
  context: PlanContext,
): PlanModeEvent[] {
  if (question === null) return [];
  return [{ type: "question.closed", questionId: question.questionId, reason, atMs: context.nowMs }];
}

type InCycle = Exclude<PlanPhase, { phase: "off" }>;
type Submitted = Exclude<InCycle, { phase: "exploring" }>;

/** The cycle that an event belongs to; an event without one is a bug. */
export function inCycle(now: PlanPhase, type: string): InCycle {
  if (now.phase === "off") throw new Error(`${type} outside a cycle`);
  return now;
}

export function submittedPhase(now: PlanPhase, type: string): Submitted {
  const cycle = inCycle(now, type);
  if (cycle.phase === "exploring") throw new Error(`${type} before plan.submitted`);
  return cycle;
}
