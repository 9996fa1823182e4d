/** The kinds and effects of tools, and how the gate refuses a call. */
import { z } from "zod";

export const ToolKind = z.enum([
  "bash",
  "file_edit",
  "outbound",
  "delegate",
  "dispatch",
  "schedule",
  "config",
  "read_only",
]);
export type ToolKind = z.infer<typeof ToolKind>;

/** What a call does to the world. Decided at registration, or from its arguments where it depends on them. */
export const ToolEffect = z.enum(["read", "write"]);
export type ToolEffect = z.infer<typeof ToolEffect>;

/** A structured "no" to one tool call. `message` is the one sentence that the model reads. */
export const GateRefusal = z.strictObject({
  tool_name: z.string(),
  tool_kind: ToolKind,
  hint: z.string(),
  entered_at: z.string().nullable(),
  entered_reason: z.string().nullable(),
  rule: z.string(),
  matched: z.string(),
  message: z.string(),
});
export type GateRefusal = z.infer<typeof GateRefusal>;

/** Part of a slice's reply to the command that follows a refusal: fields of the refusal that the command settled. */
export const RefusalCompletion = z.object({ refusal: GateRefusal.pick({ entered_at: true, entered_reason: true }) });
