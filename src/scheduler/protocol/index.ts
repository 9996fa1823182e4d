/** The scheduler as clients, documents and the configuration see it. */
import { NO_SECTIONS, type PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { CRON_METHODS } from "./cron-methods.ts";
import { facts } from "./facts.ts";
import { HeartbeatSettings } from "./schedule.ts";

export const schedulerProtocol = {
  id: "scheduler",
  folder: "scheduler",
  methods: CRON_METHODS,
  patchFields: {},
  config: {
    ...NO_SECTIONS,
    agentDefaults: {
      heartbeat: HeartbeatSettings.optional().describe(
        "Ask each agent from time to time, in a session of its own, whether something needs doing. Off if unset.",
      ),
    },
  },
  facts,
} as const satisfies PluginProtocol;
