/** How each bundled plugin is started. Made by scripts/bundled-lists.ts from src/bundled.ts: do not edit, run npm run fix. */
import { startPlugin as planMode } from "../../plan-mode/plugin.ts";
import { startPlugin as subAgents } from "../../agent/sub-agents/plugin.ts";
import { startPlugin as scheduler } from "../../scheduler/plugin.ts";
import { startPlugin as channels } from "../../channels/plugin.ts";
import { startPlugin as houseCommands } from "../builtin-commands/plugin.ts";
import { startPlugin as codeMode } from "../../code-mode/plugin.ts";
import { startPlugin as changes } from "../../changes/plugin.ts";
import { startPlugin as library } from "../../library/plugin.ts";

export const START_BUNDLED = {
  "plan-mode": planMode,
  "sub-agents": subAgents,
  scheduler,
  channels,
  "house-commands": houseCommands,
  "code-mode": codeMode,
  changes,
  library,
};
