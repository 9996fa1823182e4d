/** Orders about callers, and what becomes of calls: the same for a turn and for a caller, each with its own proof. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { GateRefusal, ToolKind } from "../gate.ts";
import { CallerId } from "../ids.ts";
import { Json, JsonObject } from "../json.ts";
import { CallStatus, ToolCall } from "../transcript-entry.ts";
import { CALL_REF_CHARS_MAX, CallerProof, CellParent } from "./caller.ts";

/** Names a one-off permission and the slice that gave it. */
export const SliceGrant = lazySchema(() => z.strictObject({ slice: z.string().max(64), id: z.string().max(64) }));
export type SliceGrant = z.infer<typeof SliceGrant>;

export const callCommands = <Proof extends z.core.$ZodLooseShape>(proof: Proof) =>
  [
    z.strictObject({
      type: z.literal("call.claim"),
      ...proof,
      callId: z.string(),
      kind: ToolKind,
      argsDigest: z.string(),
      /** The one-off permission that the call relies on: without it, unspent, the claim is refused. */
      grant: SliceGrant.optional(),
      /** By what the policies allowed it: the permission mode, and what the sessions above this one said. */
      under: JsonObject.optional(),
    }),
    z.strictObject({
      type: z.literal("call.finish"),
      ...proof,
      callId: z.string(),
      status: CallStatus,
      content: Json,
      /** What ran, for slices that look at results; absent where it never began. */
      ran: z.strictObject({ args: JsonObject, startedAtMs: z.int() }).exactOptional(),
    }),
    z.strictObject({
      type: z.literal("call.refuse"),
      ...proof,
      callId: z.string(),
      refusal: GateRefusal,
      /** The policy that refused, or the slice whose guard did. */
      by: z.string().max(200).optional(),
      /** What else follows from the refusal, decided by its slice in the same commit; a slice that declines it changes nothing. */
      also: z.strictObject({ slice: z.string(), command: JsonObject }).optional(),
      /** The model may make no further request in this turn. */
      endTurn: z.boolean().optional(),
    }),
    /** A trusted policy changed the arguments: this form is the one that is judged, shown and run. */
    z.strictObject({
      type: z.literal("call.rewrite"),
      ...proof,
      callId: z.string(),
      args: JsonObject,
      argsDigest: z.string(),
      by: z.string().max(200),
    }),
    z.strictObject({
      type: z.literal("call.apply"),
      ...proof,
      callId: z.string(),
      slice: z.string(),
      command: JsonObject,
    }),
  ] as const;

const onCaller = { caller: CallerProof };
const lease = { node: z.string(), leaseUntilMs: z.int() };
/** The turn's epoch is part of it: a node that lost the turn cannot begin a cell in it. */
const inCall = { parent: CellParent, turnEpoch: z.int() };

export const CallerCommand = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.discriminatedUnion("kind", [
      z.strictObject({
        type: z.literal("caller.open"),
        kind: z.literal("cell"),
        callerId: CallerId,
        ...inCall,
        ...lease,
      }),
      z.strictObject({
        type: z.literal("caller.open"),
        kind: z.literal("external"),
        callerId: CallerId,
        connection: z.string().min(1).max(CALL_REF_CHARS_MAX),
        ...lease,
      }),
    ]),
    z.strictObject({ type: z.literal("caller.renew"), ...onCaller, leaseUntilMs: z.int() }),
    /** A cell that waits: what it has begun may still end, and `caller.resume` lets it go on. */
    z.strictObject({ type: z.literal("caller.suspend"), ...onCaller, keptUntilMs: z.int() }),
    z.strictObject({
      type: z.literal("caller.resume"),
      callerId: CallerId,
      ...inCall,
      ...lease,
      /** The epoch under which the one who resumes it holds it still, while calls of it are on their way. */
      epoch: z.int().optional(),
      /** As in `turn.start`. */
      sole: z.boolean(),
    }),
    z.strictObject({ type: z.literal("caller.close"), ...onCaller }),
    z.strictObject({
      type: z.literal("call.open"),
      ...onCaller,
      tool: ToolCall.shape.tool,
      args: JsonObject,
      ref: z.string().min(1).max(CALL_REF_CHARS_MAX).optional(),
    }),
    ...callCommands(onCaller),
  ]),
);
export type CallerCommand = z.infer<typeof CallerCommand>;
