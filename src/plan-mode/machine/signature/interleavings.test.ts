/** Two and more people at once: every order in which decisions that were formed on what was shown can arrive. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { alice, inPhase, pendingApprovalId, type PlanSession } from "../../../../test/kit/plan-session.ts";
import { repeated } from "../../../../test/kit/repetitions.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { OperatorId } from "../../../protocol/ids.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import { rejectionsOf } from "./decision-code.ts";

const person = (name: string): Actor => ({
  ...alice,
  kind: "operator",
  id: OperatorId.parse(`opr_${name.toLowerCase()}`),
  name,
  scopes: ["operator.approvals"],
  surface: "web",
});
const PEOPLE = [alice, person("Bob"), person("Carol"), person("Dave")] as const;

/** Formed on the card as it stands now; given later, when it may stand otherwise. */
type Formed = { by: Actor; seen: number; isApproval: boolean; command: PlanModeCommand };

function form(session: PlanSession, by: Actor, action: "approve" | "edit" | "reject"): Formed {
  const approvalId = pendingApprovalId(session);
  const seen = rejectionsOf(session.state().now);
  const over = seen === 0 ? {} : { overRejection: seen };
  const approval =
    action === "reject" ? { action, approvalId, feedback: `no, says ${seen}` } : { action, approvalId, ...over };
  return { by, seen, isApproval: action !== "reject", command: { type: "decide", approval } };
}

const APPROVES = new Set(["plan.approved", "plan.signed", "plan.signed plan.approved"]);

/** Gives it, and holds the answer against what its author saw. */
function give(session: PlanSession, formed: Formed): void {
  const { now } = session.state();
  const rejections = rejectionsOf(now);
  const outcome = session.outcome(formed.command, formed.by);
  if (now.phase === "executing") return expect(outcome).toBe("APPROVAL_ALREADY_DECIDED");
  if (!formed.isApproval) return expect(["plan.rejected", "APPROVAL_ALREADY_DECIDED"]).toContain(outcome);
  if (formed.seen < rejections) return expect(outcome).toBe("APPROVAL_REJECTED"); // it lost, and is told so
  expect(APPROVES.has(outcome) || outcome === "APPROVAL_ALREADY_SIGNED").toBe(true);
}

const ACTIONS = ["approve", "edit", "reject"] as const;

it("[PL-20, PL-10, PL-18] whoever approves what somebody rejects in the same moment wins only by coming first", () => {
  for (const quorum of [1, 2])
    for (const first of ACTIONS)
      for (const second of ACTIONS)
        for (const third of ACTIONS) {
          const session = inPhase("pending", { settings: { approvals: ApprovalRules.parse({ quorum }) } });
          const formed = [first, second, third].map((action, n) => form(session, PEOPLE[n] ?? alice, action));
          for (const one of formed) give(session, one);
          const approvals = formed.findIndex(({ isApproval }) => !isApproval);
          const before = approvals < 0 ? formed.length : approvals;
          expect(session.state().now.phase).toBe(
            before >= quorum ? "executing" : formed.some(({ isApproval }) => !isApproval) ? "rejected" : "pending",
          );
        }
});

it("[PL-20, PL-10, PL-18] decisions formed at any time and given in any order never get past a rejection unseen", () => {
  const move = fc.record({
    who: fc.nat(PEOPLE.length - 1),
    action: fc.constantFrom(...ACTIONS),
    /** How many decisions of others come in between. */
    late: fc.nat(4),
  });
  fc.assert(
    fc.property(fc.array(move, { minLength: 2, maxLength: 12 }), fc.constantFrom(1, 2), (moves, quorum) => {
      const session = inPhase("pending", { settings: { approvals: ApprovalRules.parse({ quorum }) } });
      const waiting: (Formed & { at: number })[] = [];
      for (const [n, { who, action, late }] of moves.entries()) {
        if (session.state().now.phase !== "executing")
          waiting.push({ ...form(session, PEOPLE[who] ?? alice, action), at: n + late });
        for (const one of waiting.filter(({ at }) => at === n)) give(session, one);
      }
      for (const one of waiting.filter(({ at }) => at >= moves.length)) give(session, one);
    }),
    repeated(300),
  );
});
