/** What must hold after each commit and at the end of each game, whatever was played (invariants I01…I20). */
import { expect } from "vitest";
import type { Committed } from "../../src/engine/commit-feed.ts";
import { PlanModeEvent } from "../../src/plan-mode/protocol/event.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { Session, type SessionEvent } from "../../src/protocol/session.ts";
import { PLAN } from "./machine-moves.ts";

export type History = {
  heard(committed: Committed): void;
  readonly approvals: readonly string[];
};

const planEvent = (event: SessionEvent): PlanModeEvent | undefined =>
  event.type === "slice.changed" && event.slice === PLAN ? PlanModeEvent.parse(event.event) : undefined;

function expectNoOrphans({ turn }: Session): void {
  const orphans = turn.status === "running" ? turn.calls.filter((call) => call.claimed) : [];
  expect(orphans, "[I15] what had been claimed when a turn is taken over is closed as unknown").toEqual([]);
}

/** Plans and what was decided about them. */
function watchedPlans() {
  const approvals: string[] = [];
  const decisions = new Map<string, string[]>();

  function decided(approvalId: string, verdict: string): void {
    const before = decisions.get(approvalId) ?? [];
    const legal = before.length === 0 || (before.join() === "rejected" && verdict === "approved");
    expect(legal, `[I02] ${approvalId} was ${before.join()} and became ${verdict}`).toBe(true);
    expect(approvals.at(-1), "[I03] only the last submission can be decided").toBe(approvalId);
    decisions.set(approvalId, [...before, verdict]);
  }

  function follow(event: PlanModeEvent, commit: readonly SessionEvent[]): void {
    switch (event.type) {
      case "plan.submitted":
        expect(approvals, "[PL-05] an approval id is minted anew").not.toContain(event.submission.approvalId);
        approvals.push(event.submission.approvalId);
        return;
      case "plan.approved":
      case "plan.rejected":
      case "plan.timed_out": {
        decided(event.approvalId, event.type.slice("plan.".length));
        const told = commit.filter(
          (item) => item.type === "injection.queued" && item.injection.kind === "plan_decision",
        );
        expect(told, "[I08] [I10] a decision commits with the one envelope that tells it").toHaveLength(1);
        return;
      }
      default:
    }
  }
  return { approvals, follow };
}

/** Turns, their input and their calls. `modeBefore` is the mode that the commit was decided in. */
function watchedTurns() {
  const results = new Map<string, number>();
  const delivered = new Set<string>();
  let epoch = 0;

  function deliver(turnId: string, injectionIds: readonly string[]): void {
    expect(delivered.has(turnId), "[IN-03] a turn receives its input once").toBe(false);
    delivered.add(turnId);
    expect(new Set(injectionIds).size, "[I11] an envelope is applied once").toBe(injectionIds.length);
  }

  function follow(event: SessionEvent, modeBefore: string): void {
    switch (event.type) {
      case "call.claimed":
        expect(results.has(event.callId), `[I15] ${event.callId} was claimed twice`).toBe(false);
        expect(modeBefore, "[I01] a call is claimed only where mutations are unlocked").not.toBe("plan");
        results.set(event.callId, 0);
        return;
      case "call.closed":
        if (results.has(event.callId)) results.set(event.callId, (results.get(event.callId) ?? 0) + 1);
        expect(results.get(event.callId) ?? 0, "[I15] a claim has at most one result").toBeLessThanOrEqual(1);
        return;
      case "turn.started":
      case "turn.taken-over":
        expect(event.epoch, "[I14] epochs only grow").toBeGreaterThan(epoch);
        epoch = event.epoch;
        return;
      case "entry.appended":
        if (event.entry.kind === "input") deliver(event.entry.turnId, event.entry.injectionIds);
        return;
      default:
    }
  }
  return { follow };
}

/** Follows one game and fails it at the first commit that breaks a rule. */
export function watchedHistory(): History {
  const plans = watchedPlans();
  const turns = watchedTurns();
  let mode = "normal";
  return {
    approvals: plans.approvals,
    heard({ session, events }) {
      const commit = events.map((stored) => stored.event);
      for (const event of commit) {
        const plan = planEvent(event);
        if (plan === undefined) turns.follow(event, mode);
        else plans.follow(plan, commit);
      }
      if (session === undefined) return;
      expect(Session.parse(session), "[PL-01] only what the schema knows can be stored").toEqual(session);
      if (commit.some((event) => event.type === "turn.taken-over")) expectNoOrphans(session);
      mode = PlanModeState.parse(session.slices[PLAN]).now.mode;
    },
  };
}
