/** The entries of a session's transcript. */
import { z } from "zod";
import { lazySchema } from "./lazy-schema.ts";
import { AttachmentRef, ATTACHMENTS_MAX } from "./attachment.ts";
import { CallerRef } from "./calls/caller.ts";
import { MessageId, TurnId } from "./ids.ts";
import { Json, JsonObject } from "./json.ts";
import { LocalizedLines } from "./localized/localized-lines.ts";

export const ENTRY_CHARS_MAX = 262_144;
export const SUMMARY_CHARS_MAX = 32_768;

export const ToolCall = z.strictObject({
  callId: z.string().min(1).max(128),
  tool: z.string().min(1).max(128),
  args: JsonObject,
  /** The tool that the name meant to the model, where it was shown something else than the catalog; absent: that name. */
  target: z.string().min(1).max(128).exactOptional(),
  /** Why it cannot be made (its arguments were no JSON): it is answered with this instead of being run. */
  problem: z.string().max(2_000).optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** `unknown` is a claimed call whose gateway died before its result was recorded: it is shown, never run again. */
export const CallStatus = z.enum(["ok", "error", "refused", "unknown", "skipped"]);
export type CallStatus = z.infer<typeof CallStatus>;

/** What one answer took. Cached tokens are part of the input; the cost is null where no price is known. */
export const Usage = z.strictObject({
  model: z.string().max(256),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative(),
  cacheWriteTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** What a model wants back with its own words (signed thoughts, ids). Sealed: only the adapter that wrote it reads it. */
export const Kept = lazySchema(() => z.strictObject({ model: z.string().max(256), parts: Json }));
export type Kept = z.infer<typeof Kept>;

/** A result that is to be looked at: the bytes are in base64. */
export const ImageContent = lazySchema(() =>
  z.strictObject({
    type: z.literal("image"),
    mediaType: z.string(),
    bytes: z.base64(),
    path: z.string(),
    size: z.int(),
  }),
);

/** One line of a session's transcript; what the model is shown of it, it is shown in order and byte for byte. */
export const Entry = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("input"),
      turnId: TurnId,
      /** Injections first, then what people wrote: exactly the text that the model receives. */
      text: z.string(),
      injectionIds: z.array(z.string()),
      messages: z.array(
        z.strictObject({
          id: MessageId,
          text: z.string(),
          from: z.string(),
          attachments: z.array(AttachmentRef).max(ATTACHMENTS_MAX).optional(),
        }),
      ),
    }),
    z.strictObject({
      kind: z.literal("assistant"),
      turnId: TurnId,
      text: z.string(),
      calls: z.array(ToolCall),
      usage: Usage.optional(),
      kept: Kept.optional(),
    }),
    z.strictObject({
      kind: z.literal("result"),
      turnId: TurnId,
      callId: z.string(),
      tool: z.string(),
      status: CallStatus,
      content: Json,
    }),
    /** A call that the model did not make itself: shown to people, never sent to the model. */
    z.strictObject({
      kind: z.literal("call"),
      caller: CallerRef,
      /** Of a cell: the call of the model inside which this one was made. */
      parentCallId: z.string().exactOptional(),
      callId: z.string(),
      tool: z.string(),
      args: JsonObject,
      ref: z.string().exactOptional(),
    }),
    z.strictObject({
      kind: z.literal("call-result"),
      caller: CallerRef,
      parentCallId: z.string().exactOptional(),
      callId: z.string(),
      tool: z.string(),
      status: CallStatus,
      content: Json,
    }),
    z.strictObject({
      kind: z.literal("notice"),
      text: z.string(),
      /** What its lines mean; absent where others speak, and in what was stored before this was kept. */
      said: LocalizedLines.exactOptional(),
      /** The agent could not go on: a person should see to it. */
      level: z.literal("error").exactOptional(),
    }),
    z.strictObject({
      kind: z.literal("summary"),
      turnId: TurnId,
      /** The entries up to this number are not sent to the model any more; in the transcript they stay. */
      upTo: z.int().positive(),
      /** What the model receives in their place. */
      text: z.string(),
      /** And behind it what the turn under way was asked, where that was among them. */
      asked: z.string(),
    }),
  ]),
);
export type Entry = z.infer<typeof Entry>;
/** Calls that other callers made are shown to people only. */
export const isSentToAgent = ({ kind }: Entry): boolean => kind !== "call" && kind !== "call-result";
export type EntryOf<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;
