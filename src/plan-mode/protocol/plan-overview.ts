/** How plan mode stands in a session, as surfaces show it beside the cards: mode, progress, notes, what was done last. */
import type { ApprovalId, CycleId } from "../../protocol/ids.ts";
import type { PlanStep } from "./plan.ts";
import type { Note } from "./review.ts";
import type { PermissionMode } from "./settings.ts";
import type { PlanModeState, SessionMode } from "./state.ts";

export type PlanOverview = {
  mode: SessionMode;
  /** Submitted plans are approved by rule. */
  auto: boolean;
  /** Normal, but only reading until somebody who may approve lifts it. */
  held: boolean;
  permission: PermissionMode;
  /** Of the plan that is carried out, or was last. */
  steps: readonly PlanStep[];
  /** The plan that is carried out, as decisions about its steps name it. */
  carriedOut: { approvalId: ApprovalId; digest: string } | undefined;
  /** Of the plan that is carried out, the numbers of the steps that nobody accepted yet. */
  heldSteps: readonly number[];
  notes: readonly Note[];
  /** The cycle whose plan was carried out last, until another begins. */
  completed: CycleId | undefined;
};

export const planOverview = ({ now, auto, held, permission = "default", review }: PlanModeState): PlanOverview => ({
  mode: now.mode,
  auto,
  held: held !== undefined,
  permission,
  steps: now.steps,
  carriedOut: now.phase === "executing" ? now.submission : undefined,
  heldSteps: now.phase === "executing" ? (now.held ?? []) : [],
  notes: review?.notes ?? [],
  completed: now.phase === "off" && now.left === "completed" ? now.cycleId : undefined,
});
