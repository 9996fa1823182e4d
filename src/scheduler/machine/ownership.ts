/** Who answers for a job that is added or changed, and whether one that an agent adds ends with its plan (GA-14). */
import { type By, byOperator } from "../../protocol/actor.ts";
import type { CycleId } from "../../protocol/ids.ts";
import type { PlanJob } from "../../plan-mode/protocol/job/plan-job.ts";
import { type PhaseOf, PlanModeState } from "../../plan-mode/protocol/state.ts";
import type { Job, JobSpec } from "../protocol/schedule.ts";
import type { SchedulerContext } from "./actors.ts";

/** The person behind the actor: themselves, or for an agent the one who signed the plan that it carries out. */
export function ownedBy(context: SchedulerContext): Pick<Job, "ownedBy"> {
  const { actor } = context;
  if (actor.kind === "operator") return { ownedBy: byOperator(actor) };
  const signer: By | undefined = actor.kind === "agent" ? executing(context)?.decidedBy : undefined;
  return signer?.kind === "operator" ? { ownedBy: signer } : {};
}

/** What an agent schedules while it carries a plan out ends with that plan, unless the signed plan names it exactly. */
export function endsWithPlan(spec: JobSpec, context: SchedulerContext): { cycleId?: CycleId } {
  const now = context.actor.kind === "agent" ? executing(context) : undefined;
  if (now === undefined) return {};
  return (now.submission.jobs ?? []).some((job) => isSame(job, spec)) ? {} : { cycleId: now.cycle.id };
}

function executing({ session }: SchedulerContext): PhaseOf<"executing"> | undefined {
  const parsed = PlanModeState.safeParse(session.slices["planMode"]);
  return parsed.success && parsed.data.now.phase === "executing" ? parsed.data.now : undefined;
}

function isSame({ message, when, isolated }: PlanJob, { schedule, work }: JobSpec): boolean {
  if (work.message !== message || (work.kind === "run") !== isolated) return false;
  switch (schedule.kind) {
    case "at":
      return "atMs" in when && when.atMs === schedule.atMs;
    case "every":
      return "everyMs" in when && when.everyMs === schedule.everyMs;
    case "cron":
      return "cron" in when && when.cron === schedule.expression && when.tz === schedule.timezone;
  }
}
