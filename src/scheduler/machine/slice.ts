/** The scheduler as a slice of a session: the machine, put together for the host. */
import { z } from "zod";
import { SCHEDULER_SLICE, SchedulerCommand, type SchedulerEvent, SchedulerState } from "../protocol/schedule.ts";
import { SignedPlan } from "../../plan-mode/protocol/job/standing.ts";
import type { ChildOrder, Slice } from "../../plugins/sdk.ts";
import { decide, removal } from "./decide.ts";
import { effects } from "./effects.ts";
import { evolve, INITIAL } from "./evolve.ts";
import { withVoided } from "./standing.ts";
import { PLAN_ENDED } from "./texts.ts";
import type { SchedulerContext } from "./actors.ts";

export const schedulerSlice: Slice<SchedulerState, SchedulerCommand, SchedulerEvent, unknown> = {
  name: SCHEDULER_SLICE,
  state: SchedulerState,
  command: SchedulerCommand,
  settings: z.unknown(),
  initial: INITIAL,
  decide,
  evolve,
  effects,
  on: { peerEvent: onPeerEvent, delete: onDelete },
};

/** The facts of plan mode by which a cycle ends, and where each of them names it. */
const CYCLE_ENDS: Readonly<Record<string, string>> = {
  "plan.left": "cycleId",
  "plan.completed": "cycleId",
  "plan.entered": "previousCycleId",
};

/** A job that belongs to a plan cycle goes with it, in the commit that ends the cycle. */
function onPeerEvent(
  state: SchedulerState,
  { slice, event }: { slice: string; event: { type: string; [key: string]: unknown } },
  context: SchedulerContext,
): SchedulerEvent[] {
  if (slice !== "planMode") return [];
  if (event.type === "plan.standing_signed") return signedIn(state, event, context.nowMs);
  const field = CYCLE_ENDS[event.type];
  const cycleId = field === undefined ? undefined : event[field];
  if (typeof cycleId !== "string") return [];
  const removed = state.jobs.filter((job) => job.cycleId === cycleId).map((job) => removal(job, PLAN_ENDED, context));
  return withVoided(state, removed, context.nowMs);
}

/** A plan that was signed for later runs goes to the session that the job lives in, by an order of this commit. */
function signedIn({ charge }: SchedulerState, event: { [key: string]: unknown }, nowMs: number): SchedulerEvent[] {
  const plan = SignedPlan.safeParse(event["plan"]);
  return charge === undefined || !plan.success ? [] : [{ type: "run.signed", plan: plan.data, atMs: nowMs }];
}

/** A session that goes takes its runs with it: those under way are stopped first. */
function onDelete({ jobs, runs }: SchedulerState): ChildOrder[] {
  const current = jobs.flatMap((job) => (job.run === null ? [] : [job.run.sessionId]));
  return [
    ...current.map((childId): ChildOrder => ({ kind: "stop-child", childId })),
    ...runs.flatMap(({ sessionId }): ChildOrder[] =>
      sessionId === undefined ? [] : [{ kind: "drop-child", childId: sessionId }],
    ),
  ];
}
