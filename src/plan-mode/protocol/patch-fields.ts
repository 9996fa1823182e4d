/** The fields of `sessions.patch` that belong to plan mode. */
import { z } from "zod";
import { PlanApproval, WrittenPlan } from "./command.ts";
import { PermissionMode } from "./settings.ts";
import { PlanNote } from "./review.ts";
import { Archetype } from "./template/archetype.ts";

export const PLAN_PATCH_FIELDS = {
  planApproval: PlanApproval,
  planNote: PlanNote,
  planText: WrittenPlan,
  planMode: z.enum(["plan", "normal"]).nullable(),
  planArchetype: Archetype.nullable(),
  permissionMode: PermissionMode.nullable(),
} as const;
