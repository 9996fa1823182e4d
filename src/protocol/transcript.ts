import { z } from "zod";
import { MessageId, TurnId } from "./ids.ts";
import { Json, JsonObject } from "./json.ts";

export const ENTRY_CHARS_MAX = 262_144;

export const ToolCall = z.strictObject({
  callId: z.string().min(1).max(128),
  tool: z.string().min(1).max(128),
  args: JsonObject,
});
export type ToolCall = z.infer<typeof ToolCall>;

/** `unknown` is a claimed call whose gateway died before its result was recorded: it is shown, never run again. */
export const CallStatus = z.enum(["ok", "error", "refused", "unknown", "skipped"]);
export type CallStatus = z.infer<typeof CallStatus>;

/** One line of a session's transcript: what the model will be shown, in order, byte for byte. */
export const Entry = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("input"),
    turnId: TurnId,
    /** Injections first, then what people wrote: exactly the text that the model receives. */
    text: z.string(),
    injectionIds: z.array(z.string()),
    messages: z.array(z.strictObject({ id: MessageId, text: z.string(), from: z.string() })),
  }),
  z.strictObject({ kind: z.literal("assistant"), turnId: TurnId, text: z.string(), calls: z.array(ToolCall) }),
  z.strictObject({
    kind: z.literal("result"),
    turnId: TurnId,
    callId: z.string(),
    tool: z.string(),
    status: CallStatus,
    content: Json,
  }),
  z.strictObject({ kind: z.literal("notice"), text: z.string() }),
]);
export type Entry = z.infer<typeof Entry>;
export type EntryOf<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;
