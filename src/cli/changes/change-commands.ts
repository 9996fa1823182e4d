/** The commands of `holdpoint plan` about what a plan changed, and about taking it back. */
import { type Command, InvalidArgumentError } from "commander";
import type { OnSession } from "../commands/plan/plan.ts";
import type { CommandContext } from "../context.ts";
import type { ChangesOptions, RollbackOptions } from "./plan-changes.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const SESSION = ["--session <id>", "the session (default: the only one that waits, or the last one used)"] as const;

const PLAN = ["--plan <id>", "this plan, also an earlier one (default: the newest that changed something)"] as const;

export function addChangeCommands(plan: Command, action: Run): void {
  plan
    .command("changes [step]")
    .description("what a plan changed, per step and per file, with the commands that ran")
    .option(...SESSION)
    .option(...PLAN)
    .option("--diff", "with the lines that changed")
    .option("--file <path>", "only this file, with its lines")
    .action((step: string | undefined, options: ChangesOptions) =>
      action(async (context) => (await import("./plan-changes.ts")).showChanges(stepNumber(step), options, context)),
    );
  plan
    .command("rollback [step]")
    .description("put back what a step changed, or the whole plan; shows what it would do until --yes is given")
    .option(...SESSION)
    .option(...PLAN)
    .option("--yes", "do it; with several sessions only with --plan or --session")
    .option("--keep", "leave files that were changed since as they are")
    .option("--overwrite", "replace files that were changed since, too")
    .action((step: string | undefined, options: RollbackOptions) =>
      action(async (context) => (await import("./plan-changes.ts")).rollBackPlan(stepNumber(step), options, context)),
    );
  plan
    .command("resume")
    .description("let a plan go on that was paused because it changed files that no step names")
    .option(...SESSION)
    .action((options: OnSession) =>
      action(async (context) => (await import("./plan-changes.ts")).resumePlan(options, context)),
    );
}

function stepNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("A step is named by its number.");
  return Number(text);
}
