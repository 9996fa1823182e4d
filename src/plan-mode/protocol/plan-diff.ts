/** What changed from one list of steps to another. */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";

/** Pieces of a text in order; without the added ones they are the old text, without the removed ones the new. */
export const DiffPart = lazySchema(() =>
  z.strictObject({ op: z.enum(["same", "added", "removed"]), text: z.string() }),
);
export type DiffPart = z.infer<typeof DiffPart>;

export const Change = z.enum(["same", "added", "removed", "changed"]);
export type Change = z.infer<typeof Change>;

/** A paragraph, list, table or piece of code of a section; in lists and code the parts are whole lines. */
export const BlockChange = lazySchema(() =>
  z.strictObject({ change: Change, moved: z.boolean(), text: z.array(DiffPart) }),
);
export type BlockChange = z.infer<typeof BlockChange>;

const CriterionChange = lazySchema(() => z.strictObject({ change: Change, text: z.array(DiffPart) }));
export type CriterionChange = z.infer<typeof CriterionChange>;

/** One step in either revision, in the order in which they are read. Numbers count from 1. */
export const StepChange = z.strictObject({
  change: Change,
  moved: z.boolean(),
  from: z.int().positive().nullable(),
  to: z.int().positive().nullable(),
  text: z.array(DiffPart),
  criteria: z.array(CriterionChange),
  /** What the step declares besides: its scope, its proofs, what it comes after. */
  declares: z.array(CriterionChange).exactOptional(),
});
export type StepChange = z.infer<typeof StepChange>;
