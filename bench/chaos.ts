/** The long kill test. Prints its figures, and fails the run when anything was lost, doubled or half applied. */
import { killCycles } from "../test/chaos/kill-cycles.ts";
import { figure, type Group, percentile } from "./figure.ts";

const TOLD_EVERY = 50;

export const chaos: Group = async (report, { cycles, seed }) => {
  const done = await killCycles({
    cycles,
    seed,
    progress(now) {
      if (now.cycles % TOLD_EVERY === 0)
        process.stderr.write(`chaos: ${now.cycles} of ${cycles} kills, ${now.faults.length} faults\n`);
    },
  });
  report(figure("kill -9 cycles", done.cycles, "kills"));
  report(figure("kill -9: acknowledged requests found again", done.acknowledged, "requests"));
  report(figure("kill -9: unanswered requests settled by their key", done.unanswered, "requests"));
  report(figure("kill -9: mutating calls, each at most once", done.mutations, "calls"));
  report(figure("kill -9: calls closed as unknown", done.unknown, "calls"));
  report(figure("kill -9: lost, doubled or half applied", done.faults.length, "faults"));
  report(figure("kill -9: ready again p50", percentile(done.readyMs, 50), "ms"));
  report(figure("kill -9: ready again p99", percentile(done.readyMs, 99), "ms"));
  for (const fault of done.faults) process.stderr.write(`${fault}\n`);
  if (done.faults.length > 0) process.exitCode = 1;
};
