/** What people decide about single steps while the plan is carried out: accept what is held, hold, skip (BY-05). */
import type { Refused } from "../../../protocol/refusal.ts";
import type { PlanVerdict } from "../../protocol/command.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import { refuse } from "../../protocol/refuse.ts";
import { isTerminal } from "../../protocol/plan.ts";
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import { byOf, type PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { refuseApprover, refuseAuthor } from "../signature/approvers.ts";
import { loosen } from "../signature/loosening.ts";
import { refuseUnlock } from "../sub-agents/sub-agent-gate.ts";
import { completion } from "../plan/update.ts";
import { evolveStages } from "./evolve.ts";
import { nextStage, refuseNumbers } from "./stages.ts";

type Staging = Extract<PlanVerdict, { action: "release" | "hold" | "skip" }>;
type Executing = PhaseOf<"executing">;

export function stage(state: PlanModeState, asked: Staging, context: PlanContext): PlanDecision {
  const { now } = state;
  if (now.phase !== "executing") return NOT_CARRIED_OUT;
  if (asked.approvalId !== now.submission.approvalId) return OTHER_PLAN;
  if (asked.digest !== undefined && asked.digest !== now.submission.digest) return OTHER_TEXT;
  const refused = refuseNumbers(asked.steps, now.submission.steps) ?? refuseApprover(context);
  if (refused !== undefined) return refused;
  return asked.action === "release"
    ? release(state, { now, steps: asked.steps }, context)
    : narrow(state, { now, asked }, context);
}

const NOT_CARRIED_OUT = refuse(
  "PLAN_NOT_ACTIVE",
  "No plan is being carried out. Of a plan that waits, accept the steps that you want: /plan accept 1-3.",
);
const OTHER_PLAN = refuse("APPROVAL_SUPERSEDED", "This is not the plan that is being carried out now.");
const OTHER_TEXT = refuse("APPROVAL_DIGEST_MISMATCH", "The plan that was shown is not the one that is carried out.");
const NOTHING_HELD = refuse("PLAN_INVALID", "None of these steps is held.");

/** Accepting more is an approval, and needs what one needs (PL-18, PL-19, SB-03). */
function release(
  state: PlanModeState,
  { now, steps }: { now: Executing; steps: readonly number[] | undefined },
  context: PlanContext,
): PlanDecision {
  const held = now.held ?? [];
  const wanted = (steps ?? nextStage(now)).filter((number) => held.includes(number)).toSorted((a, b) => a - b);
  if (wanted.length === 0) return NOTHING_HELD;
  const blocked: Refused | undefined = refuseAuthor(now.submission, context) ?? refuseUnlock(context);
  if (blocked !== undefined) return blocked;
  const { approvalId } = now.submission;
  const signed = loosen(state, { kind: "stage", approvalId, steps: wanted }, context);
  if ("refused" in signed) return signed;
  const { events, signatures, missing } = signed;
  const reply = { approval_id: approvalId, steps: wanted };
  if (missing > 0) return { events, reply: { ...reply, decision: "signed", signatures, missing } };
  return { events: [...events, staged(now, { released: wanted }, context)], reply: { ...reply, decision: "released" } };
}

/** Holding and skipping make things safer. What is done stays done. */
function narrow(
  state: PlanModeState,
  { now, asked: { action, steps = [] } }: { now: Executing; asked: Staging },
  context: PlanContext,
): PlanDecision {
  const closed = new Set(now.steps.filter(isTerminal).map(({ step }) => step.trim()));
  const open = steps.filter((number) => !closed.has(now.submission.steps[number - 1]?.step.trim() ?? ""));
  const kept = action === "hold" ? open.filter((number) => now.held?.includes(number) !== true) : open;
  if (kept.length === 0) return refuse("PLAN_INVALID", "None of these steps is open.");
  const change = action === "hold" ? { held: kept } : { skipped: kept };
  const decision = action === "hold" ? "held" : "skipped";
  const event = staged(now, change, context);
  const after = evolveStages(now, event);
  return {
    events: [event, ...completion({ ...state, now: after }, after.steps, context)],
    reply: { approval_id: now.submission.approvalId, steps: kept, decision },
  };
}

type Change = Pick<PlanEventOf<"plan.staged">, "released" | "held" | "skipped">;

const staged = (
  { submission }: Executing,
  change: Change,
  { actor, nowMs }: PlanContext,
): PlanEventOf<"plan.staged"> => ({
  type: "plan.staged",
  approvalId: submission.approvalId,
  planId: submission.planId,
  ...change,
  by: byOf(actor),
  atMs: nowMs,
});
