/** The gateway's own commands: which commands there are, and the state of the session. */
import { definePlugin, type Plugin } from "../plugins/sdk.ts";
import type { CommandCall } from "../plugins/api/command.ts";
import { HOUSE_COMMANDS } from "../plugins/commands/reserved-roots.ts";
import type { CommandRegistry } from "../plugins/commands/command-registry.ts";
import { aboutCommand, usageWords } from "../plugins/commands/command-words.ts";
import type { CommandSpec } from "../protocol/plugin-manifest.ts";
import { nearNames } from "../protocol/near-names.ts";
import { refuse } from "../protocol/refusal.ts";
import { ENGLISH } from "../protocol/localized/english.ts";
import { lines, messageOf, say, type LocalizedText } from "../protocol/localized/localized-text.ts";
import { viewOf } from "./methods/commands.ts";

export function builtinCommands(registry: () => CommandRegistry): Plugin {
  const own: Pick<CommandSpec, "ownership" | "requiredScopes"> = {
    ownership: "reserved",
    requiredScopes: ["operator.read"],
  };
  return definePlugin({
    id: HOUSE_COMMANDS,
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
  const hint = near === undefined ? say("sayHelp") : say("didYouMean", { command: `/help ${near}` });
  const words = lines([say("noCommand", { command: `/${asked.slice(0, 64)}` }), hint]);
  return { refusal: refuse("COMMAND_USAGE", words).refused };
}

const listed = (command: Registered): LocalizedText =>
  say("commandLine", { command: nameOf(command), what: aboutCommand(command) });

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
  const name = title === "" ? say("thisSession") : `"${title}"`;
  return lines([
    say("sessionStands", { name, agent: agentId, kind: say(`kind_${kind}`), surface }),
    say(DOING[turn.status], { count: turnCount }),
    ...(inbox.length > 0 ? [say("messagesWait", { count: inbox.length })] : []),
    ...(spent !== undefined && spent.answers > 0 ? [say("spent", { usd: spent.costUsd.toFixed(4) })] : []),
    say("forThePlan"),
  ]);
}
