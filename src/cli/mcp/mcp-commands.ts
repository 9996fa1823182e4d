/** The subcommands of `holdpoint mcp`; their code is loaded when one of them is called. */
import type { Command } from "commander";
import type { AddOptions } from "../commands/mcp.ts";
import type { CommandContext } from "../context.ts";
import type { ProxyOptions } from "./proxy-mcp.ts";

const collected = (tool: string, before: string[] = []): string[] => [...before, tool];

type Run = (act: (context: CommandContext) => Promise<number | void>) => Promise<void>;

const load = () => import("../commands/mcp.ts");

export function addMcpCommands(program: Command, action: Run): void {
  const mcp = program
    .command("mcp")
    .description("servers of the Model Context Protocol whose tools agents may use; alone: serve the plan tools");
  mcp
    .command("serve", { isDefault: true })
    .description("the plan tools for any MCP client, over standard input and output")
    .action(() => action(async (context) => (await import("./serve-mcp.ts")).serveMcp(context)));
  mcp
    .command("proxy <name> [command...]")
    .description("a server behind the gate, for any MCP client: one of the configuration, or a command after --")
    .option("--read <tool>", "for a command: this tool only reads, as long as it is described as it is now", collected)
    .option("--off <tool>", "for a command: leave this tool out", collected)
    .option("--timeout <seconds>", "for a command: how long one call may take")
    .action((name: string, command: string[], options: ProxyOptions) =>
      action(async (context) => (await import("./proxy-mcp.ts")).proxyMcp({ name, command, options }, context)),
    );
  mcp
    .command("list")
    .description("the servers in the configuration")
    .action(() => action(async (context) => (await load()).listMcpServers(context)));
  mcp
    .command("add <name> [command...]")
    .description("add a server: a command after --, or an address with --url")
    .option("--url <url>", "a streamable HTTP server")
    .option("--header <header...>", "for --url, as name: value; ${NAME} stands for a secret")
    .option("--env <variable...>", "for a command, as NAME=value; ${NAME} stands for a secret")
    .option("--pass-env <name...>", "variables that the command gets from the gateway")
    .option("--cwd <folder>", "where the command starts")
    .option("--trusted", "believe its word that a tool only reads")
    .action((name: string, command: string[], options: AddOptions) =>
      action(async (context) => (await load()).addMcpServer(name, { command, options }, context)),
    );
  mcp
    .command("remove <name>")
    .description("remove a server")
    .action((name: string) => action(async (context) => (await load()).removeMcpServer(name, context)));
  mcp
    .command("test <name>")
    .description("start a server, list its tools and how they count, and end it")
    .action((name: string) => action(async (context) => (await load()).testMcpServer(name, context)));
}
