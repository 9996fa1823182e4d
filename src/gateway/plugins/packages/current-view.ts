/** A plugin as operators see it now: what the running gateway makes of it, and whether its commands are its own. */
import type { PluginView } from "../../../protocol/plugin/plugin-packages.ts";
import type { PackageParts } from "./package-parts.ts";
import { type Known, viewOf } from "./package-status.ts";

export async function currentView(known: Known, parts: PackageParts): Promise<PluginView> {
  const { manifest } = known.found;
  const view = viewOf(known, parts.live?.(manifest.id));
  if (view.standing === "disabled" || view.standing === "refused") return view;
  const taken = await parts.owners?.problem({ ...manifest, tier: view.tier });
  return taken === undefined ? view : { ...view, standing: "refused", because: taken.text, said: taken.said };
}
