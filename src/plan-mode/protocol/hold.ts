/** A session that is held, and what loosens the gate besides an approval. */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { By, Scope } from "../../protocol/actor.ts";
import { ApprovalId } from "../../protocol/ids.ts";
import { Needs, QUORUM_MAX, Signature, StepNumbers } from "./approvals.ts";
import { PermissionMode } from "./settings.ts";

/** Plan mode was left by somebody who could not have approved: the session only reads until the hold is lifted. */
export const Hold = lazySchema(() => z.strictObject({ id: ApprovalId, by: By, atMs: z.int() }));
export type Hold = z.infer<typeof Hold>;

/** What people sign besides plans. */
export const Loosening = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("lift"), holdId: ApprovalId }),
    z.strictObject({ kind: z.literal("permission"), mode: PermissionMode }),
    /** An addition to the scope of a plan; `approvalId` is that of the question about it. */
    z.strictObject({ kind: z.literal("amend"), approvalId: ApprovalId, digest: z.string() }),
    /** Further steps of the plan that is carried out. */
    z.strictObject({ kind: z.literal("stage"), approvalId: ApprovalId, steps: StepNumbers }),
  ]),
);
export type Loosening = z.infer<typeof Loosening>;

/** Some have signed it, and others must still. */
export const PendingLoosening = lazySchema(() =>
  z.strictObject({
    what: Loosening,
    signatures: z.array(Signature).max(QUORUM_MAX),
    needs: Needs,
  }),
);
export type PendingLoosening = z.infer<typeof PendingLoosening>;

/** Who switched something on, with the scopes of that moment: whether they may is asked again whenever it is used. */
export const SetBy = z.strictObject({ by: By, scopes: z.array(Scope) });

/**
 * What the kernel refused a held run: the first file, in its workspace or by its whole path, who wanted to change it, and how
 * many other files it was refused.
 */
export const TriedWrite = z.strictObject({
  path: z.string().min(1).max(4_096),
  program: z.string().max(64),
  others: z.int().nonnegative(),
});
export type TriedWrite = z.infer<typeof TriedWrite>;
