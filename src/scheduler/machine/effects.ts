/** The effects of each event. One timer per session: for the job, or the deadline of a run, that comes first. */
import type { SchedulerFact } from "../protocol/facts.ts";
import { CycleId, type SessionId } from "../../protocol/ids.ts";
import { Json, type JsonObject } from "../../protocol/json.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Job, SchedulerEvent, SchedulerEventOf, SchedulerState } from "../protocol/schedule.ts";
import { type Effect, never, type Order } from "../../plugins/sdk.ts";
import { isArmed } from "./advance.ts";
import {
  firedNotice,
  pausedNotice,
  PLAN_ENDED,
  planEndedNotice,
  resultNotice,
  resultText,
  standingEndNotice,
  standingNotice,
  stoppedNotice,
  turnText,
} from "./texts.ts";
import type { SchedulerContext } from "./actors.ts";

const TIMER = "next";
const TURN_PRIORITY = 2;
const RESULT_PRIORITY = 4;

/** Orders to the worker, as they are stored in the outbox. */
const planOrder = (jobId: string, dueAtMs: number): Order => ({ do: "plan", jobId, dueAtMs });

export function effects(state: SchedulerState, event: SchedulerEvent, context: SchedulerContext): Effect[] {
  switch (event.type) {
    case "job.added":
      return [...armed(state), indexed(context), audit(event.type, summary(event.job))];
    case "job.changed":
      return [
        ...armed(state),
        ...(event.what === "stopped" ? [notify(stoppedNotice(event.job))] : []),
        audit(event.type, { ...summary(event.job), what: event.what }),
      ];
    case "standing.signed":
      return standingSigned(event);
    case "standing.ended":
      return [notify(standingEndNotice(event.name, event.why)), audit(event.type, endDetail(event))];
    case "run.signed":
      return signedOrder(state, event);
    case "run.charged":
    case "run.discharged":
      return [];
    case "job.removed":
      return [...armed(state), ...removed(event)];
    case "job.due":
      return [...armed(state), { kind: "perform", order: planOrder(event.jobId, event.dueAtMs) }];
    case "job.passed":
      return armed(state);
    case "job.fired":
      return [...armed(state), ...fired(state, event)];
    case "run.ended":
      return [...armed(state), ...ended(event, context)];
    case "index.changed":
      return [];
    default:
      return never(event);
  }
}

const notify = (words: LocalizedText): Effect => ({ kind: "notify", ...words });

function standingSigned({ standing }: SchedulerEventOf<"standing.signed">): Effect[] {
  const { planId, digest, jobId, jobName: name, jobDigest, runs, untilMs, signedBy } = standing;
  const by = signedBy.map(({ id }) => id);
  return [
    notify(standingNotice(standing)),
    audit("standing.signed", { jobId, name, planId, digest, jobDigest, runs, untilMs, signedBy: by }),
  ];
}

const endDetail = ({ planId, jobId, name, why, by }: SchedulerEventOf<"standing.ended">): JsonObject => ({
  jobId,
  name,
  planId,
  why,
  ...(by === undefined ? {} : { by: by.id }),
});

/** To the session that the job lives in; performed again, it changes nothing. */
function signedOrder({ charge }: SchedulerState, { plan }: SchedulerEventOf<"run.signed">): Effect[] {
  if (charge === undefined) return [];
  const { home, jobId, jobDigest } = charge;
  const order = { do: "stand", home, jobId, jobDigest, plan: Json.parse(plan) };
  return [{ kind: "perform", order, key: `stand:${plan.planId}` }];
}

/** An idle list of jobs has no timer. */
function armed({ jobs }: SchedulerState): Effect[] {
  const times = jobs.flatMap((job) => [
    ...(job.now.status === "waiting" && isArmed(job) ? [job.now.nextAtMs] : []),
    ...(job.run === null ? [] : [job.run.deadlineAtMs]),
  ]);
  if (times.length === 0) return [{ kind: "clear-timer", key: TIMER }];
  const atMs = Math.min(...times);
  return [{ kind: "set-timer", key: TIMER, atMs, command: { type: "tick", atMs } }];
}

/** Tells the agent's hidden session where there are jobs, so that all of them can be listed; its own need no entry. */
const indexed = ({ nowMs }: SchedulerContext): Effect => ({ kind: "perform", order: { do: "index", atMs: nowMs } });

function removed({ jobId, name, why, stopped }: SchedulerEventOf<"job.removed">): Effect[] {
  const stop: Effect[] = stopped === undefined ? [] : [{ kind: "stop-child", childId: stopped }];
  const told = why === PLAN_ENDED ? [notify(planEndedNotice(name))] : [];
  return [...stop, ...told, audit("job.removed", { jobId, name, why })];
}

