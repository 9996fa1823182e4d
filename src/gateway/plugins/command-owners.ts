/**
 * Which plugin a command belongs to: recorded in the store when a plugin first has it. Another that claims it is refused,
 * now and after every restart, until an operator hands it over or removes the owner.
 */
import { reservedProblem } from "../../plugins/commands/command-registry.ts";
import { rootKey } from "../../plugins/commands/reserved-roots.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import { asIs, localized, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { PluginManifest, PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import type { CommandOwner, OwnerChange } from "../../store/command-owners.ts";
import type { CommandOwnerStore, CommitResult } from "../../store/store.ts";

type Owning = Pick<PluginManifest, "id" | "commands">;
type Claimant = Owning & { tier: PluginTier };

export type CommandOwners = {
  /** Why the plugin cannot have its commands; undefined when all of them are its own or nobody's. */
  problem(claimant: Claimant): Promise<LocalizedText | undefined>;
  /** All of its commands or none. Resolves with how to give back what nobody had before. */
  claim(claimant: Claimant): Promise<{ taken: LocalizedText } | { giveBack(): Promise<void> }>;
  /** Those of its commands that are not another's. */
  notTaken(owning: Owning): Promise<string[]>;
  /** Frees what is recorded for it, except the commands that it still declares. */
  release(owning: Owning): Promise<void>;
  /** An operator's decision, for a plugin that may have the command. Resolves with the owner before. */
  handOver(order: { name: string; pluginId: string; by: string }): Promise<{ was: string | null }>;
};

const PLUGINS = "system:plugins";

export function createCommandOwners(store: CommandOwnerStore, now: () => number): CommandOwners {
  const byRoot = async (): Promise<Map<string, CommandOwner>> =>
    new Map((await store.commandOwners()).map((owner) => [owner.root, owner]));

  async function save(change: Omit<OwnerChange, "sinceMs" | "root">, actor: string): Promise<boolean> {
    const { name, pluginId, was } = change;
    const fact: OwnFact = { type: "plugin.owns", detail: { plugin: pluginId ?? "", command: name, was } };
    const atMs = now();
    const result = await store.saveCommandOwner(
      { root: rootKey(name), name, pluginId, was, sinceMs: atMs },
      { atMs, actor, facts: [fact] },
    );
    return isWritten(result);
  }

  async function problem({ id, commands, tier }: Claimant): Promise<LocalizedText | undefined> {
    const owners = await byRoot();
    for (const spec of commands) {
      const owner = owners.get(rootKey(spec.name));
      if (owner === undefined || owner.pluginId === id) continue;
      const reserved = reservedProblem({ pluginId: id, tier, spec });
      if (reserved !== undefined) return asIs(reserved.refused.message); // nobody could hand it over
      const args = { command: `/${spec.name}`, owner: owner.pluginId, name: spec.name, plugin: id };
      return localized("commandOwned", args);
    }
    return undefined;
  }

  async function notTaken({ id, commands }: Owning): Promise<string[]> {
    const owners = await byRoot();
    return commands.map(({ name }) => name).filter((name) => (owners.get(rootKey(name))?.pluginId ?? id) === id);
  }

  async function release({ id, commands }: Owning): Promise<void> {
    const kept = new Set(commands.map(({ name }) => rootKey(name)));
    for (const { root, name, pluginId } of (await byRoot()).values())
      if (pluginId === id && !kept.has(root)) await save({ name, pluginId: null, was: id }, PLUGINS);
  }

  return {
    problem,
    notTaken,
    release,
    async claim(claimant) {
      const { id, commands } = claimant;
      const owners = await byRoot();
      const fresh: string[] = [];
      const giveBack = async (): Promise<void> => {
        for (const name of fresh) await save({ name, pluginId: null, was: id }, PLUGINS);
      };
      const taken = await problem(claimant);
      if (taken !== undefined) return { taken };
      for (const { name } of commands) {
        if (owners.has(rootKey(name))) continue;
        if (await save({ name, pluginId: id, was: null }, PLUGINS)) fresh.push(name);
        const lost = await problem(claimant); // another gateway on the same store may have been faster
        if (lost === undefined) continue;
        await giveBack();
        return { taken: lost };
      }
      return { giveBack };
    },
    async handOver({ name, pluginId, by }) {
      const was = (await byRoot()).get(rootKey(name))?.pluginId ?? null;
      if (was !== pluginId && !(await save({ name, pluginId, was }, by)))
        throw new Error(`Somebody else handed /${name} over meanwhile; look at it and try again.`);
      return { was };
    },
  };
}

/** Not written is an answer only where another owner is recorded; a store that fails is not. */
function isWritten(result: CommitResult): boolean {
  if (result.status === "failed") throw new Error(result.failure.message);
  return result.status === "committed";
}
