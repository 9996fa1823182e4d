/**
 * `cron.*`. A turn in a conversation is what anybody who may write in it can ask for. An isolated run has nobody at its
 * other end who could approve a plan, so scheduling one is an administrator's decision.
 */
import { z } from "zod";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Job, JobId } from "../protocol/schedule.ts";
import { CRON_METHODS } from "../protocol/cron-methods.ts";
import { type MethodCall, methodsOf, type PluginMethod } from "../../plugins/sdk.ts";
import type { FoundJob, Scheduler } from "../scheduler.ts";

const Scheduled = z.object({ jobId: z.string(), nextAtMs: z.int().nullable() });
const Withdrawn = z.object({ jobId: z.string(), planId: z.string() });
const Started = z.object({ sessionId: z.string().nullable() });

/** `opened`: the scheduler is made after its methods are registered. */
export function cronMethods(opened: () => Scheduler): PluginMethod<unknown, object>[] {
  return methodsOf(CRON_METHODS, {
    async "cron.list"({ sessionId }) {
      const warnings = opened().warnings();
      return { jobs: await opened().list(sessionId), ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) };
    },
    async "cron.add"(params, call) {
      const { job, sessionId, agentId } = params;
      const isolated = job.isolated || sessionId === undefined;
      const lacking = isolated ? lackingForRuns(call) : undefined;
      if (lacking !== undefined) return lacking;
      const place = sessionId === undefined ? { agentId } : { sessionId };
      const outcome = await opened().add(place, job, call.by);
      return outcome.ok ? Scheduled.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async "cron.update"(params, call) {
      const found = await allowed(params.jobId, call, opened());
      if ("refused" in found) return found;
      const { enabled, patch } = params;
      if ((enabled === undefined) === (patch === undefined)) return ONE_CHANGE;
      const outcome =
        patch !== undefined
          ? await opened().update(found, patch, call.by)
          : enabled === true
            ? await opened().enable(found, call.by)
            : await opened().order(found, "disable", call.by);
      return outcome.ok ? Scheduled.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async "cron.remove"(params, call) {
      const found = await find(params.jobId, opened());
      if ("refused" in found) return found;
      const outcome = await opened().order(found, "remove", call.by);
      return outcome.ok ? {} : { refused: outcome.refusal };
    },
    async "cron.run"(params, call) {
      const found = await allowed(params.jobId, call, opened());
      if ("refused" in found) return found;
      const outcome = await opened().order(found, "run", call.by);
      return outcome.ok ? Started.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async "cron.standing"({ jobId }) {
      const all = await opened().standings();
      return { standings: jobId === undefined ? all : all.filter((standing) => standing.jobId === jobId) };
    },
    async "cron.withdraw"(params, call) {
      const found = await find(params.jobId, opened());
      if ("refused" in found) return found;
      const outcome = await opened().order(found, "withdraw", call.by);
      return outcome.ok ? Withdrawn.parse(outcome.reply) : { refused: outcome.refusal };
    },
  });
}

const ONE_CHANGE = refuse("INVALID_REQUEST", "cron.update: give either enabled or patch.");

const lackingForRuns = (call: MethodCall): Refused | undefined =>
  call.lacking("a job that runs by itself", ["operator.admin"]);

async function find(jobId: JobId, scheduler: Scheduler): Promise<FoundJob | Refused> {
  const found = await scheduler.find(jobId);
  return found ?? refuse("INVALID_REQUEST", `There is no job ${jobId}. List them with cron.list.`);
}

async function allowed(jobId: JobId, call: MethodCall, scheduler: Scheduler): Promise<FoundJob | Refused> {
  const found = await find(jobId, scheduler);
  if ("refused" in found) return found;
  return (runsAlone(found.job) ? lackingForRuns(call) : undefined) ?? found;
}

const runsAlone = ({ work }: Job): boolean => work.kind === "run";
