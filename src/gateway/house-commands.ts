/** The commands of the house itself: what there is to say, and how the session stands. */
import { definePlugin, type Plugin } from "../plugins/sdk.ts";
import type { CommandCall } from "../plugins/api/command.ts";
import { HOUSE_COMMANDS } from "../plugins/commands/reserved-roots.ts";
import { type CommandRegistry, usageOf } from "../plugins/commands/command-registry.ts";
import type { CommandSpec } from "../protocol/plugin-manifest.ts";
import { nearNames } from "../protocol/near-names.ts";
import { refuse } from "../protocol/refusal.ts";
import { viewOf } from "./methods/commands.ts";

export function houseCommands(registry: () => CommandRegistry): Plugin {
  const own: Pick<CommandSpec, "ownership" | "requiredScopes"> = {
    ownership: "reserved",
    requiredScopes: ["operator.read"],
  };
  return definePlugin({
    id: HOUSE_COMMANDS,
    name: "House commands",
    description: "Help and status, on every surface.",
    register({ commands }) {
      commands.registerCommand({
        ...own,
        name: "help",
        description: "What you can say, or how one command is used.",
        usage: ["/help [command] — what you can say, or how one command is used"],
        handler: async (call) => help(call, registry()),
      });
      commands.registerCommand({
        ...own,
        name: "commands",
        description: "The names of all commands.",
        acceptsArgs: false,
        handler: async ({ actor }) => ({ message: allowedTo(actor, registry()).map(nameOf).join(" ") }),
      });
      commands.registerCommand({
        ...own,
        name: "status",
        description: "How this session stands.",
        acceptsArgs: false,
        handler: async ({ session }) => ({ message: statusOf(session) }),
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
  if (asked === "")
    return { message: commands.map((command) => `${nameOf(command)} — ${command.spec.description}`).join("\n") };
  const found = commands.find(({ spec }) => spec.name === asked);
  if (found !== undefined) return { message: [found.spec.description, ...usageOf(found.spec)].join("\n") };
  const [near] = nearNames(
    asked,
    commands.map(({ spec }) => spec.name),
  );
  const hint = near === undefined ? "Say /help for the list." : `Did you mean /help ${near}?`;
  return { refusal: refuse("COMMAND_USAGE", `There is no command /${asked.slice(0, 64)}. ${hint}`).refused };
}

function statusOf({ title, agentId, kind, surface, turn, inbox, turnCount, spent }: CommandCall["session"]): string {
  const name = title === "" ? "This session" : `"${title}"`;
  const doing = { idle: "idle", requested: "about to begin a turn", running: "working" }[turn.status];
  const lines = [
    `${name} · agent ${agentId} · ${kind} from ${surface}`,
    `The agent is ${doing}, after ${turnCount} turns.`,
  ];
  if (inbox.length > 0) lines.push(`${inbox.length} ${inbox.length === 1 ? "message waits" : "messages wait"} for it.`);
  if (spent !== undefined && spent.answers > 0) lines.push(`Spent so far: ${spent.costUsd.toFixed(4)} US dollars.`);
  lines.push("For the plan: /plan status");
  return lines.join("\n");
}
