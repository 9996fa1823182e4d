/**
 * Standing plans on a real engine, over a store that outlives its process. The process is killed between any two commits
 * from a signature to the end of the runs under it: no signature is lost, no run is counted twice, none works uncounted.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { alice } from "../../test/kit/core.ts";
import { type FakeClock, fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { type SchedulerProcess, startSchedulerProcess } from "../../test/kit/scheduler-process.ts";
import { anySlice, type SliceRegistry } from "../core/slice.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { PlanBody } from "../plan-mode/protocol/plan.ts";
import { planModeSlice } from "../plan-mode/machine/slice.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import { digestOf } from "../plugins/sdk.ts";
import { Json } from "../protocol/json.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import { schedulerSlice } from "../scheduler/machine/slice.ts";
import { JobId, JobInput } from "../scheduler/protocol/schedule.ts";
import type { StandingView } from "../scheduler/protocol/standing.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import { PAGE_MAX, type Store, type StoredEvent } from "../store/store.ts";

const HOUR = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5, 9);
const STEP = "Write the file";
const BODY: PlanBody = PlanBody.parse({ title: "Tidy up", plan: [{ step: STEP, status: "pending" }] });
const slices: SliceRegistry = new Map([
  ["planMode", anySlice(planModeSlice)],
  ["scheduler", anySlice(schedulerSlice)],
]);

const planIn = ({ slices: stored }: Session): PlanModeState => PlanModeState.parse(stored["planMode"]);

/** Held, the agent submits its plan; otherwise it claims one change, and closes its step. */
const work: NonNullable<Parameters<typeof startSchedulerProcess>[1]>["work"] = async (session, dispatch) => {
  const { turn } = session;
  if (turn.status !== "running") return;
  const on = { turnId: turn.turnId, epoch: session.epoch };
  const [open] = turn.calls; // a successor goes on with the call that its predecessor had not claimed yet
  const write = { callId: open?.callId ?? `write-${session.epoch}`, tool: "write", args: {} };
  if (open === undefined) await dispatch({ type: "turn.say", ...on, text: "", calls: [write] });
  const claimed = await dispatch({
    type: "call.claim",
    ...on,
    callId: write.callId,
    kind: "file_edit",
    argsDigest: "d",
  });
  await dispatch({ type: "call.finish", ...on, callId: write.callId, status: "ok", content: null });
  const command: Json = claimed.ok
    ? { type: "update", patch: { plan: [{ step: STEP, status: "completed" }] } }
    : { type: "submit", body: Json.parse(BODY), digest: digestOf(Json.parse(BODY)) };
  await dispatch({ type: "slice.apply", slice: "planMode", command });
};

type World = { store: Store; clock: FakeClock; revoked: Set<string> };
const newWorld = (): World => ({ store: openMemoryStore(), clock: fakeClock(START_MS), revoked: new Set() });

const startProcess = (world: World): SchedulerProcess =>
  startSchedulerProcess(world, {
    slices,
    work,
    planBody: async () => BODY,
    vouches: async ({ by: people }) => !people.some(({ id }) => world.revoked.has(id)),
  });

const reading = ({ store, clock }: World): Engine =>
  createEngine({ store, clock, slices, settingsFor: () => ({}), shared: true });

async function hours({ clock }: World, count: number): Promise<void> {
  await quiet();
  for (let n = 0; n < count; n++) {
    clock.advance(HOUR);
    await quiet();
  }
}

const by = { actor: alice };

async function added({ scheduler }: SchedulerProcess): Promise<JobId> {
  const input = JobInput.parse({
    when: { everyMs: HOUR },
    name: "Tidy",
    message: "tidy up",
    isolated: true,
    timeoutMs: 6 * HOUR,
  });
  const outcome = await scheduler.add({ agentId: "main" }, input, by);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return z.object({ jobId: JobId }).parse(outcome.reply).jobId;
}

async function waiting({ store }: World): Promise<SessionId> {
  const { items } = await store.sessions({ archived: false, waiting: true }, { cursor: null, limit: 10 });
  const [first] = items;
  if (first === undefined) throw new Error("no plan waits");
  return first.id;
}

