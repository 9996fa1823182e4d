/** Which run an MCP client speaks for: the same one as the hooks of that agent, wherever the agent tells us its name. */
import type { ExternalPlace } from "../../protocol/external/decisions.ts";
import type { JsonObject } from "../../protocol/json.ts";

/** What clients call themselves, and what their hooks do. */
const AGENTS: readonly [RegExp, string][] = [
  [/claude/i, "claude-code"],
  [/codex/i, "codex"],
  [/gemini/i, "gemini-cli"],
  [/qwen/i, "qwen-code"],
  [/opencode/i, "opencode"],
  [/copilot/i, "copilot-cli"],
];
const NAME_CHARS_MAX = 32;
const VARIABLES = ["CLAUDE_CODE_SESSION_ID", "GEMINI_SESSION_ID"];
const METAS = ["threadId", "thread_id", "conversationId", "sessionId", "session_id"];

export type ClientAround = { env: Readonly<Record<string, string | undefined>>; workspace: string; fallback: string };

export function clientPlace(
  client: string,
  meta: JsonObject,
  { env, workspace, fallback }: ClientAround,
): ExternalPlace {
  const agent = AGENTS.find(([name]) => name.test(client))?.[1] ?? (cleanName(client) || "mcp");
  const named = VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  return { agent, session: namedIn(meta) ?? named ?? fallback, workspace };
}

const cleanName = (client: string): string =>
  client
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, NAME_CHARS_MAX);

/** Codex names its thread beside each call. */
function namedIn(meta: JsonObject): string | undefined {
  const turn = meta["x-codex-turn-metadata"];
  const inner = typeof turn === "object" && turn !== null && !Array.isArray(turn) ? turn : {};
  for (const name of METAS) {
    const value = inner[name] ?? meta[name];
    if (typeof value === "string" && value !== "" && value.length <= 200) return value;
  }
  return undefined;
}
