/** The methods about scheduled jobs, as they stand in the table of all methods. */
import { z } from "zod";
import { CardTextSchema } from "../../protocol/card/card-schema.ts";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { SessionId } from "../../protocol/ids.ts";
import { JobId, JobInput, JobPatch, JobView } from "./schedule.ts";
import { StandingView } from "./standing.ts";
import { method } from "../../protocol/wire/method.ts";

const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .describe("The same key with the same request gets the first answer again.");
const onJob = { idempotencyKey, jobId: JobId };
const jobResult = lazySchema(() => z.strictObject({ jobId: z.string(), nextAtMs: z.int().nullable() }));

export const CRON_METHODS = {
  "cron.list": method("operator.read", "Scheduled jobs: of one session, or all.", () => ({
    params: z.strictObject({ sessionId: SessionId.optional() }),
    result: z.strictObject({
      jobs: z.array(JobView),
      warnings: z
        .array(CardTextSchema)
        .optional()
        .describe("What holds for all of them, where a setting opens the gate."),
    }),
  })),
  "cron.add": method(
    "operator.write",
    "Schedules a job. One that runs by itself, instead of asking for a turn in a session, needs operator.admin.",
    () => ({
      params: z.strictObject({
        idempotencyKey,
        sessionId: SessionId.optional(),
        agentId: z.string().min(1).max(64).default("main").describe("Whose job it is where no session is named."),
        job: JobInput,
      }),
      result: jobResult,
    }),
  ),
  "cron.update": method("operator.write", "Switches a job on or off, or changes it: one of the two.", () => ({
    params: z.strictObject({ ...onJob, enabled: z.boolean().optional(), patch: JobPatch.optional() }),
    result: jobResult,
  })),
  "cron.remove": method("operator.write", "Removes a job, and stops its run.", () => ({
    params: z.strictObject(onJob),
    result: z.strictObject({}),
  })),
  "cron.run": method("operator.write", "Runs a job now, whatever its times are.", () => ({
    params: z.strictObject(onJob),
    result: z.strictObject({ sessionId: z.string().nullable() }),
  })),
  "cron.standing": method(
    "operator.read",
    "Plans that stand for scheduled jobs, newest first, with the runs that were counted under them; also those that have ended. One is signed with sessions.patch {planApproval: {action, standing}}.",
    () => ({
      params: z.strictObject({ jobId: JobId.optional() }),
      result: z.strictObject({ standings: z.array(StandingView) }),
    }),
  ),
  "cron.withdraw": method(
    "operator.write",
    "Withdraws the plan that stands for a job, at once: a run under way changes nothing more, later runs are held.",
    () => ({
      params: z.strictObject(onJob),
      result: z.strictObject({ jobId: z.string(), planId: z.string() }),
    }),
  ),
} as const;
