/** How facts and refusals of bundled plugins are worded. Made by scripts/bundled-lists.ts from src/bundled.ts: do not edit, run npm run fix. */
import { facts as planModeFacts } from "./plan-mode/protocol/facts.ts";
import { facts as subAgentsFacts } from "./agent/sub-agents/protocol/facts.ts";
import { facts as schedulerFacts } from "./scheduler/protocol/facts.ts";
import { facts as channelsFacts } from "./channels/protocol/facts.ts";
import { facts as changesFacts } from "./changes/protocol/facts.ts";
import { refusals as planModeRefusals } from "./plan-mode/protocol/refusals.ts";
import { refusals as changesRefusals } from "./changes/protocol/refusals.ts";

export const BUNDLED_FACTS = {
  ...planModeFacts,
  ...subAgentsFacts,
  ...schedulerFacts,
  ...channelsFacts,
  ...changesFacts,
};
export const BUNDLED_REFUSALS = { ...planModeRefusals, ...changesRefusals };
