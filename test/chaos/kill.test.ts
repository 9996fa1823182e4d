/** Kill -9, a few times; `npm run test:long -- chaos` goes on for longer, `npm run bench -- chaos` with figures. */
import { expect, it } from "vitest";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import { tracer } from "./disk-faults.ts";
import { killCycles } from "./kill-cycles.ts";

const CYCLES = isLong ? 20 : 3;
const WRITE_CYCLES = isLong ? 18 : 3;
/** A run counts its seeds up from its own, so runs of one test stand far apart. */
const SEEDS_APART = 1_000;

it("[PL-12] [QA-05] kill -9 under load: nothing acknowledged is lost, doubled or half applied", async () => {
  for (const n of repetitions(1)) {
    const report = await killCycles({ cycles: CYCLES, seed: SEED + n * SEEDS_APART, at: "random" });
    expect(report.faults).toEqual([]);
    expect(report.cycles).toBe(CYCLES);
    expect(report.acknowledged).toBeGreaterThan(CYCLES); // a gateway that answers nothing would pass everything else
    expect(report.mutations).toBeGreaterThan(0);
    process.stdout.write(
      `kill -9: ${report.cycles} kills, ${report.acknowledged} acknowledged, ${report.unanswered} unanswered, ` +
        `${report.mutations} mutations, ${report.unknown} unknown\n`,
    );
  }
});

it.skipIf(tracer().reason !== undefined)(
  "[PL-12] [QA-05] kill -9 at the nth write to the disk: nothing acknowledged is lost, doubled or half applied",
  async () => {
    for (const n of repetitions(1)) {
      const report = await killCycles({ cycles: WRITE_CYCLES, seed: SEED + n * SEEDS_APART, at: "write" });
      expect(report.faults).toEqual([]);
      expect(report.cycles).toBe(WRITE_CYCLES);
    }
  },
);
