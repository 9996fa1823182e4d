/** What people do besides talking and deciding, by who plays: schedule jobs and withdraw plans, answer for single calls. */
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";
import { SCHEDULER_SLICE, SchedulerState } from "../../src/scheduler/protocol/schedule.ts";
import { alice } from "../kit/core.ts";
import type { Random } from "../kit/random.ts";
import type { Agenda } from "./agenda.ts";
import type { Cast } from "./cast.ts";
import { planOf } from "./invariants/seen-commit.ts";
import { bob, carol, type Place, plan, type Post } from "./deed.ts";

type Given = { cast: Cast; random: Random; agenda: Agenda };

/** False where there is nothing of this kind to do. */
export function castDeed(place: Place, given: Given, post: Post): boolean {
  switch (given.cast) {
    case "jobs":
      return place.session.kind === "chat" && scheduling(place, given, post);
    case "asking":
    case "scoped":
      return asked(place, given, post);
    case "plain":
    case "family":
    case "quorum":
      return false;
  }
}

const scheduler = (command: JsonObject): SessionCommand => ({ type: "slice.apply", slice: SCHEDULER_SLICE, command });

const EVERY_MS = 10_000;
const RUN = { kind: "run", as: "cron", message: "Do your work.", timeoutMs: 10_000, deliver: "none" };
/** It is over as soon as it is ordered, so nothing but the time itself keeps it from being ordered again. */
const TURN = { kind: "turn", message: "Do your work." };
const JOBS_MAX = 2;

function spec({ random, agenda }: Given): Json {
  return {
    name: "a job",
    schedule: { kind: "every", everyMs: EVERY_MS, anchorMs: Math.round(agenda.now()) },
    work: random.pick([RUN, RUN, RUN, TURN]),
    jitterMs: 0,
    catchUp: random.pick(["skip", "once", "all"]),
    catchUpMax: 2,
    failuresMax: 20,
  };
}

function scheduling({ session, sessionId }: Place, given: Given, post: Post): boolean {
  const { random, agenda } = given;
  const jobs = SchedulerState.safeParse(session.slices[SCHEDULER_SLICE]).data?.jobs ?? [];
  const job = jobs[random.below(jobs.length)];
  const actor = random.pick([alice, bob, carol]);
  if (job === undefined || (jobs.length < JOBS_MAX && random.next() < 0.1)) {
    const nextAtMs = Math.round(agenda.now() + random.next() * 2_000);
    post.ask({ sessionId, actor, command: scheduler({ type: "add", spec: spec(given), nextAtMs }) });
    return true;
  }
  const { id: jobId } = job;
  const type = random.pick(["run", "run", "withdraw", "withdraw", "disable", "change", "remove"]);
  const more = type === "change" ? { spec: spec(given), nextAtMs: Math.round(agenda.now() + 1_000) } : {};
  post.ask({ sessionId, actor, command: scheduler({ type, jobId, ...more }) });
  return true;
}

function asked({ session, sessionId }: Place, { random, cast }: Given, post: Post): boolean {
  const state = planOf(session);
  const actor = random.pick([alice, bob]);
  const question = state?.question ?? null;
  if (question !== null && (question.call ?? null) !== null) {
    const yes = cast === "scoped" && random.next() < 0.8 ? "amend" : "allow-once";
    const answer = random.next() < 0.85 ? yes : "deny";
    const approval = { action: "answer", approvalId: question.approvalId, answer };
    post.ask({ sessionId, actor, command: plan({ type: "decide", approval }) });
    return true;
  }
  return (
    cast === "asking" &&
    switchedMode(state?.permission === "ask", { random, ask: (command) => post.ask({ sessionId, actor, command }) })
  );
}

type Switching = { random: Random; ask(command: SessionCommand): void };

/** Back to asking soon, away from it seldom. */
function switchedMode(isAsking: boolean, { random, ask }: Switching): boolean {
  if (isAsking && random.next() < 0.9) return false;
  ask(plan({ type: "set-permission-mode", mode: isAsking ? "default" : "ask" }));
  return true;
}

/** Of every job here, at once. */
export function withdrawAll({ session, sessionId }: Pick<Place, "session" | "sessionId">, post: Post): void {
  const jobs = SchedulerState.safeParse(session.slices[SCHEDULER_SLICE]).data?.jobs ?? [];
  for (const { id: jobId } of jobs)
    post.ask({ sessionId, actor: bob, command: scheduler({ type: "withdraw", jobId }) });
}
