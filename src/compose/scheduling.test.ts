/**
 * The scheduler on a real engine, outbox and timers, over a store that outlives them. A process is killed between any two
 * of its commits, before or after one of them, while time goes on; whatever happened, every time of a job is used exactly
 * once or told as passed.
 */
import * as fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { alice } from "../../test/kit/core.ts";
import { type FakeClock, fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { parseConfig } from "../config/parse.ts";
import { repeated } from "../../test/kit/repetitions.ts";
import { type SchedulerProcess as Process, startSchedulerProcess } from "../../test/kit/scheduler-process.ts";
import { anySlice } from "../core/slice.ts";
import { createEngine } from "../engine/engine.ts";
import { SessionId } from "../protocol/ids.ts";
import { type CatchUp, JobInput, type JobWhen, SchedulerEvent } from "../scheduler/protocol/schedule.ts";
import { schedulerSlice } from "../scheduler/machine/slice.ts";
import { occurrencesOf } from "../scheduler/occurrences.ts";
import { scheduleOf } from "../scheduler/job-spec.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import { PAGE_MAX, type Store, type StoredEvent } from "../store/store.ts";
import { createAttention } from "../gateway/plugins/attention.ts";
import { followHeartbeats } from "./scheduling.ts";

const START_MS = Date.UTC(2026, 2, 28, 22); // the clocks in Berlin go forward in the night that follows
const sessionId = SessionId.parse("ses_talk");
const HOUR_MS = 3_600_000;
/** More than any job has in the time that a test takes. */
const TIMES_MAX = 1_500;

const startProcess = (store: Store, clock: FakeClock): Process => startSchedulerProcess({ store, clock });

async function createTalk(store: Store, clock: FakeClock): Promise<void> {
  const slices = new Map([["scheduler", anySlice(schedulerSlice)]]);
  const engine = createEngine({ store, clock, slices, settingsFor: () => ({}), shared: true });
  const place = { sessionId, agentId: "main", kind: "chat", surface: "cli", workspace: "/w", title: "" } as const;
  await engine.dispatch(sessionId, { type: "session.create", ...place }, { actor: alice });
}

const when: fc.Arbitrary<JobWhen> = fc.oneof(
  fc.record({ everyMs: fc.integer({ min: 10_000, max: 900_000 }) }),
  fc.record({ delayMs: fc.integer({ min: 0, max: 3_600_000 }) }),
  fc.constantFrom(
    { cron: "*/7 * * * *", tz: "UTC" },
    { cron: "30 2 * * *", tz: "Europe/Berlin" },
    { cron: "0 * * * *", tz: "Europe/Berlin" },
  ),
);
const jobs = fc.array(
  fc.record({
    when,
    isolated: fc.boolean(),
    catchUp: fc.constantFrom<CatchUp>("skip", "once", "all"),
    jitterMs: fc.constantFrom(0, 5_000),
  }),
  { minLength: 1, maxLength: 3 },
);
const moves = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1_000, max: 600_000 }) }),
    fc.record({ kind: fc.constant("down" as const), ms: fc.integer({ min: 1_000, max: 5_400_000 }) }),
    fc.record({
      kind: fc.constant("kill" as const),
      commits: fc.integer({ min: 1, max: 6 }),
      before: fc.boolean(),
      ms: fc.integer({ min: 1, max: 900_000 }),
    }),
  ),
  { minLength: 1, maxLength: 6 },
);

async function settled(clock: FakeClock, ms: number): Promise<void> {
  await quiet();
  for (let gone = 0; gone < ms; gone += 30_000) {
    clock.advance(Math.min(30_000, ms - gone));
    await quiet();
  }
}

