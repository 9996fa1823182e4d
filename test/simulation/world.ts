/** The world of one run: a store, the nodes on it, people, and everything that is watched. */
import { ModelFailure } from "../../src/agent/model.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { Session } from "../../src/protocol/session.ts";
import { COMMIT_AGE_MS_MAX } from "../../src/store/postgres/commit-statement.ts";
import { type Random, seeded } from "../kit/random.ts";
import { type Agenda, createAgenda } from "./agenda.ts";
import { type Cast, castOf } from "./cast.ts";
import { type ClockLimits, type FaultPlan, planFaults } from "./fault-plan.ts";
import { planOf, type Violated } from "./invariants/seen-commit.ts";
import { type EnvelopeWatch, watchEnvelopes } from "./invariants/watch-envelopes.ts";
import { type FamilyWatch, watchFamilies } from "./invariants/watch-families.ts";
import { type GrantWatch, watchGrants } from "./invariants/watch-grants.ts";
import { type JobWatch, watchJobs } from "./invariants/watch-jobs.ts";
import { watchPlans } from "./invariants/watch-plans.ts";
import { watchRows } from "./invariants/watch-rows.ts";
import { type TurnWatch, watchTurns } from "./invariants/watch-turns.ts";
import type { Watch } from "./invariants/seen-commit.ts";
import type { Link } from "./link.ts";
import { type MixName, mixOf } from "./mixes.ts";
import { type Applied, ConnectionLost, createSimulatedDatabase, type SimulatedDatabase } from "./simulated-database.ts";
import { type SimulatedNode, startSimulatedNode, Stopped } from "./simulated-node.ts";
import { createPeople, type People } from "./simulated-person.ts";
import { createSimulatedProcess } from "./simulated-process.ts";
import type { StoreSabotage } from "./store-sabotage.ts";

export type SimulationOptions = {
  seed: number;
  sabotage?: StoreSabotage;
  isTraced?: boolean;
  cast?: Cast;
  mix?: MixName;
};

/** `commits`: how many there were when it broke. */
export type Broken = { invariant: string; what: string; atMs: number; commits: number };

/** A run that reaches none of these proves little. */
export type Reached = {
  changes: number;
  decisions: number;
  takeOvers: number;
  deliveries: number;
  expiries: number;
  /** Changes of sub-agents, changes under a yes to one call, changes of runs under a standing plan, and runs of jobs. */
  below: number;
  granted: number;
  standing: number;
  fired: number;
  /** Times of jobs that came due when nobody answered for them any more. */
  orphaned: number;
};
const NOTHING_YET: Reached = {
  changes: 0,
  decisions: 0,
  takeOvers: 0,
  deliveries: 0,
  expiries: 0,
  below: 0,
  granted: 0,
  standing: 0,
  fired: 0,
  orphaned: 0,
};

export type Seat = { node: SimulatedNode; link: Link; starts: number };

export type World = {
  plan: FaultPlan;
  agenda: Agenda;
  random: Random;
  startMs: number;
  isShared: boolean;
  database: SimulatedDatabase;
  sessionIds: readonly [SessionId, ...SessionId[]];
  seats: Seat[];
  people: People;
  watches: {
    plans: Watch;
    envelopes: EnvelopeWatch;
    turns: TurnWatch;
    rows: Watch;
    grants: GrantWatch;
    families: FamilyWatch;
    jobs: JobWatch;
  };
  reached: Reached;
  trace: string[];
  note(line: () => string): void;
  violated: Violated;
  report(error: unknown): void;
  broken: Broken | undefined;
  commits: number;
  isHealed: boolean;
  /** By the id of the person: when they were revoked, by the store's clock. */
  revoked: Map<string, number>;
  /** The last fault is over then. */
  quietFromMs: number;
  /** Called for each commit, with the types of its events and the process that wrote it. */
  onCommit(types: readonly string[], origin: string): void;
};

