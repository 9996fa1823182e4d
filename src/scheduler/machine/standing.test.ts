import { describe, expect, it } from "vitest";
import { agent, alice, coreWorld, sessionId } from "../../../test/kit/core.ts";
import { anySlice } from "../../core/slice.ts";
import type { Actor } from "../../protocol/actor.ts";
import { ApprovalId, PlanId, SessionId } from "../../protocol/ids.ts";
import { JsonObject } from "../../protocol/json.ts";
import { planModeSlice } from "../../plan-mode/machine/slice.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";
import type { SignedPlan } from "../../plan-mode/protocol/job/standing.ts";
import {
  type Job,
  type JobSpec,
  SCHEDULER_SLICE,
  type SchedulerCommand,
  SchedulerState,
} from "../protocol/schedule.ts";
import { INSIDE } from "./actors.ts";
import { schedulerSlice } from "./slice.ts";
import { jobDigest } from "./standing.ts";

const bob: Actor = { ...alice, name: "Bob" };
const plugin: Actor = { kind: "system", reason: "plugin:deploys" };
const spec = (more: Partial<JobSpec> = {}): JobSpec => ({
  name: "Tidy",
  schedule: { kind: "every", everyMs: 60_000, anchorMs: 1_000 },
  work: { kind: "run", as: "cron", message: "Go.", timeoutMs: 60_000, deliver: "none" },
  jitterMs: 0,
  catchUp: "once",
  catchUpMax: 5,
  failuresMax: 2,
  ...more,
});

const plan = (n: number, more: Partial<SignedPlan> = {}): SignedPlan => ({
  planId: PlanId.parse(`pln_${n}`),
  approvalId: ApprovalId.parse(`apr_${n}`),
  revision: 1,
  digest: "d",
  title: "Tidy up",
  unlock: "approved",
  signedBy: [{ kind: "operator", id: "opr_alice", name: "Alice" }],
  signedAtMs: 1_000,
  runs: 2,
  untilMs: 1_000_000,
  ...more,
});

function scheduled() {
  const settings = { planMode: PlanModeSettings.parse({ enabled: true }) };
  const world = coreWorld([anySlice(planModeSlice), anySlice(schedulerSlice)], settings);
  const place = { sessionId, agentId: "main", surface: "cli", workspace: "/project", title: "" };
  world.must({ type: "session.create", kind: "chat", ...place });
  const order = (command: SchedulerCommand) =>
    ({ type: "slice.apply", slice: SCHEDULER_SLICE, command: JsonObject.parse(command) }) as const;
  const apply = (command: SchedulerCommand, actor: Actor = alice) => world.run(order(command), actor);
  const must = (command: SchedulerCommand, actor: Actor = alice) => world.must(order(command), actor);
  const state = (): SchedulerState => SchedulerState.parse(world.session?.slices[SCHEDULER_SLICE]);
  const only = (): Job => state().jobs[0] ?? raise();
  const add = (more: Partial<JobSpec> = {}, actor: Actor = alice): Job => {
    must({ type: "add", spec: spec(more), nextAtMs: 61_000 }, actor);
    return state().jobs.at(-1) ?? raise();
  };
  const digest = (job: Job): string => jobDigest(job, world.session ?? raise());
  const stand = (job: Job, signed = plan(1)) =>
    must({ type: "stand", jobId: job.id, jobDigest: digest(job), plan: signed }, INSIDE);
  const end = () =>
    must(
      { type: "observe", sessionId: only().run?.sessionId ?? raise(), outcome: "ok", text: "", quiet: true },
      INSIDE,
    );
  const ends = () => (state().standings ?? []).map(({ ended }) => ended?.why ?? "in force");
  const run = (job: Job) => {
    must({ type: "run", jobId: job.id });
    return only().run?.standing?.n;
  };
  return { world, apply, must, state, only, add, stand, run, end, ends };
}
const raise = (): never => {
  throw new Error("it is not there");
};
const code = (done: object) => ("refused" in done ? (done.refused as { code: string }).code : "accepted");

