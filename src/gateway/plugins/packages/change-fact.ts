import type { AuditFact } from "../../../protocol/audit.ts";
import type { PluginView } from "../../../protocol/plugin-packages.ts";

/** What the chain keeps of a change of a plugin, whether a gateway ran or not. */
export function changeFact(type: string, { id, version, tier, source, ask }: PluginView): AuditFact {
  return { type, detail: { id, version, tier, source, needs: ask.needs, trust: ask.trust } };
}
