import { definePlugin } from "../../plugins/sdk.ts";
import { subAgentsSlice } from "./slice.ts";
import { sessionsSend, sessionsSpawn } from "./tools.ts";

export const subAgentsPlugin = definePlugin({
  id: "sub-agents",
  name: "Sub-agents",
  description: "A session may hand tasks to sessions below it, which are gated as it is.",
  register(api) {
    api.session.registerExtension(subAgentsSlice);
    api.tools.registerTool(sessionsSpawn);
    api.tools.registerTool(sessionsSend);
  },
});
