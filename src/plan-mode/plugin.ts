/** Plan mode, built on nothing that an outside plugin could not use. */
import { Json, JsonObject } from "../protocol/json.ts";
import type { RunSelfTest } from "./protocol/self-test/self-test-report.ts";
import { PLAN_PATCH_FIELDS } from "./protocol/patch-fields.ts";
import { ENGLISH } from "./texts/en.ts";
import { definePlugin, type Plugin, type PluginApi } from "../plugins/sdk.ts";
import { permissionsCommand } from "./commands/permissions-command.ts";
import { approveCommand } from "./commands/approve-command.ts";
import { createPlanCommand } from "./commands/plan-command.ts";
import { acceptEditsPolicy } from "./gates/accept-edits-gate.ts";
import { shellCommandJudge } from "./gates/command-judge.ts";
import { destructivePolicy } from "./gates/destructive-gate.ts";
import { permissionPrompt } from "./gates/permission-gate.ts";
import { planGatePolicy } from "./gates/plan-gate.ts";
import { proofMarkPolicy } from "./gates/proof-mark.ts";
import { scopePolicy } from "./gates/scope-gate.ts";
import { PLAN_MODE_SLICE, planModeSlice } from "./machine/slice.ts";
import { planMethods } from "./methods/plan-methods.ts";
import { createShareRoute } from "./methods/share-route.ts";
import { withEditedBase } from "./review/edited-base.ts";
import { planPrompt } from "./prompts/plan-prompt.ts";
import type { FindTemplates } from "./seeding/find-templates.ts";
import { seedBeforeTurns } from "./seeding/seed-before-turns.ts";
import { askCritic, type AskCritic } from "./critic/ask-critic.ts";
import { planModeSettings } from "./settings.ts";
import { amendPlan } from "./tools/amend-plan.ts";
import { askUserQuestion } from "./tools/ask-user-question.ts";
import { enterPlanMode } from "./tools/enter-plan-mode.ts";
import { exitPlanMode } from "./tools/exit-plan-mode.ts";
import { planModeStatus } from "./tools/plan-mode-status.ts";
import { updatePlan } from "./tools/update-plan.ts";

/** What the gateway passes to plan mode besides the SDK. */
export type PlanModeParts = { selfTest?: RunSelfTest; templates?: FindTemplates; critic?: AskCritic };

const createPlanMode = ({ selfTest, templates, critic }: PlanModeParts = {}): Plugin =>
  definePlugin({
    id: "plan-mode",
    name: ENGLISH.plugin_plan_mode,
    description: ENGLISH.about_plan_mode,
    register(api) {
      api.session.registerSlice(planModeSlice);
      api.settings.register(planModeSettings);
      registerPatchFields(api);
      api.tools.registerTool(enterPlanMode);
      api.tools.registerTool(exitPlanMode);
      api.tools.registerTool(updatePlan);
      api.tools.registerTool(amendPlan);
      api.tools.registerTool(askUserQuestion);
      api.tools.registerTool(planModeStatus);
      api.tools.registerCommandJudge(shellCommandJudge);
      api.tools.registerTrustedToolPolicy(planGatePolicy);
      api.tools.registerTrustedToolPolicy(scopePolicy);
      api.tools.registerTrustedToolPolicy(proofMarkPolicy);
      api.tools.registerTrustedToolPolicy(acceptEditsPolicy);
      api.tools.registerTrustedToolPolicy(destructivePolicy);
      api.tools.registerPermissionPrompt(permissionPrompt);
      api.commands.registerCommand(createPlanCommand({ selfTest, templates }));
      api.commands.registerCommand(approveCommand);
      api.commands.registerCommand(permissionsCommand);
      api.prompts.registerPart(planPrompt);
      if (templates !== undefined) seedBeforeTurns(api, templates);
      if (critic !== undefined) registerCritic(api, critic);
      const reading = { documents: api.documents, readSession: api.sessions.read };
      for (const method of planMethods(reading, { selfTest, templates })) api.methods.register(method);
      api.routes.register(createShareRoute(api.documents, api.sessions.read));
    },
  });

function registerCritic(api: PluginApi, ask: AskCritic): void {
  api.session.registerWorker({
    slice: PLAN_MODE_SLICE,
    orders: ["critique"],
    perform: (order, call) => askCritic(order, call, { api, ask }),
  });
}

function registerPatchFields(api: Pick<PluginApi, "session">): void {
  api.session.registerPatchField({
    field: "planApproval",
    schema: PLAN_PATCH_FIELDS.planApproval,
    requiredScopes: ["operator.approvals"],
    slice: PLAN_MODE_SLICE,
    missingCodes: { feedback: "FEEDBACK_REQUIRED" }, // PL-07
    toCommand: (approval) =>
      approval.action === "approve_edited"
        ? { type: "approve-edition", approval: Json.parse(approval), base: null }
        : { type: "decide", approval: Json.parse(approval) },
    withDocuments: withEditedBase,
  });
  api.session.registerPatchField({
    field: "planNote",
    schema: PLAN_PATCH_FIELDS.planNote,
    requiredScopes: ["operator.approvals"],
    slice: PLAN_MODE_SLICE,
    toCommand: (note) => ({ type: "note", note: Json.parse(note) }),
  });
  api.session.registerPatchField({
    field: "planText",
    schema: PLAN_PATCH_FIELDS.planText,
    requiredScopes: ["operator.approvals"],
    slice: PLAN_MODE_SLICE,
    toCommand: (written) => ({ type: "write", ...JsonObject.parse(written) }),
  });
  api.session.registerPatchField({
    field: "planMode",
    schema: PLAN_PATCH_FIELDS.planMode,
    requiredScopes: ["operator.approvals"],
    slice: PLAN_MODE_SLICE,
    toCommand: (mode) => (mode === "plan" ? { type: "enter", reason: "" } : { type: "leave" }),
  });
  api.session.registerPatchField({
    field: "planArchetype",
    schema: PLAN_PATCH_FIELDS.planArchetype,
    requiredScopes: ["operator.approvals"],
    slice: PLAN_MODE_SLICE,
    toCommand: (archetype) => ({ type: "set-archetype", archetype }),
  });
  api.session.registerPatchField({
    field: "permissionMode",
    schema: PLAN_PATCH_FIELDS.permissionMode,
    requiredScopes: ["operator.approvals"],
    slice: PLAN_MODE_SLICE,
    toCommand: (mode) => ({ type: "set-permission-mode", mode }),
  });
}

export const planModePlugin = createPlanMode();

export const startPlugin = (parts: PlanModeParts = {}): Plugin => createPlanMode(parts);
