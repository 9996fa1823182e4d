/** The short run of the kill test; the long one is `npm run bench -- chaos`. */
import { expect, it } from "vitest";
import { tracer } from "./disk-faults.ts";
import { killCycles } from "./kill-cycles.ts";

const CYCLES = 10;
const WRITE_CYCLES = 6;
const SEED = 20_261_115;

it(
  "[PL-12] [QA-05] kill -9 under load: nothing acknowledged is lost, doubled or half applied",
  { timeout: 120_000 },
  async () => {
    const report = await killCycles({ cycles: CYCLES, seed: SEED, at: "random" });
    expect(report.faults).toEqual([]);
    expect(report.cycles).toBe(CYCLES);
    expect(report.acknowledged).toBeGreaterThan(CYCLES); // a gateway that answers nothing would pass everything else
    expect(report.mutations).toBeGreaterThan(0);
    const slowest = report.readyMs.toSorted((a, b) => b - a)[0] ?? 0;
    process.stdout.write(
      `kill -9: ${report.cycles} kills, ${report.acknowledged} acknowledged, ${report.unanswered} unanswered, ` +
        `${report.mutations} mutations, ${report.unknown} unknown, ready again within ${Math.round(slowest)} ms\n`,
    );
  },
);

it.skipIf(tracer().reason !== undefined)(
  "[PL-12] [QA-05] kill -9 at the nth write to the disk: nothing acknowledged is lost, doubled or half applied",
  { timeout: 120_000 },
  async () => {
    const report = await killCycles({ cycles: WRITE_CYCLES, seed: SEED, at: "write" });
    expect(report.faults).toEqual([]);
    expect(report.cycles).toBe(WRITE_CYCLES);
  },
);
