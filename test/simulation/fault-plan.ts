/** Which faults a run has, by its seed. Each kind is absent from many runs, so that each also meets the others' absence. */
import type { Random } from "../kit/random.ts";
import type { Cast } from "./cast.ts";

export type Fault =
  | { kind: "crash"; node: number; downMs: number }
  /** It never comes back; what it left behind is for the others. */
  | { kind: "loss"; node: number }
  | { kind: "pause"; node: number; forMs: number }
  | { kind: "cut"; node: number; forMs: number }
  | { kind: "step"; node: number; byMs: number }
  | { kind: "power-loss" };

export type FaultPlan = {
  cast: Cast;
  nodes: number;
  sessions: number;
  /** How far the clock of each node is ahead at the start. */
  aheadMs: number[];
  lossRate: number;
  refusalRate: number;
  latencyMs: number;
  /** How often the node that wrote a claim, a lease or a decision is paused or crashes right then. */
  ambushRate: number;
  /** People act and faults happen for this long; then everything heals. */
  activeMs: number;
  /** When one of those who have jobs is revoked; absent where nobody is. */
  revokeAtMs?: number;
  faults: { atMs: number; fault: Fault }[];
};

const ACTIVE_MS_MIN = 5_000;
const ACTIVE_MS_MAX = 30_000;
const DOWN_MS_MAX = 8_000;
const PAUSE_MS_MAX = 35_000;
const CUT_MS_MAX = 15_000;
const AMBUSH_MS_MAX = 30_000;
const EACH_MAX = 3;
const REVOKED_RATE = 0.6;
/** Others need time until there is something of theirs to see. */
const CAST_ACTIVE_MS_MIN = 12_000;
const NEEDS_OTHERS: ReadonlySet<string> = new Set(["cut", "loss"]);

/** What happens to a node in an ambush. The first one always comes back, so that somebody does. */
export function ambushOn(node: number, random: Random): Fault {
  const chance = random.next();
  if (node > 0 && chance < 0.2) return { kind: "loss", node };
  return chance < 0.5
    ? { kind: "crash", node, downMs: random.next() * DOWN_MS_MAX }
    : { kind: "pause", node, forMs: random.next() * AMBUSH_MS_MAX };
}

export type ClockLimits = { aheadMsMax: number; stepMsMax: number };

export function planFaults(random: Random, { aheadMsMax, stepMsMax }: ClockLimits, cast: Cast): FaultPlan {
  const nodes = random.pick([1, 2, 2, 2, 3]);
  const some = (): number => (random.next() < 0.5 ? 0 : 1 + random.below(EACH_MAX));
  const either = (max: number): number => Math.round((2 * random.next() - 1) * max);
  const node = (): number => random.below(nodes);
  const make: Record<Fault["kind"], () => Fault> = {
    crash: () => ({ kind: "crash", node: node(), downMs: random.next() * DOWN_MS_MAX }),
    loss: () => ({ kind: "loss", node: 1 + random.below(nodes - 1) }),
    pause: () => ({ kind: "pause", node: node(), forMs: random.next() ** 2 * PAUSE_MS_MAX }),
    cut: () => ({ kind: "cut", node: node(), forMs: random.next() ** 2 * CUT_MS_MAX }),
    step: () => ({ kind: "step", node: node(), byMs: either(stepMsMax) }),
    "power-loss": () => ({ kind: "power-loss" }),
  };
  const isAlone = nodes === 1; // its store is a file: no connection is lost, and nobody is there to go on
  const kinds = Object.entries(make).flatMap(([kind, made]) => (isAlone && NEEDS_OTHERS.has(kind) ? [] : [made]));
  const activeMsMin = cast === "plain" ? ACTIVE_MS_MIN : CAST_ACTIVE_MS_MIN;
  const activeMs = activeMsMin + random.next() ** 3 * (ACTIVE_MS_MAX - activeMsMin);
  const revoked = cast === "jobs" && random.next() < REVOKED_RATE ? { revokeAtMs: random.next() * activeMs } : {};
  return {
    cast,
    nodes,
    activeMs,
    ...revoked,
    ambushRate: random.next() < 0.6 ? 0 : random.next() * 0.5,
    sessions: random.next() < 0.8 ? 1 : 2,
    aheadMs: Array.from({ length: nodes }, () => (random.next() < 0.5 ? 0 : either(aheadMsMax))),
    lossRate: isAlone || random.next() < 0.5 ? 0 : random.next() * 0.15,
    refusalRate: random.next() < 0.7 ? 0 : random.next() * 0.1,
    latencyMs: 1 + random.next() ** 3 * 100,
    faults: kinds.flatMap((made) =>
      Array.from({ length: some() }, () => ({ atMs: random.next() * activeMs, fault: made() })),
    ),
  };
}
