/** What a server answers, as text for the model: bounded, described where it is no text, and fenced as untrusted. */
import type { ContentBlock, PromptMessage, ReadResourceResult } from "@modelcontextprotocol/client";
import { untrustedFence } from "../untrusted.ts";

const ANSWER_CHARS_MAX = 45_000;
const BLOCKS_MAX = 500;

export function fencedAnswer(source: string, parts: readonly string[]): string {
  const text = parts.slice(0, BLOCKS_MAX).join("\n");
  const cut =
    text.length <= ANSWER_CHARS_MAX
      ? text
      : `${text.slice(0, ANSWER_CHARS_MAX).toWellFormed()}\n(cut here: ${ANSWER_CHARS_MAX} of ${text.length} characters are shown)`;
  return untrustedFence(source)(cut);
}

export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `(${block.type} ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes, not shown)`;
    case "resource_link":
      return `(resource ${block.uri}: ${block.description ?? block.name})`;
    case "resource":
      return resourceText(block.resource);
  }
}

export const resourceText = (resource: ReadResourceResult["contents"][number]): string =>
  "text" in resource
    ? `${resource.uri}\n${resource.text}`
    : `(${resource.uri}: ${resource.mimeType ?? "bytes"}, ${Math.floor((resource.blob.length * 3) / 4)} bytes, not shown)`;

export const promptText = ({ role, content }: PromptMessage): string => `${role}: ${blockText(content)}`;
