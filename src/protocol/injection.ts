/** Text that waits for the agent's next turn. */
import { z } from "zod";
import { ApprovalId, CycleId } from "./ids.ts";

export const INJECTIONS_MAX = 10;
export const INJECTION_TEXT_CHARS_MAX = 32_768;

/** Kinds that the house itself queues; plugins register more, each below `plan_decision`. */
export const INJECTION_PRIORITIES = {
  plan_decision: 10,
  plan_complete: 9,
  question_answer: 8,
  subagent_return: 5,
  plan_intro: 3,
  plan_nudge: 1,
} as const;

/** Text that the server queues for the agent's next turn. */
export const Injection = z.strictObject({
  id: z.string().min(1).max(128),
  kind: z.string().min(1).max(80),
  text: z.string().min(1).max(INJECTION_TEXT_CHARS_MAX),
  priority: z.int().min(0).max(10),
  createdAtMs: z.int(),
  approvalId: ApprovalId.optional(),
  cycleId: CycleId.optional(),
  expiresAtMs: z.int().optional(),
  /** Behind what people wrote instead of before it. */
  placement: z.literal("after").optional(),
});
export type Injection = z.infer<typeof Injection>;
