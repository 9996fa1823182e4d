/** The commands of `holdpoint plan` about single steps, their proofs, and questions that are not answered. */
import { type Command, InvalidArgumentError } from "commander";
import { parseRanges } from "../../plan-mode/machine/stage/number-ranges.ts";
import type { OnSession } from "../commands/plan/plan.ts";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const SESSION = ["--session <id>", "the session (default: the only one that waits, or the last one used)"] as const;

/** `1-3,5`. */
export function stepNumbers(text: string): number[] {
  const steps = parseRanges(text);
  if (steps === undefined) throw new InvalidArgumentError("Steps are named by their numbers: 4, or 1-3,5.");
  return steps;
}

export function addStepCommands(plan: Command, action: Run): void {
  for (const [verb, description] of [
    ["hold", "hold steps of the plan that is carried out, until somebody accepts them: 4, or 1-3,5"],
    ["skip", "leave out steps of the plan that is carried out: 4, or 1-3,5"],
  ] as const) {
    plan
      .command(verb)
      .argument("<steps>", "their numbers", stepNumbers)
      .description(description)
      .option(...SESSION)
      .action((steps: number[], options: OnSession) =>
        action(async (context) =>
          (await import("../commands/plan/plan-steps.ts")).stageSteps(verb, { ...options, steps }, context),
        ),
      );
  }
  addProofs(plan, action);
  for (const [verb, description] of [
    ["decline", "say that you will not answer the question that waits"],
    ["defer", "say that you will not answer it now"],
  ] as const) {
    plan
      .command(`${verb} [reason...]`)
      .description(description)
      .option(...SESSION)
      .action((words: string[], options: OnSession) =>
        action(async (context) =>
          (await import("../commands/plan/plan-steps.ts")).leaveUnanswered(
            verb,
            { ...options, reason: words.join(" ") },
            context,
          ),
        ),
      );
  }
}

function addProofs(plan: Command, action: Run): void {
  plan
    .command("confirm <step>")
    .description("give your word that a criterion holds: a step's number, or 2.1 for one of several")
    .option(...SESSION)
    .action((which: string, options: OnSession) =>
      action(async (context) =>
        (await import("../commands/plan/plan-steps.ts")).vouch("confirm", { ...options, which, reason: "" }, context),
      ),
    );
  plan
    .command("waive <step> [reason...]")
    .description("let a step close without a proof: a step's number, or 2.1 for one of several, and why")
    .option(...SESSION)
    .action((which: string, words: string[], options: OnSession) =>
      action(async (context) =>
        (await import("../commands/plan/plan-steps.ts")).vouch(
          "waive",
          { ...options, which, reason: words.join(" ") },
          context,
        ),
      ),
    );
}
