/** What the configuration file says about plan mode: who signs, and for each agent and binding how it plans. */
import { ApprovalRules, ApprovalRulesOverride, canBeMet } from "./approvals.ts";
import type { ConfigSections } from "../../protocol/plugin/plugin-protocol.ts";
import { z } from "zod";
import { PlanReminders } from "./reach/reach.ts";
import { PermissionMode, PlanModeSettings, PlanNudges } from "./settings.ts";

/** A setting that may be left out here, with the words that it has where it is defined. */
const part = <S extends z.ZodType>(setting: z.ZodDefault<S>): z.ZodOptional<S> => {
  const { description } = setting;
  const open = z.optional(setting.unwrap());
  return description === undefined ? open : open.describe(description);
};

/** Part of the settings at one level; what is left out comes from the level above. */
const PlanModeOverride = z.strictObject({
  enabled: part(PlanModeSettings.shape.enabled),
  defaultActive: part(PlanModeSettings.shape.defaultActive),
  requireApproval: part(PlanModeSettings.shape.requireApproval),
  autoEnterOnDestructive: part(PlanModeSettings.shape.autoEnterOnDestructive),
  autoEnableFor: part(PlanModeSettings.shape.autoEnableFor),
  nudges: PlanNudges.optional(),
  reminders: PlanReminders.optional().describe("What happens while nobody answers what waits."),
  critic: PlanModeSettings.shape.critic,
  lint: part(PlanModeSettings.shape.lint),
  unknownCommands: part(PlanModeSettings.shape.unknownCommands),
  approvalTimeoutSeconds: part(PlanModeSettings.shape.approvalTimeoutSeconds),
  unlock: part(PlanModeSettings.shape.unlock),
  approvals: ApprovalRulesOverride.optional().describe("Where it differs from approvals at the top."),
  debug: part(PlanModeSettings.shape.debug),
  requireResolvedThreads: part(PlanModeSettings.shape.requireResolvedThreads),
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
