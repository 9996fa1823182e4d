/** What a session's plan says while it is carried out, as far as its changes are concerned. */
import { CycleId } from "../../protocol/ids.ts";
import type { Session } from "../../protocol/session.ts";
import { z } from "../../plugins/sdk.ts";

export const PLAN_MODE_SLICE = "planMode";

/** More than what is read here may stand in it: plan mode parses its own state. */
const Step = z.object({
  step: z.string(),
  status: z.string(),
  activeForm: z.string().optional(),
  acceptanceCriteria: z.array(z.string()).optional(),
  scope: z
    .object({ paths: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
export type PlannedStep = z.infer<typeof Step>;

const Cycle = z.object({ id: CycleId });

const PlanNow = z.object({
  now: z.object({
    phase: z.string(),
    cycle: Cycle.optional(),
    steps: z.array(Step).catch([]),
    submission: z.object({ steps: z.array(Step) }).optional(),
    amendments: z
      .array(z.object({ add: z.object({ paths: z.array(z.string()).optional() }) }))
      .optional()
      .catch(undefined),
  }),
});

export type ExecutingPlan = {
  cycleId: CycleId;
  /** As they stand now. */
  steps: readonly PlannedStep[];
  /** As they were approved. */
  approved: readonly PlannedStep[];
  /** What people added to its scope since. */
  amended: readonly string[];
};

type Place = Pick<Session, "slices">;

/** Undefined while no approved plan is carried out. */
export function executingPlan({ slices }: Place): ExecutingPlan | undefined {
  const { data } = PlanNow.safeParse(slices[PLAN_MODE_SLICE]);
  if (data === undefined || data.now.phase !== "executing" || data.now.cycle === undefined) return undefined;
  const { cycle, steps, submission, amendments = [] } = data.now;
  const amended = amendments.flatMap(({ add }) => add.paths ?? []);
  return { cycleId: cycle.id, steps, approved: submission?.steps ?? steps, amended };
}

/** The number of the step in progress, in the plan as it stands. */
export function stepInProgress({ steps }: Pick<ExecutingPlan, "steps">): { index: number; text: string } | undefined {
  const at = steps.findIndex(({ status }) => status === "in_progress");
  const step = steps[at];
  return step === undefined ? undefined : { index: at + 1, text: step.step };
}
