/** The tools of the house by a name that people read, each with its icon; others keep the name that they came with. */
import { t } from "../../i18n/t.ts";
import type { IconName } from "../../parts/icon.ts";

const ICONS = {
  read: "file",
  write: "sign",
  edit: "sign",
  apply_patch: "sign",
  exec: "terminal",
  code_cell: "terminal",
  code_wait: "clock",
  glob: "search",
  grep: "search",
  web_fetch: "globe",
  web_search: "globe",
  memory_search: "search",
  memory_get: "file",
  session_status: "record",
  sessions_spawn: "agent",
  sessions_send: "send",
  message: "send",
  cron: "clock",
  update_plan: "plan",
  enter_plan_mode: "plan",
  exit_plan_mode: "plan",
  plan_mode_status: "record",
  ask_user_question: "question",
} as const satisfies Readonly<Record<string, IconName>>;

/** What the model called, where it was shown something else than the tools: a cell is no command. */
const CELLS: Readonly<Record<string, KnownTool>> = { "code_mode.exec": "code_cell", "code_mode.wait": "code_wait" };
export const calledTool = ({ tool, target }: { tool: string; target?: string }): string =>
  (target === undefined ? undefined : CELLS[target]) ?? tool;

type KnownTool = keyof typeof ICONS;

const isKnown = (tool: string): tool is KnownTool => Object.hasOwn(ICONS, tool);

export const toolIcon = (tool: string): IconName => (isKnown(tool) ? ICONS[tool] : "tool");

/** Undefined where the house does not know it. */
export const toolName = (tool: string): string | undefined => (isKnown(tool) ? t(`chat.tool_${tool}`) : undefined);
