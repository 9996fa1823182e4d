import { definePlugin, type Plugin } from "../plugins/sdk.ts";
import { schedulerSlice } from "./machine/slice.ts";
import { createCronTool, type CronToolParts } from "./tool.ts";

export const createSchedulerPlugin = (parts: CronToolParts): Plugin =>
  definePlugin({
    id: "scheduler",
    name: "Scheduler",
    description: "Turns and runs at a later time, once or again and again.",
    register(api) {
      api.session.registerExtension(schedulerSlice);
      api.tools.registerTool(createCronTool(parts));
    },
  });
