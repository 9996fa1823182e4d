/** What a plan did to its workspace, as clients see it: per step, per file and per call. */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { CycleId, SessionId } from "../../protocol/ids.ts";

/** Listed of one step, one call or one rollback; the rest is counted. */
export const FILES_LISTED_MAX = 1_000;
export const CALLS_LISTED_MAX = 500;

export const ChangeKind = z.enum(["added", "modified", "deleted", "mode"]);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const ChangedFile = lazySchema(() =>
  z.strictObject({
    /** Relative to the workspace. */
    path: z.string(),
    change: ChangeKind,
    /** No step of the plan names it. */
    undeclared: z.boolean().exactOptional(),
    /** What it held before was not kept, so it cannot be put back. */
    lost: z.boolean().exactOptional(),
    /** A rollback has put it back. */
    restored: z.boolean().exactOptional(),
  }),
);
export type ChangedFile = z.infer<typeof ChangedFile>;

const files = z.array(ChangedFile).max(FILES_LISTED_MAX);

export const ChangingCall = lazySchema(() =>
  z.strictObject({
    callId: z.string(),
    tool: z.string(),
    /** Of a command: as it was run, shortened. */
    command: z.string().exactOptional(),
    atMs: z.number(),
    /** Null while it runs. */
    endedAtMs: z.number().nullable(),
    /** `running`, `ok`, `error`, or `unknown` where nobody saw it end. */
    status: z.string(),
    exitCode: z.int().nullable().exactOptional(),
    /** How many files it changed. */
    files: z.int().nonnegative(),
  }),
);
export type ChangingCall = z.infer<typeof ChangingCall>;

export const StepChanges = lazySchema(() =>
  z.strictObject({
    /** Its number in the plan; null: no step was in progress. */
    step: z.int().positive().nullable(),
    text: z.string(),
    calls: z.array(ChangingCall).max(CALLS_LISTED_MAX),
    moreCalls: z.int().nonnegative(),
    /** What it changed in the end. */
    files,
    moreFiles: z.int().nonnegative(),
  }),
);
export type StepChanges = z.infer<typeof StepChanges>;

const RecordedRollback = lazySchema(() =>
  z.strictObject({
    rollbackId: z.string(),
    step: z.int().positive().nullable(),
    by: z.string(),
    atMs: z.number(),
    /** Null: it is not finished. */
    restored: z.int().nonnegative().nullable(),
    left: z.array(z.strictObject({ path: z.string(), why: z.string() })).max(FILES_LISTED_MAX),
  }),
);

export const DriftLevel = z.enum(["none", "warned", "paused", "stopped"]);
export type DriftLevel = z.infer<typeof DriftLevel>;

export const PlanChanges = lazySchema(() =>
  z.strictObject({
    sessionId: SessionId,
    cycleId: CycleId,
    steps: z.array(StepChanges),
    /** What others changed meanwhile, as far as it was noticed. */
    outside: files,
    moreOutside: z.int().nonnegative(),
    /** Files that no step names, and what follows from it. */
    undeclared: z.int().nonnegative(),
    level: DriftLevel,
    /** Whether any step names a file at all. */
    declares: z.boolean(),
    rollbacks: z.array(RecordedRollback),
    /** What the snapshots do not cover, and why. */
    gaps: z.array(z.strictObject({ path: z.string(), why: z.string() })),
    /** Why snapshots of some calls could not be taken. */
    failures: z.array(z.string()),
  }),
);
export type PlanChanges = z.infer<typeof PlanChanges>;

export const DiffLine = lazySchema(() => z.strictObject({ sign: z.enum([" ", "+", "-", "@"]), text: z.string() }));
export type DiffLine = z.infer<typeof DiffLine>;

export const FileDiff = lazySchema(() =>
  z.strictObject({
    path: z.string(),
    change: ChangeKind,
    kind: z.enum(["text", "binary", "too-large", "not-kept"]),
    lines: z.array(DiffLine),
    added: z.int().nonnegative(),
    removed: z.int().nonnegative(),
    /** Lines that were left out at the end. */
    more: z.int().nonnegative(),
  }),
);
export type FileDiff = z.infer<typeof FileDiff>;

/** `others`: changed since by somebody else; `later`: by a later step; `mixed`: by others in between; `lost`: not kept. */
export const Conflict = z.enum(["others", "later", "mixed", "lost"]);
export type Conflict = z.infer<typeof Conflict>;

export const PreviewedFile = lazySchema(() =>
  z.strictObject({
    path: z.string(),
    /** What the rollback does to it: `added` brings it back, `deleted` removes it. */
    change: ChangeKind,
    conflict: Conflict.exactOptional(),
  }),
);
export type PreviewedFile = z.infer<typeof PreviewedFile>;

export const RollbackPreview = lazySchema(() =>
  z.strictObject({
    /** Of exactly what is shown: an order names it, and is refused when a file changed meanwhile. */
    digest: z.string(),
    step: z.int().positive().nullable(),
    files: z.array(PreviewedFile).max(FILES_LISTED_MAX),
    moreFiles: z.int().nonnegative(),
    conflicts: z.int().nonnegative(),
  }),
);
export type RollbackPreview = z.infer<typeof RollbackPreview>;

export const ConflictChoice = z.enum(["keep", "overwrite"]);
export type ConflictChoice = z.infer<typeof ConflictChoice>;
