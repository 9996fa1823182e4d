// Counts what agents do. Every call is counted when it begins, one that only reads as well; nothing of its content is kept.
import { definePlugin, z } from "holdpoint/plugin";

const COUNTERS_MAX = 500;

export default definePlugin({
  id: "telemetry",
  name: "Telemetry",
  description: "Counts what agents do, for people and for a collector.",
  register(api) {
    /** @type {Map<string, number>} */
    const counters = new Map();
    /** @param {string} name */
    function count(name) {
      if (counters.has(name) || counters.size < COUNTERS_MAX) counters.set(name, (counters.get(name) ?? 0) + 1);
    }
    const lines = () => [...counters].map(([name, times]) => `${name} ${times}`).toSorted((a, b) => (a < b ? -1 : 1));

    api.agent.events.subscribe(["turn.finished", "tool.*"], ({ type, data }) => {
      const tool = z.object({ tool: z.string() }).safeParse(data).data?.tool;
      count(tool === undefined ? type : `${type} ${tool}`);
    });

    api.tools.registerTool({
      name: "telemetry_counters",
      description: "What agents did since the plugin was loaded.",
      kind: "read_only",
      effect: "read",
      input: z.strictObject({}),
      run: async () => ({ status: "ok", content: lines() }),
    });

    api.registerCommand({
      name: "telemetry",
      handler({ args, gatewayClientScopes }) {
        if (args !== "reset") return { message: lines().join("\n") || "nothing yet" };
        counters.clear();
        return {
          message: `Begun at zero, by somebody with ${gatewayClientScopes.length} scopes.`,
          delivery: "ephemeral",
        };
      },
    });
  },
});
