/** `holdpoint acp`: its code is loaded when it is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import type { RunOptions } from "../run/run-options.ts";

const collected = (host: string, before: string[] = []): string[] => [...before, host];

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

export function addAcpCommand(program: Command, action: Run): void {
  program
    .command("acp [command...]")
    .description("an agent for editors that speak ACP: the gateway's own; after -- another one, held and gated")
    .option("--workspace <folder>", "for another agent: the folder that it works in (default: this one)")
    .option("--model-host <host>", "for another agent: it may always reach this host", collected)
    .option("--host <host>", "for another agent: it may reach this host while a plan is carried out", collected)
    .option("--network <kind>", "for another agent: open leaves it the network of this machine")
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
