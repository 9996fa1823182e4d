/**
 * One run: two or three gateway nodes, a store, people and faults in one process, all by one seed. The invariants are
 * looked at after each commit; the first that breaks ends the run. The same seed gives the same run.
 */
import { ModelFailure } from "../../src/agent/model.ts";
import { LEASE_MS } from "../../src/agent/lease.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { Session } from "../../src/protocol/session.ts";
import { COMMIT_AGE_MS_MAX } from "../../src/store/postgres/commit-statement.ts";
import { seeded } from "../kit/random.ts";
import { createAgenda } from "./agenda.ts";
import { ambushOn, type ClockLimits, type Fault, planFaults } from "./fault-plan.ts";
import { planOf } from "./invariants/seen-commit.ts";
import { watchEnvelopes } from "./invariants/watch-envelopes.ts";
import { watchPlans } from "./invariants/watch-plans.ts";
import { watchRows } from "./invariants/watch-rows.ts";
import { watchTurns } from "./invariants/watch-turns.ts";
import { type Applied, ConnectionLost, createSimulatedDatabase, type Link, type StoreSabotage } from "./simulated-database.ts";
import { type SimulatedNode, startSimulatedNode, Stopped } from "./simulated-node.ts";
import { createPeople, type PersonRequest } from "./simulated-person.ts";
import { createSimulatedProcess } from "./simulated-process.ts";

export type SimulationOptions = { seed: number; clocks?: ClockLimits; sabotage?: StoreSabotage; isTraced?: boolean };

export type Broken = { invariant: string; what: string; atMs: number; commits: number };
export type Run = {
  seed: number;
  broken: Broken | undefined;
  commits: number;
  events: number;
  /** Changes that were started outside, decisions that were committed: a run that reaches neither proves little. */
  reached: { changes: number; decisions: number; takeOvers: number; deliveries: number; expiries: number };
  trace: string[];
};

/** Moments at which a node that is lost leaves most behind. */
const AMBUSHED: ReadonlySet<string> = new Set([
  "call.claimed",
  "turn.started",
  "turn.taken-over",
  "turn.finished",
  "plan.submitted",
  "plan.approved",
  "plan.rejected",
]);
const HOUR_MS = 3_600_000;
const ACT_EVERY_MS = 1_600;
const TICK_MS = 1_000;
/** Nodes know the store's time by readings that take a moment. */
const INEXACT_MS = 400;
/** I21: two seconds, and what nodes may be off the store's time. */
const LATE_MS_MAX = 2_000 + INEXACT_MS;
/** A holder that was paused renews its lease no later than this. */
const RENEWAL_MS = LEASE_MS / 3;
const HEALED_MS_MAX = 200_000;
/** A machine whose clock was set back keeps the deadlines that it wrote before. */
const HEALED_ALONE_MS_MAX = 200 * HOUR_MS;
const BACKLOG_MAX = 30;
const POWER_BACK_MS = 500;
const LONG_TICK_MS = 600_000;
const CLOCKS: ClockLimits = { aheadMsMax: 25 * HOUR_MS, stepMsMax: 25 * HOUR_MS };

export async function simulate(options: SimulationOptions): Promise<Run> {
  const world = createWorld(options);
  await world.run();
  return world.result();
}

type Seat = { node: SimulatedNode; link: Link; starts: number };

