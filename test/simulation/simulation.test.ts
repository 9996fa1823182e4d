/**
 * Several gateways under faults, by seeds. A failure names its seed; the same run again, with what happened in it:
 * `npm run test:long -- simulate --replay SEED`.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { repetitions, SEED } from "../kit/repetitions.ts";
import { MIX_NAMES, type MixName, mixOf } from "./mixes.ts";
import { type Run, simulate } from "./simulation.ts";
import type { Reached } from "./world.ts";
import type { Cast } from "./cast.ts";
import type { StoreSabotage } from "./store-sabotage.ts";

/** In parts, because a busy machine takes its time for all of them. */
const PARTS = [1, 2, 3, 4] as const;
const RUNS_PER_PART = 500;
/** Seeds of different parts are as far apart as a long run can be. */
const SEEDS_PER_PART = 1_000_000;
const OFTEN = ["changes", "decisions", "takeOvers", "deliveries", "expiries"] as const;
const RUNS_PER_MIX = 8;
/** What is aimed at jobs hits one run in five to ten. */
const RUNS_PER_JOB_MIX = 48;
const SEARCHED_RUNS_MAX = 150;
const SABOTAGED_RUNS_MAX = 150;
const TRACE_LINES_MAX = 60;
const REPLAYED = process.env["HOLDPOINT_REPLAY"];

const commitOfSource = (): string =>
  spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim() || "unknown";

/** What somebody needs who wants to see it again; nothing where nothing broke. */
async function explained({ seed, cast, broken }: Run, mix?: MixName): Promise<string> {
  if (broken === undefined) return "";
  const { trace } = await simulate({ seed, cast, isTraced: true, ...(mix === undefined ? {} : { mix }) });
  return [
    `seed ${seed} (${cast}) at source commit ${commitOfSource()} breaks ${broken.invariant} after commit ${broken.commits} of the run: ${broken.what}`,
    `again: ${mix === undefined ? "" : `HOLDPOINT_MIX="${mix}" `}npm run test:long -- simulate --replay ${seed}`,
    ...trace.slice(-TRACE_LINES_MAX),
  ].join("\n");
}

describe.skipIf(REPLAYED !== undefined)("simulation of two or three nodes", () => {
  it.each(PARTS)(
    "[QA-06] [QA-05] [SC-04] keeps I01–I21 under crashes, pauses, wrong clocks, lost replies and power loss (%i)",
    async (part) => {
      const reached: Record<string, number> = {};
      for (const n of repetitions(RUNS_PER_PART)) {
        const run = await simulate({ seed: SEED + part * SEEDS_PER_PART + n });
        expect(await explained(run)).toBe("");
        for (const [what, times] of Object.entries(run.reached)) reached[what] = (reached[what] ?? 0) + times;
      }
      const rarely = OFTEN.filter((what) => (reached[what] ?? 0) < RUNS_PER_PART / 10);
      expect(rarely).toEqual([]);
    },
  );

  it.each(MIX_NAMES)("[QA-06] [QA-05] keeps them with %s", async (mix) => {
    for (const n of repetitions(mixOf(mix).cast === "jobs" ? RUNS_PER_JOB_MIX : RUNS_PER_MIX))
      expect(await explained(await simulate({ seed: SEED + n, mix }), mix)).toBe("");
  });

  it.each<[Cast, keyof Reached]>([
    ["family", "below"],
    ["asking", "granted"],
    ["jobs", "standing"],
    ["jobs", "orphaned"],
    ["quorum", "changes"],
    ["scoped", "changes"],
  ])("[QA-06, I16, I17, I19] where %s plays there are %s", async (cast, what) => {
    let reached = 0;
    for (let n = 0; n < SEARCHED_RUNS_MAX && reached < 1; n++) {
      const run = await simulate({ seed: SEED + n, cast });
      expect(await explained(run)).toBe("");
      reached += run.reached[what];
    }
    expect(reached).toBeGreaterThan(0);
  });

  it("[QA-06] gives the same run for the same seed", async () => {
    const [once, again] = [await simulate({ seed: 5, isTraced: true }), await simulate({ seed: 5, isTraced: true })];
    expect(again).toEqual(once);
    expect(once.trace.length).toBeGreaterThan(20);
  });

  it.each<[StoreSabotage, readonly string[]]>([
    ["acknowledges-before-sync", ["I02", "I08", "I09", "I13", "I14", "I15", "I20"]],
    ["ignores-versions", ["I02", "I03", "I08", "I11", "I14", "I15", "bug"]],
    ["forgets-keys", ["I02", "I09", "I13"]],
    ["forgets-outbox", ["I21"]],
    ["forgets-timers", ["I08", "I21"]],
    ["forgets-audit", ["I08", "I20"]],
    ["writes-half", ["I08", "bug"]],
  ])("[QA-06] finds a store that %s", async (sabotage, invariants) => {
    const found: string[] = [];
    for (let n = 0; n < SABOTAGED_RUNS_MAX && found.length === 0; n++) {
      const { broken } = await simulate({ seed: SEED + n, sabotage });
      if (broken !== undefined) found.push(broken.invariant);
    }
    expect(invariants).toContain(found[0]);
  });
});

it.runIf(REPLAYED !== undefined)("the run of one seed, with what happened in it", async () => {
  const mix = MIX_NAMES.find((name) => name === process.env["HOLDPOINT_MIX"]);
  const run = await simulate({ seed: Number(REPLAYED), isTraced: true, ...(mix === undefined ? {} : { mix }) });
  process.stdout.write(`${run.trace.join("\n")}\n`);
  expect(await explained(run, mix)).toBe("");
});