/** Nodes know the store's time by readings that take a moment. */
export const INEXACT_MS = 400;
const HOUR_MS = 3_600_000;
const CLOCKS: ClockLimits = { aheadMsMax: 25 * HOUR_MS, stepMsMax: 25 * HOUR_MS };

export function createWorld({ seed, sabotage, isTraced = false, cast, mix }: SimulationOptions): World {
  const random = seeded(seed);
  const plan = planFaults(random, CLOCKS, cast ?? (mix === undefined ? castOf(seed) : mixOf(mix).cast));
  if (mix !== undefined && plan.nodes > 1) plan.lossRate = Math.max(plan.lossRate, mixOf(mix).lossRate);
  if (mix !== undefined) plan.activeMs = mixOf(mix).activeMs ?? plan.activeMs;
  const agenda = createAgenda(random);
  const before = new Map<string, Session | undefined>();
  const startMs = agenda.now();
  const revoked = new Map<string, number>();
  const violated: Violated = (invariant, what) => {
    world.broken ??= { invariant, what, atMs: Math.round(agenda.now() - startMs), commits: world.commits };
  };
  const database = createSimulatedDatabase({
    agenda,
    random,
    sabotage,
    beforeCommit: ({ sessionId }) => void before.set(sessionId, sessionIn(world, sessionId)),
    applied: (applied) => observe(world, applied, before.get(applied.commit.sessionId)),
  });
  const more = Array.from({ length: plan.sessions - 1 }, (_, n) => SessionId.parse(`ses_${n + 2}`));
  const shared = { plan, agenda, random, startMs, database, violated, trace: [], seats: [] };
  const world: World = {
    ...shared,
    isShared: plan.nodes > 1,
    sessionIds: [SessionId.parse("ses_1"), ...more],
    people: createPeople({
      ...shared,
      cast: plan.cast,
      sessionIds: [SessionId.parse("ses_1"), ...more],
      places: () => [...world.sessionIds, ...waitingBelow(world)],
      nodes: () => world.seats.map(({ node }) => node),
      session: (id) => sessionIn(world, id),
      isLossy: () => !world.isHealed,
      isRevoked: (actor) => actor.kind === "operator" && world.revoked.has(actor.id),
      report: (error) => world.report(error),
    }),
    watches: {
      plans: watchPlans(violated, { earlyMsMax: INEXACT_MS, lateMsMax: INEXACT_MS + COMMIT_AGE_MS_MAX }),
      envelopes: watchEnvelopes(violated),
      turns: watchTurns(violated, INEXACT_MS),
      rows: watchRows(violated),
      grants: watchGrants(violated, INEXACT_MS + COMMIT_AGE_MS_MAX),
      families: watchFamilies(violated),
      jobs: watchJobs(violated, { toleranceMs: INEXACT_MS + COMMIT_AGE_MS_MAX, revoked }),
    },
    reached: { ...NOTHING_YET },
    note(line) {
      if (isTraced) world.trace.push(`${((agenda.now() - startMs) / 1_000).toFixed(3)} ${line()}`);
    },
    report(error) {
      if (!isExpected(error)) violated("bug", error instanceof Error ? (error.stack ?? "") : String(error));
    },
    broken: undefined,
    commits: 0,
    isHealed: false,
    revoked,
    quietFromMs: 0,
    onCommit: () => undefined,
  };
  return world;
}

/** Failures of the store and of models are what is simulated; everything else is a bug. */
const isExpected = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  error instanceof ModelFailure ||
  error instanceof Stopped ||
  (error instanceof Error && error.message.startsWith("timer ")); // a timer that the store did not take is tried again

export const sessionIn = ({ database }: Pick<World, "database">, id: string): Session | undefined =>
  database.memory.sessions.get(id)?.session;

/** Sessions of sub-agents and of runs, newest last. */
export const sessionsBelow = ({ database, sessionIds }: Pick<World, "database" | "sessionIds">): Session[] =>
  [...database.memory.sessions.values()].flatMap(({ session }) =>
    sessionIds.some((id) => id === session.id) ? [] : [session],
  );

