/** The one timer of reminders and escalations, and what they leave in the records. */
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import type { PlanContext } from "../actors.ts";
import { auditEffect, lineEffect } from "../effect-parts.ts";
import { undeliveredLine } from "../text/notify-lines.ts";
import { afterQuiet } from "./quiet-hours.ts";
import { REACH_TIMER, ringsOf, waitsIn } from "./reach.ts";

const NONE: Effect[] = [{ kind: "clear-timer", key: REACH_TIMER }];

/** Facts after which something waits, or nothing any more. */
const CHANGES: ReadonlySet<PlanModeEvent["type"]> = new Set([
  "plan.entered",
  "plan.submitted",
  "plan.approved",
  "plan.standing_signed",
  "plan.rejected",
  "plan.timed_out",
  "plan.left",
  "question.asked",
  "question.answered",
  "question.closed",
]);

/** `state` is the one after the event. */
export function reachEffects(state: PlanModeState, event: PlanModeEvent, context: PlanContext): Effect[] {
  switch (event.type) {
    case "approval.reminded":
      return [...remindedRecords(event), ...ringing(state, event.ring, context)];
    case "approval.put_off": {
      const { approvalId, ring, untilMs } = event;
      return [{ kind: "set-timer", key: REACH_TIMER, atMs: untilMs, command: { type: "remind", approvalId, ring } }];
    }
    case "approval.undelivered":
      return [
        lineEffect(undeliveredLine(event)),
        auditEffect(event.type, { approvalId: event.approvalId, place: event.place, why: event.why }),
      ];
    case "plan.submitted":
      return event.unlocked === true ? NONE : ringing(state, 0, context);
    default:
      return CHANGES.has(event.type) ? ringing(state, 0, context) : [];
  }
}

function ringing(state: PlanModeState, ring: number, { settings, nowMs }: PlanContext): Effect[] {
  const waits = waitsIn(state);
  const next = ringsOf(settings.reminders)[ring];
  if (waits === undefined || next === undefined) return NONE;
  const { approvalId, sinceMs, deadlineAtMs } = waits;
  const atMs = afterQuiet(Math.max(sinceMs + next.afterMs, nowMs), settings.reminders?.quietHours);
  if (atMs >= deadlineAtMs) return NONE;
  return [{ kind: "set-timer", key: REACH_TIMER, atMs, command: { type: "remind", approvalId, ring } }];
}

function remindedRecords({ approvalId, reminds, level }: PlanEventOf<"approval.reminded">): Effect[] {
  return [auditEffect("approval.reminded", { approvalId, reminds, level })];
}
