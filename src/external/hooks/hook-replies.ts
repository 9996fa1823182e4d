/**
 * How each agent is told yes and no. What was seen of the real programs stands behind every form: a deny is the agent's
 * own JSON with exit 0, which each of them takes as a no in all of its modes. A yes is silence, so that the agent's own
 * questions stay: we only ever narrow what it may do.
 */
import { never } from "../../plugins/sdk.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { HookAgent, HookReply } from "./hook-line.ts";

export const SILENT_REPLY: HookReply = { stdout: "", stderr: "", exit: 0 };

/** Exit 2 with a sentence: the one form that every agent takes for a no to whatever event it was. */
export const blocked = (reason: string): HookReply => ({ stdout: "", stderr: `${reason}\n`, exit: 2 });

export function denied(agent: HookAgent, reason: string): HookReply {
  return { ...SILENT_REPLY, stdout: JSON.stringify(denial(agent, reason)) };
}

function denial(agent: HookAgent, reason: string): JsonObject {
  switch (agent) {
    case "claude-code":
    case "codex":
    case "qwen-code":
      return preToolUse({ permissionDecision: "deny", permissionDecisionReason: reason });
    case "gemini-cli":
      return { decision: "deny", reason };
    case "copilot-cli":
      return { permissionDecision: "deny", permissionDecisionReason: reason };
    case "opencode":
      return { deny: reason };
    default:
      return never(agent);
  }
}

/** Codex takes no other key beside this one. */
const preToolUse = (decision: JsonObject): JsonObject => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...decision },
});

/** Whether an agent takes other arguments together with a yes; where not, an answer travels in the words of a no. */
export const takesInput = (agent: HookAgent): boolean => agent === "claude-code" || agent === "qwen-code";

/** A yes that also answers the agent's own dialog. */
export const allowedWith = (updatedInput: JsonObject): HookReply => ({
  ...SILENT_REPLY,
  stdout: JSON.stringify(preToolUse({ permissionDecision: "allow", updatedInput })),
});
