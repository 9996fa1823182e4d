/** What the configuration file says about plan mode: who signs, and for each agent and binding how it plans. */
import { ApprovalRules, ApprovalRulesOverride, canBeMet } from "./approvals.ts";
import type { ConfigSections } from "../../protocol/plugin/plugin-protocol.ts";
import { z } from "zod";
import { PlanReminders } from "./reach/reach.ts";
import { PermissionMode, PlanModeSettings, PlanNudges } from "./settings.ts";

/** Part of the settings at one level; what is left out comes from the level above. */
const PlanModeOverride = z.strictObject({
  enabled: PlanModeSettings.shape.enabled.unwrap().optional(),
  defaultActive: PlanModeSettings.shape.defaultActive.unwrap().optional(),
  requireApproval: PlanModeSettings.shape.requireApproval.unwrap().optional(),
  autoEnterOnDestructive: PlanModeSettings.shape.autoEnterOnDestructive.unwrap().optional(),
  autoEnableFor: PlanModeSettings.shape.autoEnableFor.unwrap().optional(),
  nudges: PlanNudges.optional(),
  reminders: PlanReminders.optional().describe("What happens while nobody answers what waits."),
  critic: PlanModeSettings.shape.critic,
  lint: PlanModeSettings.shape.lint.unwrap().optional(),
  unknownCommands: PlanModeSettings.shape.unknownCommands.unwrap().optional(),
  approvalTimeoutSeconds: PlanModeSettings.shape.approvalTimeoutSeconds.unwrap().optional(),
  unlock: PlanModeSettings.shape.unlock.unwrap().optional(),
  approvals: ApprovalRulesOverride.optional().describe("Where it differs from approvals at the top."),
  debug: PlanModeSettings.shape.debug.unwrap().optional(),
  requireResolvedThreads: PlanModeSettings.shape.requireResolvedThreads.unwrap().optional(),
});

const levels = { planMode: PlanModeOverride.optional(), permissionMode: PermissionMode.optional() };

export const PLAN_MODE_CONFIG = {
  root: {
    approvals: ApprovalRules.refine(canBeMet, "quorum asks for more signatures than approvers names people")
      .prefault({})
      .describe("Who must sign a plan before it is carried out."),
    skills: z
      .strictObject({
        limits: z
          .strictObject({
            maxPlanTemplateSteps: PlanModeSettings.shape.maxPlanTemplateSteps.describe(
              "With how many steps at most the template of a skill begins a plan; the others are left out and logged.",
            ),
          })
          .prefault({}),
      })
      .prefault({})
      .describe("What skills may bring into plans."),
  },
  tools: {},
  agentDefaults: {
    planMode: PlanModeOverride.prefault({}),
    permissionMode: PermissionMode.default("default").describe(
      "What new sessions ask a person about, outside plan mode. default: destructive calls and configuration; ask: every change; accept: every change but file edits; bypass: nothing.",
    ),
  },
  agent: levels,
  binding: levels,
} as const satisfies ConfigSections;
