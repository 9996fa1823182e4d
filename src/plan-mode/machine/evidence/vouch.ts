/** A person's word for a criterion, or their waiver of its proof: decisions, bound to the exact plan and criterion. */
import { Json } from "../../../protocol/json.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { digestOf, isBlank } from "../../../plugins/sdk.ts";
import type { PlanVerdict } from "../../protocol/command.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import type { Evidence } from "../../protocol/step/evidence.ts";
import type { Proof } from "../../protocol/step/proof.ts";
import type { PlanStep } from "../../protocol/plan.ts";
import { criterionNumber } from "../../protocol/step/criterion-number.ts";
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
  const found = proofIn(step, asked);
  if ("refused" in found) return found;
  const { step: text, acceptanceCriteria: criteria = [] } = step;
  return vouched({ asked, now, step: text, criteria, criterion: found.criterion }, context);
}

type Vouched = {
  asked: Vouching;
  now: PhaseOf<"executing">;
  step: string;
  criteria: readonly string[];
  criterion: string;
};

function vouched({ asked, now, step, criteria, criterion }: Vouched, context: PlanContext): PlanDecision {
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
    reply: {
      step: asked.step,
      number: criterionNumber(asked.step, 1 + criteria.findIndex((text) => text.trim() === criterion)),
      criterion,
      digest,
      decision: asked.action === "waive" ? "waived" : "confirmed",
    },
  };
}

const NOT_CARRIED_OUT = refuse("PLAN_NOT_ACTIVE", "No plan is being carried out, so there is nothing to prove.");
const OTHER_PLAN = refuse("APPROVAL_SUPERSEDED", "This is not the plan that is being carried out now.");
const NO_REASON = refuse("FEEDBACK_REQUIRED", "A waiver needs a reason: it is kept with the plan.");

/**
 * Confirming answers a proof that asks for a person's word; waiving takes the place of any. A number counts all criteria
 * of the step, as they are shown; where a criterion is itself a number and another has that place, neither is guessed.
 */
function proofIn(step: PlanStep, asked: Vouching): Proof | Refused {
  const { acceptanceCriteria = [], proof: proofs = [] } = step;
  const fitting = asked.action === "confirm" ? proofs.filter(({ by }) => by === "person") : [...proofs];
  const of = (text: string | undefined): Proof | undefined =>
    text === undefined ? undefined : fitting.find(({ criterion }) => criterion === text.trim());
  const which = (): Refused => whichOf(fitting, acceptanceCriteria, asked);
  if (asked.criterion === undefined) return fitting.length === 1 ? (fitting[0] ?? which()) : which();
  const shown = shownAs(asked.criterion, acceptanceCriteria);
  const named = of(asked.criterion);
  const isClear = named === undefined || shown === undefined || shown.trim() === named.criterion;
  return (isClear ? (named ?? of(shown)) : undefined) ?? which();
}

const shownAs = (number: string, criteria: readonly string[]): string | undefined =>
  /^\d{1,3}$/.test(number) ? criteria[Number(number) - 1] : undefined;

function whichOf(fitting: readonly Proof[], criteria: readonly string[], { step }: Vouching): Refused {
  const names = criteria.flatMap((text, at) =>
    fitting.some(({ criterion }) => criterion === text.trim()) ? [`${criterionNumber(step, at + 1)}) ${text}`] : [],
  );
  return refuse(
    "PLAN_INVALID",
    names.length === 0 ? localized("nothingToProve") : localized("whichCriterion", { criteria: names.join(" · ") }),
  );
}
