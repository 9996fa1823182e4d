/** The subcommands of `holdpoint plan`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import { addChangeCommands } from "../changes/change-commands.ts";
import type { CommandContext } from "../context.ts";
import { count, wholeNumber } from "../number-options.ts";
import { addReview } from "../review-program.ts";
import { addSelfTest } from "../scenario/scenario-program.ts";
import { addStepCommands, stepNumbers } from "./step-commands.ts";
import type { Accept, OnSession } from "../commands/plan/plan.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const SESSION = ["--session <id>", "the session (default: the only one that waits, or the last one used)"] as const;

export function addPlanCommands(program: Command, action: Run): void {
  const plan = program.command("plan").description("plans and the decisions about them");
  plan
    .command("list")
    .description("plan revisions, newest first")
    .option(...SESSION)
    .option("--limit <n>", "at most so many", count, 20)
    .action((options: OnSession & { limit: number }) =>
      action(async (context) => (await import("../commands/plan/plan.ts")).list(options, context)),
    );
  plan
    .command("show [plan-id]")
    .description("one plan, whole; without an id, the one that waits")
    .option(...SESSION)
    .action((id: string | undefined, options: OnSession) =>
      action(async (context) => (await import("../commands/plan/plan.ts")).show(id, options, context)),
    );
  plan
    .command("accept [code]")
    .description("approve the plan that waits, named by its code: the agent may then make its changes")
    .option(...SESSION)
    .option("--edits", "approve with the accept-edits permission")
    .option(
      "--steps <numbers>",
      "only these steps, 1-3,5: the others are held until somebody accepts them",
      stepNumbers,
    )
    .option("--standing", "for later runs of the scheduled job that submitted it, instead of once")
    .option("--runs <number>", "with --standing: for so many runs (default: 10)", wholeNumber)
    .option("--days <number>", "with --standing: for so many days (default: 30)", wholeNumber)
    .option("--plan <plan-id>", "only if it is still this plan that waits")
    .action((code: string | undefined, options: Accept) =>
      action(async (context) => (await import("../commands/plan/plan.ts")).accept(code, options, context)),
    );
  addAnswers(plan, action);
  addStepCommands(plan, action);
  addReview(plan, action);
  addChangeCommands(plan, action);
  addSelfTest(plan, action);
  for (const [name, description] of [
    ["on", "put a session into plan mode"],
    ["off", "take a session out of plan mode"],
  ] as const) {
    plan
      .command(name)
      .description(description)
      .option(...SESSION)
      .action((options: OnSession) =>
        action(async (context) => (await import("../commands/plan/plan.ts")).toggle(name, options, context)),
      );
  }
}

/** What a person answers besides yes, and what they compare before. */
function addAnswers(plan: Command, action: Run): void {
  plan
    .command("revise [feedback...]")
    .description("send the plan back with what should change")
    .option("--notes", "its open notes say it; words are optional then")
    .option(...SESSION)
    .option("--plan <plan-id>", "only if it is still this plan that waits")
    .action((words: string[], options: OnSession & { plan?: string; notes?: boolean }) =>
      action(async (context) => (await import("../commands/plan/plan.ts")).revise(words.join(" "), options, context)),
    );
  plan
    .command("answer <choice...>")
    .description("answer the question that waits: an option's number, its text, or your own words")
    .option(...SESSION)
    .action((words: string[], options: OnSession) =>
      action(async (context) => (await import("../commands/plan/plan.ts")).answer(words.join(" "), options, context)),
    );
  plan
    .command("diff [plan-id]")
    .description("what a revision changed against the one before it, or against any other of its plan")
    .option(...SESSION)
    .option("--from <revision>", "the number of the older one", wholeNumber)
    .option("--to <revision>", "the number of the newer one", wholeNumber)
    .option("--raw", "as unified text")
    .action((id: string | undefined, options: OnSession & { raw?: boolean; from?: number; to?: number }) =>
      action(async (context) => (await import("../commands/plan/plan.ts")).diff(id, options, context)),
    );
}
