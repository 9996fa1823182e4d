/** PostgreSQL and the gateways on it under faults: `npm run test:long -- faults`. In `npm test` see lost-server.test.ts. */
import { expect, it } from "vitest";
import { seeded } from "../kit/random.ts";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import { FAULTS, type FaultName, serverFaults } from "./server-faults.ts";

const SEEDS_APART = 1_000;
/** Each state meets every kind once, in an order of its own, and some of the quick ones again. */
const MORE = 5;
const QUICK = ["reset", "partition", "terminate", "crash", "kill", "clock"] as const satisfies readonly FaultName[];

function faultsFor(seed: number): FaultName[] {
  const random = seeded(seed);
  const drawn: FaultName[] = [...FAULTS, ...Array.from({ length: MORE }, () => random.pick(QUICK))];
  return drawn
    .map((name) => ({ name, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

it.skipIf(!isLong)(
  "[SC-04] [QA-05] crashes, partitions, pauses and clock steps: nothing acknowledged is lost, doubled or begun after its end",
  async () => {
    for (const n of repetitions(1)) {
      const seed = SEED + n * SEEDS_APART;
      const report = await serverFaults({ seed, faults: faultsFor(seed) });
      expect(report.faults).toEqual([]);
      expect(report.acknowledged).toBeGreaterThan(report.injected.length); // gateways that answer nothing would pass everything else
      expect(report.mutations).toBeGreaterThan(0);
      process.stdout.write(
        `faults of the server, seed ${seed}: ${report.injected.join(" ")}; ${report.acknowledged} acknowledged, ` +
          `${report.unanswered} unanswered, ${report.mutations} mutations\n`,
      );
    }
  },
);
