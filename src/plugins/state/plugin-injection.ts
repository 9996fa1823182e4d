/** A plugin's words to the agent, in an envelope that the house writes and the words can neither close nor forge. */
import { quoted } from "../../core/text/defuse.ts";
import { firstChars } from "../../core/text/reveal-hidden.ts";
import type { PluginInjection } from "../../protocol/plugin/plugin-state.ts";
import { INJECTION_CHARS_MAX, type NextTurnInjection } from "../api/workflow.ts";

const PRIORITY = { before: 4, after: 2 } as const;

type LocalizedText = Omit<NextTurnInjection, "sessionKey">;

/** `fresh` names it where the plugin gave no key of its own. */
export function pluginInjection(pluginId: string, given: LocalizedText, fresh: string): PluginInjection {
  const { text, idempotencyKey, placement = "before", ttlMs } = given;
  const key = firstChars(idempotencyKey ?? fresh, 60);
  return {
    id: `plugin:${pluginId}:${key}`,
    text: pluginWords(pluginId, text),
    priority: PRIORITY[placement],
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(placement === "after" ? { placement } : {}),
  };
}

export function pluginWords(pluginId: string, text: string): string {
  return `[PLUGIN_MESSAGE ${pluginId}]\n${quoted(firstChars(text, INJECTION_CHARS_MAX))}\n[/PLUGIN_MESSAGE]`;
}
