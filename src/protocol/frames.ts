/** What travels over the WebSocket. One JSON object per text frame; unknown fields are refused. */
import { z } from "zod";
import { Json } from "./json.ts";
import { Refusal } from "./refusal.ts";

export const PROTOCOL_VERSION = 1;
export const FRAME_BYTES_MAX = 1_048_576;

export const RequestFrame = z.strictObject({
  type: z.literal("req"),
  /** Chosen by the client, unique among its requests under way. */
  id: z.string().min(1).max(128),
  method: z.string().min(1).max(64),
  params: Json.optional(),
});
export type RequestFrame = z.infer<typeof RequestFrame>;

export const ResponseFrame = z.discriminatedUnion("ok", [
  z.strictObject({ type: z.literal("res"), id: z.string(), ok: z.literal(true), payload: Json }),
  z.strictObject({ type: z.literal("res"), id: z.string().nullable(), ok: z.literal(false), error: Refusal }),
]);
export type ResponseFrame = z.infer<typeof ResponseFrame>;

export const EventFrame = z.strictObject({
  type: z.literal("event"),
  /** The fact's name: `plan.submitted`, `entry.appended`, `turn.delta`, … */
  event: z.string(),
  /** Counts every event on this connection without gaps: a gap means that something was lost on the way. */
  seq: z.int().positive(),
  /** Present on durable events: hand the last one back in `connect.resume` to receive what was missed. */
  cursor: z.int().positive().optional(),
  payload: Json,
});
export type EventFrame = z.infer<typeof EventFrame>;

export const ServerFrame = z.union([ResponseFrame, EventFrame]);
export type ServerFrame = z.infer<typeof ServerFrame>;