function createWorld({ seed, clocks = CLOCKS, sabotage, isTraced = false }: SimulationOptions) {
  const random = seeded(seed);
  const plan = planFaults(random, clocks);
  const agenda = createAgenda(random);
  const startMs = agenda.now();
  const isShared = plan.nodes > 1;
  /** A file has the clock of its machine, a server its own. */
  const storeMs = (): number => (isShared ? agenda.now() : (seats[0]?.node.process.clock.now() ?? agenda.now()));
  const trace: string[] = [];
  const note = (line: () => string): void => {
    if (isTraced) trace.push(`${((agenda.now() - startMs) / 1_000).toFixed(3)} ${line()}`);
  };
  let broken: Broken | undefined;
  let commits = 0;
  const violated = (invariant: string, what: string): void => {
    broken ??= { invariant, what, atMs: Math.round(agenda.now() - startMs), commits };
  };
  const report = (error: unknown): void => {
    const isExpected = error instanceof ConnectionLost || error instanceof Stopped || error instanceof ModelFailure || isRetriedTimer(error);
    if (!isExpected) violated("bug", error instanceof Error ? (error.stack ?? "") : String(error));
  };
  const reached = { changes: 0, decisions: 0, takeOvers: 0, deliveries: 0, expiries: 0 };
  const watches = {
    plans: watchPlans(violated, { earlyMsMax: INEXACT_MS, lateMsMax: INEXACT_MS + COMMIT_AGE_MS_MAX }),
    envelopes: watchEnvelopes(violated),
    turns: watchTurns(violated, INEXACT_MS),
    rows: watchRows(violated),
  };
  const before = new Map<string, Session | undefined>();
  const database = createSimulatedDatabase({ agenda, random, sabotage, beforeCommit, applied });
  const { memory } = database;
  const session = (id: string): Session | undefined => memory.sessions.get(id)?.session;
  const delivered = new Map<string, number>();
  const sessionIds = Array.from({ length: plan.sessions }, (_, n) => SessionId.parse(`ses_${n + 1}`));
  let isHealed = false;
  let quietFromMs = 0;

  function beforeCommit({ sessionId }: { sessionId: string }): void {
    before.set(sessionId, session(sessionId));
  }

  function applied({ commit, result, origin }: Applied): void {
    if (result.status !== "committed") return note(() => `${origin} ${commit.actor} ${result.status}`);
    commits += 1;
    const types = commit.events.map((event) => (event.type === "slice.changed" ? event.event.type : event.type));
    note(() => `#${commits} ${origin} ${commit.actor} ${commit.recordOnly ? "records a refusal" : types.join()}`);
    if (types.includes("turn.taken-over")) reached.takeOvers += 1;
    if (types.includes("plan.approved") || types.includes("plan.rejected")) reached.decisions += 1;
    if (types.includes("plan.timed_out")) reached.expiries += 1;
    if (!isHealed && types.some((type) => AMBUSHED.has(type)) && random.next() < plan.ambushRate) ambush(origin);
    const request = people.requests.get(commit.idempotency?.key ?? "");
    const [was, after] = [before.get(commit.sessionId), session(commit.sessionId)];
    const seen = { commit, before: was, after, origin, atMs: storeMs(), request, memory };
    for (const watch of Object.values(watches)) if (!commit.recordOnly || watch === watches.rows) watch.committed(seen);
  }

  const outside = {
    changeStarts(context: Parameters<typeof watches.turns.starts>[0], { name }: { name: string }): void {
      reached.changes += 1;
      note(() => `${name} starts ${context.callId} under epoch ${context.epoch}`);
      watches.turns.starts(context, { session: session(context.sessionId), node: name });
    },
    deliveryStarts(key: string, { name }: { name: string }): void {
      reached.deliveries += 1;
      note(() => `${name} delivers ${key}`);
      delivered.set(key, (delivered.get(key) ?? 0) + 1);
    },
  };

  const seats: Seat[] = [];
  const people = createPeople({
    agenda,
    random,
    sessionIds: sessionIds as [SessionId, ...SessionId[]],
    nodes: () => seats.map(({ node }) => node),
    session,
    isLossy: () => !isHealed,
    violated,
    report,
  });

  function start(n: number, starts: number): Seat {
    const aheadMs = seats[n]?.node.process.aheadMs ?? plan.aheadMs[n] ?? 0;
    const rates = isHealed ? { lossRate: 0, refusalRate: 0 } : plan;
    const link = { lossRate: rates.lossRate, refusalRate: rates.refusalRate, latencyMs: plan.latencyMs, isCut: false };
    const name = `n${n}-${starts}`;
    const process = createSimulatedProcess({ name, aheadMs, agenda, random, link: isShared ? link : undefined });
    const store = database.connect(process, link, isShared);
    const node = startSimulatedNode({ process, store, shared: isShared, random, outside, report });
    note(() => `${process.name} starts`);
    return { node, link, starts };
  }

  function crash(n: number, downMs: number): void {
    const seat = seats[n];
    if (seat === undefined || !seat.node.process.isUp()) return;
    seat.node.process.crash();
    agenda.after(downMs, () => void (seats[n] = start(n, seat.starts + 1)));
  }

  function ambush(origin: string): void {
    const n = seats.findIndex(({ node }) => node.process.name === origin);
    if (n >= 0) happen(ambushOn(n, random));
  }

  function happen(fault: Fault): void {
    note(() => JSON.stringify(fault));
    quietFromMs = Math.max(quietFromMs, agenda.now() + lastsMs(fault));
    switch (fault.kind) {
      case "crash":
        return crash(fault.node, fault.downMs);
      case "pause":
        return seats[fault.node]?.node.process.pause(fault.forMs);
      case "step":
        return seats[fault.node]?.node.process.step(fault.byMs);
      case "cut": {
        const seat = seats[fault.node];
        if (seat === undefined) return;
        seat.link.isCut = true;
        return void agenda.after(fault.forMs, () => {
          seat.link.isCut = false;
          database.healed(seat.node.process);
        });
      }
      case "power-loss":
        return losePower();
    }
  }

  function losePower(): void {
    void database.losePower().then(() => checkKept(people.requests.values()));
    if (!isShared) crash(0, POWER_BACK_MS);
  }

  function checkKept(requests: Iterable<PersonRequest>): void {
    const keys = new Set([...memory.idempotency.values()].map(({ key }) => key));
    for (const { key, answer } of requests)
      if (answer !== undefined && !keys.has(key)) violated("I09", `${key} was answered and is lost`);
  }

  function actAgain(): void {
    if (isHealed) return;
    people.act();
    agenda.after(random.next() * ACT_EVERY_MS, actAgain);
  }

  function heal(): void {
    note(() => "everything heals");
    isHealed = true;
    people.rest();
    for (const { link } of seats) Object.assign(link, { lossRate: 0, refusalRate: 0 });
  }

  /** What is still to be done, as the store has it. */
  function left(): string[] {
    const unanswered = [...people.requests.values()].filter(({ isDone }) => !isDone).map(({ key }) => `answer to ${key}`);
    const turns = sessionIds.flatMap((id) => {
      const found = session(id);
      if (found === undefined) return [];
      const isPending = planOf(found)?.now.phase === "pending";
      return [...(found.turn.status === "idle" ? [] : [`turn of ${id}`]), ...(isPending ? [`decision in ${id}`] : [])];
    });
    return [...unanswered, ...turns, ...memory.outbox.map(({ effect }) => effect.kind), ...watches.envelopes.queued()];
  }

  function checkLiveness(): void {
    const nowMs = storeMs();
    // after a pause what people sent meanwhile comes first, one request after the other
    const backlogMs = BACKLOG_MAX * 2 * plan.latencyMs;
    const isQuiet = (forMs: number): boolean => agenda.now() > quietFromMs + LATE_MS_MAX + backlogMs + forMs;
    const isLate = (atMs: number, moreMs = 0): boolean => nowMs > atMs + LATE_MS_MAX + moreMs && isQuiet(moreMs);
    for (const id of sessionIds) {
      const found = session(id);
      const now = planOf(found)?.now;
      if (now?.phase === "pending" && isLate(now.submission.deadlineAtMs))
        violated("I21", `${now.submission.approvalId} is ${nowMs - now.submission.deadlineAtMs} ms late`);
      if (found?.turn.status !== "running") continue;
      const { node, leaseUntilMs, turnId } = found.turn;
      const isHeld = seats.some((seat) => seat.node.process.name === node && seat.node.process.isUp());
      if (isLate(leaseUntilMs, isHeld ? RENEWAL_MS : 0)) violated("I21", `nobody takes ${turnId} over from ${node}`);
    }
  }

  async function runUntil(untilMs: number): Promise<void> {
    while (broken === undefined && agenda.next(untilMs)) await settled();
  }

  return {
    async run(): Promise<void> {
      for (let n = 0; n < plan.nodes; n++) seats.push(start(n, 1));
      for (const { atMs, fault } of plan.faults) agenda.after(atMs, () => happen(fault));
      actAgain();
      await runUntil(startMs + plan.activeMs);
      heal();
      quietFromMs = Math.max(agenda.now(), quietFromMs);
      const untilMs = quietFromMs + (isShared ? HEALED_MS_MAX : HEALED_ALONE_MS_MAX);
      while (broken === undefined && (agenda.now() < quietFromMs || left().length > 0)) {
        await runUntil(agenda.now() + (agenda.now() < quietFromMs + HEALED_MS_MAX ? TICK_MS : LONG_TICK_MS));
        checkLiveness();
        if (agenda.now() > untilMs) violated("I21", `after all healed there is left: ${left().join()}`);
      }
      checkKept(people.requests.values());
      for (const [key, times] of delivered) if (times === 0) violated("I21", `${key} was not delivered`);
      if (broken === undefined && !(await auditIsIntact())) violated("I20", "the audit chain is broken");
    },
    result: (): Run => ({ seed, broken, commits, events: agenda.happened, reached, trace }),
  };

  async function auditIsIntact(): Promise<boolean> {
    const { openMemoryStore } = await import("../../src/store/memory/memory-store.ts");
    return (await openMemoryStore(memory).verifyAudit()).intact;
  }
}

function lastsMs(fault: Fault): number {
  if ("forMs" in fault) return fault.forMs;
  if (fault.kind === "crash") return fault.downMs;
  return fault.kind === "power-loss" ? POWER_BACK_MS : 0;
}

const isRetriedTimer = (error: unknown): boolean => error instanceof Error && error.message.startsWith("timer ");

/** Every promise that could go on without time passing has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
