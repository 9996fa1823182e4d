/** The gateway's own commands: which commands there are, and the state of the session. */
import { definePlugin, type Plugin, type PluginCommand } from "../../plugins/sdk.ts";
import type { CommandCall } from "../../plugins/api/command.ts";
import type { CommandRegistry } from "../../plugins/commands/command-registry.ts";
import { aboutCommand, usageWords } from "../../plugins/commands/command-words.ts";
import { nearNames } from "../../protocol/near-names.ts";
import { refuse } from "../../protocol/refusal.ts";
import { ENGLISH } from "./texts/en.ts";
import { lines, messageOf, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized, localizedByKey } from "./texts/localized.ts";
import { builtinCommandsProtocol } from "./protocol/index.ts";
import { viewOf } from "../methods/commands.ts";

export function builtinCommands(registry: () => CommandRegistry): Plugin {
  const own: Pick<PluginCommand, "ownership" | "requiredScopes" | "textOf"> = {
    textOf: localizedByKey,
    ownership: "reserved",
    requiredScopes: ["operator.read"],
  };
  return definePlugin({
    id: builtinCommandsProtocol.id,
    name: ENGLISH.plugin_house_commands,
    description: ENGLISH.about_house_commands,
    register({ commands }) {
      commands.registerCommand({
        ...own,
        name: "help",
        description: ENGLISH.command_help,
        usage: [ENGLISH.usage_help],
        handler: async (call) => help(call, registry()),
      });
      commands.registerCommand({
        ...own,
        name: "commands",
        description: ENGLISH.command_commands,
        acceptsArgs: false,
        handler: async ({ actor }) => ({ message: allowedTo(actor, registry()).map(nameOf).join(" ") }),
      });
      commands.registerCommand({
        ...own,
        name: "status",
        description: ENGLISH.command_status,
        acceptsArgs: false,
        handler: async ({ session }) => messageOf(statusOf(session)),
      });
    },
  });
}

export const startPlugin = ({ commands }: { commands(): CommandRegistry }): Plugin => builtinCommands(commands);

type Registered = ReturnType<CommandRegistry["list"]>[number];

const nameOf = ({ spec }: Registered): string => `/${spec.name}`;
const allowedTo = (actor: CommandCall["actor"], registry: CommandRegistry): Registered[] =>
  registry.list().filter((command) => viewOf(command, actor).allowed);

function help({ args, actor }: CommandCall, registry: CommandRegistry) {
  const commands = allowedTo(actor, registry);
  const asked = args.replace(/^\//, "").toLowerCase();
  if (asked === "") return messageOf(lines(commands.map(listed)));
  const found = commands.find(({ spec }) => spec.name === asked);
  if (found !== undefined) return messageOf(lines([aboutCommand(found), ...usageWords(found)]));
  const [near] = nearNames(
    asked,
    commands.map(({ spec }) => spec.name),
  );
  const hint = near === undefined ? localized("sayHelp") : localized("didYouMean", { command: `/help ${near}` });
  const words = lines([localized("noCommand", { command: `/${asked.slice(0, 64)}` }), hint]);
  return { refusal: refuse("COMMAND_USAGE", words).refused };
}

const listed = (command: Registered): LocalizedText =>
  localized("commandLine", { command: nameOf(command), what: aboutCommand(command) });

const DOING = { idle: "agentIdle", requested: "agentRequested", running: "agentRunning" } as const;

function statusOf({
  title,
  agentId,
  kind,
  surface,
  turn,
  inbox,
  turnCount,
  spent,
}: CommandCall["session"]): LocalizedText {
  const name = title === "" ? localized("thisSession") : `"${title}"`;
  return lines([
    localized("sessionStands", { name, agent: agentId, kind: localized(`kind_${kind}`), surface }),
    localized(DOING[turn.status], { count: turnCount }),
    ...(inbox.length > 0 ? [localized("messagesWait", { count: inbox.length })] : []),
    ...(spent !== undefined && spent.answers > 0 ? [localized("spent", { usd: spent.costUsd.toFixed(4) })] : []),
    localized("forThePlan"),
  ]);
}