async function facts(store: Store) {
  const events: StoredEvent[] = [];
  for (let cursor = 0; ; cursor = events.at(-1)?.cursor ?? 0) {
    const page = await store.events({ cursor, limit: PAGE_MAX });
    events.push(...page);
    if (page.length < PAGE_MAX) break;
  }
  const all = events.flatMap(({ sessionId: id, event }) =>
    event.type === "slice.changed" ? [{ id, fact: SchedulerEvent.parse(event.event) }] : [],
  );
  const messages = new Map<string, number>();
  for (const { sessionId: id, event } of events)
    if (event.type === "message.queued") messages.set(id, (messages.get(id) ?? 0) + 1);
  return { all, messages };
}

const skippedIn = (note: string): number =>
  note.startsWith("One time") ? 1 : Number(/^\d+/.exec(note)?.[0] ?? Number.NaN);

type Wanted = { when: JobWhen; isolated: boolean; catchUp: CatchUp; jitterMs: number };
type Move = { kind: "pass" | "down"; ms: number } | { kind: "kill"; ms: number; commits: number; before: boolean };
type World = { store: Store; clock: FakeClock };

async function addAll(wanted: readonly Wanted[], process: Process): Promise<string[]> {
  const ids: string[] = [];
  for (const { when: asked, ...more } of wanted) {
    const input = JobInput.parse({ when: asked, message: "go", timeoutMs: 21_600_000, catchUpMax: 24, ...more });
    const added = await process.scheduler.add({ sessionId }, input, { actor: alice });
    if (!added.ok) throw new Error(added.refusal.message);
    ids.push(z.object({ jobId: z.string() }).parse(added.reply).jobId);
  }
  return ids;
}

async function move(step: Move, process: Process, { store, clock }: World): Promise<Process> {
  if (step.kind === "pass") {
    await settled(clock, step.ms);
    return process;
  }
  if (step.kind === "kill") {
    process.killAfter(step.commits, step.before);
    await settled(clock, step.ms);
  }
  process.kill();
  await quiet();
  if (step.kind === "down") clock.leap(step.ms);
  const next = startProcess(store, clock);
  await quiet();
  return next;
}

/** Of one job: its times up to now, those that were used, how many were told as passed, and how often each run began. */
async function account(id: string, asked: JobWhen, { store, clock }: World) {
  const times = await occurrencesOf(scheduleOf(asked, START_MS));
  if ("error" in times) throw new Error(times.error);
  const { all, messages } = await facts(store);
  const own = all.map(({ fact }) => fact);
  const job = own.flatMap((fact) => (fact.type === "job.added" && fact.job.id === id ? [fact.job] : []))[0];
  const fired = own.flatMap((fact) => (fact.type === "job.fired" && fact.jobId === id ? [fact] : []));
  const passed = own.flatMap((fact) =>
    fact.type === "run.ended" && fact.jobId === id && fact.past.outcome === "skipped" ? [fact.past.note] : [],
  );
  return {
    due: times
      .lastUntil(clock.now() - (job?.offsetMs ?? 0), TIMES_MAX)
      .filter((ms) => ms > START_MS || "delayMs" in asked),
    used: fired.map(({ dueAtMs }) => dueAtMs),
    passed: passed.map(skippedIn).reduce((sum, count) => sum + count, 0),
    begun: fired.flatMap(({ run }) => (run === null ? [] : [messages.get(run.sessionId)])),
  };
}

describe("the agents' heartbeats", () => {
  it("are set again until they are, and operators see meanwhile that they are not", async () => {
    const clock = fakeClock();
    const attention = createAttention();
    const { config } = parseConfig("", "config.yaml");
    let failures = 2;
    let times = 0;
    const stop = followHeartbeats(
      {
        clock,
        attention,
        log: pino({ level: "silent" }),
        config: { current: () => config, onChange: () => () => undefined },
      },
      {
        async applyHeartbeats() {
          times += 1;
          if (failures-- > 0) throw new Error("the store is away");
        },
      },
    );
    await quiet();
    const shown = ["Plugin scheduler: The heartbeats could not be set, and it is tried again: the store is away"];
    expect([times, attention.lines(), clock.alarms]).toEqual([1, shown, [clock.now() + 1_000]]);
    clock.advance(1_000);
    await quiet();
    expect([times, attention.lines(), clock.alarms]).toEqual([2, shown, [clock.now() + 2_000]]);
    clock.advance(2_000);
    await quiet();
    expect([times, attention.lines(), clock.alarms]).toEqual([3, [], []]);
    stop();
  });
});

