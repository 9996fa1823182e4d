/** Which card a session shows, and all that stands on it: read from its state alone, so that every surface agrees. */
import type { ApprovalId } from "../../src/protocol/ids.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import type { PendingQuestion, PhaseOf, PlanModeState, Submission } from "../../src/plan-mode/protocol/state.ts";
import type { By } from "../../src/protocol/actor.ts";
import type { PlanStep } from "../../src/plan-mode/protocol/plan.ts";
import type { Needs, Reading, Signature } from "../../src/plan-mode/protocol/approvals.ts";
import type { SubAgentsState } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { type Operator, operatorOf, type Connection, isOnline } from "../state/connection.ts";
import { planOf } from "../state/plan-of.ts";

export type ApprovalCard = {
  kind: "approval";
  id: ApprovalId;
  submission: Submission;
  signatures: readonly Signature[];
  needs: Needs | undefined;
  reading: Reading | undefined;
  openNotes: number;
  /** Sub-agents that still work: nothing is approved before they are back. `unknown`: nobody can tell. */
  blockedBy: readonly SubAgent[] | "unknown";
};

export type QuestionCard = { kind: "question"; id: ApprovalId; question: PendingQuestion };

/** Over, but still worth a line: who decided, and how far the work is. */
export type DecidedCard = {
  kind: "decided";
  id: ApprovalId;
  how: "approved" | "edited" | "rejected" | "timed_out";
  /** Absent where nobody did. */
  by: By | undefined;
  submission: Submission;
  feedback: string;
  done: number;
  steps: number;
};

export type Card = ApprovalCard | QuestionCard | DecidedCard;
export type WaitingCard = ApprovalCard | QuestionCard;
export type SubAgent = { id: string; title: string };

export function cardOf(session: Pick<SessionView, "slices">): Card | undefined {
  const plan = planOf(session);
  if (plan === undefined) return undefined;
  if (plan.question !== null) return { kind: "question", id: plan.question.approvalId, question: plan.question };
  const { now } = plan;
  switch (now.phase) {
    case "pending":
      return approvalCard(session, plan, now);
    case "rejected":
      return decided(now, { how: "rejected", by: now.decidedBy, feedback: now.feedback });
    case "timed_out":
      return decided(now, { how: "timed_out", by: undefined, feedback: "" });
    case "executing":
      return decided(now, { how: now.approval, by: now.decidedBy, feedback: "" });
    case "off":
    case "exploring":
      return undefined;
  }
}

/** Nothing is accepted while sub-agents work on it, nor while nobody can tell. */
export const canBeAccepted = ({ blockedBy }: ApprovalCard): boolean =>
  blockedBy !== "unknown" && blockedBy.length === 0;

/** Whoever has signed waits for the others: their second signature would count for nothing. */
export const signedBy = ({ signatures }: ApprovalCard, operator: Operator | undefined): boolean =>
  operator !== undefined && signatures.some(({ by }) => by.id === operator.id);

/** The plan that was sent back, once more before the person: they may still change their mind. */
export function reconsidered(session: Pick<SessionView, "slices">): ApprovalCard | undefined {
  const plan = planOf(session);
  return plan?.now.phase === "rejected" ? approvalCard(session, plan, plan.now) : undefined;
}

function approvalCard(
  session: Pick<SessionView, "slices">,
  { review }: PlanModeState,
  now: PhaseOf<"pending" | "rejected">,
): ApprovalCard {
  const { submission, signatures = [], needs } = now;
  return {
    kind: "approval",
    id: submission.approvalId,
    submission,
    signatures: signatures.filter(({ digest }) => digest === submission.digest),
    needs,
    reading: now.phase === "pending" ? now.reading : undefined,
    openNotes: (review?.notes ?? []).filter(({ resolved }) => resolved === null).length,
    blockedBy: runningIn(session),
  };
}

function decided(
  { submission, steps }: PhaseOf<"rejected" | "timed_out" | "executing">,
  about: Pick<DecidedCard, "how" | "by" | "feedback">,
): DecidedCard {
  return {
    kind: "decided",
    id: submission.approvalId,
    submission,
    ...about,
    done: doneIn(steps),
    steps: steps.filter(({ status }) => status !== "cancelled").length,
  };
}

export const doneIn = (steps: readonly Pick<PlanStep, "status">[]): number =>
  steps.filter(({ status }) => status === "completed").length;

function runningIn({ slices }: Pick<SessionView, "slices">): readonly SubAgent[] | "unknown" {
  const children = childrenOf({ slices });
  return children === "unknown" ? children : children.filter(({ status }) => status === "running");
}

/** The sub-agents of a session; `unknown` where the gateway's list is not as it should be, which counts as blocked. */
export function childrenOf({ slices }: Pick<SessionView, "slices">): SubAgentsState["children"] | "unknown" {
  const slice = slices["subagents"];
  if (slice === undefined) return [];
  if (typeof slice !== "object" || slice === null || !("children" in slice)) return "unknown";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it; a schema library is too large for a page
  const { children } = slice as unknown as SubAgentsState;
  return Array.isArray(children) ? children : "unknown";
}

/** Whether this person could decide it now: the composer makes room only for a card that can act. */
export function canAct(card: Card | undefined, connection: Connection): card is WaitingCard {
  return card !== undefined && card.kind !== "decided" && isOnline(connection) && mayDecide(operatorOf(connection));
}

export const mayDecide = (operator: Operator | undefined): boolean =>
  operator !== undefined &&
  operator.scopes.some((scope) => scope === "operator.approvals" || scope === "operator.admin");

/** A few characters of a digest: enough to compare it with the one that another surface shows. */
export const shortDigest = (digest: string): string => digest.replace(/^[a-z0-9]+:/, "").slice(0, 12);

/**
 * The exact call inside the gateway's own question about it: its indented lines. Undefined where the text is not built
 * that way; then the whole text is shown instead, and nothing of it is left out.
 */
export function callShownIn(question: string): string | undefined {
  const lines = question.split("\n");
  const call = lines.slice(1, -2);
  const isFramed =
    lines.length >= 4 && [lines[0], ...lines.slice(-2)].every((line) => !(line ?? "").startsWith("    "));
  return isFramed && call.every((line) => line.startsWith("    "))
    ? call.map((line) => line.slice(4)).join("\n")
    : undefined;
}

/** When the time is up as it is shown: while somebody reads it stands still. */
export function shownDeadline(
  { deadlineAtMs, reading }: { deadlineAtMs: number; reading: Reading | undefined },
  nowMs: number,
): { untilMs: number; paused: boolean } {
  const stillMs = reading === undefined ? 0 : Math.max(0, reading.untilMs - nowMs);
  return { untilMs: deadlineAtMs - stillMs, paused: stillMs > 0 };
}
