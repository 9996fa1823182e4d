/** `holdpoint run`: its code is loaded when it is called. Options behind the agent's name are the agent's own. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import type { RunOptions } from "./run-options.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const collected = (folder: string, before: string[] = []): string[] => [...before, folder];

export function addRunCommand(program: Command, action: Run): void {
  program
    .command("run [agent] [args...]")
    .description("run an agent, or any command after --, held: its folder is read-only until a plan is approved")
    .option("--workspace <folder>", "the folder that it works in (default: this one)")
    .option("--writable <folder>", "it may always write there, such as to a cache; may be repeated", collected)
    .option("--model-host <host>", "it may always reach this host, such as a model that we do not know", collected)
    .option(
      "--host <host>",
      "it may reach this host while a plan is carried out, besides those that the plan names",
      collected,
    )
    .option("--network <kind>", "open: the network of this machine, unwatched (default: those hosts alone)")
    .passThroughOptions()
    .allowUnknownOption()
    .action((agent: string | undefined, args: string[], options: RunOptions) =>
      action(async (context) => {
        const words = agent === undefined ? args : [agent, ...args];
        return (await import("./run.ts")).runAgent(words, options, context);
      }),
    );
}
