/** The long kill test. Prints its figures, and fails the run when anything was lost, doubled or half applied. */
import { tracer } from "../test/chaos/disk-faults.ts";
import { killCycles, type KillParts } from "../test/chaos/kill-cycles.ts";
import { type Figure, figure, type Group, percentile } from "./figure.ts";

export const chaos: Group = async (report, options) => {
  await kills(report, { ...options, at: "random" });
};

/** The same, killed in the very moment of the nth write or sync. Needs strace. */
export const writes: Group = async (report, options) => {
  const { reason } = tracer();
  if (reason !== undefined) return void process.stderr.write(`writes: ${reason}\n`);
  await kills(report, { ...options, at: "write" });
};

async function kills(report: (figure: Figure) => void, options: Omit<KillParts, "progress">): Promise<void> {
  const { cycles } = options;
  const done = await killCycles({
    ...options,
    progress: (now) =>
      void process.stderr.write(`kills: ${now.cycles} of ${cycles} done, ${now.faults.length} faults\n`),
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
}
