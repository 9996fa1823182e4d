/** The bundled plugins, started. Which there are is the list in src/bundled.ts. */
import { BUNDLED_IDS, type BundledId } from "../../bundled.ts";
import type { CommandRegistry } from "../../plugins/commands/command-registry.ts";
import type { ChangesParts } from "../../changes/plugin.ts";
import type { PlanModeParts } from "../../plan-mode/plugin.ts";
import type { LibraryParts } from "../../library/plugin.ts";
import type { ChannelsParts } from "../../channels/plugin.ts";
import type { Plugin } from "../../plugins/sdk.ts";
import type { CronToolParts } from "../../scheduler/tool.ts";
import { START_BUNDLED } from "./start-bundled.ts";

/** What the gateway passes to bundled plugins besides the SDK; most need none of it. */
export type House = CronToolParts &
  ChannelsParts &
  LibraryParts &
  ChangesParts &
  PlanModeParts & { commands(): CommandRegistry };

const START: Readonly<Record<BundledId, (house: House) => Plugin>> = START_BUNDLED;

export const bundledPlugins = (house: House): Plugin[] => BUNDLED_IDS.map((id) => START[id](house));
