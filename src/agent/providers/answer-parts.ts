/** A vendor's stream as the port's parts. Calls come whole; anything but text and calls counts as a sign of life. */
import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import { never } from "../../plugins/sdk.ts";
import { JsonObject } from "../../protocol/json.ts";
import type { ToolCall } from "../../protocol/transcript-entry.ts";
import { ModelFailure, type ModelPart } from "../model.ts";
import { type KeptPart, keptOf, optionsOf } from "./kept-parts.ts";
import { usageOf } from "./usage.ts";
import { localized } from "../../protocol/localized/localized-text.ts";

const RAW_SHOWN_CHARS_MAX = 400;

type Reading = {
  model: string;
  /** What we call the tool that the model named. */
  ownName(name: string): string;
  price: Parameters<typeof usageOf>[1]["price"];
};

export async function* answerParts(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  reading: Reading,
): AsyncGenerator<ModelPart> {
  const kept: KeptPart[] = [];
  for await (const part of stream) {
    keep(kept, part);
    switch (part.type) {
      case "text-delta": {
        const delta = withoutNul(part.delta);
        if (delta !== "") yield { type: "text", delta };
        break;
      }
      case "tool-call":
        yield { type: "call", call: callOf(part, reading) };
        break;
      case "error":
        throw part.error;
      case "finish":
        yield* ending(part, kept, reading);
        return;
      default:
        yield { type: "thinking" };
    }
  }
}

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

function* ending({ finishReason, usage }: Finish, kept: readonly KeptPart[], reading: Reading): Generator<ModelPart> {
  const { model, price } = reading;
  const reason = endOf(finishReason, model);
  yield { type: "usage", usage: usageOf(usage, { model, price }) };
  const back = keptOf(model, kept);
  if (back !== undefined) yield { type: "keep", kept: back };
  yield { type: "end", reason };
}

function endOf({ unified, raw }: Finish["finishReason"], model: string): "stop" | "calls" | "length" {
  switch (unified) {
    case "stop":
      return "stop";
    case "tool-calls":
      return "calls";
    case "length":
      return "length";
    case "content-filter":
      throw filtered(model);
    case "interrupted":
    case "error":
      throw brokenOff(model);
    case "other": // a reason that the SDK does not know is one; none at all is a stream that was cut
      if (raw === undefined) throw brokenOff(model);
      return "stop";
    default:
      return never(unified);
  }
}

const filtered = (model: string): ModelFailure =>
  new ModelFailure(localized("modelFiltered", { model }), {
    retry: false,
    kind: "filtered",
  });
const brokenOff = (model: string): ModelFailure =>
  new ModelFailure(localized("modelBrokeOff", { model }), { retry: true, kind: "broken-stream" });

/** Bad JSON is nothing that a person can fix: the model gets an error and sends the call again. */
function callOf({ toolCallId, toolName, input }: LanguageModelV4ToolCall, { ownName }: Reading): ToolCall {
  const call = { callId: toolCallId, tool: ownName(toolName) };
  if (input.trim() === "") return { ...call, args: {} }; // some leave out the empty object
  try {
    const args = JsonObject.safeParse(JSON.parse(input));
    if (args.success) return { ...call, args: args.data };
    return { ...call, args: {}, problem: problemOf("they are no JSON object", input) };
  } catch (error) {
    return { ...call, args: {}, problem: problemOf(error instanceof Error ? error.message : "no JSON", input) };
  }
}

const problemOf = (why: string, input: string): string =>
  `The call was not made: its arguments could not be read (${why.slice(0, RAW_SHOWN_CHARS_MAX)}). ` +
  `They began: ${input.slice(0, RAW_SHOWN_CHARS_MAX).toWellFormed()} ` +
  "Send the call again with its arguments as one JSON object.";

/** Notes the order of what came, as far as the vendor will want it back. */
function keep(kept: KeptPart[], part: LanguageModelV4StreamPart): void {
  const last = kept.at(-1);
  switch (part.type) {
    case "reasoning-start":
      kept.push({ type: "thought", text: "", ...metadata(part) });
      return;
    case "reasoning-delta":
    case "reasoning-end":
      if (last?.type !== "thought") return;
      if (part.type === "reasoning-delta") last.text += part.delta;
      Object.assign(last, metadata(part));
      return;
    case "text-start":
      kept.push({ type: "text", chars: 0, ...metadata(part) });
      return;
    case "text-delta":
    case "text-end":
      if (last?.type !== "text") return;
      if (part.type === "text-delta") last.chars += withoutNul(part.delta).length;
      Object.assign(last, metadata(part));
      return;
    case "tool-call":
      kept.push({ type: "call", ...metadata(part) });
      return;
    default: // nothing that the vendor needs back
  }
}

function metadata({ providerMetadata }: { providerMetadata?: Parameters<typeof optionsOf>[0] }) {
  const options = optionsOf(providerMetadata);
  return options === undefined ? {} : { options };
}

const withoutNul = (text: string): string => text.replaceAll("\u0000", "");