const waitingBelow = (world: World): SessionId[] =>
  world.plan.cast === "plain"
    ? []
    : sessionsBelow(world).flatMap((session) => (planOf(session)?.now.phase === "pending" ? [session.id] : []));

/** A file has the clock of its machine, a server its own. */
export function storeMs({ isShared, agenda, seats }: World): number {
  return isShared ? agenda.now() : (seats[0]?.node.process.clock.now() ?? agenda.now());
}

function observe(world: World, { commit, result, origin }: Applied, before: Session | undefined): void {
  const { database, people, watches, note } = world;
  if (result.status !== "committed") return note(() => `${origin} ${commit.actor} ${result.status}`);
  world.commits += 1;
  const types = commit.events.map((event) => (event.type === "slice.changed" ? event.event.type : event.type));
  note(
    () =>
      `#${world.commits} ${commit.sessionId} ${origin} ${commit.actor} ${commit.recordOnly ? "records a refusal" : types.join()}`,
  );
  count(world.reached, types);
  const request = people.requests.get(commit.idempotency?.key ?? "");
  const after = sessionIn(world, commit.sessionId);
  // a machine's clock may be set while its commit is on the way: what counts is the time by which it was decided
  const atMs = world.isShared ? storeMs(world) : Math.min(storeMs(world), commit.atMs);
  const seen = { commit, before, after, origin, atMs, request, memory: database.memory };
  watches.rows.committed(seen);
  if (!commit.recordOnly) for (const watch of watchesOf(world)) watch.committed(seen);
  world.onCommit(types, origin);
}

const watchesOf = ({ watches: { plans, envelopes, turns, grants, families, jobs }, plan }: World): Watch[] =>
  plan.cast === "plain" ? [plans, envelopes, turns] : [plans, envelopes, turns, grants, families, jobs];

function count(reached: Reached, types: readonly string[]): void {
  if (types.includes("turn.taken-over")) reached.takeOvers += 1;
  if (types.includes("plan.approved") || types.includes("plan.rejected")) reached.decisions += 1;
  if (types.includes("plan.timed_out")) reached.expiries += 1;
}

/** The node sits down at its place; a process that was there before is gone. */
export function startNode(world: World, n: number): void {
  const { agenda, random, plan, isShared, seats, database, report, note } = world;
  const starts = (seats[n]?.starts ?? 0) + 1;
  const name = `n${n}-${starts}`;
  const aheadMs = seats[n]?.node.process.aheadMs ?? plan.aheadMs[n] ?? 0;
  const { lossRate, refusalRate } = world.isHealed ? { lossRate: 0, refusalRate: 0 } : plan;
  const link: Link = { lossRate, refusalRate, latencyMs: plan.latencyMs, isCut: false };
  const process = createSimulatedProcess({ name, aheadMs, agenda, random, link: isShared ? link : undefined });
  const store = database.connect(process, link, isShared);
  note(() => `${name} starts`);
  const node = startSimulatedNode({
    cast: plan.cast,
    areJobsActive: () => !world.isHealed,
    revoked: world.revoked,
    process,
    store,
    shared: isShared,
    random,
    report,
    outside: outsideOf(world),
  });
  seats[n] = { node, link, starts };
}

function outsideOf(world: World): Parameters<typeof startSimulatedNode>[0]["outside"] {
  const { reached, note, watches } = world;
  return {
    changeStarts(context, { name }) {
      reached.changes += 1;
      note(() => `${name} starts ${context.callId} under epoch ${context.epoch}`);
      watches.grants.starts(context.callId);
      watches.families.starts(context.callId);
      watches.jobs.starts(context.callId);
      watches.turns.starts(context, { session: sessionIn(world, context.sessionId), node: name });
    },
    deliveryStarts(key, { name }) {
      reached.deliveries += 1;
      note(() => `${name} delivers ${key}`);
    },
  };
}
