/** Plugins as packages, by RPC. Every change leaves an audit row that names the operator. */
import type { Clock } from "../../engine/clock.ts";
import type { MethodTable, OperatorActor } from "../../http/method-table.ts";
import type { FactType } from "../../protocol/localized/fact-types.ts";
import { actorKey } from "../../protocol/actor.ts";
import type { PluginView } from "../../protocol/plugin/plugin-packages.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import type { PluginPackages } from "../plugins/packages/packages.ts";
import { changeFact } from "../plugins/packages/change-fact.ts";
import type { Loosening } from "./records.ts";
import { storeRefusal } from "./store-refusal.ts";
import { localized } from "../../protocol/localized/localized-text.ts";

export type PluginParts = {
  packages: PluginPackages;
  store: Pick<Store, "audit">;
  clock: Clock;
  /** Loads its code, if only its manifest was read so far; never rejects. */
  load(id: string): Promise<void>;
  loosening?: Pick<Loosening, "setting"> | undefined;
};

type PluginMethods = Pick<MethodTable, Extract<keyof MethodTable, `plugins.${string}`>>;
type Answer = { plugin: PluginView } | Refused;

export function pluginMethods({ packages, store, clock, load, loosening }: PluginParts): PluginMethods {
  const refuseTrust = async (actor: OperatorActor): Promise<Refused | undefined> =>
    loosening?.setting(actor, { path: "plugins", value: undefined });
  /** What is trusted runs inside the gateway and may hold the gate: giving or taking that is a decision (PL-19). */
  async function decided(actor: OperatorActor, id: string, work: () => Promise<Answer>): Promise<Answer> {
    const refused = await refuseTrust(actor);
    if (refused === undefined) return work();
    const found = await packages.info(id);
    return "plugin" in found && found.plugin.tier === "ordinary" ? work() : refused;
  }
  async function changed(actor: OperatorActor, type: FactType, work: Promise<Answer>): Promise<Answer> {
    const answer = await work;
    if ("refused" in answer) return answer;
    const fact = changeFact(type, answer.plugin);
    return storeRefusal(await store.audit({ atMs: clock.now(), actor: actorKey(actor), facts: [fact] })) ?? answer;
  }
  return {
    "plugins.list": ({ check }) => packages.list({ check }),
    "plugins.info": ({ id }) => packages.info(id),
    "plugins.install": (order, { actor }) =>
      changed(actor, "plugin.installed", packages.install({ ...order, by: actorKey(actor) })),
    async "plugins.enable"(order, { actor }) {
      const answer = await changed(actor, "plugin.enabled", packages.enable({ ...order, by: actorKey(actor) }));
      if ("refused" in answer || answer.plugin.standing !== "ready") return answer;
      await load(order.id); // whoever switches it on learns at once whether it can be used
      return packages.info(order.id);
    },
    "plugins.disable": ({ id }, { actor }) =>
      decided(actor, id, () =>
        changed(actor, "plugin.disabled", packages.disable({ id, because: localized("offBy", { name: actor.name }) })),
      ),
    "plugins.remove": (order, { actor }) =>
      decided(actor, order.id, () => changed(actor, "plugin.removed", packages.remove(order))),
    "plugins.trust": async (order, { actor }) =>
      (await refuseTrust(actor)) ?? changed(actor, "plugin.trusted", packages.trust({ ...order, by: actorKey(actor) })),
    // recorded by the store together with the new owner
    "plugins.own": (order, { actor }) => packages.own({ ...order, by: actorKey(actor) }),
    "plugins.untrust": (order, { actor }) =>
      decided(actor, order.id, () => changed(actor, "plugin.untrusted", packages.untrust(order))),
  };
}
