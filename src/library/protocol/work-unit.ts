/** A work unit: a plan that was approved, mirrored into the workspace with how far it was carried out. */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import { PlanStep, STEPS_MAX } from "../../plan-mode/protocol/plan.ts";

export const WORK_FOLDER = [".holdpoint", "work"] as const;
export const UNITS_MAX = 200;

/** Why a plan has no mirror. `tracked`: git tracks files at that place. */
export const UnitLostBecause = z.enum(["tracked", "refused", "read_only", "full", "taken", "busy", "unwritable"]);
export type UnitLostBecause = z.infer<typeof UnitLostBecause>;

/** What `state.json` holds. Unknown members are dropped: a file in a workspace may be anybody's. */
export const WorkUnit = z.object({
  version: z.literal(1),
  unit: z.string().regex(/^[a-z0-9][a-z0-9-]{0,127}$/),
  planId: PlanId,
  sessionId: SessionId,
  cycleId: CycleId,
  revision: z.int().positive(),
  digest: z.string().max(128),
  title: z.string().max(200),
  status: z.enum(["executing", "completed", "left"]),
  approvedBy: By,
  approvedAtMs: z.int(),
  updatedAtMs: z.int(),
  steps: z.array(PlanStep).max(STEPS_MAX),
});
export type WorkUnit = z.infer<typeof WorkUnit>;
