/**
 * Whether one set of settings lets more pass than another did, anywhere. What only makes things stricter is no decision.
 * Each table names every setting of its schema: one that is added does not compile until it is compared here.
 */
import type { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import { STRICTNESS } from "../permission/permission.ts";

/** For every setting: whether the second value lets more pass than the first. */
type Comparisons<Settings> = {
  readonly [Name in keyof Settings]-?: (before: Settings[Name], after: Settings[Name]) => boolean;
};

export const isLooser = (before: PlanModeSettings, after: PlanModeSettings): boolean =>
  isAnyLooser(SETTINGS, before, after);

function isAnyLooser<Settings extends object>(
  comparisons: Comparisons<Settings>,
  before: Settings,
  after: Settings,
): boolean {
  for (const name in comparisons) if (comparisons[name](before[name], after[name])) return true;
  return false;
}

const isSwitchedOff = (before: boolean, after: boolean): boolean => before && !after;
const isLower = (before: number, after: number): boolean => after < before;
/** Lets nothing pass, whatever its value. */
const never = (): boolean => false;

const ACTIVE: Readonly<Record<`${PlanModeSettings["defaultActive"]}`, number>> = { false: 0, null: 1, true: 2 };
const PRESENCE: Readonly<Record<NonNullable<ApprovalRules["presence"]>, number>> = {
  none: 0,
  destructive: 1,
  passkey: 2,
};

/** Whether the second asks for a passkey more rarely than the first. */
export const isLooserPresence = (
  before: ApprovalRules["presence"] = "none",
  after: ApprovalRules["presence"] = "none",
): boolean => isLower(PRESENCE[before], PRESENCE[after]);

const RULES: Comparisons<ApprovalRules> = {
  quorum: isLower,
  // somebody who could not sign before
  approvers: (before, after) => before !== undefined && after?.every((entry) => before.includes(entry)) !== true,
  presence: isLooserPresence,
  notAuthor: (before = false, after = false) => isSwitchedOff(before, after),
  // rules that come behind those that there were take nothing away from them
  risks: (before = [], after = []) => JSON.stringify(after.slice(0, before.length)) !== JSON.stringify(before),
};

const SETTINGS: Comparisons<PlanModeSettings> = {
  enabled: isSwitchedOff,
  defaultActive: (before, after) => isLower(ACTIVE[`${before}`], ACTIVE[`${after}`]),
  requireApproval: isSwitchedOff,
  autoEnterOnDestructive: isSwitchedOff,
  lint: never, // it advises, and holds nothing
  unknownCommands: (before, after) => before === "block" && after === "ask",
  unlock: (before, after) => before === "scoped" && after === "open",
  // a signature that had lapsed would count again
  approvalTimeoutSeconds: (before, after) => after > before,
  approvals: (before, after) => isAnyLooser(RULES, before, after),
  requireResolvedThreads: isSwitchedOff,
  autoEnableFor: (before, after) => before.some((pattern) => !after.includes(pattern)),
  maxPlanTemplateSteps: never, // of a draft, which nobody carries out
  critic: never, // it advises, and holds nothing
  debug: never,
  nudges: never,
  reminders: never,
  model: never,
  permissionMode: (before, after) => isLower(STRICTNESS[before], STRICTNESS[after]),
};
