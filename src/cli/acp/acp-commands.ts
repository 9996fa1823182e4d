/** `holdpoint acp`: its code is loaded when it is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import type { RunOptions } from "../run/run.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addAcpCommand(program: Command, action: Run): void {
  program
    .command("acp [command...]")
    .description("an agent for editors that speak ACP: the gateway's own; after -- another one, held and gated")
    .option("--workspace <folder>", "for another agent: the folder that it works in (default: this one)")
    .passThroughOptions()
    .allowUnknownOption()
    .action((command: string[], options: RunOptions) =>
      action(async (context) =>
        command.length === 0
          ? (await import("./serve-acp.ts")).serveAcp(context)
          : (await import("./gate-agent.ts")).gateAgent(command, options, context),
      ),
    );
}
