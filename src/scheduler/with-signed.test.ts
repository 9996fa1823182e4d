import { describe, expect, it } from "vitest";
import { alice, coreWorld, sessionId } from "../../test/kit/core.ts";
import { anySlice } from "../core/slice.ts";
import { ApprovalId, PlanId, SessionId } from "../protocol/ids.ts";
import { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import type { SignedPlan } from "../plan-mode/protocol/job/standing.ts";
import { homeOf, INDEX_AGENT } from "./homes.ts";
import { jobDigest } from "./machine/standing.ts";
import { schedulerSlice } from "./machine/slice.ts";
import { INITIAL } from "./machine/evolve.ts";
import { type Job, SCHEDULER_SLICE, type SchedulerCommand, SchedulerState } from "./protocol/schedule.ts";
import { createScheduler } from "./scheduler.ts";

const RUN = SessionId.parse("ses_run");
const SPEC = {
  name: "Tidy",
  schedule: { kind: "every", everyMs: 60_000, anchorMs: 1_000 },
  work: { kind: "run", as: "cron", message: "Go.", timeoutMs: 60_000, deliver: "none" },
  jitterMs: 0,
  catchUp: "once",
  catchUpMax: 5,
  failuresMax: 2,
} as const;

const plan = (n: number): SignedPlan => ({
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
});

/** A job whose run is under way, in a world in which no order is ever carried out. */
function signedWorld() {
  const world = coreWorld([anySlice(schedulerSlice)], {});
  const order = (command: SchedulerCommand) =>
    ({ type: "slice.apply", slice: SCHEDULER_SLICE, command: JsonObject.parse(command) }) as const;
  world.must({
    type: "session.create",
    kind: "chat",
    sessionId,
    agentId: "main",
    surface: "cli",
    workspace: "/project",
    title: "",
  });
  world.must(order({ type: "add", spec: SPEC, nextAtMs: 61_000 }), alice);
  const session = (): Session => world.session ?? raise();
  const state = (): SchedulerState => SchedulerState.parse(session().slices[SCHEDULER_SLICE]);
  const job: Job = { ...(state().jobs[0] ?? raise()), proposalIn: RUN };
  const withState = (id: SessionId, slice: SchedulerState): Session => ({
    ...session(),
    id,
    slices: { [SCHEDULER_SLICE]: JsonObject.parse(slice) },
  });
  const charge = { home: sessionId, jobId: job.id, name: "Tidy", jobDigest: jobDigest(job, session()), repeats: true };
  const signedPlan: { now: SignedPlan | undefined } = { now: undefined };
  const sessions: Record<string, () => Session> = {
    [homeOf(INDEX_AGENT)]: () => withState(homeOf(INDEX_AGENT), { ...INITIAL, index: [{ sessionId, atMs: 1 }] }),
    [sessionId]: () => withState(sessionId, { ...state(), jobs: [job] }),
    [RUN]: () => {
      const { now } = signedPlan;
      const signed = now === undefined ? {} : { signed: now };
      return withState(RUN, { ...INITIAL, charge: { ...charge, proposalOpen: false }, ...signed });
    },
  };
  const scheduler = createScheduler({
    sessions: {
      session: async (id) => sessions[id]?.(),
      async dispatch(_id, command, { actor }) {
        world.must(command, actor);
        return { ok: true, reply: null, session: session() };
      },
    },
    clock: { now: () => 2_000 },
    history: async () => [],
    workspaceFor: () => "/project",
    recentChats: async () => [],
    isActive: () => true,
    vouches: async () => true,
    approvalsFor: () => undefined,
    planBody: async () => undefined,
    contributions: () => [],
    report: raise,
  });
  return {
    scheduler,
    state,
    must: (command: SchedulerCommand) => world.must(order(command), alice),
    job,
    sign: (n: number) => void (signedPlan.now = plan(n)),
  };
}

const raise = (): never => {
  throw new Error("it is not there");
};

describe("whoever asks right after a signature", () => {
  it("[GA-14] is told of the plan that stands, also while the order that says so is on its way", async () => {
    const { scheduler, sign, job } = signedWorld();
    expect(await scheduler.standings()).toEqual([]);
    sign(1);
    const [standing, ...more] = await scheduler.standings();
    expect(more).toEqual([]);
    expect(standing).toMatchObject({ planId: "pln_1", jobId: job.id, used: [], sessionId });
    expect(await scheduler.standings()).toEqual([standing]);
    expect((await scheduler.list(undefined))[0]?.standing).toMatchObject({ planId: "pln_1" });
  });

  it("[GA-14] a plan that was withdrawn does not come back by asking, nor when others have taken its place in the list", async () => {
    const { scheduler, sign, job, must, state } = signedWorld();
    sign(1);
    await scheduler.standings();
    must({ type: "withdraw", jobId: job.id });
    expect((await scheduler.standings()).map(({ planId, ended }) => [planId, ended?.why])).toEqual([
      ["pln_1", "withdrawn"],
    ]);
    for (let n = 2; n < 70; n++) {
      sign(n);
      await scheduler.standings();
      if (n < 65) must({ type: "withdraw", jobId: job.id });
    }
    sign(1);
    const after = await scheduler.standings();
    expect(after).toHaveLength(64);
    expect(after.filter(({ ended }) => ended === undefined)).toEqual([]);
    expect(state().standings).toHaveLength(64);
  });
});
