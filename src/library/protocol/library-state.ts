/** What the library keeps in a session, which is next to nothing, and what it orders there. */
import { z } from "zod";
import { PlanId } from "../../protocol/ids.ts";
import { UnitLostBecause } from "./work-unit.ts";

/** Why there is no file of a plan. */
export const LostBecause = z.enum(["full", "read_only", "refused", "taken", "unwritable"]);
export type LostBecause = z.infer<typeof LostBecause>;

export const LibraryState = z.strictObject({
  /** People were told that the plan of this session has no mirror; once is enough for a plan. */
  unitLost: z.literal(true).exactOptional(),
});
export type LibraryState = z.infer<typeof LibraryState>;

/** By the worker alone: the file of a plan, or its mirror, could not be written. */
export const LibraryCommand = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("file-lost"), planId: PlanId, because: LostBecause }),
  z.strictObject({ type: z.literal("unit-lost"), because: UnitLostBecause }),
]);
export type LibraryCommand = z.infer<typeof LibraryCommand>;

export const LibraryEvent = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("library.file_lost"),
    planId: PlanId,
    because: LostBecause,
    atMs: z.int(),
  }),
  z.strictObject({ type: z.literal("library.unit_lost"), because: UnitLostBecause, atMs: z.int() }),
  /** Another plan is carried out: what was told about the mirror of the last one is over. */
  z.strictObject({ type: z.literal("library.unit_begun"), atMs: z.int() }),
]);
export type LibraryEvent = z.infer<typeof LibraryEvent>;

/** Orders for the library's worker. */
export const LibraryOrder = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("file-plan"), planId: PlanId, agentId: z.string() }),
  /** What became of the last plan of the session, read from what is stored about it. */
  z.strictObject({ do: z.literal("index-plans") }),
  /** How the plan stands that is carried out, or that it ended. */
  z.strictObject({ do: z.literal("mirror-unit"), status: z.enum(["completed", "left"]).exactOptional() }),
]);
export type LibraryOrder = z.infer<typeof LibraryOrder>;
