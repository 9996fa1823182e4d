/**
 * A person changes the steps and approves the result in one action. The edition is a revision of its own, with its own
 * id and digest, written by the person; it commits together with the signature under it, or not at all.
 */
import type { Unlock } from "../../protocol/approvals.ts";
import { Json } from "../../../protocol/json.ts";
import type { ApproveEdited } from "../../protocol/command.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import type { StepChange } from "../../protocol/plan-diff.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import { compareSteps, isUnchanged } from "../compare/compare-steps.ts";
import { closeQuestion } from "../plan/cycle.ts";
import { decisionName, findDecidable } from "./decide.ts";
import { newSubmission, refuseBody } from "../plan/submit.ts";
import type { PlanDecision } from "../decision.ts";
import { moveNotes } from "../note/move-notes.ts";
import { changesText } from "../text/changes-text.ts";
import { byOf, type PlanContext } from "../actors.ts";
import { needsOf } from "./approvers.ts";
import { offeredOf } from "./offered.ts";
import { refusePresence } from "./presence.ts";
import { type Signing, sign, signatureOf, signedEvents, unlocked } from "./sign.ts";

type Asked = { approval: ApproveEdited; base: PlanBody | null };

export function approveEdition(state: PlanModeState, { approval, base }: Asked, context: PlanContext): PlanDecision {
  const found = findDecidable(state, approval, context);
  if ("refused" in found) return found;
  const { submission } = found;
  if (base === null || digestOf(Json.parse(base)) !== submission.digest) return NOT_STORED;
  const unlock: Unlock = approval.allowEdits === true ? "edited" : "approved";
  const changes = compareSteps(base.plan, approval.steps);
  const body = { ...base, plan: approval.steps };
  const digest = digestOf(Json.parse(body));
  const action = unlock === "edited" ? "approve_edited_allowing_edits" : "approve_edited";
  const decision = decisionName(action, state);
  const presented = { kind: "plan" as const, approvalId: submission.approvalId, digest, decision };
  const offered = offeredOf(approval, submission, context);
  if (isUnchanged(changes)) return sign(state, { submission, unlock, presented, offered }, context);
  return (
    refuseBody(body, digest) ??
    refusePresence(presented, context) ??
    edition(state, { submission, body, digest, changes, unlock, presented, offered }, context)
  );
}

type Edited = Signing & { body: PlanBody; digest: string; changes: StepChange[] };

function edition(state: PlanModeState, { submission: base, ...edited }: Edited, context: PlanContext): PlanDecision {
  const { body, digest, changes, unlock, presented, offered } = edited;
  const { now } = state;
  if (now.phase !== "pending" && now.phase !== "rejected") throw new Error(`a plan was decidable in ${now.phase}`);
  const submission: Submission = {
    ...newSubmission({ body, digest, revision: now.cycle.revisionCount + 1 }, context),
    ...(base.turn === undefined ? {} : { turn: base.turn }),
    edited: { by: byOf(context.actor), basedOn: base.planId, changes: changesText(changes) },
  };
  const signing = { submission, unlock, presented, offered };
  // where the author does not approve, the edition waits for somebody else
  const isOthers = context.settings.approvals.notAuthor === true;
  const signed = isOthers ? [] : signedEvents([signatureOf(signing, context)], signing, context);
  const isUnlocked = signed.at(-1)?.type === "plan.approved";
  const needs = needsOf(context.settings.approvals, []);
  const submitted: PlanEventOf<"plan.submitted"> = {
    type: "plan.submitted",
    submission,
    body,
    cycleId: now.cycle.id,
    supersedes: base.approvalId,
    changes,
    ...(isUnlocked ? { unlocked: true } : {}),
    ...(needs === undefined ? {} : { needs }),
    atMs: context.nowMs,
  };
  return {
    events: [...closeQuestion(state, "superseded", context), submitted, ...moveNotes(state, submitted), ...signed],
    reply: {
      plan_id: submission.planId,
      approval_id: submission.approvalId,
      revision: submission.revision,
      digest,
      ...(isUnlocked ? unlocked(context) : {}),
      decision: isUnlocked ? unlock : isOthers ? "submitted" : "signed",
      mode: isUnlocked ? "executing" : "plan",
    },
  };
}

const NOT_STORED: Refused = refuse(
  "PLAN_NOT_FOUND",
  "The revision that you edited cannot be read back as it was shown. Open the plan again, then edit it.",
);