describe("a plan that stands for a job", () => {
  it("[GA-14] is counted in the commit that orders the run, up to its last one, and a second run at once is refused", () => {
    const { add, stand, run, end, ends, apply, state } = scheduled();
    const job = add();
    stand(job);
    expect(run(job)).toBe(1);
    expect(code(apply({ type: "run", jobId: job.id }))).toBe("SESSION_BUSY");
    expect(state().standings?.[0]?.used).toMatchObject([{ n: 1 }]);
    end();
    expect(run(job)).toBe(2);
    expect(ends()).toEqual(["in force"]); // the last run is under way
    end();
    expect([run(job), ends()]).toEqual([undefined, ["used_up"]]);
  });

  it("[GA-14] ends with its time, and time that runs backwards does not bring it back", () => {
    const { world, add, stand, run, end, ends } = scheduled();
    const job = add();
    stand(job, plan(1, { untilMs: 5_000 }));
    world.nowMs = 5_001;
    expect([run(job), ends()]).toEqual([undefined, ["expired"]]);
    end();
    world.nowMs = 1_000;
    expect([run(job), ends()]).toEqual([undefined, ["expired"]]);
  });

  it.each([
    ["text", { work: { kind: "run", as: "cron", message: "Go on.", timeoutMs: 60_000, deliver: "none" } }],
    ["schedule", { schedule: { kind: "every", everyMs: 120_000, anchorMs: 1_000 } }],
    ["name", { name: "Tidy more" }],
    ["catch-up", { catchUp: "all" }],
    ["nothing but saved again", {}],
  ] as [string, Partial<JobSpec>][])("[GA-14] is void when the job's %s changes", (_what, more) => {
    const { add, stand, must, run, ends } = scheduled();
    const job = add();
    stand(job);
    must({ type: "change", jobId: job.id, spec: spec(more), nextAtMs: 61_000 });
    expect([ends(), run(job)]).toEqual([["job_changed"], undefined]);
    must({ type: "remove", jobId: job.id });
    expect(ends()).toEqual(["job_changed"]);
  });

  it("[GA-14] is void when a heartbeat is put anew, and ends with a job that goes; switching off and on is no change", () => {
    const { add, stand, must, run, ends } = scheduled();
    const job = add();
    stand(job);
    must({ type: "disable", jobId: job.id });
    must({ type: "enable", jobId: job.id, nextAtMs: 61_000 });
    expect([ends(), run(job)]).toEqual([["in force"], 1]);
    must({ type: "put", jobId: job.id, spec: spec(), nextAtMs: 61_000 }, INSIDE);
    expect(ends()).toEqual(["job_changed"]);
    const other = add({ name: "Other" });
    stand(other, plan(2));
    must({ type: "remove", jobId: other.id });
    expect(ends()).toEqual(["job_changed", "job_removed"]);
  });

  it("[GA-14] is signed once however often the order comes, void for a job that is another by then, and replaced by the next", () => {
    const { add, stand, apply, must, ends } = scheduled();
    const job = add();
    stand(job);
    stand(job);
    must({ type: "stand", jobId: job.id, jobDigest: "of the job before", plan: plan(2) }, INSIDE);
    expect(ends()).toEqual(["in force", "job_changed"]);
    stand(job, plan(3));
    expect(ends()).toEqual(["replaced", "job_changed", "in force"]);
    for (const actor of [alice, agent, plugin])
      expect(code(apply({ type: "stand", jobId: job.id, jobDigest: "x", plan: plan(4) }, actor))).toBe(
        "PERMISSION_DENIED",
      );
  });

  it("[GA-14] is withdrawn by a person alone, whoever owns the job, and the record says who", () => {
    const { add, stand, apply, must, state } = scheduled();
    const job = add();
    stand(job);
    for (const actor of [agent, plugin])
      expect(code(apply({ type: "withdraw", jobId: job.id }, actor))).toBe("PERMISSION_DENIED");
    const done = must({ type: "withdraw", jobId: job.id }, bob);
    expect(state().standings?.[0]?.ended).toMatchObject({ why: "withdrawn", by: { name: "Bob" } });
    expect(done.audit).toContainEqual({
      type: "standing.ended",
      detail: { jobId: job.id, name: "Tidy", planId: "pln_1", why: "withdrawn", by: "opr_alice" },
    });
    expect(code(apply({ type: "withdraw", jobId: job.id }))).toBe("INVALID_REQUEST");
  });

  it("[GA-14] ends with a revoked signer, and so does the job of a revoked operator, until another answers for it", () => {
    const { add, stand, must, apply, ends, only } = scheduled();
    const job = add();
    stand(job);
    must({ type: "stop-revoked", jobId: job.id, what: "standing" }, INSIDE);
    expect([ends(), only().now.status]).toEqual([["revoked"], "waiting"]);
    stand(job, plan(2));
    must({ type: "stop-revoked", jobId: job.id, what: "job" }, INSIDE);
    must({ type: "stop-revoked", jobId: job.id, what: "job" }, INSIDE);
    expect([ends(), only().now]).toEqual([["revoked", "revoked"], { status: "off", why: "revoked" }]);
    expect(code(apply({ type: "enable", jobId: job.id, nextAtMs: 61_000 }, INSIDE))).toBe("PERMISSION_DENIED");
    must({ type: "enable", jobId: job.id, nextAtMs: 61_000 }, bob);
    expect(only()).toMatchObject({ now: { status: "waiting" }, ownedBy: { name: "Bob" } });
  });

  it("[GA-14] is of the job alone: where it lives, for whom and in which folder belong to its digest", () => {
    const { add, world } = scheduled();
    const job = add();
    const here = world.session ?? raise();
    const digest = jobDigest(job, here);
    const places = [
      { id: SessionId.parse("ses_2") },
      { agentId: "other" },
      { workspace: "/elsewhere" },
      { role: "worker" },
    ];
    for (const place of places) expect(jobDigest(job, { ...here, ...place })).not.toBe(digest);
    expect(jobDigest({ ...job, createdAtMs: 2 }, here)).not.toBe(digest);
    expect(jobDigest({ ...job, failures: 1, now: { status: "spent" } }, here)).toBe(digest);
  });
});

describe("the session of a run", () => {
  it("[GA-14] is charged once, by the gateway alone", () => {
    const { apply, must, state } = scheduled();
    const charge = {
      home: sessionId,
      jobId: "job_1",
      name: "Tidy",
      jobDigest: "d",
      repeats: true,
      proposalOpen: false,
    };
    const command = { type: "charge", charge } as SchedulerCommand;
    for (const actor of [alice, agent, plugin]) expect(code(apply(command, actor))).toBe("PERMISSION_DENIED");
    must(command, INSIDE);
    const again = must({ type: "charge", charge: { ...charge, name: "Other" } } as SchedulerCommand, INSIDE);
    expect([again.events, state().charge?.name]).toEqual([[], "Tidy"]);
  });
});
