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

const APPROVES = ["plan.approved", "plan.signed", "plan.signed plan.approved", "APPROVAL_ALREADY_SIGNED"];

/** What it must be answered, by what its author saw and by how things stand when it arrives. */
function allowed({ isApproval, seen }: Formed, session: PlanSession): readonly string[] {
  const { now } = session.state();
  if (now.phase === "executing") return ["APPROVAL_ALREADY_DECIDED"];
  if (!isApproval) return ["plan.rejected", "APPROVAL_ALREADY_DECIDED"];
  if (seen < rejectionsOf(now)) return ["APPROVAL_REJECTED"]; // it lost, and is told so
  return APPROVES;
}

/** The answers that were not allowed. */
function give(session: PlanSession, given: readonly Formed[]): string[] {
  return given.flatMap((formed) => {
    const expected = allowed(formed, session);
    const outcome = session.outcome(formed.command, formed.by);
    return expected.includes(outcome) ? [] : [`${outcome}, not ${expected.join(" or ")}`];
  });
}

const ACTIONS = ["approve", "edit", "reject"] as const;
const orders = ACTIONS.flatMap((first) =>
  ACTIONS.flatMap((second) =>
    ACTIONS.flatMap((third) => [1, 2].map((quorum) => ({ order: [first, second, third], quorum }))),
  ),
);

it.each(orders)(
  "[PL-20, PL-10, PL-18] $order at once, of which $quorum must sign: only who comes first wins",
  ({ order, quorum }) => {
    const session = inPhase("pending", { settings: { approvals: ApprovalRules.parse({ quorum }) } });
    const formed = order.map((action, n) => form(session, PEOPLE[n] ?? alice, action));
    expect(give(session, formed)).toEqual([]);
    const rejected = order.indexOf("reject");
    const signed = rejected < 0 ? order.length : rejected;
    const otherwise = rejected < 0 ? "pending" : "rejected";
    expect(session.state().now.phase).toBe(signed >= quorum ? "executing" : otherwise);
  },
);

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
      const wrong: string[] = [];
      for (const [n, { who, action, late }] of moves.entries()) {
        if (session.state().now.phase !== "executing")
          waiting.push({ ...form(session, PEOPLE[who] ?? alice, action), at: n + late });
        wrong.push(
          ...give(
            session,
            waiting.filter(({ at }) => at === n),
          ),
        );
      }
      wrong.push(
        ...give(
          session,
          waiting.filter(({ at }) => at >= moves.length),
        ),
      );
      expect(wrong).toEqual([]);
    }),
    repeated(300),
  );
});
