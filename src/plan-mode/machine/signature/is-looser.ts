/** Whether one set of settings lets more pass than another did, anywhere. What only makes things stricter is no decision. */
import type { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import { STRICTNESS } from "../permission/permission.ts";

export function isLooser(before: PlanModeSettings, after: PlanModeSettings): boolean {
  const ends = (name: "enabled" | "requireApproval" | "autoEnterOnDestructive" | "requireResolvedThreads"): boolean =>
    before[name] && !after[name];
  return (
    ends("enabled") ||
    ends("requireApproval") ||
    ends("autoEnterOnDestructive") ||
    ends("requireResolvedThreads") ||
    ACTIVE[`${after.defaultActive}`] < ACTIVE[`${before.defaultActive}`] ||
    (before.unknownCommands === "block" && after.unknownCommands === "ask") ||
    STRICTNESS[after.permissionMode] < STRICTNESS[before.permissionMode] ||
    before.autoEnableFor.some((pattern) => !after.autoEnableFor.includes(pattern)) ||
    signsEasier(before.approvals, after.approvals)
  );
}

const ACTIVE: Readonly<Record<`${PlanModeSettings["defaultActive"]}`, number>> = { false: 0, null: 1, true: 2 };

/** Fewer signatures, or somebody who could not sign before. */
function signsEasier(before: ApprovalRules, after: ApprovalRules): boolean {
  if (after.quorum < before.quorum) return true;
  if (before.approvers === undefined) return false;
  return after.approvers?.every((entry) => before.approvers?.includes(entry)) !== true;
}