function fired({ jobs }: SchedulerState, { jobId, dueAtMs, run, messageId }: SchedulerEventOf<"job.fired">): Effect[] {
  const job = jobs.find((item) => item.id === jobId);
  if (job === undefined) return [];
  const standing = run?.standing === undefined ? {} : { standing: { ...run.standing } };
  const ran = run === null ? {} : { run: run.sessionId };
  const fact = audit("job.fired", { ...summary(job), dueAtMs, ...ran, ...standing });
  if (run !== null) {
    const order = { do: "start", jobId, sessionId: run.sessionId, messageId };
    return [{ kind: "perform", order }, fact];
  }
  return [
    {
      kind: "inject",
      injection: {
        id: `scheduled:${jobId}:${dueAtMs}`,
        kind: "scheduled_turn",
        text: turnText(job, job.work.message),
        priority: TURN_PRIORITY,
        ...(job.cycleId === undefined ? {} : { cycleId: CycleId.parse(job.cycleId) }),
      },
    },
    { kind: "request-turn", cause: "schedule", continues: job.cycleId !== undefined },
    { kind: "notify", ...firedNotice(job) },
    fact,
  ];
}

function ended(event: SchedulerEventOf<"run.ended">, context: SchedulerContext): Effect[] {
  const { past, dropped, job } = event;
  const overdue: Effect[] =
    past.outcome === "timed_out" && past.sessionId !== undefined
      ? [{ kind: "stop-child", childId: past.sessionId }]
      : [];
  const isPaused = job?.now.status === "off" && job.now.why === "failures";
  return [
    ...overdue,
    ...dropped.map(archived), // what a run did stays readable (GA-14)
    ...(past.standing === undefined || past.sessionId === undefined ? [] : [discharge(past.sessionId)]),
    ...resultEffects(event, context),
    ...(isPaused ? paused(job, event, context) : []),
    ...(past.outcome === "skipped" ? [] : [audit("run.ended", { jobId: past.jobId, outcome: past.outcome })]),
  ];
}

const archived = (sessionId: SessionId): Effect => ({ kind: "perform", order: { do: "archive", sessionId } });

/** The run is over, and with it what the standing plan allowed it. */
const discharge = (sessionId: SessionId): Effect => ({ kind: "perform", order: { do: "discharge", sessionId } });

/** Delivers the result to another session, to this one, or nowhere: then the session of the run stays visible. */
function resultEffects(
  { past, text, deliver, deliverTo }: SchedulerEventOf<"run.ended">,
  context: SchedulerContext,
): Effect[] {
  const { sessionId } = past;
  if (sessionId === undefined) return [];
  if (deliver === "none") return text === "" && past.outcome === "ok" ? [archived(sessionId)] : [];
  const injection = {
    id: `schedule-result:${sessionId}`,
    kind: "schedule_result",
    text: resultText(past, text),
    priority: RESULT_PRIORITY,
  };
  const notice = resultNotice(past, text);
  const away = archived(sessionId);
  if (deliverTo !== undefined) {
    const order = { do: "deliver", to: deliverTo, key: sessionId, deliver, ...delivered(notice), injection };
    return [{ kind: "perform", order }, away];
  }
  if (context.session.kind !== "chat") return [];
  return [
    { kind: "notify", ...notice },
    ...(deliver === "notice" ? [] : [{ kind: "inject", injection } as const]),
    ...(deliver === "wake" ? [{ kind: "request-turn", cause: "schedule" } as const] : []),
    away,
  ];
}

function paused(job: Job, { past, deliverTo }: SchedulerEventOf<"run.ended">, context: SchedulerContext): Effect[] {
  const notice = pausedNotice(job);
  if (deliverTo === undefined) return [{ kind: "notify", ...notice }];
  const key = `paused:${past.sessionId ?? context.nowMs}`;
  const order = { do: "deliver", to: deliverTo, key, deliver: "notice", ...delivered(notice) };
  return [{ kind: "perform", order }];
}

/** The form in which an order carries it to another session. */
const delivered = ({ text, said }: LocalizedText): { notice: string; said: Json } => ({
  notice: text,
  said: Json.parse(said),
});

const audit = (type: SchedulerFact, detail: JsonObject): Effect => ({ kind: "audit", fact: { type, detail } });

const summary = ({ id, name, owner, schedule }: Job): JsonObject => ({
  jobId: id,
  name,
  owner,
  schedule: schedule.kind,
});
