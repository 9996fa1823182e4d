/** What a session keeps about the changes of its plan: counts and levels. The contents lie beside the store, in files. */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { CycleId } from "../../protocol/ids.ts";
import { ConflictChoice, DriftLevel } from "./changes.ts";

export const CHANGES_SLICE = "changes";
export const NAMED_PATHS_MAX = 20;
const PATH_CHARS_MAX = 4_096;
export const AMENDED_PATHS_MAX = 1_000;
const WHY_CHARS_MAX = 500;
export const FAILURES_MAX = 5;
export const LISTED_PATHS_MAX = 300;

const paths = z.array(z.string().max(PATH_CHARS_MAX)).max(NAMED_PATHS_MAX);
const listed = z.array(z.string().max(PATH_CHARS_MAX)).max(LISTED_PATHS_MAX);
/** What people added to the plan's scope: files that no step names and that are no drift. */
const amended = z.array(z.string().max(PATH_CHARS_MAX)).max(AMENDED_PATHS_MAX).exactOptional();
const step = z.int().positive().nullable();
const why = z.string().max(WHY_CHARS_MAX);

export const CycleChanges = z.strictObject({
  cycleId: CycleId,
  /** Calls that changed something. */
  calls: z.int().nonnegative(),
  /** Files that no step names. */
  undeclared: z.int().nonnegative(),
  level: DriftLevel,
  /** How many of them there were when a person let the plan go on: only further ones pause it again. */
  accepted: z.int().nonnegative().exactOptional(),
  /** Why snapshots failed, newest last. */
  failures: z.array(why).max(FAILURES_MAX).exactOptional(),
  amended,
});
export type CycleChanges = z.infer<typeof CycleChanges>;

const OpenRollback = z.strictObject({
  rollbackId: z.string().max(128),
  cycleId: CycleId,
  step,
  by: By,
  atMs: z.int(),
});

export const ChangesState = z.strictObject({
  cycle: CycleChanges.exactOptional(),
  /** Ordered and not finished: nothing is changed meanwhile. */
  rollback: OpenRollback.exactOptional(),
});
export type ChangesState = z.infer<typeof ChangesState>;

export const ChangesCommand = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("record"),
    cycleId: CycleId,
    callId: z.string().max(256),
    step,
    files: z.int().nonnegative(),
    /** Of the whole cycle so far, and some of them. */
    undeclared: z.int().nonnegative(),
    paths,
    /** Whether any step names a file at all. */
    declares: z.boolean(),
    amended,
    failure: why.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("rollback"),
    rollbackId: z.string().max(128),
    cycleId: CycleId,
    step,
    files: z.int().nonnegative(),
    conflicts: ConflictChoice,
  }),
  z.strictObject({
    type: z.literal("restored"),
    rollbackId: z.string().max(128),
    restored: z.int().nonnegative(),
    left: z.int().nonnegative(),
    paths,
  }),
  z.strictObject({ type: z.literal("resume") }),
  z.strictObject({ type: z.literal("list"), cycleId: CycleId, paths: listed }),
]);
export type ChangesCommand = z.infer<typeof ChangesCommand>;

/** The document that keeps which files a plan changed, under the id of its cycle. */
export const CHANGED_FILES = "changed-files";
export const ChangedFiles = z.strictObject({ cycleId: CycleId, paths: listed });
export type ChangedFiles = z.infer<typeof ChangedFiles>;

export const ChangesEvent = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("changes.recorded"),
    cycleId: CycleId,
    callId: z.string(),
    step,
    files: z.int(),
    undeclared: z.int(),
    amended,
    failure: why.exactOptional(),
    atMs: z.int(),
  }),
  z.strictObject({
    type: z.literal("changes.drifted"),
    cycleId: CycleId,
    level: DriftLevel,
    undeclared: z.int(),
    paths,
    atMs: z.int(),
  }),
  z.strictObject({ type: z.literal("changes.resumed"), cycleId: CycleId, by: By, atMs: z.int() }),
  z.strictObject({
    type: z.literal("changes.rollback_ordered"),
    ...OpenRollback.shape,
    files: z.int(),
    conflicts: ConflictChoice,
  }),
  z.strictObject({
    type: z.literal("changes.rolled_back"),
    rollbackId: z.string(),
    cycleId: CycleId,
    step,
    by: By,
    restored: z.int(),
    left: z.int(),
    paths,
    atMs: z.int(),
  }),
  /** Its plan has ended: all that it changed and that nobody put back. */
  z.strictObject({ type: z.literal("changes.listed"), ...ChangedFiles.shape, atMs: z.int() }),
]);
export type ChangesEvent = z.infer<typeof ChangesEvent>;
