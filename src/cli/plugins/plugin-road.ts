/** Commands about plugins, carried out by the running gateway, or on the files when none runs. */
import { type Environment, homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { BUNDLED_IDS } from "../../bundled.ts";
import { changeFact } from "../../gateway/plugins/packages/change-fact.ts";
import { createCommandOwners } from "../../gateway/plugins/command-owners.ts";
import { bundledView } from "../../gateway/plugins/live-plugins.ts";
import { createPackages } from "../../gateway/plugins/packages/packages.ts";
import { StoreRefused, storeRefusal } from "../../gateway/methods/store-refusal.ts";
import { VERSION } from "../../gateway/version.ts";
import type { FactType } from "../../protocol/localized/fact-types.ts";
import { PluginId } from "../../protocol/plugin/plugin-manifest.ts";
import type { PluginList, PluginView } from "../../protocol/plugin/plugin-packages.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import type { Link } from "../chat/link.ts";
import { CliError, refusedError } from "../cli-error.ts";
import { onlineOrOffline } from "../offline-store.ts";
import { localized } from "../../protocol/localized/localized-text.ts";

type Agreed = { agree?: string };

export type PluginRoad = {
  list(check: boolean): Promise<PluginList>;
  info(id: string): Promise<PluginView>;
  install(from: string): Promise<PluginView>;
  enable(id: string, agreed: Agreed): Promise<PluginView>;
  disable(id: string): Promise<PluginView>;
  remove(id: string): Promise<PluginView>;
  trust(id: string, agreed: Agreed): Promise<PluginView>;
  untrust(id: string): Promise<PluginView>;
  own(id: string, command: string): Promise<PluginView>;
};

/** The actor when no gateway runs: everyone who can write the files. */
const AT_THIS_MACHINE = "command-line";

export async function onPlugins<Result>(
  env: Environment,
  work: (road: PluginRoad) => Promise<Result>,
): Promise<Result> {
  return onlineOrOffline(env, {
    online: (link) => work(throughGateway(link)),
    offline: async (store) => work(await onFiles(env, store)),
  });
}

const plugin = async (answer: Promise<{ plugin: PluginView }>): Promise<PluginView> => (await answer).plugin;

function throughGateway(link: Link): PluginRoad {
  return {
    list: (check) => link.call("plugins.list", { check }),
    info: (id) => plugin(link.call("plugins.info", { id: idOf(id) })),
    install: (from) => plugin(link.call("plugins.install", { from })),
    enable: (id, agreed) => plugin(link.call("plugins.enable", { id: idOf(id), ...agreed })),
    disable: (id) => plugin(link.call("plugins.disable", { id: idOf(id) })),
    remove: (id) => plugin(link.call("plugins.remove", { id: idOf(id) })),
    trust: (id, agreed) => plugin(link.call("plugins.trust", { id: idOf(id), ...agreed })),
    untrust: (id) => plugin(link.call("plugins.untrust", { id: idOf(id) })),
    own: (id, command) => plugin(link.call("plugins.own", { id: idOf(id), command })),
  };
}

async function onFiles(env: Environment, store: Store): Promise<PluginRoad> {
  const home = homePath(env);
  const { config } = await loadConfig(home, env);
  const packages = createPackages({
    home,
    settings: () => config.plugins,
    bundled: BUNDLED_IDS.map((id) => bundledView({ id, name: id, description: "Part of the gateway." }, VERSION)),
    now: Date.now,
    owners: createCommandOwners(store, Date.now),
  });
  const changed = async (type: FactType, work: Promise<{ plugin: PluginView } | Refused>): Promise<PluginView> => {
    const changedOne = unrefused(await work);
    const facts = [changeFact(type, changedOne)];
    const refused = storeRefusal(await store.audit({ atMs: Date.now(), actor: AT_THIS_MACHINE, facts }));
    if (refused !== undefined) throw new StoreRefused(refused.refused);
    return changedOne;
  };
  const by = AT_THIS_MACHINE;
  return {
    list: (check) => packages.list({ check }),
    info: async (id) => unrefused(await packages.info(idOf(id))),
    install: (from) => changed("plugin.installed", packages.install({ from, by })),
    enable: (id, agreed) => changed("plugin.enabled", packages.enable({ id: idOf(id), by, ...agreed })),
    disable: (id) =>
      changed("plugin.disabled", packages.disable({ id: idOf(id), because: localized("offAtTerminal") })),
    remove: (id) => changed("plugin.removed", packages.remove({ id: idOf(id) })),
    trust: (id, agreed) => changed("plugin.trusted", packages.trust({ id: idOf(id), by, ...agreed })),
    untrust: (id) => changed("plugin.untrusted", packages.untrust({ id: idOf(id) })),
    own: async (id, command) => unrefused(await packages.own({ id: idOf(id), command, by })),
  };
}

function unrefused(answer: { plugin: PluginView } | Refused): PluginView {
  if ("refused" in answer) throw refusedError(answer.refused);
  return answer.plugin;
}

function idOf(text: string): string {
  const id = PluginId.safeParse(text);
  if (id.success) return id.data;
  const message = `"${text.slice(0, 80)}" cannot be the id of a plugin: ${id.error.issues[0]?.message ?? ""}.`;
  throw new CliError({ exit: "usage", message, advice: "See which there are: holdpoint plugins list", code: "USAGE" });
}
