/** docs/COMMANDS.md: every command that can be typed, taken from where it is registered. */
import type { Argument, Command, Option } from "commander";
import { buildProgram } from "../../src/cli/program.ts";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { type RegisteredCommand, usageOf } from "../../src/plugins/commands/command-registry.ts";
import { bundledHost } from "./bundled-host.ts";

type CommandSpec = RegisteredCommand["spec"];

export const commandsDocument = (): string =>
  [
    `# Commands

Made by \`npm run fix\` from the registered commands; \`npm run check\` fails when it is out of date. Plugins bring more
commands of their own: \`/help\` in the chat lists what the running gateway has.
`,
    "## In the chat\n",
    "Typed on the page, in the terminal and on channels alike. Without the scope of the last column a command is refused.\n",
    ...chatCommands().map(chatSection),
    "## In the shell\n",
    "`--json` prints the result, and an error, as JSON; `--help` stands behind every command.\n",
    ...leavesOf(buildProgram()).map(shellSection),
    exitCodes(),
  ].join("\n");

const chatCommands = (): CommandSpec[] =>
  bundledHost()
    .commands.list()
    .map(({ spec }) => spec)
    .toSorted((one, other) => one.name.localeCompare(other.name));

function chatSection(command: CommandSpec): string {
  const own = command.requiredScopes ?? ["operator.write"];
  const scopeOf = (name: string): string => {
    const sub = command.subcommands?.find((candidate) => candidate.name === name);
    return (sub?.requiredScopes ?? own).map((scope) => `\`${scope}\``).join(", ");
  };
  const rows = usageOf(command).map((usage) => {
    const [typed = "", about = ""] = usage.split(" — ");
    return `| \`${cell(typed)}\` | ${cell(about === "" ? command.description : about)} | ${scopeOf(typed.split(" ")[1] ?? "")} |`;
  });
  return `### /${command.name}\n\n${command.description}\n\n| typed | what it does | scope |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

type Leaf = { path: string; command: Command };

const leavesOf = (command: Command, path = command.name()): Leaf[] =>
  command.commands
    .filter((child) => !hiddenIn(command, child) && child.name() !== "help")
    .flatMap((child) => {
      const own = `${path} ${child.name()}`;
      return child.commands.length === 0 ? [{ path: own, command: child }] : leavesOf(child, own);
    });

const hiddenIn = (parent: Command, child: Command): boolean =>
  !parent
    .createHelp()
    .visibleCommands(parent)
    .some((shown) => shown.name() === child.name());

function shellSection({ path, command }: Leaf): string {
  const values = command.registeredArguments.map(argumentText).join("");
  const options = command.options.filter((option) => !option.hidden && option.long !== "--json").map(optionRow);
  const table = options.length === 0 ? "" : `\n| option | meaning |\n| --- | --- |\n${options.join("\n")}\n`;
  return `### ${path}\n\n\`${path}${values}\`: ${command.description()}\n${table}`;
}

const argumentText = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? ` <${name}>` : ` [${name}]`;
};

const optionRow = (option: Option): string => `| \`${cell(option.flags)}\` | ${cell(option.description)} |`;

const cell = (text: string): string => text.replaceAll("|", "\\|");

const exitCodes = (): string =>
  [
    "## Exit codes\n",
    "| code | name | meaning |\n| --- | --- | --- |",
    ...Object.entries(EXIT_CODES).map(([name, { code, meaning }]) => `| ${code} | ${name} | ${cell(meaning)} |`),
    "",
  ].join("\n");
