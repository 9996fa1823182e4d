/** What happens in a session, as updates of the Agent Client Protocol. */
import type { JsonObject } from "../../protocol/json.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import type { ChatEvent } from "../chat/chat-event.ts";

const CONTENT_CHARS_MAX = 20_000;

export function updateFor(event: ChatEvent): JsonObject[] {
  if (event.kind === "delta") return [said(event.text)];
  if (event.kind !== "session" || event.event.type !== "entry.appended") return [];
  return entryUpdates(event.event.entry);
}

const said = (text: string): JsonObject => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** Its words came as they were written; its calls come with the entry. */
function entryUpdates(entry: Entry): JsonObject[] {
  switch (entry.kind) {
    case "assistant":
      return entry.calls.map(({ callId, tool, args }) => ({
        sessionUpdate: "tool_call",
        toolCallId: callId,
        title: tool,
        kind: KINDS[tool] ?? "other",
        status: "in_progress",
        rawInput: args,
      }));
    case "result":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: entry.callId,
          status: entry.status === "ok" ? "completed" : "failed",
          content: [{ type: "content", content: { type: "text", text: shown(entry.content) } }],
        },
      ];
    case "notice":
      return [said(`\n\n${entry.text}\n`)];
    default:
      return [];
  }
}

const shown = (content: unknown): string =>
  (typeof content === "string" ? content : JSON.stringify(content)).slice(0, CONTENT_CHARS_MAX).toWellFormed();

const KINDS: Readonly<Record<string, string>> = {
  read: "read",
  grep: "search",
  glob: "search",
  exec: "execute",
  write: "edit",
  edit: "edit",
  apply_patch: "edit",
  web_fetch: "fetch",
};