async function sign(sessionId: SessionId, process: SchedulerProcess, world: World): Promise<void> {
  const session = await reading(world).session(sessionId);
  const { now } = planIn(session ?? raise("the run is gone"));
  if (now.phase !== "pending") throw new Error(`the plan is ${now.phase}`);
  const { approvalId, digest } = now.submission;
  const approval = { action: "approve", approvalId, digest, standing: { runs: 2, days: 7 } };
  await process.dispatch(
    sessionId,
    { type: "slice.apply", slice: "planMode", command: { type: "decide", approval } },
    by,
  );
}

const raise = (message: string): never => {
  throw new Error(message);
};

/** Sessions in which a change was claimed, and how often each run received its message. */
async function done({ store }: World) {
  const events: StoredEvent[] = [];
  for (let page = await store.events({ cursor: 0, limit: PAGE_MAX }); page.length > 0;) {
    events.push(...page);
    page = await store.events({ cursor: page.at(-1)?.cursor ?? 0, limit: PAGE_MAX });
  }
  const claims = new Set(events.flatMap(({ sessionId, event }) => (event.type === "call.claimed" ? [sessionId] : [])));
  const messages = events.flatMap(({ sessionId, event }) => (event.type === "message.queued" ? [sessionId] : []));
  const fired = events.flatMap(({ event }) =>
    event.type === "slice.changed" && event.event.type === "job.fired" ? [event.event] : [],
  );
  return { claims, messages, fired };
}

async function proposed(world: World): Promise<{ process: SchedulerProcess; jobId: JobId; run: SessionId }> {
  const process = startProcess(world);
  const jobId = await added(process);
  await hours(world, 1);
  return { process, jobId, run: await waiting(world) };
}

const COMMITS_MAX = 26;

describe("a process that is killed", () => {
  it("[GA-14, AU-07, PL-12] anywhere from the signature to the last run loses nothing and counts nothing twice", async () => {
    for (let commits = 1; commits <= COMMITS_MAX; commits++) {
      for (const isBefore of [true, false]) {
        const world = newWorld();
        const { process, run } = await proposed(world);
        process.killAfter(commits, isBefore);
        void sign(run, process, world); // a killed process never answers
        await hours(world, 3);
        process.kill();
        const next = startProcess(world);
        await quiet();
        const again = await next.scheduler.standings();
        if (again.length === 0) await sign(run, next, world); // it died before the signature was stored
        await hours(world, 4);
        const standings: StandingView[] = await next.scheduler.standings();
        const { claims, messages, fired } = await done(world);
        const used = standings[0]?.used ?? [];
        const counted = fired.filter(
          (event) =>
            z.object({ run: z.object({ standing: z.unknown() }) }).safeParse(event).data?.run.standing !== undefined,
        );
        expect([commits, isBefore, standings.length, used.map(({ n }) => n), counted.length]).toEqual([
          commits,
          isBefore,
          1,
          [1, 2],
          2,
        ]);
        expect([...claims].toSorted()).toEqual(used.map(({ sessionId }) => sessionId).toSorted());
        expect(new Set(messages).size).toBe(messages.length);
      }
    }
  });
});

describe("between the count and the run", () => {
  it("[GA-14] a signer who is revoked leaves the counted run held, and the plan void", async () => {
    const world = newWorld();
    const { process, jobId, run } = await proposed(world);
    await sign(run, process, world);
    await quiet();
    process.killAfter(3, false); // tick, advance with the count, and the order to start is left
    await hours(world, 1);
    process.kill();
    expect((await done(world)).fired).toHaveLength(2);
    world.revoked.add("opr_alice");
    const next = startProcess(world);
    await hours(world, 1);
    const [standing] = await next.scheduler.standings();
    expect(standing).toMatchObject({ used: [{ n: 1 }], ended: { why: "revoked" } });
    const [job] = await next.scheduler.list();
    expect([job?.id, job?.now]).toEqual([jobId, { status: "off", why: "revoked" }]);
    const { claims, messages } = await done(world);
    expect([claims.size, messages]).toEqual([0, [run]]);
  });
});
