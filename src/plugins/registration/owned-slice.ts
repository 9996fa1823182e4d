/**
 * A trusted plugin's own machine, as far as it reaches beyond itself: what it queues for the agent stands under its own
 * name, below the house's texts and in the envelope of a plugin's words, and it cancels nothing of anybody else's.
 */
import type { Effect } from "../../core/effect.ts";
import type { AnySlice } from "../../core/slice.ts";
import { pluginSlice } from "../../protocol/plugin-state.ts";
import { pluginWords } from "../state/plugin-injection.ts";

const PLUGIN_PRIORITY_MAX = 9;
const ID_CHARS_MAX = 128;

export function ownedSlice(pluginId: string, slice: AnySlice): AnySlice {
  const own = (effects: Effect[]): Effect[] => effects.flatMap((effect) => ownEffect(pluginId, effect));
  const { refused } = slice;
  return {
    ...slice,
    effects: (state, event, context) => own(slice.effects(state, event, context)),
    ...(refused === undefined ? {} : { refused: (state, why, context) => own(refused(state, why, context)) }),
  };
}

function ownEffect(pluginId: string, effect: Effect): Effect[] {
  if (effect.kind === "cancel-injections") return [];
  if (effect.kind !== "inject") return [effect];
  const { id, text, priority, ...rest } = effect.injection;
  const kind = pluginSlice(pluginId);
  const injection = {
    ...rest,
    id: (id.startsWith(`${kind}:`) ? id : `${kind}:${id}`).slice(0, ID_CHARS_MAX),
    kind,
    text: pluginWords(pluginId, text),
    priority: Math.min(priority, PLUGIN_PRIORITY_MAX),
  };
  return [{ kind: "inject", injection }];
}
