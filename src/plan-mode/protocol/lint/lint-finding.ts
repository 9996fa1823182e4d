/** What the lint says about a plan. Codes are stable: people acknowledge them by name, and settings may follow. */
import { z } from "zod";
import { lazySchema } from "../../../protocol/lazy-schema.ts";

export const LINT_CODES = ["L001", "L002", "L003", "L004", "L005"] as const;
export const LintCode = z.enum(LINT_CODES);
export type LintCode = z.infer<typeof LintCode>;

const STEPS_SHOWN_MAX = 20;

/** `steps`: their numbers from 1; none where it is about the plan as a whole. */
export const LintFinding = lazySchema(() =>
  z.strictObject({
    code: LintCode,
    steps: z.array(z.int().positive()).max(STEPS_SHOWN_MAX),
    /** How many more steps it is about. */
    more: z.int().nonnegative(),
  }),
);
export type LintFinding = z.infer<typeof LintFinding>;

/** `return`: what is found is returned to the agent, and nobody is asked before it is corrected or acknowledged. */
export const LintMode = z.enum(["off", "warnings", "all", "return"]);
export type LintMode = z.infer<typeof LintMode>;
