/**
 * While a person reads what waits for a decision, its deadline is extended for a short while. A reader's client repeats
 * the signal; one that went away costs at most one such while. The deadline itself moves, so nothing else has to know.
 */
import type { Reading } from "../../protocol/approvals.ts";
import type { ApprovalId } from "../../../protocol/ids.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PlanDecision } from "../decision.ts";
import { byOf, type PlanContext } from "../actors.ts";

/** How long one signal of a reader counts. */
export const READING_LEASE_MS = 60_000;
/** What reading can add to one deadline, all in all. */
export const READING_MS_MAX = 2 * 3_600_000;
/** Less than this is not worth a commit: many readers at once say it many times. */
const GAIN_MS_MIN = 10_000;

type Waits = { deadlineAtMs: number; reading: Reading | undefined };

export function read(state: PlanModeState, approvalId: ApprovalId, context: PlanContext): PlanDecision {
  const waits = waitsUnder(state, approvalId);
  if (waits === undefined) return refuse("APPROVAL_NOT_PENDING", "Nothing waits under this id any more.");
  const { nowMs, actor } = context;
  if (nowMs >= waits.deadlineAtMs) return refuse("APPROVAL_EXPIRED", "The deadline has passed.");
  const { untilMs = 0, extendedMs = 0 } = waits.reading ?? {};
  const gainMs = Math.min(nowMs + READING_LEASE_MS - Math.max(nowMs, untilMs), READING_MS_MAX - extendedMs);
  if (gainMs < GAIN_MS_MIN) return { events: [], reply: replyOf(waits) };
  const reading: Reading = {
    by: byOf(actor),
    untilMs: Math.max(nowMs, untilMs) + gainMs,
    extendedMs: extendedMs + gainMs,
  };
  const deadlineAtMs = waits.deadlineAtMs + gainMs;
  const event: PlanModeEvent = { type: "plan.reading", approvalId, reading, deadlineAtMs, atMs: nowMs };
  return { events: [event], reply: replyOf({ deadlineAtMs, reading }) };
}

const replyOf = ({ deadlineAtMs, reading }: Waits) => ({
  deadline_at_ms: deadlineAtMs,
  paused_until_ms: reading?.untilMs ?? null,
});

function waitsUnder({ now, question }: PlanModeState, approvalId: ApprovalId): Waits | undefined {
  if (now.phase === "pending" && now.submission.approvalId === approvalId) {
    return { deadlineAtMs: now.submission.deadlineAtMs, reading: now.reading };
  }
  return question?.approvalId === approvalId ? { ...question, reading: question.reading } : undefined;
}
