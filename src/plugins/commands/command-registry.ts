/**
 * Which plugin handles which slash command. The checks do not depend on the order of registration: a reserved root is
 * refused to plugins that may not have it, before and after anybody registers it.
 */
import type { Scope } from "../../protocol/actor.ts";
import { CommandSpec, type PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { CommandCall, CommandResult, PluginCommand } from "../api/command.ts";
import { reservation, rootKey } from "./reserved-roots.ts";

export type RegisteredCommand = {
  pluginId: string;
  tier: PluginTier;
  spec: CommandSpec;
  /** The machine slice that `apply` reaches, if the plugin has one. */
  slice(): string | undefined;
  handler(call: CommandCall): Promise<CommandResult>;
  textOf?: PluginCommand["textOf"];
  /** It only adds subcommands to this command of another plugin. */
  of?: string;
  /** Those who answer to subcommands that other plugins added, by name. */
  added?: ReadonlyMap<string, RegisteredCommand>;
};

export type CommandRegistry = {
  /** Why it may not be registered; changes nothing. */
  problem(command: Asked): Refused | undefined;
  /** Throws where `problem` finds one: whoever registers asks first. */
  add(command: RegisteredCommand): void;
  removePlugin(pluginId: string): void;
  get(name: string): RegisteredCommand | undefined;
  list(): RegisteredCommand[];
};

export function createCommandRegistry(): CommandRegistry {
  const byRoot = new Map<string, RegisteredCommand>();
  const additions: RegisteredCommand[] = [];
  const whole = (command: RegisteredCommand): RegisteredCommand =>
    withAdded(
      command,
      additions.filter(({ of }) => of === command.spec.name),
    );
  const problem: CommandRegistry["problem"] = (asked) => {
    const spec = CommandSpec.safeParse(asked.spec);
    if (asked.of !== undefined) return undefined;
    if (!spec.success) return refuse("INVALID_REQUEST", `/${asked.spec.name}: ${spec.error.issues[0]?.message}`);
    const taken = byRoot.get(rootKey(asked.spec.name));
    return reservedProblem(asked) ?? (taken === undefined ? undefined : takenBy(taken, asked));
  };
  return {
    problem,
    add(command) {
      const refused = problem(command);
      if (refused !== undefined) throw new Error(refused.refused.message);
      if (command.of === undefined) byRoot.set(rootKey(command.spec.name), command);
      else additions.push(command);
    },
    removePlugin(pluginId) {
      for (const [root, command] of byRoot) if (command.pluginId === pluginId) byRoot.delete(root);
      const others = additions.filter((command) => command.pluginId !== pluginId);
      additions.splice(0, additions.length, ...others);
    },
    /** Only as it is written: what merely looks alike is another, unknown command. */
    get(name) {
      const found = byRoot.get(rootKey(name));
      return found?.spec.name === name.toLowerCase() ? whole(found) : undefined;
    },
    list: () => [...byRoot.values()].map(whole).toSorted((a, b) => a.spec.name.localeCompare(b.spec.name, "en")),
  };
}

/** One command to whoever lists or types it, whichever plugins answer to its subcommands. */
function withAdded(command: RegisteredCommand, additions: readonly RegisteredCommand[]): RegisteredCommand {
  if (additions.length === 0) return command;
  const { spec, textOf } = command;
  const subcommands = additions.flatMap((one) => one.spec.subcommands ?? []);
  const usage = [...usageOf(spec), ...subcommands.map((sub) => `${sub.usage ?? ""} — ${sub.description}`)];
  return {
    ...command,
    spec: { ...spec, usage, subcommands: [...(spec.subcommands ?? []), ...subcommands] },
    textOf: (key) => textOf?.(key) ?? additions.map((one) => one.textOf?.(key)).find((text) => text !== undefined),
    added: new Map(additions.flatMap((one) => (one.spec.subcommands ?? []).map(({ name }) => [name, one] as const))),
  };
}

/** Who answers to what was typed behind the command. */
export const answering = (command: RegisteredCommand, args: string): RegisteredCommand =>
  command.added?.get(args.trim().toLowerCase().split(/\s/, 1)[0] ?? "") ?? command;

type Asked = Pick<RegisteredCommand, "pluginId" | "tier" | "spec" | "of">;

/** Why the plugin may not have a reserved root; undefined for every other. */
export function reservedProblem({ pluginId, tier, spec }: Asked): Refused | undefined {
  const reserved = reservation(spec.name);
  if (reserved === undefined) return undefined;
  if (reserved.owner !== undefined) {
    if (reserved.owner === pluginId && tier === "bundled") return undefined;
    return refuse("COMMAND_RESERVED", `/${spec.name} belongs to ${reserved.owner}; ${pluginId} cannot claim it.`);
  }
  if (tier === "ordinary")
    return refuse("COMMAND_RESERVED", `/${spec.name} is reserved; ${pluginId} is not trusted to claim it.`);
  return spec.ownership === "reserved" || spec.ownership === "trusted"
    ? undefined
    : refuse(
        "COMMAND_RESERVED",
        `/${spec.name} is reserved; declare ownership "reserved" (or "trusted", which means the same) to claim it.`,
      );
}

const takenBy = (taken: RegisteredCommand, { spec, pluginId }: Asked): Refused =>
  refuse(
    "COMMAND_TAKEN",
    `/${spec.name} is ${taken.pluginId}'s (as /${taken.spec.name}); ${pluginId} cannot claim it.`,
  );

const DEFAULT_SCOPES: readonly Scope[] = ["operator.write"];

/** The scopes needed, all of them. The first word may have scopes of its own; anything else needs the command's. */
export function scopesFor(
  spec: CommandSpec,
  args: string,
  { onChannel = false }: { onChannel?: boolean | undefined } = {},
): readonly Scope[] {
  const word = /^\S+/.exec(args.trim())?.[0].toLowerCase() ?? spec.bareAs;
  const sub = spec.subcommands?.find((one) => one.name === word);
  const needed = sub?.requiredScopes ?? spec.requiredScopes ?? DEFAULT_SCOPES;
  return onChannel && sub?.channelScopes !== undefined ? [...new Set([...needed, ...sub.channelScopes])] : needed;
}

/** A command that needs only operator.read changes nothing, so it resumes no agent. */
export const onlyReads = (scopes: readonly Scope[]): boolean => scopes.every((scope) => scope === "operator.read");

/** Usage lines: those given, else made from the subcommands. */
export function usageOf({ name, description, usage, subcommands }: CommandSpec): string[] {
  if (usage !== undefined && usage.length > 0) return usage;
  if (subcommands === undefined || subcommands.length === 0) return [`/${name} — ${description}`];
  return subcommands.map((sub) => `${sub.usage ?? `/${name} ${sub.name}`} — ${sub.description}`);
}
