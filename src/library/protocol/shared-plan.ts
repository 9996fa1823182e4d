/** A plan that several sessions share, as it is kept in a file and sent. Unknown keys are dropped, whatever they are called. */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { StepStatus, STEPS_MAX } from "../../plan-mode/protocol/plan.ts";

const STEP_CHARS_MAX = 2_000;
const line = z.string().trim().min(1).max(STEP_CHARS_MAX);

export const Namespace = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "letters, digits, dots, hyphens and underscores, at most 128")
  .regex(/[^.]$/, "no dot at the end")
  .refine(
    (name) => !/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i.test(name),
    "a name that Windows keeps for a device",
  );

/** What somebody says about a step: it is known by its text. */
export const SharedStepChange = z.object({ step: line, status: StepStatus, activeForm: line.optional() });
export type SharedStepChange = z.infer<typeof SharedStepChange>;

const SharedStep = SharedStepChange.extend({ updatedBy: z.string().max(200), updatedAtMs: z.int() });
export type SharedStep = z.infer<typeof SharedStep>;

export const SharedPlan = lazySchema(() =>
  z.object({
    namespace: Namespace,
    steps: z.array(SharedStep).max(STEPS_MAX),
    createdAtMs: z.int(),
    updatedAtMs: z.int(),
  }),
);
export type SharedPlan = z.infer<typeof SharedPlan>;
