/**
 * A run of a scheduled job under the plan that stands for it: the session begins in the state of an approved plan, with
 * the text that was signed, and leaves it when the run is over.
 */
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { SignedPlan } from "../../protocol/job/standing.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import { Json } from "../../../protocol/json.ts";
import { Charge, chargeIn } from "../../../scheduler/protocol/standing.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import { ENGLISH } from "../../texts/en.ts";
import { byPolicy, type PlanContext } from "../actors.ts";
import { newCycle } from "../plan/cycle.ts";
import { heldAfter } from "../stage/stages.ts";
import { leaveCycle } from "../plan/enter.ts";

type PeerFact = { slice: string; event: { type: string; [key: string]: unknown } };

/** The gateway alone charges a session, in the commit that this answers. */
export function onPeerEvent(state: PlanModeState, { slice, event }: PeerFact, context: PlanContext): PlanModeEvent[] {
  if (slice !== "scheduler") return [];
  if (event.type === "run.charged") return begun(state, event["charge"], context);
  if (event.type !== "run.discharged" || state.now.phase !== "executing" || state.now.standing === undefined) return [];
  return leaveCycle(state, byPolicy("run-ended", ENGLISH.rule_run_ended), context);
}

function begun({ now }: PlanModeState, given: unknown, context: PlanContext): PlanModeEvent[] {
  const charge = Charge.safeParse(given).data;
  if (charge?.standing?.body === undefined || now.phase !== "off") return [];
  const { plan, body, n } = charge.standing;
  // what is carried out is exactly what was signed
  if (digestOf(Json.parse(body)) !== plan.digest || context.nowMs > plan.untilMs) return [];
  const by = byPolicy("standing", ENGLISH.rule_standing);
  const event: PlanEventOf<"plan.standing_begun"> = {
    type: "plan.standing_begun",
    cycle: newCycle({ by, reason: "standing" }, context),
    submission: submissionOf(plan, body),
    unlock: plan.unlock,
    by: plan.signedBy.at(-1) ?? by,
    standing: { jobId: charge.jobId, n, untilMs: plan.untilMs },
    ...(plan.scoped === undefined ? {} : { scoped: plan.scoped }),
    ...heldIn(body),
    atMs: context.nowMs,
  };
  return [event];
}

/** Behind a checkpoint nothing runs with nobody there. */
function heldIn({ plan }: PlanBody): { held?: number[] } {
  const held = heldAfter(plan, undefined);
  return held.length === 0 ? {} : { held };
}

function submissionOf(plan: SignedPlan, body: PlanBody): Submission {
  const { planId, approvalId, revision, digest, title, signedAtMs, untilMs } = plan;
  return {
    planId,
    approvalId,
    revision,
    digest,
    title,
    steps: body.plan,
    submittedAtMs: signedAtMs,
    deadlineAtMs: untilMs,
    ...(body.jobs === undefined ? {} : { jobs: body.jobs }),
  };
}

/** A person signed the plan that this session carries out, there is work left in it, and its time is not over. */
export function mandate({ now, question }: PlanModeState, { nowMs, session }: PlanContext): boolean {
  if (now.phase !== "executing" || question !== null || chargeIn(session.slices) === undefined) return false;
  const isOpen = now.steps.some(({ status }) => status === "pending" || status === "in_progress");
  return isOpen && now.decidedBy.kind === "operator" && (now.standing === undefined || nowMs <= now.standing.untilMs);
}
