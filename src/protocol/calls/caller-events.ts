/** Facts about the callers of a session. What becomes of their calls is told by the same events as for a turn's. */
import { z } from "zod";
import { CallerId } from "../ids.ts";
import { CALL_REF_CHARS_MAX, CallerRef, CellParent, SessionCaller } from "./caller.ts";

/** Why a caller is gone: it said so, its lease or its keeping ran out, or the call that a cell ran in was closed. */
export const CallerEnding = z.enum(["closed", "expired", "parent-closed", "reset", "deleted"]);
export type CallerEnding = z.infer<typeof CallerEnding>;

export const callerEvents = [
  z.strictObject({ type: z.literal("caller.opened"), caller: SessionCaller }),
  z.strictObject({ type: z.literal("caller.renewed"), callerId: CallerId, leaseUntilMs: z.int() }),
  z.strictObject({ type: z.literal("caller.suspended"), callerId: CallerId, keptUntilMs: z.int() }),
  z.strictObject({
    type: z.literal("caller.resumed"),
    callerId: CallerId,
    epoch: z.int(),
    node: z.string(),
    leaseUntilMs: z.int(),
    parent: CellParent,
  }),
  z.strictObject({ type: z.literal("caller.closed"), caller: CallerRef, ending: CallerEnding }),
  z.strictObject({
    type: z.literal("call.opened"),
    caller: CallerRef,
    callId: z.string(),
    tool: z.string(),
    /** What the caller itself calls it. */
    ref: z.string().max(CALL_REF_CHARS_MAX).exactOptional(),
  }),
] as const;
