/** What the library keeps in a session, which is nothing, and what it orders there. */
import { z } from "zod";
import { PlanId } from "../../protocol/ids.ts";

/** Why there is no file of a plan. */
export const LostBecause = z.enum(["full", "read_only", "refused", "taken", "unwritable"]);
export type LostBecause = z.infer<typeof LostBecause>;

export const LibraryState = z.strictObject({});
export type LibraryState = z.infer<typeof LibraryState>;

/** By the worker alone: the file of a plan could not be written. */
export const LibraryCommand = z.strictObject({
  type: z.literal("file-lost"),
  planId: PlanId,
  because: LostBecause,
});
export type LibraryCommand = z.infer<typeof LibraryCommand>;

export const LibraryEvent = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("library.file_lost"),
    planId: PlanId,
    because: LostBecause,
    atMs: z.int(),
  }),
]);
export type LibraryEvent = z.infer<typeof LibraryEvent>;

/** Orders for the library's worker. */
export const LibraryOrder = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("file-plan"), planId: PlanId, agentId: z.string() }),
  /** What became of the last plan of the session, read from what is stored about it. */
  z.strictObject({ do: z.literal("index-plans") }),
]);
export type LibraryOrder = z.infer<typeof LibraryOrder>;
