/**
 * What waits for a person is brought back to them, and to others, until somebody answers or its time is up.
 *
 *   submitted · asked ─▶ ring 0 ─▶ ring 1 ─▶ … (each a reminder, or the next level of escalation)
 *                          └─ somebody reads it, or the hours are quiet ─▶ put off
 *   decided · answered · expired · left ─▶ no ring
 *
 * A ring decides nothing: it changes who is shown what.
 */
import type { ApprovalId } from "../../../protocol/ids.ts";
import type { Reading } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import { type PlanReminders, type Reach, UNDELIVERED_MAX } from "../../protocol/reach/reach.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { afterQuiet } from "./quiet-hours.ts";

export const REACH_TIMER = "reach";
const MINUTE_MS = 60_000;

type Ring = { afterMs: number; kind: "remind" | "escalate" };

/** In the order of their times; at one time those who are new are shown it first. */
export function ringsOf(reminders: PlanReminders | undefined): Ring[] {
  const { remindAfterMinutes = [], escalateAfterMinutes = [] } = reminders ?? {};
  const ring = (kind: Ring["kind"]) => (minute: number) => ({ kind, afterMs: Math.round(minute * MINUTE_MS) });
  const all: Ring[] = [...escalateAfterMinutes.map(ring("escalate")), ...remindAfterMinutes.map(ring("remind"))];
  return all.toSorted((one, other) => one.afterMs - other.afterMs);
}

export type Waits = { approvalId: ApprovalId; sinceMs: number; deadlineAtMs: number; reading: Reading | undefined };

/** What waits for a person now. */
export function waitsIn({ now, question }: PlanModeState): Waits | undefined {
  if (now.phase === "pending") {
    const { approvalId, submittedAtMs: sinceMs, deadlineAtMs } = now.submission;
    return { approvalId, sinceMs, deadlineAtMs, reading: now.reading };
  }
  if (question === null) return undefined;
  const { approvalId, askedAtMs: sinceMs, deadlineAtMs, reading } = question;
  return { approvalId, sinceMs, deadlineAtMs, reading };
}

type RemindCommand = Extract<PlanModeCommand, { type: "remind" }>;

export function remind(state: PlanModeState, { approvalId, ring }: RemindCommand, context: PlanContext): PlanDecision {
  const waits = waitsIn(state);
  const { nowMs, settings } = context;
  const rings = ringsOf(settings.reminders);
  const due = rings[ring];
  if (waits?.approvalId !== approvalId || due === undefined)
    return refuse("TIMER_GONE", "There is nothing to remind anybody of.");
  const untilMs = Math.max(afterQuiet(nowMs, settings.reminders?.quietHours), waits.reading?.untilMs ?? 0);
  if (untilMs > nowMs)
    return { events: [{ type: "approval.put_off", approvalId, ring, untilMs, atMs: nowMs }], reply: null };
  // what fell due while the gateway was down or the hours were quiet is one reminder
  const past = rings.filter(({ afterMs }, at) => at <= ring || waits.sinceMs + afterMs <= nowMs);
  const reminded: PlanModeEvent = {
    type: "approval.reminded",
    approvalId,
    ring: past.length,
    reminds: past.slice(ring).some(({ kind }) => kind === "remind"),
    level: past.filter(({ kind }) => kind === "escalate").length,
    atMs: nowMs,
  };
  return { events: [reminded], reply: null };
}

type UndeliveredCommand = Extract<PlanModeCommand, { type: "undelivered" }>;

/** Also of a plan whose time is up: that nobody was reached is another end than that nobody answered. */
export function undelivered(state: PlanModeState, command: UndeliveredCommand, { nowMs }: PlanContext): PlanDecision {
  const { approvalId, place, why } = command;
  const expired = state.now.phase === "timed_out" ? state.now.submission.approvalId : undefined;
  if (approvalId !== waitsIn(state)?.approvalId && approvalId !== expired)
    return refuse("APPROVAL_NOT_PENDING", "Nothing waits under this id any more.");
  const known = state.reach?.approvalId === approvalId ? state.reach.undelivered : [];
  const isKnown = known.length >= UNDELIVERED_MAX || known.some((one) => one.place === place);
  if (isKnown) return { events: [], reply: null };
  return { events: [{ type: "approval.undelivered", approvalId, place, why, atMs: nowMs }], reply: null };
}

/** Of another approval nothing is known. */
const reachOf = ({ reach }: PlanModeState, approvalId: ApprovalId): Reach =>
  reach?.approvalId === approvalId ? reach : { approvalId, reminders: 0, level: 0, undelivered: [] };

type ReachEvent = PlanEventOf<"approval.reminded" | "approval.put_off" | "approval.undelivered">;

export function evolveReach(state: PlanModeState, event: ReachEvent): PlanModeState {
  const before = reachOf(state, event.approvalId);
  switch (event.type) {
    case "approval.reminded": {
      const { reminds, level, atMs } = event;
      const reminded = reminds
        ? { reminders: before.reminders + 1, remindedAtMs: atMs, remindedLevel: before.level }
        : {};
      return { ...state, reach: { ...before, ...reminded, level } };
    }
    case "approval.undelivered": {
      const { place, why } = event;
      return { ...state, reach: { ...before, undelivered: [...before.undelivered, { place, why }] } };
    }
    case "approval.put_off":
      return state;
  }
}

/** How people were reached about this approval; undefined where there is nothing to say. */
export const reachedAbout = ({ reach }: PlanModeState, approvalId: string): Reach | undefined =>
  reach?.approvalId === approvalId ? reach : undefined;

/** Nobody is known to have seen it, and some place could not be reached. */
export function wasUndelivered(state: PlanModeState, approvalId: string): boolean {
  const reach = reachedAbout(state, approvalId);
  return reach !== undefined && reach.seen !== true && reach.undelivered.length > 0;
}

/** Somebody reads what waits. */
export const seenBy = (state: PlanModeState, approvalId: ApprovalId): PlanModeState => ({
  ...state,
  reach: { ...reachOf(state, approvalId), seen: true },
});
