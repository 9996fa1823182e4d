/** Plan mode, built on nothing that an outside plugin could not use. */
import { z } from "zod";
import { Json } from "../protocol/json.ts";
import { PermissionMode, PlanApproval } from "../protocol/plan-mode.ts";
import { PlanNote } from "../protocol/review/review.ts";
import { ENGLISH } from "../protocol/said/english.ts";
import { definePlugin } from "../plugins/sdk.ts";
import { permissionsCommand } from "./commands/permissions-command.ts";
import { approveCommand } from "./commands/approve-command.ts";
import { planCommand } from "./commands/plan-command.ts";
import { acceptEditsPolicy } from "./gates/accept-edits-gate.ts";
import { shellCommandJudge } from "./gates/command-judge.ts";
import { destructivePolicy } from "./gates/destructive-gate.ts";
import { permissionPrompt } from "./gates/permission-gate.ts";
import { planGatePolicy } from "./gates/plan-gate.ts";
import { PLAN_MODE_SLICE, planModeSlice } from "./machine/slice.ts";
import { withEditedBase } from "./review/edited-base.ts";
import { planPrompt } from "./prompts/plan-prompt.ts";
import { askUserQuestion } from "./tools/ask-user-question.ts";
import { enterPlanMode } from "./tools/enter-plan-mode.ts";
import { exitPlanMode } from "./tools/exit-plan-mode.ts";
import { planModeStatus } from "./tools/plan-mode-status.ts";
import { updatePlan } from "./tools/update-plan.ts";

export const planModePlugin = definePlugin({
  id: "plan-mode",
  name: ENGLISH.plugin_plan_mode,
  description: ENGLISH.about_plan_mode,
  register(api) {
    api.session.registerExtension(planModeSlice);
    api.session.registerPatchField({
      field: "planMode",
      schema: z.enum(["plan", "normal"]).nullable(),
      requiredScopes: ["operator.approvals"],
      slice: PLAN_MODE_SLICE,
      toCommand: (mode) => (mode === "plan" ? { type: "enter", reason: "" } : { type: "leave" }),
    });
    api.session.registerPatchField({
      field: "planApproval",
      schema: PlanApproval,
      requiredScopes: ["operator.approvals"],
      slice: PLAN_MODE_SLICE,
      toCommand: (approval) =>
        approval.action === "approve_edited"
          ? { type: "approve-edition", approval: Json.parse(approval), base: null }
          : { type: "decide", approval: Json.parse(approval) },
      withDocuments: withEditedBase,
    });
    api.session.registerPatchField({
      field: "planNote",
      schema: PlanNote,
      requiredScopes: ["operator.approvals"],
      slice: PLAN_MODE_SLICE,
      toCommand: (note) => ({ type: "note", note: Json.parse(note) }),
    });
    api.session.registerPatchField({
      field: "permissionMode",
      schema: PermissionMode,
      requiredScopes: ["operator.approvals"],
      slice: PLAN_MODE_SLICE,
      toCommand: (mode) => ({ type: "set-permission-mode", mode }),
    });
    api.tools.registerTool(enterPlanMode);
    api.tools.registerTool(exitPlanMode);
    api.tools.registerTool(updatePlan);
    api.tools.registerTool(askUserQuestion);
    api.tools.registerTool(planModeStatus);
    api.tools.registerCommandJudge(shellCommandJudge);
    api.tools.registerTrustedPolicy(planGatePolicy);
    api.tools.registerTrustedPolicy(acceptEditsPolicy);
    api.tools.registerTrustedPolicy(destructivePolicy);
    api.tools.registerPermissionPrompt(permissionPrompt);
    api.commands.registerCommand(planCommand);
    api.commands.registerCommand(approveCommand);
    api.commands.registerCommand(permissionsCommand);
    api.prompts.registerPart(planPrompt);
  },
});
