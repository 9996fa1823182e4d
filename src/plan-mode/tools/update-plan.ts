/** The tool `update_plan`. */
import { z } from "zod";
import { Json } from "../../protocol/json.ts";
import { PlanPatch } from "../protocol/command.ts";
import { StepStatus } from "../protocol/plan.ts";
import { isBlank, type StateTool } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { exampleOf } from "./example-of.ts";
import { planToolsOffered } from "./offered.ts";
import { SEE_STATUS } from "./plan-mode-status.ts";
import { declaredSteps, stepInput } from "./step-input.ts";

const input = z.strictObject({
  plan: z.array(
    z.strictObject({
      step: z.string().describe("The text of the step, word for word: it names the step."),
      status: StepStatus,
      ...stepInput,
      verifiedCriteria: z
        .array(z.string())
        .optional()
        .describe("Criteria that you have verified, word for word; completed needs all of them."),
    }),
  ),
  merge: z
    .boolean()
    .optional()
    .describe("true: only the steps given change, by their text; new ones are added at the end."),
  explanation: z.string().optional(),
});

const NAME = "update_plan";
const EXAMPLE = {
  plan: [{ step: "Retry in src/upload/connect.ts, with a growing pause", status: "in_progress" }],
  merge: true,
};

export const updatePlan: StateTool<z.infer<typeof input>> = {
  name: NAME,
  example: EXAMPLE,
  description:
    "Record the state of the steps: pending, in_progress (at most one), completed, cancelled. " +
    `While planning it keeps a draft; while carrying out an approved plan it reports progress, and the plan is done when every step is completed or cancelled. ${SEE_STATUS}`,
  input,
  kind: "read_only",
  effect: "state",
  slice: PLAN_MODE_SLICE,
  offered: planToolsOffered,
  async toCommand(args) {
    const plan = declaredSteps(args.plan.filter(({ step }) => !isBlank(step)));
    if (plan.length === 0)
      return { error: `plan holds no steps. Give at least one {step, status}. ${exampleOf(NAME, EXAMPLE)}` };
    const patch = PlanPatch.safeParse({ ...args, plan });
    if (patch.success) return { command: { type: "update", patch: Json.parse(patch.data) } };
    const issue = patch.error.issues[0];
    return {
      error: `${issue?.path.join(".") ?? "plan"}: ${issue?.message ?? "invalid"}. Correct it and update again.`,
    };
  },
};
