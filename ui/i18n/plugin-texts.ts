/** What the bundled plugins say, in one language. A plugin of src/bundled.ts that is missing here does not compile. */
import { subAgentsTexts } from "../../src/agent/sub-agents/texts/index.ts";
import type { BundledId } from "../../src/bundled.ts";
import { builtinCommandsTexts } from "../../src/gateway/builtin-commands/texts/index.ts";
import { planModeTexts } from "../../src/plan-mode/texts/index.ts";
import type { PageLanguage, TextLoaders } from "../../src/protocol/localized/text-loaders.ts";
import { schedulerTexts } from "../../src/scheduler/texts/index.ts";
import type { Area } from "./text-types.ts";

const PLUGIN_TEXTS: Readonly<Record<BundledId, TextLoaders>> = {
  "plan-mode": planModeTexts,
  "sub-agents": subAgentsTexts,
  scheduler: schedulerTexts,
  "house-commands": builtinCommandsTexts,
};

export async function loadPluginTexts(language: PageLanguage): Promise<Area> {
  const tables = await Promise.all(Object.values(PLUGIN_TEXTS).map((texts) => texts[language]()));
  return Object.fromEntries(tables.flatMap((table) => Object.entries(table)));
}
