/** Which rules count for a plan that touches something risky: the first that fits, and never fewer signatures (BY-05). */
import { describe, expect, it } from "vitest";
import { agent, inPhase, planSession } from "../../../../test/kit/plan-session.ts";
import { ApprovalRules, type RiskRule } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { StepScope } from "../../protocol/step/scope.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { withRiskRules } from "./risk-rules.ts";

const body = (...scopes: readonly StepScope[]): PlanBody => ({
  title: "Steps",
  plan: scopes.map((scope, n) => ({ step: `Step ${n + 1}`, status: "pending", scope })),
});
const submit = (plan: PlanBody): PlanModeCommand => ({ type: "submit", body: plan, digest: planDigest(plan) });

function waiting(plan: PlanBody) {
  const session = planSession();
  session.must({ type: "enter", reason: "x" }, agent);
  session.must(submit(plan), agent);
  return session;
}

const RISKS: RiskRule[] = [
  { paths: ["infra"], approvers: ["Root"] },
  { commands: ["git push"], quorum: 3 },
  { hosts: ["*.prod.test"], approvers: ["Bob"], quorum: 2 },
  { tools: ["github__*"], quorum: 1 },
];
const approvals = (more: Partial<ApprovalRules> = {}) => ApprovalRules.parse({ risks: RISKS, ...more });
const rulesFor = (scope: StepScope | undefined, more: Partial<ApprovalRules> = {}) => {
  const { state } = scope === undefined ? inPhase("off") : waiting(body({ paths: ["src"] }, scope));
  const { quorum, approvers } = withRiskRules({ settings: { approvals: approvals(more) } }, state()).settings.approvals;
  return { quorum, approvers };
};

describe("what a plan declares", () => {
  it("[BY-05] changes who signs, by its paths, commands, hosts or tools", () => {
    expect(rulesFor({ paths: ["infra/main.tf"] })).toEqual({ quorum: 1, approvers: ["Root"] });
    expect(rulesFor({ commands: ["git push origin"] })).toEqual({ quorum: 3, approvers: undefined });
    expect(rulesFor({ hosts: ["db.prod.test"] })).toEqual({ quorum: 2, approvers: ["Bob"] });
    expect(rulesFor({ tools: ["github__merge"] })).toEqual({ quorum: 1, approvers: undefined });
    expect(rulesFor({ paths: ["docs"], commands: ["npm test"], hosts: ["x.test"], tools: ["message"] })).toEqual({
      quorum: 1,
      approvers: undefined,
    });
    expect(rulesFor(undefined)).toEqual({ quorum: 1, approvers: undefined });
  });

  it("[BY-05, PL-18] never lowers what is asked for anyhow, and keeps approvers that the rule does not name", () => {
    expect(rulesFor({ hosts: ["db.prod.test"] }, { quorum: 4 })).toEqual({ quorum: 4, approvers: ["Bob"] });
    expect(rulesFor({ commands: ["git push"] }, { approvers: ["Alice"] })).toEqual({ quorum: 3, approvers: ["Alice"] });
    expect(rulesFor({ paths: ["infra"] }, { quorum: 2 })).toEqual({ quorum: 2, approvers: ["Root"] });
  });

  it("[BY-05] counts by the first rule that fits", () => {
    expect(rulesFor({ paths: ["infra"], commands: ["git push"] })).toEqual({ quorum: 1, approvers: ["Root"] });
  });

  it("[BY-05] counts while it is being submitted or edited, and as what a yes would add", () => {
    const context = { settings: { approvals: approvals() } };
    const quorum = (state: Parameters<typeof withRiskRules>[1], command?: PlanModeCommand) =>
      withRiskRules(context, state, command).settings.approvals.quorum;
    const risky = body({ commands: ["git push"] });
    const harmless = waiting(body({ paths: ["src"] }));
    expect(quorum(inPhase("exploring").state(), submit(risky))).toBe(3);
    const approval = { action: "approve_edited", approvalId: "apr_1", digest: "d", steps: risky.plan };
    expect(
      quorum(harmless.state(), { type: "approve-edition", approval, base: null } as unknown as PlanModeCommand),
    ).toBe(3);
    expect(quorum(harmless.state(), { type: "leave" })).toBe(1);
    expect(quorum(harmless.state())).toBe(1);
    const question = { amendment: { add: { commands: ["git push"] } } };
    expect(quorum({ ...harmless.state(), question } as never)).toBe(3);
    expect(quorum({ ...harmless.state(), question: { call: {} } } as never)).toBe(1);
  });

  it("[BY-05] changes nothing where there are no such rules", () => {
    const state = waiting(body({ paths: ["infra"] })).state();
    const without = { settings: { approvals: ApprovalRules.parse({}) } };
    expect(withRiskRules(without, state)).toBe(without);
    const none = { settings: {} };
    expect(withRiskRules(none, state)).toBe(none);
    const unfit = { settings: { approvals: ApprovalRules.parse({ risks: [{ hosts: ["x.test"] }] }) } };
    expect(withRiskRules(unfit, state)).toBe(unfit);
  });
});
