import { describe, expect, it } from "vitest";
import { alice, inPhase, planSession } from "../../test/kit/plan-session.ts";
import { PlanModeCommand } from "./protocol/command.ts";

const { host } = planSession();

describe("the plugin", () => {
  it("[PL-03, GA-02, TO-08] registers its slice, fields, tools, policy and command", () => {
    expect([...host.slices.keys()]).toEqual(["planMode"]);
    const fields = ["planApproval", "planNote", "planText", "planMode", "planArchetype", "permissionMode"];
    expect([...host.patchFields.keys()]).toEqual(fields);
    expect(host.tools.map((tool) => tool.name)).toEqual([
      "enter_plan_mode",
      "exit_plan_mode",
      "update_plan",
      "amend_plan",
      "ask_user_question",
      "plan_mode_status",
    ]);
    expect(host.policies.map((policy) => policy.id)).toEqual([
      "plan-mode/gate",
      "plan-mode/scope",
      "plan-mode/proof-mark",
      "plan-mode/accept-edits",
      "plan-mode/auto-destructive",
    ]);
    expect(host.commands.list().map(({ spec }) => spec.name)).toEqual(["approve", "permissions", "plan"]);
    expect(host.permissionPrompt?.id).toBe("plan-mode/permission");
  });

  it("[GA-02, CH-03] the field permissionMode sets the mode, for operators with operator.approvals", () => {
    const field = host.patchFields.get("permissionMode");
    expect(field?.requiredScopes).toEqual(["operator.approvals"]);
    expect(field?.toCommand("ask")).toEqual({ type: "set-permission-mode", mode: "ask" });
    expect(field?.schema.safeParse("plan").success).toBe(false);
    expect(field?.schema.safeParse(null).success).toBe(true);
    expect(field?.toCommand(null)).toEqual({ type: "set-permission-mode", mode: null });
  });

  it("[PL-02, PL-03, CH-03] the field planMode enters and leaves, for operators with operator.approvals", () => {
    const field = host.patchFields.get("planMode");
    expect(field?.requiredScopes).toEqual(["operator.approvals"]);
    expect(["plan", "normal", null].map((value) => field?.toCommand(value))).toEqual([
      { type: "enter", reason: "" },
      { type: "leave" },
      { type: "leave" },
    ]);
    expect(field?.schema.safeParse("executing").success).toBe(false);
  });

  it("[PL-10, TO-08] the field planApproval becomes a decision", () => {
    const field = host.patchFields.get("planApproval");
    const session = inPhase("pending");
    const { now } = session.state();
    const approvalId = now.phase === "pending" ? now.submission.approvalId : "";
    const value: unknown = field?.schema.parse({ action: "approve", approvalId });
    const command = PlanModeCommand.parse(field?.toCommand(value));
    expect(session.outcome(command, alice)).toBe("plan.approved");
    expect(field?.schema.safeParse({ action: "approve", approvalId, approved: true }).success).toBe(false);
    expect(field?.requiredScopes).toEqual(["operator.approvals"]);
  });
});
