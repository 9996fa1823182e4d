/** RPC methods for what plugins let people press: actions of a session, and the descriptors that a page draws them from. */
import type { MethodTable } from "../../http/method-table.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import type { Inbound } from "../../inbound/inbound.ts";
import { lackingScopes } from "../../inbound/lacking-scopes.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";

type ControlParts = { host: Pick<PluginHost, "descriptors" | "texts" | "facts">; inbound: Pick<Inbound, "press"> };

const factsOf = (facts: FactWordings | undefined): { facts?: FactWordings } => (facts === undefined ? {} : { facts });

export function controlMethods({
  host,
  inbound,
}: ControlParts): Pick<MethodTable, "sessions.action" | "ui.descriptors" | "ui.texts"> {
  return {
    "sessions.action": (params, { actor }) => inbound.press(params, dispatchBy(actor, "sessions.action", params)),
    async "ui.texts"({ language }) {
      const plugins = [...host.texts].map(([pluginId, texts]) => ({
        pluginId,
        texts: { ...texts["en"], ...texts[language] },
        ...factsOf(host.facts.get(pluginId)),
      }));
      return { plugins };
    },
    async "ui.descriptors"(_params, { actor }) {
      const plugins = [...host.descriptors].map(([pluginId, descriptors]) => ({
        pluginId,
        descriptors: descriptors.filter(
          ({ requiredScopes = [] }) => lackingScopes(pluginId, requiredScopes, actor.scopes) === undefined,
        ),
      }));
      return { plugins: plugins.filter(({ descriptors }) => descriptors.length > 0) };
    },
  };
}
