/** The methods about what a plan changed, and about taking it back. */
import { z } from "zod";
import { CycleId, SessionId } from "../../protocol/ids.ts";
import { method } from "../../protocol/wire/method.ts";
import { ConflictChoice, FileDiff, PlanChanges, RollbackPreview } from "./changes.ts";

/** The newest cycle that changed something, unless another is named. */
const place = { sessionId: SessionId, cycleId: CycleId.optional() };
const step = z.int().positive().nullable().optional().describe("Its number in the plan; left out: the whole plan.");
const path = z.string().min(1).max(4_096);

export const CHANGE_METHODS = {
  "changes.get": method(
    "operator.read",
    "What a plan did to its workspace: per step, per file and per call. Null where nothing was changed.",
    () => ({
      params: z.strictObject(place),
      result: z.strictObject({ changes: PlanChanges.nullable() }),
    }),
  ),
  "changes.diff": method("operator.read", "What a step, the whole plan or others changed in one file.", () => ({
    params: z.strictObject({ ...place, step, of: z.enum(["plan", "others"]).default("plan"), path }),
    result: z.strictObject({ diff: FileDiff }),
  })),
  "changes.preview": method(
    "operator.read",
    "What a rollback of a step, or of the whole plan, would do to each file, and which of them others changed since.",
    () => ({
      params: z.strictObject({ ...place, step }),
      result: z.strictObject({ preview: RollbackPreview }),
    }),
  ),
  "changes.rollback": method(
    "operator.approvals",
    "Puts the files of a step, or of the whole plan, back to what they held before. Only for people, and only what was previewed.",
    () => ({
      params: z.strictObject({
        ...place,
        step,
        digest: z.string().min(1).max(128).describe("Of the preview that the person has read."),
        conflicts: ConflictChoice.optional().describe(
          "Needed where files were changed since: keep leaves those as they are, overwrite replaces them too.",
        ),
        idempotencyKey: z.string().min(1).max(128).optional(),
      }),
      result: z.strictObject({
        rollbackId: z.string(),
        restored: z.int().nonnegative(),
        left: z.array(z.strictObject({ path: z.string(), why: z.string() })),
      }),
    }),
  ),
  "changes.resume": method(
    "operator.approvals",
    "Lets a plan go on that was paused because it changed files that no step names.",
    () => ({
      params: z.strictObject({ sessionId: SessionId, idempotencyKey: z.string().min(1).max(128).optional() }),
      result: z.strictObject({ resumed: z.literal(true) }),
    }),
  ),
} as const;

type ChangeMethod = keyof typeof CHANGE_METHODS;
export type ChangeParamsOf<Name extends ChangeMethod> = z.output<(typeof CHANGE_METHODS)[Name]["params"]>;
