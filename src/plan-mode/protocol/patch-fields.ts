/** The fields of `sessions.patch` that belong to plan mode. */
import { z } from "zod";
import { PlanApproval, WrittenPlan } from "./command.ts";
import { PermissionMode } from "./settings.ts";
import { PlanNote } from "./review.ts";

export const PLAN_PATCH_FIELDS = {
  planApproval: PlanApproval,
  planNote: PlanNote,
  planText: WrittenPlan,
  planMode: z.enum(["plan", "normal"]).nullable(),
  permissionMode: PermissionMode.nullable(),
} as const;
