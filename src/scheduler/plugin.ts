/** The bundled plugin `scheduler`: its slice, worker, tool and methods. */
import { definePlugin, type Plugin } from "../plugins/sdk.ts";
import { ENGLISH } from "./texts/en.ts";
import { schedulerSlice } from "./machine/slice.ts";
import { ORDERS } from "./perform.ts";
import { cronMethods } from "./methods/cron-methods.ts";
import { standingPolicy } from "./standing-policy.ts";
import { createCronTool, type CronToolParts } from "./tool.ts";

export const startPlugin = (parts: CronToolParts): Plugin =>
  definePlugin({
    id: "scheduler",
    name: ENGLISH.plugin_scheduler,
    description: ENGLISH.about_scheduler,
    register(api) {
      api.session.registerSlice(schedulerSlice);
      api.session.registerWorker({
        slice: schedulerSlice.name,
        orders: ORDERS,
        perform: (order, { sessionId }) => parts.scheduler().performOrder({ sessionId, order }),
      });
      api.tools.registerTool(createCronTool(parts));
      api.tools.registerTrustedToolPolicy(standingPolicy(parts.scheduler));
      for (const method of cronMethods(parts.scheduler)) api.methods.register(method);
    },
  });
