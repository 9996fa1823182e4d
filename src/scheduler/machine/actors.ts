/** Who may change which jobs. Agents and plugins change their own; operators change all but those of the configuration. */
import type { Actor } from "../../protocol/actor.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Job, JobOwner, SchedulerCommand, SchedulerEvent } from "../protocol/schedule.ts";
import type { SliceContext, SliceDecision } from "../../plugins/sdk.ts";

export type SchedulerContext = SliceContext<unknown>;
export type Decision = SliceDecision<SchedulerEvent>;

/** The part of the gateway that computes times and performs orders. */
export const INSIDE: Actor = { kind: "system", reason: "scheduler" };
/** The timers of the gateway, which only let time pass. */
const TIMER = "timer";

const INSIDE_ONLY: ReadonlySet<SchedulerCommand["type"]> = new Set([
  "put",
  "advance",
  "observe",
  "remove-owned",
  "index",
  "unindex",
  "stand",
  "stop-revoked",
  "charge",
  "discharge",
]);

/** The owner of an actor's jobs; undefined for parts of the gateway that have none. */
export function ownerOf({ actor, session }: SchedulerContext): JobOwner | undefined {
  switch (actor.kind) {
    case "operator":
      return "operator";
    case "agent":
      return actor.sessionId === session.id ? "agent" : undefined;
    case "system":
      return actor.reason.startsWith("plugin:") ? actor.reason : undefined;
  }
}

const isInside = (actor: Actor): boolean => actor.kind === "system" && actor.reason === "scheduler";

export function refuseActor(type: SchedulerCommand["type"], context: SchedulerContext): Refused | undefined {
  const { actor, session } = context;
  if (isInside(actor)) return undefined;
  if (type === "withdraw" && actor.kind !== "operator") return NOT_YOURS;
  if (type === "tick") return actor.kind === "system" && actor.reason === TIMER ? undefined : NOT_YOURS;
  if (INSIDE_ONLY.has(type) || ownerOf(context) === undefined) return NOT_YOURS;
  if (actor.kind === "agent" && session.kind !== "chat") {
    return refuse(
      "PERMISSION_DENIED",
      `The agent of a ${session.kind} session has no jobs of its own: report what should be scheduled.`,
      { session_kind: session.kind },
    );
  }
  return undefined;
}

const NOT_YOURS = refuse("PERMISSION_DENIED", "Only the gateway itself may do this to scheduled jobs.");

export function refuseForeign(
  job: Job,
  context: SchedulerContext,
  type?: SchedulerCommand["type"],
): Refused | undefined {
  const { actor } = context;
  if (isInside(actor) || (actor.kind === "operator" && type === "run")) return undefined;
  if (job.owner === "config") {
    return refuse("PERMISSION_DENIED", "This job follows agents.defaults.heartbeat: change it in the configuration.");
  }
  if (actor.kind === "operator" || job.owner === ownerOf(context)) return undefined;
  return refuse(
    "PERMISSION_DENIED",
    `The job ${job.id} belongs to ${job.owner}: only they, or an operator, change it.`,
    {
      owner: job.owner,
    },
  );
}
