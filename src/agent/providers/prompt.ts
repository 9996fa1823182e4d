/** The transcript as a prompt. Pure: the same entries give the same bytes, so that a vendor's cache finds its prefix. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { never } from "../../plugins/sdk.ts";
import type { Json } from "../../protocol/json.ts";
import { type Entry, type EntryOf, ImageContent } from "../../protocol/transcript-entry.ts";
import type { ModelRequest, Picture, ToolSpec } from "../model.ts";
import { assistantContent } from "./kept-parts.ts";
import { wireCallId, wireName } from "./wire-names.ts";

/** Who will read it: what another model wanted to have back is not for this one, and not every one can see. */
export type Reader = { model: string; seesImages: boolean };

type LocalizedLine = Pick<ModelRequest, "system" | "entries" | "pictures">;

export function promptOf({ system, entries, pictures: attached }: LocalizedLine, reader: Reader) {
  const prompt: LanguageModelV4Prompt = [{ role: "system", content: system }];
  const pictures: LanguageModelV4FilePart[] = [];
  for (const entry of entries) {
    const message = messageOf(entry, reader.model);
    if (message === undefined) continue;
    if (message.role === "user" && reader.seesImages) message.content.push(...attachedTo(entry, attached));
    // vendors want the results of one answer together, so what is to be seen with them comes behind the last of them
    if (message.role !== "tool") show(pictures.splice(0), prompt);
    put(message, prompt);
    const picture = entry.kind === "result" && reader.seesImages ? pictureIn(entry) : undefined;
    if (picture !== undefined) pictures.push(picture);
  }
  show(pictures, prompt);
  return prompt;
}

/** Results of one answer, and inputs without an answer between them, are one message. */
function put(message: LanguageModelV4Message, prompt: LanguageModelV4Prompt): void {
  const last = prompt.at(-1);
  if (message.role === "tool" && last?.role === "tool") last.content.push(...message.content);
  else if (message.role === "user" && last?.role === "user") last.content.push(...message.content);
  else prompt.push(message);
}

function show(pictures: LanguageModelV4FilePart[], prompt: LanguageModelV4Prompt): void {
  if (pictures.length === 0) return;
  const text = pictures.length === 1 ? "The image that was read:" : "The images that were read, in this order:";
  put({ role: "user", content: [{ type: "text", text }, ...pictures] }, prompt);
}

function attachedTo(entry: Entry, attached: ModelRequest["pictures"]): LanguageModelV4FilePart[] {
  if (attached === undefined || entry.kind !== "input") return [];
  const found = entry.messages.flatMap(({ attachments = [] }) => attachments.map(({ id }) => attached.get(id)));
  return found.flatMap((picture) => (picture === undefined ? [] : [filePart(picture)]));
}

const filePart = ({ mediaType, bytes }: Picture): LanguageModelV4FilePart => ({
  type: "file",
  mediaType,
  data: { type: "data", data: bytes },
});

function pictureIn({ status, content }: EntryOf<"result">): LanguageModelV4FilePart | undefined {
  const image = status === "ok" ? ImageContent.safeParse(content) : undefined;
  if (image?.success !== true) return undefined;
  return filePart(image.data);
}

function messageOf(entry: Entry, model: string): LanguageModelV4Message | undefined {
  switch (entry.kind) {
    case "call":
    case "call-result":
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

/** A failed result begins with its status, because not every vendor has a field for it. */
function resultPart({ callId, tool, status, content }: EntryOf<"result">): LanguageModelV4ToolResultPart {
  const text = localizedTextOf(content);
  return {
    type: "tool-result",
    toolCallId: wireCallId(callId),
    toolName: wireName(tool),
    output: status === "ok" ? { type: "text", value: text } : { type: "error-text", value: `[${status}] ${text}` },
  };
}

/** The bytes of an image are no words: those who see get it as an image, the others learn what it is. */
function localizedTextOf(content: Json): string {
  if (typeof content === "string") return content;
  const image = ImageContent.safeParse(content);
  if (!image.success) return JSON.stringify(content);
  const { bytes: _bytes, ...facts } = image.data;
  return JSON.stringify(facts);
}

export const toolsOf = (tools: readonly ToolSpec[]): LanguageModelV4FunctionTool[] =>
  tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name: wireName(name),
    description,
    inputSchema,
  }));
