/**
 * What a model wants back with its own words: thoughts with their signatures, ids of its parts. It is kept beside the
 * answer as the order in which the parts came; text and calls themselves stand in the entry and are not kept twice.
 */
import type {
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { z } from "zod";
import { Json, JsonObject } from "../../protocol/json.ts";
import type { EntryOf, Kept, ToolCall } from "../../protocol/transcript-entry.ts";
import { wireCallId, wireName } from "./wire-names.ts";

/** More than this is not worth its place in the transcript; the answer then goes back without its thoughts. */
const KEPT_CHARS_MAX = 100_000;

const options = z.record(z.string(), JsonObject).optional();
const KeptPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("thought"), text: z.string(), options }),
  /** The next so many characters of the answer. */
  z.strictObject({ type: z.literal("text"), chars: z.int().nonnegative(), options }),
  /** The next call. */
  z.strictObject({ type: z.literal("call"), options }),
]);
export type KeptPart = z.infer<typeof KeptPart>;

/** Undefined when the answer says everything by itself. Unsigned thoughts are wanted back only where calls follow them. */
export function keptOf(model: string, parts: readonly KeptPart[]): Kept | undefined {
  const calls = parts.some((part) => part.type === "call");
  const worth = parts.some((part) => part.options !== undefined || (part.type === "thought" && calls));
  if (!worth || JSON.stringify(parts).length > KEPT_CHARS_MAX) return undefined;
  return { model, parts: Json.parse(parts) };
}

/** Only the innermost values that are JSON; `null` fields stay, they mean something to the vendor. */
export function optionsOf(metadata: SharedV4ProviderMetadata | undefined): KeptPart["options"] {
  if (metadata === undefined) return undefined;
  const plain = options.safeParse(JSON.parse(JSON.stringify(metadata)));
  return plain.success ? plain.data : undefined;
}

type AssistantPart = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart;
type Answer = EntryOf<"assistant">;

export function assistantContent(entry: Answer, model: string): AssistantPart[] {
  return restored(entry, model) ?? plain(entry);
}

const plain = ({ text, calls }: Answer): AssistantPart[] => [
  ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ...calls.map((call) => callPart(call, undefined)),
];

/** In the order in which the model gave it; undefined when it was another model, or does not fit the answer. */
function restored({ text, calls, kept }: Answer, model: string): AssistantPart[] | undefined {
  if (kept?.model !== model) return undefined;
  const parsed = z.array(KeptPart).safeParse(kept.parts);
  if (!parsed.success) return undefined;
  const content: AssistantPart[] = [];
  let [at, next] = [0, 0];
  for (const part of parsed.data) {
    const call = calls[next];
    if (part.type === "thought") content.push({ type: "reasoning", text: part.text, ...given(part.options) });
    else if (part.type === "text") {
      content.push({ type: "text", text: text.slice(at, at + part.chars), ...given(part.options) });
      at += part.chars;
    } else if (call !== undefined) {
      content.push(callPart(call, part.options));
      next += 1;
    }
  }
  return at === text.length && next === calls.length ? content : undefined;
}

const callPart = ({ callId, tool, args }: ToolCall, extra: KeptPart["options"]): LanguageModelV4ToolCallPart => ({
  type: "tool-call",
  toolCallId: wireCallId(callId),
  toolName: wireName(tool),
  input: args,
  ...given(extra),
});

const given = (providerOptions: KeptPart["options"]) => (providerOptions === undefined ? {} : { providerOptions });
