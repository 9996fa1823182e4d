/** Faults that strike exactly where it hurts: what else happens when a certain fact commits, and who plays then. */
import type { Random } from "../kit/random.ts";
import type { Cast } from "./cast.ts";
import type { Fault } from "./fault-plan.ts";

/** `withdraw`: somebody withdraws the plans that stand for jobs at that very moment. */
export type Strike = Fault | { kind: "withdraw" };
type At = { node: number; nodes: number; random: Random };
/** `facts`: the events that it waits for. `lossRate`: of replies, the whole time. */
type Mix = { cast: Cast; facts: readonly string[]; lossRate: number; strike(at: At): Strike[] };

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
