/** A second model that reads submitted plans and leaves notes on them. It advises; it can decide nothing. */
import { z } from "zod";
import { ApprovalId, PlanId } from "../../../protocol/ids.ts";
import { STEPS_MAX } from "../plan.ts";

const CRITIC_NOTES_MAX = 10;
export const CRITIC_NOTE_CHARS_MAX = 1_000;

export const CriticSettings = z.strictObject({
  model: z.string().min(1).max(256).describe("Who reads the plan: provider/model, as for agents."),
  timeoutSeconds: z.int().min(5).max(300).default(60).describe("How long it may take; what is late is dropped."),
  notesMax: z.int().min(1).max(CRITIC_NOTES_MAX).default(5).describe("How many notes it may leave on a plan."),
});
export type CriticSettings = z.infer<typeof CriticSettings>;

/** One note of the critic's, put on the plan by the gateway. */
export const CritiqueCommand = z.strictObject({
  type: z.literal("critique"),
  approvalId: ApprovalId,
  step: z.int().min(1).max(STEPS_MAX).optional(),
  text: z.string().min(1).max(CRITIC_NOTE_CHARS_MAX),
});
export type CritiqueCommand = z.infer<typeof CritiqueCommand>;

export const CritiqueOrder = z.strictObject({
  do: z.literal("critique"),
  planId: PlanId,
  approvalId: ApprovalId,
  critic: CriticSettings,
});
export type CritiqueOrder = z.infer<typeof CritiqueOrder>;
