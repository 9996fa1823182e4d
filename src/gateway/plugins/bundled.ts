/** How each bundled plugin is started. Which there are is the list in src/bundled.ts: one that is missing here does not compile. */
import { subAgentsPlugin } from "../../agent/sub-agents/plugin.ts";
import { BUNDLED_IDS, type BundledId } from "../../bundled.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import type { CommandRegistry } from "../../plugins/commands/command-registry.ts";
import type { Plugin } from "../../plugins/sdk.ts";
import { createSchedulerPlugin } from "../../scheduler/plugin.ts";
import type { CronToolParts } from "../../scheduler/tool.ts";
import { builtinCommands } from "../builtin-commands/plugin.ts";

/** What the gateway hands to its own plugins beside the SDK; most need nothing of it. */
export type House = CronToolParts & { commands(): CommandRegistry };

const START: Readonly<Record<BundledId, (house: House) => Plugin>> = {
  "plan-mode": () => planModePlugin,
  "sub-agents": () => subAgentsPlugin,
  scheduler: createSchedulerPlugin,
  "house-commands": ({ commands }) => builtinCommands(commands),
};

export const bundledPlugins = (house: House): Plugin[] => BUNDLED_IDS.map((id) => START[id](house));
