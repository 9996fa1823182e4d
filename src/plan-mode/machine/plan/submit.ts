/** `exit_plan_mode`: submits a revision to a person, or approves it at once where a rule allows that. */
import { ApprovalId, PlanId } from "../../../protocol/ids.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import type { By } from "../../../protocol/actor.ts";
import { hasPerson } from "../../../protocol/session.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { ENGLISH } from "../../texts/en.ts";
import { chargeIn } from "../../../scheduler/protocol/standing.ts";
import { beginCycle, closeQuestion, PROPOSAL } from "./cycle.ts";
import { evolvePlan } from "./evolve.ts";
import { moveNotes, readAddresses } from "../note/move-notes.ts";
import { refuseOpenThreads } from "../note/threads.ts";
import { maySign, needsOf } from "../signature/approvers.ts";
import type { PlanDecision } from "../decision.ts";
import { refuseSubmission } from "../sub-agents/sub-agent-gate.ts";
import { refuseDeclarations, refuseProofCommands } from "./step-declarations.ts";
import { refuseBornClosed, refuseSteps } from "./steps.ts";
import { refuseOtherKind } from "../seed/archetype.ts";
import { lintPlan } from "../lint/lint-plan.ts";
import { lintLines } from "../lint/lint-text.ts";
import { renderPlan } from "../../render/render-plan.ts";
import { requiredPresence } from "../signature/presence.ts";
import { AUTO_RULE, isRevoked } from "../signature/revoked.ts";
import { heldAfter } from "../stage/stages.ts";
import { asksIn, scopedIn } from "../signature/sign.ts";
import { rfc3339 } from "../text/rfc3339.ts";
import { textSize } from "../text/text-size.ts";
import { SUBMIT_INSTRUCTIONS, UNLOCKED_INSTRUCTIONS } from "../text/texts.ts";
import { byPolicy, lentTo, type PlanContext } from "../actors.ts";

const APPROVAL_SLOT = 1;
const PLAN_SLOT = 2;

/** `writtenBy`: a person, in the agent's place. */
type Submit = Extract<PlanModeCommand, { type: "submit" }> & { writtenBy?: By };

export function submit(state: PlanModeState, command: Submit, context: PlanContext): PlanDecision {
  const { now } = state;
  if (now.mode !== "plan") return submitOutside(state, command, context);
  const refused = refuseSubmission(context) ?? refuseUnheard(now, context) ?? refuseText(state, command, context);
  if (refused !== undefined) return refused;
  const addresses = readAddresses(state, command.addresses);
  if ("refused" in addresses) return addresses;
  const submission = newSubmission({ ...command, revision: now.cycle.revisionCount + 1 }, context);
  const approved = approvedByRule(state, submission, context);
  const needs = needsOf(context.settings.approvals, []);
  const submitted: PlanEventOf<"plan.submitted"> = {
    type: "plan.submitted",
    submission,
    body: command.body,
    cycleId: now.cycle.id,
    ...(now.phase === "exploring" ? {} : { supersedes: now.submission.approvalId }),
    ...(addresses.ids.length === 0 ? {} : { addresses: addresses.ids }),
    ...(approved.length === 0 ? {} : { unlocked: true }),
    ...(needs === undefined ? {} : { needs }),
    atMs: context.nowMs,
  };
  return {
    events: [...closeQuestion(state, "superseded", context), submitted, ...moveNotes(state, submitted), ...approved],
    reply: submitReply({
      submission,
      size: command.size ?? textSize(renderPlan(command.body, { format: "plain" })),
      enteredAtMs: now.cycle.enteredAtMs,
      unlockedAtMs: approved.length === 0 ? null : context.nowMs,
    }),
  };
}

/** A held run of a scheduled job has a person who can decide: the one whose inbox its plan lands in (GA-14). */
const isProposal = ({ now }: PlanModeState, { session, unattended }: PlanContext): boolean =>
  now.phase === "off" && unattended === true && chargeIn(session.slices) !== undefined;

const submitOutside: typeof submit = (state, command, context) =>
  isProposal(state, context) ? propose(state, command, context) : notPlanning(context);

/** The run cannot plan and wait, so its cycle begins with the submission, in the same commit. */
function propose(state: PlanModeState, command: Submit, context: PlanContext): PlanDecision {
  if (chargeIn(context.session.slices)?.proposalOpen === true) return PROPOSED_BEFORE;
  const by = byPolicy(PROPOSAL, ENGLISH.rule_unattended);
  const opening = beginCycle(state, { by, reason: PROPOSAL }, context);
  const decision = submit(opening.reduce(evolvePlanEvent, state), command, context);
  return "refused" in decision ? decision : { ...decision, events: [...opening, ...decision.events] };
}

const evolvePlanEvent = (state: PlanModeState, event: PlanModeEvent): PlanModeState =>
  event.type === "plan.entered" ? evolvePlan(state, event) : state;

const PROPOSED_BEFORE = refuse(
  "APPROVAL_PENDING",
  "The plan was not submitted: a plan of an earlier run of this job waits for a person already. Report what you found in your answer instead.",
);

/** Feedback that came while this turn runs: a new revision would put it aside before the agent has read it. */
function refuseUnheard(now: PlanModeState["now"], { session }: PlanContext): Refused | undefined {
  if (now.phase !== "rejected" || session.turn.status !== "running") return undefined;
  const { approvalId } = now.submission;
  const isQueued = session.injections.some((text) => text.kind === "plan_decision" && text.approvalId === approvalId);
  return isQueued ? UNHEARD : undefined;
}

const UNHEARD = refuse(
  "PLAN_INVALID",
  "The plan was not submitted: people have sent feedback on the last one meanwhile. End your turn; you are resumed at once with what they say, and can submit then.",
);

