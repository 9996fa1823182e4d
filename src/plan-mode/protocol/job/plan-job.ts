/** A scheduled job that a plan names: one that an agent creates with exactly this text and schedule outlives the plan. */
import { z } from "zod";
import { lazySchema } from "../../../protocol/lazy-schema.ts";

export const PLAN_JOBS_MAX = 16;
const JOB_TEXT_CHARS_MAX = 16_000;

export const PlanJob = lazySchema(() =>
  z.strictObject({
    message: z.string().trim().min(1).max(JOB_TEXT_CHARS_MAX),
    when: z.union([
      z.strictObject({ atMs: z.int().nonnegative() }),
      z.strictObject({ everyMs: z.int().positive() }),
      z.strictObject({ cron: z.string().trim().min(1).max(200), tz: z.string().min(1).max(64) }),
    ]),
    /** Each run in a session of its own. */
    isolated: z.boolean(),
  }),
);
export type PlanJob = z.infer<typeof PlanJob>;
