/**
 * How often a test repeats itself: a fixed few in `npm test`, with a fixed seed; in `npm run test:long` as often as its
 * share of the time allows, with a seed of its own. Time decides only how much is tried, never whether it passed.
 */
import type { Parameters } from "fast-check";

const SHARE_MS = Number(process.env["HOLDPOINT_LONG_MS"] ?? 0);
const REPETITIONS_MAX = 1_000_000;

export const isLong = SHARE_MS > 0;
export const SEED = Number(process.env["HOLDPOINT_SEED"] ?? 20_261_115);

export function* repetitions(few: number): Generator<number> {
  const untilMs = performance.now() + SHARE_MS;
  for (let n = 0; n < few || (performance.now() < untilMs && n < REPETITIONS_MAX); n++) yield n;
}

/** The same for a property of fast-check. */
export const repeated = (few: number): Pick<Parameters, "seed" | "numRuns" | "interruptAfterTimeLimit"> =>
  isLong ? { seed: SEED, numRuns: REPETITIONS_MAX, interruptAfterTimeLimit: SHARE_MS } : { seed: SEED, numRuns: few };
