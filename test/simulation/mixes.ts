/** Faults that strike exactly where it hurts: what else happens when a certain fact commits, and who plays then. */
import type { Random } from "../kit/random.ts";
import type { Cast } from "./cast.ts";
import type { Fault } from "./fault-plan.ts";

/**
 * `withdraw`: somebody withdraws the plans that stand for jobs at that very moment. `revoke`: one of those who answer for
 * jobs is revoked. `afterMs`: a little later, when a question to the store is on its way.
 */
export type Strike = (Fault | { kind: "withdraw" } | { kind: "revoke" }) & { afterMs?: number };
/** `latencyMs`: the most that a question to the store takes, one way. */
type At = { node: number; nodes: number; latencyMs: number; random: Random };
/**
 * `facts`: the events that it waits for. `lossRate`: of replies, the whole time. `rate`: of the facts at which it
 * strikes, where not each second time. `activeMs`: so long, where less shows little.
 */
type Mix = {
  cast: Cast;
  facts: readonly string[];
  lossRate: number;
  rate?: number;
  activeMs?: number;
  strike(at: At): Strike[];
};

const HOUR_MS = 3_600_000;

export const MIXES = {
  /** Whoever signed last has a clock that jumps, and its connection is gone for a moment. */
  "clocks that move and replies that are lost while a quorum decides": {
    cast: "quorum",
    facts: ["plan.submitted", "plan.signed", "plan.rejected"],
    lossRate: 0.15,
    strike: ({ node, random }) => [
      { kind: "step", node, byMs: Math.round((2 * random.next() - 1) * 25 * HOUR_MS) },
      { kind: "cut", node, forMs: random.next() * 6_000 },
    ],
  },
  /** The node is asleep, the plan is gone, and the call has not begun. */
  "a node that pauses between claim and effect while the plan is withdrawn": {
    cast: "jobs",
    facts: ["call.claimed", "plan.standing_begun"],
    lossRate: 0,
    strike: ({ node, random }) => [{ kind: "pause", node, forMs: random.next() * 30_000 }, { kind: "withdraw" }],
  },
  /** The time is being looked up, somebody else looks it up meanwhile, and then both know it. */
  "a node that pauses while it looks up the next time of a job": {
    cast: "jobs",
    facts: ["job.due"],
    lossRate: 0,
    rate: 1,
    activeMs: 120_000,
    strike: ({ node, latencyMs, random }) => [
      { kind: "pause", node, forMs: 13_000 + random.next() * 3_000, afterMs: (1 + random.next() * 2) * latencyMs },
    ],
  },
  "somebody revoked while a job of theirs comes due": {
    cast: "jobs",
    facts: ["job.due"],
    lossRate: 0,
    activeMs: 60_000,
    strike: ({ latencyMs, random }) => [{ kind: "revoke", afterMs: random.next() * 8 * latencyMs }],
  },
  /** The plan stands, the run has begun, and one of those who answer for it is gone. */
  "somebody revoked while a run works for them": {
    cast: "jobs",
    facts: ["plan.standing_begun"],
    lossRate: 0,
    activeMs: 60_000,
    strike: ({ random }) => [{ kind: "revoke", afterMs: random.next() * 6_000 }],
  },
  /** The answer is stored and everybody who waits for it is told that nobody knows. */
  "a store that is gone exactly at an amendment": {
    cast: "scoped",
    facts: ["question.asked", "question.answered", "plan.amended"],
    lossRate: 0.05,
    strike: ({ nodes, random }) => [
      { kind: "power-loss" },
      ...Array.from({ length: nodes }, (_, node): Strike => ({ kind: "cut", node, forMs: random.next() * 5_000 })),
    ],
  },
} as const satisfies Readonly<Record<string, Mix>>;

export type MixName = keyof typeof MIXES;
export const MIX_NAMES = Object.keys(MIXES) as MixName[];
export const mixOf = (name: MixName): Mix => MIXES[name];

/** Not each time, so that other moments are reached as well. */
export const STRIKE_RATE = 0.5;
