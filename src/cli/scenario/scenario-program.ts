/** `holdpoint plan self-test` and `holdpoint scenario run`. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addSelfTest(plan: Command, action: Run): void {
  plan
    .command("self-test")
    .description("play one whole plan on the running gateway's installation, and leave nothing behind")
    .action(() => action(async (context) => (await import("./self-test.ts")).selfTest(context)));
}

export function addScenarioCommands(program: Command, action: Run): void {
  const scenario = program.command("scenario").description("stories that a whole gateway plays, with a scripted model");
  scenario
    .command("run <files...>")
    .description("play scenario files, each on a gateway of its own, and say which hold")
    .option("--only <text>", "only those whose name holds this text")
    .action((files: string[], options: { only?: string }) =>
      action(async (context) => (await import("./run-scenarios.ts")).runScenarios(files, options, context)),
    );
}
