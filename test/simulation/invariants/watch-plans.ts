/** I02–I08 and I10: plans, and what is decided about them. */
import type { PlanEventOf, PlanModeEvent } from "../../../src/plan-mode/protocol/event.ts";
import type { Submission } from "../../../src/plan-mode/protocol/state.ts";
import { JsonObject } from "../../../src/protocol/json.ts";
import { planDigest } from "../../../src/plan-mode/tools/plan-digest.ts";
import { planEventIn, planOf, type SeenCommit, type Violated, type Watch } from "./seen-commit.ts";

type Verdict = "approved" | "rejected" | "timed_out";
type Plans = { submissions: Submission[]; decisions: Map<string, Verdict[]> };
type DecisionEvent = PlanEventOf<"plan.approved" | "plan.rejected" | "plan.timed_out">;

export type PlanWatch = Watch & { verdictsOn(approvalId: string): readonly Verdict[] };

/** How far a decision may be off its deadline: nodes know the store's time only roughly, and commits take their time. */
export type Tolerance = { earlyMsMax: number; lateMsMax: number };

export function watchPlans(violated: Violated, tolerance: Tolerance): PlanWatch {
  const sessions = new Map<string, Plans>();
  const plansOf = (sessionId: string): Plans => {
    const plans = sessions.get(sessionId) ?? { submissions: [], decisions: new Map() };
    sessions.set(sessionId, plans);
    return plans;
  };

  function submitted(event: PlanEventOf<"plan.submitted">, seen: SeenCommit, { submissions }: Plans): void {
    const { submission, body } = event;
    if (submissions.some(({ approvalId }) => approvalId === submission.approvalId))
      violated("I02", `${submission.approvalId} was submitted twice`);
    if (planDigest(body) !== submission.digest) violated("I06", `${submission.approvalId} has another plan's digest`);
    submissions.push(submission);
    const stored = seen.memory.artifacts.find(({ artifact }) => artifact.id === submission.planId);
    if (stored?.artifact.digest !== submission.digest) violated("I08", `${submission.planId} is not stored with it`);
    const now = planOf(seen.after)?.now;
    const current = now !== undefined && "submission" in now ? now.submission.approvalId : undefined;
    if (current !== submission.approvalId) violated("I04", `${submission.approvalId} did not take its place`);
  }

  function decided(event: DecisionEvent, seen: SeenCommit, plans: Plans): void {
    const { approvalId } = event;
    const verdict = verdictOf(event);
    const before = plans.decisions.get(approvalId) ?? [];
    const isLegal = before.at(-1) === undefined || (before.at(-1) === "rejected" && verdict !== "timed_out");
    if (!isLegal) violated("I02", `${approvalId} was ${before.join()} and became ${verdict}`);
    plans.decisions.set(approvalId, [...before, verdict]);
    const last = plans.submissions.at(-1);
    if (last?.approvalId !== approvalId) return violated("I03", `${approvalId} is not the last submission`);
    checkAuthority(event, seen, violated);
    checkSeen(last, seen, violated);
    if (verdict === "approved") checkOffered(last, seen, violated);
    checkTime({ verdict, deadlineAtMs: last.deadlineAtMs, atMs: seen.atMs, tolerance }, violated);
    checkTogether(event, seen, violated);
  }

  return {
    verdictsOn: (approvalId) => [...sessions.values()].flatMap(({ decisions }) => decisions.get(approvalId) ?? []),
    committed(seen) {
      for (const item of seen.commit.events) {
        const event = planEventIn(item);
        if (event?.type === "plan.submitted") submitted(event, seen, plansOf(seen.commit.sessionId));
        else if (isDecision(event)) decided(event, seen, plansOf(seen.commit.sessionId));
      }
    },
  };
}

const isDecision = (event: PlanModeEvent | undefined): event is DecisionEvent =>
  event?.type === "plan.approved" || event?.type === "plan.rejected" || event?.type === "plan.timed_out";

function verdictOf({ type }: DecisionEvent): Verdict {
  if (type === "plan.approved") return "approved";
  return type === "plan.rejected" ? "rejected" : "timed_out";
}

function checkAuthority({ type, approvalId }: DecisionEvent, { commit, request }: SeenCommit, violated: Violated) {
  if (type === "plan.timed_out") {
    if (commit.actor !== "system:timer") violated("I05", `${commit.actor} let ${approvalId} expire`);
    return;
  }
  const actor = request?.actor;
  const mayDecide = actor?.kind === "operator" && actor.scopes.includes("operator.approvals");
  if (!mayDecide) violated("I05", `${commit.actor} decided on ${approvalId}`);
}

/** A decision that names the digest it was shown counts for that plan alone. */
function checkSeen({ digest, approvalId }: Submission, { request }: SeenCommit, violated: Violated): void {
  const { shownDigest: shown, decidesOn } = request ?? {};
  if (decidesOn !== undefined && decidesOn !== approvalId) violated("I03", `${approvalId} was decided by ${decidesOn}`);
  if (shown !== undefined && shown !== digest) violated("I06", `${approvalId} was decided by who saw another plan`);
}

/** The whole text of exactly this plan was offered, and the row of the approval says by whom. */
function checkOffered({ digest, approvalId }: Submission, { commit, request }: SeenCommit, violated: Violated): void {
  if (request?.offered === "part") violated("I06", `${approvalId} was approved by who was offered a part of it`);
  const { offered } = commit.audit.find(({ type }) => type === "plan.decided")?.detail ?? {};
  const recorded = JsonObject.safeParse(offered).data ?? {};
  const extent = request?.offered === "whole" ? "whole" : "on-request";
  if (recorded["digest"] !== digest || recorded["extent"] !== extent)
    violated("I06", `${approvalId} was approved, and what was offered is ${JSON.stringify(offered)}`);
}

type Timing = { verdict: Verdict; deadlineAtMs: number; atMs: number; tolerance: Tolerance };

function checkTime({ verdict, deadlineAtMs, atMs, tolerance }: Timing, violated: Violated): void {
  const lateMs = Math.round(atMs - deadlineAtMs);
  if (verdict === "timed_out" ? lateMs < -tolerance.earlyMsMax : lateMs >= tolerance.lateMsMax)
    violated("I07", `${verdict} ${lateMs} ms after the deadline`);
}

function checkTogether({ approvalId }: DecisionEvent, { commit, memory }: SeenCommit, violated: Violated): void {
  const envelopes = commit.events.filter(
    (item) => item.type === "injection.queued" && item.injection.kind === "plan_decision",
  );
  if (envelopes.length !== 1) violated("I10", `${approvalId} was decided with ${envelopes.length} envelopes`);
  if (!commit.audit.some(({ type }) => type === "plan.decided" || type === "plan.timed_out"))
    violated("I08", `${approvalId} was decided without an audit fact`);
  const stored = memory.sessions.get(commit.sessionId)?.session;
  if (stored !== undefined && JSON.stringify(stored.slices) !== JSON.stringify(commit.session?.slices))
    violated("I08", `${approvalId} was decided and the state is another`);
}
