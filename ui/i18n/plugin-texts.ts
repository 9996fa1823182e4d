/** The texts of bundled plugins. Made by scripts/bundled-lists.ts from src/bundled.ts: do not edit, run npm run fix. */
import { texts as planMode } from "../../src/plan-mode/texts/index.ts";
import { texts as subAgents } from "../../src/agent/sub-agents/texts/index.ts";
import { texts as scheduler } from "../../src/scheduler/texts/index.ts";
import { texts as channels } from "../../src/channels/texts/index.ts";
import { texts as houseCommands } from "../../src/gateway/builtin-commands/texts/index.ts";
import { texts as codeMode } from "../../src/code-mode/texts/index.ts";
import { texts as changes } from "../../src/changes/texts/index.ts";
import { texts as library } from "../../src/library/texts/index.ts";

export const PLUGIN_TEXTS = [planMode, subAgents, scheduler, channels, houseCommands, codeMode, changes, library];