/** Names `enter_plan_mode` only where the agent is offered it, and could enter. */
function notPlanning({ settings, session }: PlanContext): Refused {
  const next = settings.enabled
    ? "Call enter_plan_mode first; while a plan is carried out, use update_plan."
    : "While a plan is carried out, use update_plan.";
  const said = hasPerson(session.kind)
    ? next
    : "Nobody could approve one here: say in your answer what should be changed.";
  return refuse("PLAN_NOT_ACTIVE", `This session is not in plan mode, so there is nothing to submit. ${said}`);
}

export function refuseBody(body: PlanBody, digest: string): Refused | undefined {
  if (digest === "") return refuse("PLAN_INVALID", "A submission names the digest of its text.");
  const { plan } = body;
  return refuseSteps(plan) ?? refuseBornClosed(plan) ?? refuseDeclarations(plan) ?? refuseProofCommands(plan);
}

export function newSubmission(
  given: { body: PlanBody; digest: string; revision: number; writtenBy?: By },
  { nowMs, settings, session, actor, freshId }: PlanContext,
): Submission {
  const writtenBy = given.writtenBy ?? lentTo(actor);
  return {
    planId: PlanId.parse(freshId("pln", PLAN_SLOT)),
    approvalId: ApprovalId.parse(freshId("apr", APPROVAL_SLOT)),
    revision: given.revision,
    digest: given.digest,
    title: given.body.title,
    steps: given.body.plan,
    submittedAtMs: nowMs,
    deadlineAtMs: nowMs + settings.approvalTimeoutSeconds * 1_000,
    ...(given.body.jobs === undefined ? {} : { jobs: given.body.jobs }),
    turn: session.turnCount,
    ...(writtenBy === undefined ? {} : { writtenBy }),
    ...lintOf(given.body, settings),
  };
}

function lintOf(body: PlanBody, { lint }: PlanContext["settings"]): Pick<Submission, "lint"> {
  const found = lintPlan(body, lint);
  return found.length === 0 ? {} : { lint: found };
}

const refuseText = (
  { now }: PlanModeState,
  { body, digest }: { body: PlanBody; digest: string },
  context: PlanContext,
): Refused | undefined => refuseOtherKind(now, body) ?? refuseBody(body, digest) ?? refuseLint(body, context);

/** Where lint returns what it finds, the agent corrects it, or names the code and why it is meant so. */
function refuseLint(body: PlanBody, { settings }: PlanContext): Refused | undefined {
  const found = settings.lint === "return" ? lintPlan(body, settings.lint) : [];
  if (found.length === 0) return undefined;
  const lines = lintLines(found).join("\n");
  return refuse(
    "PLAN_INVALID",
    `Nobody was asked yet: plan lint found something.\n${lines}\nCorrect it, or name the code in assumptions with why it is meant so, and submit again.`,
  );
}

/** The rule by which submissions pass without a person, if one holds. Auto does not where several must sign or open notes block. */
function passingRule(state: PlanModeState, { settings, revoked }: PlanContext): By | undefined {
  if (!settings.requireApproval) return byPolicy("require-approval-off", ENGLISH.rule_require_approval_off);
  const { approvals } = settings;
  const isSigned = approvals.quorum > 1 || requiredPresence(approvals, "plan") === "passkey";
  const isHeld = isSigned || refuseOpenThreads(state, { settings }) !== undefined;
  return state.auto && !isHeld && isAutoValid(state, { settings, revoked })
    ? byPolicy(AUTO_RULE, ENGLISH.rule_auto)
    : undefined;
}

/** Whoever switched it on may still approve: a revocation, or a list of approvers that came later, ends what they set. */
function isAutoValid(
  { autoBy }: PlanModeState,
  { settings: { approvals }, revoked }: Pick<PlanContext, "settings" | "revoked">,
): boolean {
  if (autoBy === undefined) return approvals.approvers === undefined;
  return !isRevoked(autoBy, { revoked }) && maySign({ ...autoBy.by, scopes: autoBy.scopes }, approvals);
}

function approvedByRule(state: PlanModeState, submission: Submission, context: PlanContext): PlanModeEvent[] {
  const { approvalId, steps } = submission;
  // a rule replaces a person who is present; a submission of an unattended run waits for one (GA-14)
  const by = context.unattended === true ? undefined : passingRule(state, context);
  if (by === undefined) return [];
  const asks = asksIn(context.settings.approvals, []);
  const scoped = scopedIn(context.settings);
  const later = heldAfter(steps, undefined);
  const held = later.length === 0 ? {} : { held: later };
  const { nowMs: atMs } = context;
  return [{ type: "plan.approved", approvalId, unlock: "approved", by, ...asks, ...scoped, ...held, atMs }];
}

type Submitted = {
  submission: Submission;
  size: { bytes: number; chars: number };
  enteredAtMs: number;
  /** Null: a person decides. */
  unlockedAtMs: number | null;
};

function submitReply({ submission, size, enteredAtMs, unlockedAtMs }: Submitted) {
  const { planId, revision, digest, deadlineAtMs, lint } = submission;
  const waits = unlockedAtMs === null;
  return {
    exited_plan_mode: !waits,
    unlocked_at: waits ? null : rfc3339(unlockedAtMs),
    plan_id: planId,
    approval_required: waits,
    plan_bytes: size.bytes,
    plan_chars: size.chars,
    entered_at: rfc3339(enteredAtMs),
    revision,
    digest,
    deadline_at: waits ? rfc3339(deadlineAtMs) : null,
    ...(lint === undefined ? {} : { lint: lintLines(lint) }),
    instructions: waits ? SUBMIT_INSTRUCTIONS : UNLOCKED_INSTRUCTIONS,
  };
}
