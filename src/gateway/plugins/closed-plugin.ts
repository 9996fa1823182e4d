/**
 * Replaces a plugin that is switched on and cannot be loaded. It has nothing: no command, tool, hook or address. If it was
 * trusted to judge calls, every change is refused until an operator repairs it or switches it off.
 */
import type { Plugin, PluginApi, PolicyQuestion, PolicyVerdict } from "../../plugins/sdk.ts";
import type { PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";

export type Closed = { manifest: PluginManifest; because: LocalizedText; wasTrusted: boolean };

export function closedPlugin({ manifest, because, wasTrusted }: Closed): Plugin {
  const { id, name, description } = manifest;
  return {
    id,
    name,
    description,
    register(api: PluginApi) {
      if (!wasTrusted) return;
      for (const policy of manifest.policies)
        api.tools.registerTrustedToolPolicy({
          id: policy,
          description: "Lets nothing pass that changes anything, because the plugin that would decide is not there.",
          evaluate: ({ call }) =>
            call.effect === "read" ? { verdict: "allow" } : blocked(call, { id, policy, because: because.text }),
        });
    },
  };
}

type Missing = { id: string; policy: string; because: string };

function blocked({ tool, kind }: PolicyQuestion["call"], { id, policy, because }: Missing): PolicyVerdict {
  const message = `${tool} is judged by the plugin "${id}", which cannot be loaded: nothing that changes anything runs until an operator has looked at it.`;
  return {
    verdict: "block",
    refusal: {
      tool_name: tool,
      tool_kind: kind,
      hint: `An operator mends it, or switches it off: holdpoint plugins disable ${id}. ${because}`,
      entered_at: null,
      entered_reason: null,
      rule: `${id}/${policy}`,
      matched: tool,
      message,
    },
  };
}
