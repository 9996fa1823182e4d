/**
 * Gives every tool call of a session an id of its own, because results are matched to calls by id.
 *
 * Some models count from zero in every answer: an id that was used before gets a number behind it. The same answer to
 * the same transcript always gets the same ids.
 */
import type { Entry, ToolCall } from "../protocol/transcript-entry.ts";

const CALL_ID_CHARS_MAX = 100;
const TOOL_CHARS_MAX = 128;

export function distinctCalls(calls: readonly ToolCall[], before: readonly Entry[]): ToolCall[] {
  const used = new Set(
    before.flatMap((entry) => (entry.kind === "assistant" ? entry.calls.map((call) => call.callId) : [])),
  );
  return calls.map((call) => {
    const wanted = call.callId.slice(0, CALL_ID_CHARS_MAX) || "call";
    let callId = wanted;
    for (let n = 2; used.has(callId); n++) callId = `${wanted}-${n}`;
    used.add(callId);
    return { ...call, callId, tool: call.tool.slice(0, TOOL_CHARS_MAX) || "unnamed" };
  });
}
