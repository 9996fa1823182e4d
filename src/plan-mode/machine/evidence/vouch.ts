/** A person's word for a criterion, or their waiver of its proof: decisions, bound to the exact plan and criterion. */
import { Json } from "../../../protocol/json.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { digestOf, isBlank } from "../../../plugins/sdk.ts";
import type { PlanVerdict } from "../../protocol/command.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import type { Evidence } from "../../protocol/step/evidence.ts";
import type { Proof } from "../../protocol/step/proof.ts";
import { localized } from "../../texts/localized.ts";
import { byOf, type PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { refuseApprover } from "../signature/approvers.ts";
import { presenceFor, refusePresence } from "../signature/presence.ts";
import { changesIn } from "../../protocol/step/proof-standing.ts";

type Vouching = Extract<PlanVerdict, { action: "confirm" | "waive" }>;

export function vouch(state: PlanModeState, asked: Vouching, context: PlanContext): PlanDecision {
  const { now } = state;
  if (now.phase !== "executing") return NOT_CARRIED_OUT;
  if (asked.approvalId !== now.submission.approvalId) return OTHER_PLAN;
  const step = now.steps[asked.step - 1];
  if (step === undefined)
    return refuse("PLAN_INVALID", localized("noteNoStep", { step: asked.step, steps: now.steps.length }));
  const found = proofIn(step.proof ?? [], asked);
  if ("refused" in found) return found;
  return vouched({ asked, now, step: step.step, criterion: found.criterion }, context);
}

type Vouched = { asked: Vouching; now: PhaseOf<"executing">; step: string; criterion: string };

function vouched({ asked, now, step, criterion }: Vouched, context: PlanContext): PlanDecision {
  const { approvalId, digest: plan } = now.submission;
  const reason = asked.action === "waive" ? asked.reason.trim() : "";
  if (asked.action === "waive" && isBlank(reason)) return NO_REASON;
  const digest = digestOf(Json.parse({ plan, step, criterion, reason }));
  const presented = { kind: "plan", approvalId, digest, decision: asked.action } as const;
  const refused = refuseApprover(context) ?? refusePresence(presented, context);
  if (refused !== undefined) return refused;
  const { nowMs: atMs } = context;
  const by = byOf(context.actor);
  const about = { step: step.trim(), criterion, atMs, after: changesIn(now), by };
  const evidence: Evidence =
    asked.action === "waive" ? { kind: "waiver", ...about, reason } : { kind: "word", ...about };
  const presence = presenceFor(presented, context);
  return {
    events: [{ type: "evidence.given", evidence, digest, ...(presence === undefined ? {} : { presence }), atMs }],
    reply: { step: asked.step, criterion, digest, decision: asked.action === "waive" ? "waived" : "confirmed" },
  };
}

const NOT_CARRIED_OUT = refuse("PLAN_NOT_ACTIVE", "No plan is being carried out, so there is nothing to prove.");
const OTHER_PLAN = refuse("APPROVAL_SUPERSEDED", "This is not the plan that is being carried out now.");
const NO_REASON = refuse("FEEDBACK_REQUIRED", "A waiver needs a reason: it is kept with the plan.");

/** Confirming answers a proof that asks for a person's word; waiving takes the place of any. */
function proofIn(proofs: readonly Proof[], { action, criterion }: Vouching): Proof | Refused {
  const fitting = action === "confirm" ? proofs.filter(({ by }) => by === "person") : [...proofs];
  const [only] = fitting;
  const named = criterion === undefined ? undefined : fitting.find((one) => one.criterion === criterion.trim());
  const numbered = /^\d{1,3}$/.test(criterion ?? "") ? fitting[Number(criterion) - 1] : undefined;
  const found = criterion === undefined ? (fitting.length === 1 ? only : undefined) : (named ?? numbered);
  if (found !== undefined) return found;
  const names = fitting.map((one, index) => `${index + 1}) ${one.criterion}`).join(" · ");
  return refuse(
    "PLAN_INVALID",
    names === "" ? localized("nothingToProve") : localized("whichCriterion", { criteria: names }),
  );
}
