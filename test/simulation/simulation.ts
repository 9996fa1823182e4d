/**
 * One run: two or three gateway nodes, a store, people and faults in one process, all by one seed. The invariants are
 * looked at after each commit; the first that breaks ends the run. The same seed gives the same run.
 */
import { LEASE_MS } from "../../src/agent/lease.ts";
import { alice } from "../kit/core.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import { activeStanding } from "../../src/scheduler/machine/standing.ts";
import type { Cast } from "./cast.ts";
import { ambushOn, type Fault } from "./fault-plan.ts";
import { type MixName, mixOf, type Strike, STRIKE_RATE } from "./mixes.ts";
import { jobsOf, planOf } from "./invariants/seen-commit.ts";
import { TIMEOUT_MS_MAX } from "./simulated-database.ts";
import {
  type Broken,
  createWorld,
  INEXACT_MS,
  type Reached,
  sessionIn,
  sessionsBelow,
  type SimulationOptions,
  startNode,
  storeMs,
  type World,
} from "./world.ts";

export type Run = {
  seed: number;
  cast: Cast;
  broken: Broken | undefined;
  commits: number;
  events: number;
  reached: Reached;
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
const ACT_EVERY_MS = 1_600;
const TOLD_MS_MAX = 500;
const TICK_MS = 1_000;
/** I21: two seconds, and what nodes may be off the store's time. */
const LATE_MS_MAX = 2_000 + INEXACT_MS;
/** What was asked while a connection was cut fails by then, and is asked once more. */
const ASKED_AGAIN_MS_MAX = TIMEOUT_MS_MAX + 1_000;
/** A holder that was paused renews its lease no later than this. */
const RENEWAL_MS = LEASE_MS / 3;
const HEALED_MS_MAX = 200_000;
/** A machine whose clock was set back keeps the deadlines that it wrote before. */
const HEALED_ALONE_MS_MAX = 200 * 3_600_000;
/** After a pause what people sent meanwhile comes first, one request after the other; it is quiet once no more than this is left. */
const BACKLOG_MAX = 30;
const POWER_BACK_MS = 500;
const LONG_TICK_MS = 600_000;

export async function simulate(options: SimulationOptions): Promise<Run> {
  const world = createWorld(options);
  const { plan, agenda, random, startMs } = world;
  world.onCommit = (types, origin) => {
    const isAmbushed = !world.isHealed && types.some((type) => AMBUSHED.has(type)) && random.next() < plan.ambushRate;
    const n = isAmbushed ? world.seats.findIndex(({ node }) => node.process.name === origin) : -1;
    if (n >= 0) happen(world, ambushOn(n, random));
    if (options.mix !== undefined) strike(world, options.mix, { types, origin });
  };
  for (let n = 0; n < plan.nodes; n++) startNode(world, n);
  if (plan.revokeAtMs !== undefined) agenda.after(plan.revokeAtMs, () => revokeOwner(world));
  for (const { atMs, fault } of plan.faults) agenda.after(atMs, () => happen(world, fault));
  actAgain(world);
  await runUntil(world, startMs + plan.activeMs);
  heal(world);
  await untilAllIsDone(world);
  await checkEnd(world);
  const { broken, commits, trace, watches } = world;
  const { granted, standing } = watches.grants;
  const { fired, orphaned } = watches.jobs;
  const reached = { ...world.reached, below: watches.families.started, granted, standing, fired, orphaned };
  return { seed: options.seed, cast: plan.cast, broken, commits, events: agenda.happened, reached, trace };
}

/** Somebody who answers for a job, best for one that runs; not the one who keeps the conversation going. The store knows it first. */
function revokeOwner(world: World): void {
  const jobs = world.sessionIds.flatMap((sessionId) => {
    const state = jobsOf(sessionIn(world, sessionId));
    return (state?.jobs ?? []).map((job) => {
      const { signedBy = [] } = (state === undefined ? undefined : activeStanding(state, job.id)) ?? {};
      const ids = [...(job.ownedBy === undefined ? [] : [job.ownedBy]), ...signedBy].map(({ id }) => id);
      return { isRunning: job.run !== null, ids: ids.filter((id) => id !== alice.id && !world.revoked.has(id)) };
    });
  });
  const running = jobs.flatMap(({ isRunning, ids }) => (isRunning ? ids : []));
  const ids = running.length > 0 ? running : jobs.flatMap((job) => job.ids);
  const id = ids[world.random.below(ids.length)];
  if (id === undefined) return;
  world.note(() => `${id} is revoked`);
  world.revoked.set(id, storeMs(world));
  for (const { node } of world.seats) node.process.deliver(world.random.next() * TOLD_MS_MAX, () => node.revoke(id));
}

function strike(world: World, mix: MixName, { types, origin }: { types: readonly string[]; origin: string }): void {
  const { facts, rate = STRIKE_RATE, strike: strikes } = mixOf(mix);
  const node = world.seats.findIndex((seat) => seat.node.process.name === origin);
  const isHit = !world.isHealed && node >= 0 && types.some((type) => facts.includes(type));
  if (!isHit || world.random.next() > rate) return;
  for (const one of strikes({
    node,
    nodes: world.isShared ? world.seats.length : 0,
    latencyMs: world.plan.latencyMs,
    random: world.random,
  }))
    if (one.afterMs === undefined) land(world, one);
    else world.agenda.after(one.afterMs, () => land(world, one));
}

function land(world: World, one: Strike): void {
  if (one.kind === "withdraw") world.people.withdraw();
  else if (one.kind === "revoke") revokeOwner(world);
  else happen(world, one);
}

async function runUntil(world: World, untilMs: number): Promise<void> {
  while (world.broken === undefined && world.agenda.next(untilMs)) await settled();
}

/** Every promise that could go on without time passing has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function actAgain(world: World): void {
  if (world.isHealed) return;
  world.people.act();
  world.agenda.after(world.random.next() * ACT_EVERY_MS, () => actAgain(world));
}

function happen(world: World, fault: Fault): void {
  const { note, agenda, database, seats } = world;
  note(() => JSON.stringify(fault));
  world.quietFromMs = Math.max(world.quietFromMs, agenda.now() + lastsMs(fault));
  if (fault.kind === "power-loss") return losePower(world);
  const seat = seats[fault.node];
  if (seat === undefined) return;
  const { process } = seat.node;
  switch (fault.kind) {
    case "crash":
      return crash(world, fault.node, fault.downMs);
    case "loss":
      return process.crash();
    case "pause":
      return process.pause(fault.forMs);
    case "step":
      return process.step(fault.byMs);
    case "cut":
      seat.link.isCut = true;
      agenda.after(fault.forMs, () => {
        seat.link.isCut = false;
        database.healed(process);
      });
  }
}

function lastsMs(fault: Fault): number {
  if ("forMs" in fault) return fault.forMs;
  if (fault.kind === "crash") return fault.downMs;
  return fault.kind === "power-loss" ? POWER_BACK_MS : 0;
}

function crash(world: World, n: number, downMs: number): void {
  const process = world.seats[n]?.node.process;
  if (process?.isUp() !== true) return;
  process.crash();
  world.agenda.after(downMs, () => startNode(world, n));
}

/** Where the store is a file, its machine goes with it. */
function losePower(world: World): void {
  void world.database.losePower().then(() => checkKept(world));
  if (!world.isShared) crash(world, 0, POWER_BACK_MS);
}

/** I09: what was answered is there. Whoever is revoked is sent away at the door, and nothing is written about it. */
function checkKept({ people, database, violated, revoked }: World): void {
  const keys = new Set([...database.memory.idempotency.values()].map(({ key }) => key));
  for (const { key, answer, actor, isRefused } of people.requests.values()) {
    const isSentAway = isRefused === true && actor.kind === "operator" && revoked.has(actor.id);
    if (answer !== undefined && !isSentAway && !keys.has(key)) violated("I09", `${key} was answered and is lost`);
  }
}

function heal(world: World): void {
  world.note(() => "everything heals");
  world.isHealed = true;
  world.people.rest();
  world.quietFromMs = Math.max(world.agenda.now(), world.quietFromMs);
  for (const { link } of world.seats) Object.assign(link, { lossRate: 0, refusalRate: 0 });
}

async function untilAllIsDone(world: World): Promise<void> {
  const { agenda, isShared, violated } = world;
  const untilMs = world.quietFromMs + (isShared ? HEALED_MS_MAX : HEALED_ALONE_MS_MAX);
  while (world.broken === undefined && (agenda.now() < world.quietFromMs || left(world).length > 0)) {
    const isSoon = agenda.now() < world.quietFromMs + HEALED_MS_MAX;
    await runUntil(world, agenda.now() + (isSoon ? TICK_MS : LONG_TICK_MS));
    checkLiveness(world);
    if (agenda.now() > untilMs) violated("I21", `after all healed there is left: ${left(world).join()}`);
  }
}

/** What is still to be done, as the store has it. */
function left(world: World): string[] {
  const { people, sessionIds, database, watches } = world;
  const unanswered = [...people.requests.values()].filter(({ isDone }) => !isDone).map(({ key }) => `answer to ${key}`);
  const inSessions = [...sessionIds, ...sessionsBelow(world).map(({ id }) => id)].flatMap((id) => {
    const session = sessionIn(world, id);
    const turn = session === undefined || session.turn.status === "idle" ? [] : [`turn of ${id}`];
    return planOf(session)?.now.phase === "pending" ? [...turn, `decision in ${id}`] : turn;
  });
  const work = database.memory.outbox.map(({ effect }) => effect.kind);
  return [...unanswered, ...inSessions, ...work, ...watches.envelopes.queued()];
}

function checkLiveness(world: World): void {
  const { agenda, people, plan, seats, sessionIds, violated } = world;
  const nowMs = storeMs(world);
  if (people.waiting() > BACKLOG_MAX) world.quietFromMs = Math.max(world.quietFromMs, agenda.now());
  const catchUpMs = LATE_MS_MAX + ASKED_AGAIN_MS_MAX + BACKLOG_MAX * 2 * plan.latencyMs;
  const quietMs = agenda.now() - world.quietFromMs - catchUpMs;
  const isLate = (atMs: number, moreMs = 0): boolean => nowMs > atMs + LATE_MS_MAX + moreMs && quietMs > moreMs;
  for (const id of [...sessionIds, ...sessionsBelow(world).map((session) => session.id)]) {
    const session = sessionIn(world, id);
    const now = planOf(session)?.now;
    if (now?.phase === "pending" && isLate(now.submission.deadlineAtMs))
      violated("I21", `${now.submission.approvalId} is ${nowMs - now.submission.deadlineAtMs} ms late`);
    if (session?.turn.status !== "running") continue;
    const { node, leaseUntilMs, turnId } = session.turn;
    const isHeld = seats.some((seat) => seat.node.process.name === node && seat.node.process.isUp());
    if (isLate(leaseUntilMs, isHeld ? RENEWAL_MS : 0)) violated("I21", `nobody takes ${turnId} over from ${node}`);
  }
}

async function checkEnd(world: World): Promise<void> {
  checkKept(world);
  if (world.broken !== undefined) return;
  const { intact } = await openMemoryStore(world.database.memory).verifyAudit();
  if (!intact) world.violated("I20", "the audit chain is broken");
}
