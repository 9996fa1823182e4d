/** Sub-agents as a bundled plugin: the slice that keeps track of them, and the tools that start and address them. */
import { definePlugin, type Plugin } from "../../plugins/sdk.ts";
import { ENGLISH } from "./texts/en.ts";
import { SUB_AGENTS_CONFIG } from "./protocol/index.ts";
import { SUB_AGENTS_SLICE } from "./protocol/sub-agents.ts";
import { subAgentsSlice } from "./slice.ts";
import { sessionsSend, sessionsSpawn } from "./sessions-tools.ts";

export const subAgentsPlugin = definePlugin({
  id: "sub-agents",
  name: ENGLISH.plugin_sub_agents,
  description: ENGLISH.about_sub_agents,
  register(api) {
    api.session.registerSlice(subAgentsSlice);
    api.settings.register({
      key: SUB_AGENTS_SLICE,
      sections: SUB_AGENTS_CONFIG,
      resolve: ({ agentDefaults }) => agentDefaults.subagents,
    });
    api.tools.registerTool(sessionsSpawn);
    api.tools.registerTool(sessionsSend);
  },
});

export const startPlugin = (): Plugin => subAgentsPlugin;
