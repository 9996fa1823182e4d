/** The tool `enter_plan_mode`. */
import { z } from "zod";
import { REASON_CHARS_MAX } from "../protocol/command.ts";
import type { StateTool } from "../../plugins/sdk.ts";
import { Archetype } from "../protocol/template/archetype.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { planEntryOffered } from "./offered.ts";
import { SEE_STATUS } from "./plan-mode-status.ts";

const input = z.strictObject({
  reason: z.string().max(REASON_CHARS_MAX).optional().describe("Why this work should be planned first."),
  archetype: Archetype.optional().describe("The kind of work, if it is one of these; it brings advice for such plans."),
});

export const enterPlanMode: StateTool<z.infer<typeof input>> = {
  name: "enter_plan_mode",
  description:
    "Enter plan mode: from now on only reading tools run, until a person approves a plan. " +
    `Use it before work that changes more than a trifle, or when what is wanted is not yet clear. ${SEE_STATUS}`,
  input,
  kind: "read_only",
  effect: "state",
  slice: PLAN_MODE_SLICE,
  offered: planEntryOffered,
  toCommand: async ({ reason, archetype }) => ({
    command: { type: "enter", reason: reason ?? "", ...(archetype === undefined ? {} : { archetype }) },
  }),
};
