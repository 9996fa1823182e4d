/** RPC methods for slash commands: list and complete them before their plugin is loaded, and run them like typed text. */
import type { MethodTable, OperatorActor } from "../../http/method-table.ts";
import { type RegisteredCommand, scopesFor, usageOf } from "../../plugins/commands/command-registry.ts";
import { aboutCommand } from "../../plugins/commands/command-words.ts";
import type { CommandView } from "../../protocol/methods.ts";
import type { LocalizedLine } from "../../protocol/localized/localized-text.ts";
import { hasScope, type Scope } from "../../protocol/actor.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import type { Inbound } from "../../inbound/inbound.ts";
import type { PluginHost } from "../../plugins/host.ts";

const COMPLETIONS_MAX = 50;

type CommandMethods = Pick<MethodTable, "commands.list" | "commands.complete" | "commands.run">;

export type CommandMethodParts = { host: Pick<PluginHost, "commands">; inbound: Pick<Inbound, "run" | "send"> };

export function commandMethods({ host, inbound }: CommandMethodParts): CommandMethods {
  const seenBy = (actor: OperatorActor): CommandView[] => host.commands.list().map((command) => viewOf(command, actor));
  return {
    "commands.list": async (_params, { actor }) => ({ commands: seenBy(actor) }),
    "commands.complete": async ({ text }, { actor }) => {
      const items = completions(text, seenBy(actor));
      return { completions: items.map((item) => ({ ...item, ...meaningOf(item.text, host) })) };
    },
    "commands.run": (params, { actor }) =>
      inbound.run({ ...params, name: params.name.toLowerCase() }, dispatchBy(actor, "commands.run", params)),
  };
}

export function viewOf({ spec, pluginId }: RegisteredCommand, { scopes }: Pick<OperatorActor, "scopes">): CommandView {
  const allowed = (needed: readonly Scope[]): boolean => needed.every((scope) => hasScope(scopes, scope));
  const subcommands = (spec.subcommands ?? []).map(({ name, description }) => {
    const requiredScopes = [...scopesFor(spec, name)];
    return { name, description, requiredScopes, allowed: allowed(requiredScopes) };
  });
  const requiredScopes = [...scopesFor({ ...spec, subcommands: [] }, "")];
  return {
    name: spec.name,
    description: spec.description,
    usage: usageOf(spec),
    pluginId,
    requiredScopes,
    allowed: allowed(requiredScopes) || subcommands.some((sub) => sub.allowed),
    acceptsArgs: spec.acceptsArgs ?? true,
    subcommands,
  };
}

/** Translated descriptions of the gateway's own commands; a plugin's description is its own. */
function meaningOf(text: string, { commands }: CommandMethodParts["host"]): { said?: LocalizedLine[] } {
  const [name = "", sub] = text.slice(1).split(" ");
  const command = commands.get(name);
  const words = command === undefined ? undefined : aboutCommand(command, sub);
  return words === undefined || words.said.length === 0 ? {} : { said: words.said };
}

/** Completes commands for the first word and subcommands for the second; only those that the sender may run. */
function completions(text: string, commands: readonly CommandView[]): { text: string; description: string }[] {
  const words = /^\/(\S*)(?:\s+(\S*))?$/.exec(text);
  if (words === null) return []; // no command, or its arguments have begun
  const [, name = "", rest] = words;
  if (rest === undefined) {
    return commands
      .filter((command) => command.allowed && command.name.startsWith(name.toLowerCase()))
      .slice(0, COMPLETIONS_MAX)
      .map((command) => ({ text: `/${command.name}`, description: command.description }));
  }
  const found = commands.find((command) => command.name === name.toLowerCase());
  return (found?.subcommands ?? [])
    .filter((sub) => sub.allowed && sub.name.startsWith(rest.toLowerCase()))
    .slice(0, COMPLETIONS_MAX)
    .map((sub) => ({ text: `/${found?.name} ${sub.name}`, description: sub.description }));
}
