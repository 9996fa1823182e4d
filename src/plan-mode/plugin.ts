/** Plan mode, built on nothing that an outside plugin could not use. */
import { z } from "zod";
import { Json } from "../protocol/json.ts";
import { PlanApproval } from "../protocol/plan-mode.ts";
import { definePlugin } from "../plugins/sdk.ts";
import { planCommand } from "./commands/plan-command.ts";
import { acceptEditsPolicy } from "./gates/accept-edits-gate.ts";
import { shellCommandJudge } from "./gates/command-judge.ts";
import { destructivePolicy } from "./gates/destructive-gate.ts";
import { planGatePolicy } from "./gates/plan-gate.ts";
import { PLAN_MODE_SLICE, planModeSlice } from "./machine/slice.ts";
import { planPrompt } from "./prompts/plan-prompt.ts";
import { askUserQuestion } from "./tools/ask-user-question.ts";
import { enterPlanMode } from "./tools/enter-plan-mode.ts";
import { exitPlanMode } from "./tools/exit-plan-mode.ts";
import { planModeStatus } from "./tools/plan-mode-status.ts";
import { updatePlan } from "./tools/update-plan.ts";

export const planModePlugin = definePlugin({
  id: "plan-mode",
  name: "Plan mode",
  description: "An agent changes nothing until a person has approved its plan.",
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
      toCommand: (approval) => ({ type: "decide", approval: Json.parse(approval) }),
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
    api.commands.registerCommand(planCommand);
    api.prompts.registerPart(planPrompt);
  },
});
