/** `holdpoint plan self-test`: the running gateway plays one whole plan, and the result is told step by step. */
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { withGateway } from "../gateway-link.ts";
import { sanitiseLine } from "../text/sanitise.ts";

export async function selfTest({ output, env }: CommandContext): Promise<number> {
  return withGateway(env, async (link) => {
    const { report } = await link.call("plans.selfTest", {});
    output.document(report);
    const { paint } = output.look();
    output.lines([
      ...report.steps.map(({ step, ok, tookMs, why = "" }) => {
        const mark = ok ? paint.good("ok  ") : paint.bad("FAIL");
        return `${mark} ${step.padEnd(9)} ${String(tookMs).padStart(6)} ms${why === "" ? "" : `  ${sanitiseLine(why)}`}`;
      }),
      ...report.notes,
      report.ok ? `Passed in ${report.tookMs} ms. Nothing of it is left.` : "Failed.",
    ]);
    return (report.ok ? EXIT_CODES.ok : EXIT_CODES.failed).code;
  });
}
