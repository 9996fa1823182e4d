/** What a surface put before the person who approves is recorded with the approval, and without the whole text there is none. */
import { describe, expect, it } from "vitest";
import { agent, alice, pendingApprovalId, planSession, type PlanSession } from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { OperatorId } from "../../../protocol/ids.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import { planDigest } from "../../tools/plan-digest.ts";

const body: PlanBody = { title: "Rename the parser", plan: [{ step: "Rename the file", status: "pending" }] };
const digest = planDigest(body);
const bob: Actor = {
  kind: "operator",
  id: OperatorId.parse("opr_bob"),
  name: "Bob",
  scopes: ["operator.read", "operator.approvals"],
  surface: "telegram",
};

function pending(quorum = 1): PlanSession {
  const session = planSession({ settings: { approvals: ApprovalRules.parse({ quorum }) } });
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body, digest }, agent);
  return session;
}

type Stated = { digest?: string; offered?: "whole" | "on-request" | "part" };

const approve = (session: PlanSession, stated: Stated, action: "approve" | "edit" = "approve"): PlanModeCommand => ({
  type: "decide",
  approval: { action, approvalId: pendingApprovalId(session), ...stated },
});

const offeredIn = ({ audit }: ReturnType<PlanSession["must"]>) =>
  audit.filter(({ type }) => type === "plan.decided" || type === "plan.signed").map(({ detail }) => detail["offered"]);

describe("what was offered", () => {
  it.each<[string, Stated, string]>([
    ["a surface that showed all of it", { digest, offered: "whole" }, "whole"],
    ["a surface that gives it on request", { digest, offered: "on-request" }, "on-request"],
    ["an older client, which states nothing", { digest }, "on-request"],
    ["an older client that names no digest either", {}, "on-request"],
  ])("[I06] stands in the audit row of the approval: %s", (_who, stated, extent) => {
    const session = pending();
    const decided = session.must(approve(session, stated), alice);
    expect(offeredIn(decided)).toEqual([{ surface: "cli", extent, digest }]);
  });

  it("[I06, PL-18] stands in the row of each signature, by the surface that it came from", () => {
    const session = pending(2);
    expect(offeredIn(session.must(approve(session, { digest, offered: "whole" }), alice))).toEqual([
      { surface: "cli", extent: "whole", digest },
    ]);
    const last = { surface: "telegram", extent: "on-request", digest };
    expect(offeredIn(session.must(approve(session, { digest }), bob))).toEqual([last, last]);
  });

  it.each(["approve", "edit"] as const)(
    "[I06] %s where only a part arrived is refused, and nothing changes",
    (action) => {
      const session = pending();
      const before = session.session();
      expect(session.outcome(approve(session, { digest, offered: "part" }, action), alice)).toBe(
        "APPROVAL_NOT_OFFERED",
      );
      expect(session.session()).toEqual(before);
      expect(session.outcome(approve(session, { digest }, action), alice)).toBe("plan.approved");
    },
  );

  it("[I06] an edition names the text that was edited; where only a part arrived nobody edits it", () => {
    const session = pending();
    const edited = (offered: "whole" | "part"): PlanModeCommand => ({
      type: "approve-edition",
      base: body,
      approval: {
        action: "approve_edited",
        approvalId: pendingApprovalId(session),
        digest,
        offered,
        steps: [{ step: "Rename both files", status: "pending" }],
      },
    });
    expect(session.outcome(edited("part"), alice)).toBe("APPROVAL_NOT_OFFERED");
    expect(offeredIn(session.must(edited("whole"), alice))).toEqual([{ surface: "cli", extent: "whole", digest }]);
  });

  it("[I06] a digest of other text is refused whatever its surface says to have shown", () => {
    const session = pending();
    const other = approve(session, { digest: "0".repeat(64), offered: "whole" });
    expect(session.outcome(other, alice)).toBe("APPROVAL_DIGEST_MISMATCH");
  });
});
