/** The subcommands of `holdpoint hooks`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const load = () => import("./hooks.ts");

export function addHookCommands(program: Command, action: Run): void {
  const hooks = program
    .command("hooks")
    .description(
      "the gate inside agents that you run already: Claude Code, Codex, Gemini CLI, opencode, Copilot CLI, Qwen Code",
    );
  hooks
    .command("install <agent>")
    .description("add our entry to the agent's settings; entries of others stay as they are")
    .action((agent: string) => action(async (context) => (await load()).installHooks(agent, context)));
  hooks
    .command("remove <agent>")
    .description("take our entry out again")
    .action((agent: string) => action(async (context) => (await load()).removeHooks(agent, context)));
  hooks
    .command("status [agent]")
    .description("whether our entries are there, unchanged, and answered")
    .action((agent: string | undefined) => action(async (context) => (await load()).hooksStatus(agent, context)));
}
