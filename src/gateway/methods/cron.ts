/**
 * `cron.*`. A turn in a conversation is what anybody who may write in it can ask for. An isolated run has nobody at its
 * other end who could approve a plan, so scheduling one is an administrator's decision.
 */
import { z } from "zod";
import type { Caller, MethodTable } from "../../http/method-table.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Job, JobId } from "../../protocol/schedule.ts";
import type { FoundJob, Scheduler } from "../../scheduler/scheduler.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import { lackingScopes } from "../../inbound/lacking-scopes.ts";

type CronMethods = Pick<MethodTable, Extract<keyof MethodTable, `cron.${string}`>>;

const Scheduled = z.object({ jobId: z.string(), nextAtMs: z.int().nullable() });
const Started = z.object({ sessionId: z.string().nullable() });

export function cronMethods({ scheduler }: { scheduler: Scheduler }): CronMethods {
  return {
    async "cron.list"({ sessionId }) {
      return { jobs: await scheduler.list(sessionId) };
    },
    async "cron.add"(params, { actor }) {
      const { job, sessionId, agentId } = params;
      const isolated = job.isolated || sessionId === undefined;
      const lacking = isolated ? lackingForRuns(actor) : undefined;
      if (lacking !== undefined) return lacking;
      const place = sessionId === undefined ? { agentId } : { sessionId };
      const outcome = await scheduler.add(place, job, dispatchBy(actor, "cron.add", params));
      return outcome.ok ? Scheduled.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async "cron.update"(params, { actor }) {
      const found = await allowed(params.jobId, actor, scheduler);
      if ("refused" in found) return found;
      const by = dispatchBy(actor, "cron.update", params);
      const { enabled, patch } = params;
      if ((enabled === undefined) === (patch === undefined)) return ONE_CHANGE;
      const outcome =
        patch !== undefined
          ? await scheduler.update(found, patch, by)
          : enabled === true
            ? await scheduler.enable(found, by)
            : await scheduler.order(found, "disable", by);
      return outcome.ok ? Scheduled.parse(outcome.reply) : { refused: outcome.refusal };
    },
    async "cron.remove"(params, { actor }) {
      const found = await find(params.jobId, scheduler);
      if ("refused" in found) return found;
      const outcome = await scheduler.order(found, "remove", dispatchBy(actor, "cron.remove", params));
      return outcome.ok ? {} : { refused: outcome.refusal };
    },
    async "cron.run"(params, { actor }) {
      const found = await allowed(params.jobId, actor, scheduler);
      if ("refused" in found) return found;
      const outcome = await scheduler.order(found, "run", dispatchBy(actor, "cron.run", params));
      return outcome.ok ? Started.parse(outcome.reply) : { refused: outcome.refusal };
    },
  };
}

const ONE_CHANGE = refuse("INVALID_REQUEST", "cron.update: give either enabled or patch.");

const lackingForRuns = ({ scopes }: Caller["actor"]): Refused | undefined =>
  lackingScopes("a job that runs by itself", ["operator.admin"], scopes);

async function find(jobId: JobId, scheduler: Scheduler): Promise<FoundJob | Refused> {
  const found = await scheduler.find(jobId);
  return found ?? refuse("INVALID_REQUEST", `There is no job ${jobId}. List them with cron.list.`);
}

async function allowed(jobId: JobId, actor: Caller["actor"], scheduler: Scheduler): Promise<FoundJob | Refused> {
  const found = await find(jobId, scheduler);
  if ("refused" in found) return found;
  return (runsAlone(found.job) ? lackingForRuns(actor) : undefined) ?? found;
}

const runsAlone = ({ work }: Job): boolean => work.kind === "run";
