/** The audit fact for a change of an installed plugin. */
import type { FactType } from "../../../protocol/localized/fact-types.ts";
import type { OwnFact } from "../../../protocol/audit.ts";
import type { PluginView } from "../../../protocol/plugin/plugin-packages.ts";

/** Written whether or not a gateway is running. */
export function changeFact(type: FactType, { id, version, tier, source, ask }: PluginView): OwnFact {
  return { type, detail: { id, version, tier, source, needs: ask.needs, trust: ask.trust } };
}
