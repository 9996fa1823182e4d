/** `holdpoint scenario run FILE…`: plays each scenario and says which hold; ends with failure when one does not. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CommandContext } from "../context.ts";
import { CliError } from "../cli-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { parseScenarios } from "../../testing/scenario/parse-scenario.ts";
import { playScenario } from "../../testing/scenario/play-scenario.ts";
import type { Scenario } from "../../testing/scenario/scenario.ts";

export async function runScenarios(
  files: readonly string[],
  { only }: { only?: string },
  { output, cwd }: CommandContext,
): Promise<number> {
  const { paint } = output.look();
  const results: { file: string; name: string; ok: boolean; tookMs: number; why?: string }[] = [];
  for (const file of files) {
    const scenarios = await readScenarios(resolve(cwd, file));
    for (const scenario of scenarios.filter(({ name }) => only === undefined || name.includes(only))) {
      const began = performance.now();
      const failure = await playScenario(scenario);
      const tookMs = Math.round(performance.now() - began);
      const why = failure === undefined ? {} : { why: failure };
      results.push({ file, name: scenario.name, ok: failure === undefined, tookMs, ...why });
      const mark = failure === undefined ? paint.good("ok  ") : paint.bad("FAIL");
      output.lines([
        `${mark} ${sanitiseLine(scenario.name)} (${tookMs} ms)`,
        ...(failure === undefined ? [] : [`     ${sanitiseLine(failure)}`]),
      ]);
    }
  }
  const failed = results.filter(({ ok }) => !ok).length;
  output.document({ ok: failed === 0, scenarios: results });
  output.lines([`${results.length - failed} of ${results.length} scenarios hold.`]);
  return (failed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed).code;
}

async function readScenarios(path: string): Promise<Scenario[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const message = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new CliError({ exit: "usage", message, advice: "Name a scenario file.", code: "USAGE" });
  });
  const parsed = parseScenarios(text);
  if (!("problem" in parsed)) return parsed.scenarios;
  const message = `${path}: ${parsed.problem}`;
  throw new CliError({ exit: "usage", message, advice: "See docs/guides/scenarios.md.", code: "USAGE" });
}
