/** The transcript as a prompt. Pure: the same entries give the same bytes, so that a vendor's cache finds its prefix. */
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { never } from "../../plugins/sdk.ts";
import type { Entry, EntryOf } from "../../protocol/transcript.ts";
import type { ModelRequest, ToolSpec } from "../model.ts";
import { assistantContent } from "./kept-parts.ts";
import { wireCallId, wireName } from "./wire-names.ts";

/** `model` is who will read it: what another model wanted to have back is not for this one. */
export function promptOf({ system, entries }: Pick<ModelRequest, "system" | "entries">, model: string) {
  const prompt: LanguageModelV4Prompt = [{ role: "system", content: system }];
  for (const entry of entries) {
    const message = messageOf(entry, model);
    const last = prompt.at(-1);
    if (message === undefined) continue;
    // results of one answer, and inputs without an answer between them, are one message
    if (message.role === "tool" && last?.role === "tool") last.content.push(...message.content);
    else if (message.role === "user" && last?.role === "user") last.content.push(...message.content);
    else prompt.push(message);
  }
  return prompt;
}

function messageOf(entry: Entry, model: string): LanguageModelV4Message | undefined {
  switch (entry.kind) {
    case "notice":
      return undefined;
    case "input":
    case "summary":
      return { role: "user", content: [{ type: "text", text: entry.text }] };
    case "assistant": {
      const content = assistantContent(entry, model);
      return content.length === 0 ? undefined : { role: "assistant", content }; // vendors refuse an empty answer
    }
    case "result":
      return { role: "tool", content: [resultPart(entry)] };
    default:
      return never(entry);
  }
}

/** What did not go well says so in its first word: not every vendor has a field for it. */
function resultPart({ callId, tool, status, content }: EntryOf<"result">): LanguageModelV4ToolResultPart {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return {
    type: "tool-result",
    toolCallId: wireCallId(callId),
    toolName: wireName(tool),
    output: status === "ok" ? { type: "text", value: text } : { type: "error-text", value: `[${status}] ${text}` },
  };
}

export const toolsOf = (tools: readonly ToolSpec[]): LanguageModelV4FunctionTool[] =>
  tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name: wireName(name),
    description,
    inputSchema,
  }));
