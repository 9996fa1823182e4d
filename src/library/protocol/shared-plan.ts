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

/** Who changes the plan right now. `abandoned`: its process is gone or its time is over, and the next change takes it over. */
export const SharedLock = z.strictObject({
  state: z.enum(["held", "abandoned"]),
  sinceMs: z.int(),
  /** The process that holds it, as far as its token says. */
  pid: z.int().nullable(),
});
export type SharedLock = z.infer<typeof SharedLock>;

export const SHARED_LISTED_MAX = 500;

/** A shared plan in a list. `problem`: why its file cannot be read; then `plan` is null. */
export const SharedPlanEntry = lazySchema(() =>
  z.strictObject({
    namespace: Namespace,
    plan: z
      .strictObject({ steps: z.int(), done: z.int(), cancelled: z.int(), updatedAtMs: z.int(), updatedBy: z.string() })
      .nullable()
      .describe("How far it is, and who changed it last."),
    lock: SharedLock.nullable(),
    problem: z.string().nullable(),
  }),
);
export type SharedPlanEntry = z.infer<typeof SharedPlanEntry>;
