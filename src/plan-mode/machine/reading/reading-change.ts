/** State and effects of a deadline that moves because a person is reading. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import { APPROVAL_TIMER, auditEffect, byKey, QUESTION_TIMER } from "../effect-parts.ts";
import { seenBy } from "../reach/reach.ts";
import { READING_LEASE_MS } from "./reading.ts";

type Read = PlanEventOf<"plan.reading">;

export function evolveReading(before: PlanModeState, { approvalId, reading, deadlineAtMs }: Read): PlanModeState {
  const state = seenBy(before, approvalId);
  const { now, question } = state;
  if (now.phase === "pending" && now.submission.approvalId === approvalId) {
    return { ...state, now: { ...now, submission: { ...now.submission, deadlineAtMs }, reading } };
  }
  return question?.approvalId === approvalId ? { ...state, question: { ...question, deadlineAtMs, reading } } : state;
}

/** The timer moves with the deadline. Only the beginning of reading is an audit fact, not each extension. */
export function readingEffects({ question }: PlanModeState, { approvalId, reading, deadlineAtMs }: Read): Effect[] {
  const key = question?.approvalId === approvalId ? QUESTION_TIMER : APPROVAL_TIMER;
  const begins = reading.extendedMs <= READING_LEASE_MS;
  return [
    { kind: "set-timer", key, atMs: deadlineAtMs, command: { type: "expire", approvalId } },
    ...(begins ? [auditEffect("plan.reading", { approvalId, by: byKey(reading.by), deadlineAtMs })] : []),
  ];
}
