/** `update_plan`: a draft while planning, progress while executing; the revision that was submitted never changes. */
import { Json } from "../../../protocol/json.ts";
import type { PlanPatch } from "../../protocol/command.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { isTerminal, type PlanStep } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuseUnproven, seenIn } from "../evidence/refuse-unproven.ts";
import { refuseUnderWay } from "../evidence/under-way.ts";
import { refuseStaged } from "../stage/stages.ts";
import { closeQuestion } from "./cycle.ts";
import type { PlanDecision } from "../decision.ts";
import { keepDeclarations, refuseAddedScope, refuseDeclarations } from "./step-declarations.ts";
import { keepCriteria, mergeSteps, refuseSteps, refuseUnverified, refuseWeakened } from "./steps.ts";
import type { PlanContext } from "../actors.ts";

export function update(state: PlanModeState, patch: PlanPatch, context: PlanContext): PlanDecision {
  const { now } = state;
  const bad = refuseSteps(patch.plan);
  if (bad !== undefined) return bad;
  const approved = now.phase === "executing" ? now.submission.steps : [];
  const given = patch.merge === true ? mergeSteps(now.steps, patch.plan) : keepCriteria(approved, patch.plan);
  const steps = keepDeclarations(approved, given);
  const refused =
    refuseResult(steps, approved) ??
    refuseStaged(now, steps) ??
    refuseUnproven(now, steps) ??
    refuseUnderWay(now, steps, context);
  if (refused !== undefined) return refused;
  const { explanation } = patch;
  const updated: PlanModeEvent = {
    type: "plan.updated",
    steps,
    ...(explanation === undefined ? {} : { explanation }),
    atMs: context.nowMs,
  };
  const completed = completion(state, steps, context);
  return { events: [updated, ...completed], reply: updateReply(now.mode, steps, completed.length > 0) };
}

const refuseResult = (steps: readonly PlanStep[], approved: readonly PlanStep[]): Refused | undefined =>
  refuseSteps(steps) ??
  refuseWeakened(approved, steps) ??
  refuseDeclarations(steps) ??
  (approved.length === 0 ? undefined : refuseAddedScope(approved, steps)) ??
  refuseUnverified(steps);

/** A cycle is complete when every step is closed; that ends it, so it happens once. */
export function completion(state: PlanModeState, steps: readonly PlanStep[], context: PlanContext): PlanModeEvent[] {
  const { now } = state;
  if (now.phase !== "executing" || !steps.every(isTerminal)) return [];
  const { cycle, submission } = now;
  return [
    ...closeQuestion(state, "superseded", context),
    { type: "plan.completed", cycleId: cycle.id, title: submission.title, ...seenIn(now), atMs: context.nowMs },
  ];
}

function updateReply(mode: string, steps: readonly PlanStep[], completed: boolean) {
  const next = steps.find((step) => step.status === "in_progress") ?? steps.find((step) => step.status === "pending");
  return {
    mode: completed ? "normal" : mode,
    plan: Json.parse(steps),
    done: steps.filter(isTerminal).length,
    total: steps.length,
    next_step: next?.step ?? null,
    plan_completed: completed,
  };
}
