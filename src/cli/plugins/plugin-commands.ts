/** The subcommands of `holdpoint plugins`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { AgreeOptions } from "../commands/plugins.ts";
import type { CommandContext } from "../context.ts";

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const YES = ["--yes", "agree to what it asks for, without being asked"] as const;
const load = () => import("../commands/plugins.ts");

export function addPluginCommands(program: Command, action: Run): void {
  const plugins = program.command("plugins").description("what extends the gateway, and who said that it may");
  plugins
    .command("list")
    .description("the plugins, and how they stand")
    .action(() => action(async (context) => (await load()).listPlugins(context)));
  plugins
    .command("info <id>")
    .description("one plugin: what it is and what it asks for")
    .action((id: string) => action(async (context) => (await load()).showPlugin(id, context)));
  plugins
    .command("install <from>")
    .description("install a folder, an archive (.tgz, .tar) or a package by its name; no code of it is run")
    .option(...YES)
    .action((from: string, options: AgreeOptions) =>
      action(async (context) => (await load()).installPlugin(from, options, context)),
    );
  plugins
    .command("enable <id>")
    .description("switch a plugin on")
    .option(...YES)
    .action((id: string, options: AgreeOptions) =>
      action(async (context) => (await load()).enablePlugin(id, options, context)),
    );
  plugins
    .command("disable <id>")
    .description("switch a plugin off; what it kept in sessions is removed")
    .action((id: string) => action(async (context) => (await load()).disablePlugin(id, context)));
  plugins
    .command("remove <id>")
    .description("remove a plugin; its settings stay in the configuration")
    .action((id: string) => action(async (context) => (await load()).removePlugin(id, context)));
  plugins
    .command("trust <id>")
    .description("let exactly these files of a plugin run inside the gateway")
    .option(...YES)
    .action((id: string, options: AgreeOptions) =>
      action(async (context) => (await load()).trustPlugin(id, options, context)),
    );
  plugins
    .command("untrust <id>")
    .description("take the trust back")
    .action((id: string) => action(async (context) => (await load()).untrustPlugin(id, context)));
  plugins
    .command("own <command> <id>")
    .description("hand a command over to a plugin, from the one that has it")
    .action((command: string, id: string) =>
      action(async (context) => (await load()).ownCommand(command, id, context)),
    );
  plugins
    .command("doctor")
    .description("compare the plugins with what was installed, trusted and agreed to")
    .action(() => action(async (context) => (await load()).checkPlugins(context)));
  plugins
    .command("create <folder>")
    .description("write a small plugin that works, with a test")
    .action((folder: string) => action(async (context) => (await load()).createPlugin(folder, context)));
}