describe("whatever happens to the process", () => {
  it("[AU-07, PL-12] each time of a job is used exactly once, or told as passed", async () => {
    await fc.assert(
      fc.asyncProperty(jobs, moves, async (wanted, steps) => {
        const world = { store: openMemoryStore(), clock: fakeClock(START_MS) };
        let process = startProcess(world.store, world.clock);
        await createTalk(world.store, world.clock);
        const ids = await addAll(wanted, process);
        for (const step of steps) process = await move(step, process, world);
        await settled(world.clock, 1_000);
        for (const [n, { when: asked }] of wanted.entries()) {
          const { due, used, passed, begun } = await account(ids[n] ?? "", asked, world);
          expect(new Set(used).size).toBe(used.length);
          expect(used.filter((ms) => !due.includes(ms))).toEqual([]);
          expect(used.length + passed).toBe(due.length);
          expect(begun).toEqual(begun.map(() => 1));
        }
      }),
      repeated(20),
    );
  });

  it("[AU-07, PL-12] killed anywhere between its time and the first words of its run, the run begins exactly once", async () => {
    for (let commits = 1; commits <= 8; commits++) {
      for (const isBefore of [true, false]) {
        const store = openMemoryStore();
        const clock = fakeClock(START_MS);
        const first = startProcess(store, clock);
        await createTalk(store, clock);
        const input = JobInput.parse({ when: { delayMs: 60_000 }, message: "go", isolated: true });
        await first.scheduler.add({ sessionId }, input, { actor: alice });
        await quiet();
        first.killAfter(commits, isBefore);
        await settled(clock, 120_000);
        first.kill();
        startProcess(store, clock);
        await settled(clock, 60_000);
        const { all, messages } = await facts(store);
        const runs = all.flatMap(({ fact }) => (fact.type === "job.fired" && fact.run !== null ? [fact.run] : []));
        expect([commits, runs.length, runs.map((run) => messages.get(run.sessionId))]).toEqual([commits, 1, [1]]);
        expect(all.map(({ fact }) => fact).filter((fact) => fact.type === "run.ended")).toHaveLength(1);
      }
    }
  });

  it("[I19, AU-07] two processes whose clocks are hours apart and jump use no time of a job twice", async () => {
    const store = openMemoryStore();
    const [right, wrong] = [fakeClock(START_MS), fakeClock(START_MS + HOUR_MS)];
    const nodes = [right, wrong].map((clock) => startProcess(store, clock));
    await createTalk(store, right);
    const often = { when: { everyMs: 60_000 }, catchUp: "all", jitterMs: 0 } as const;
    const [first] = nodes;
    if (first === undefined) throw new Error("no process");
    const wanted = [true, false].map((isolated) => ({ ...often, isolated }));
    const ids = await addAll(wanted, first);
    for (const jumpMs of [0, -2 * HOUR_MS, 0, 3 * HOUR_MS, 0]) {
      wrong.leap(jumpMs);
      for (let gone = 0; gone < 300_000; gone += 30_000) {
        for (const clock of [right, wrong]) clock.advance(30_000);
        await quiet();
      }
    }
    for (const [n, { when: asked }] of wanted.entries()) {
      const { used, begun } = await account(ids[n] ?? "", asked, { store, clock: right });
      expect(used.length).toBeGreaterThan(10);
      expect(new Set(used).size).toBe(used.length);
      expect(begun).toEqual(begun.map(() => 1));
    }
  });
});
