/** The fields of `sessions.patch` that belong to plan mode. */
import { z } from "zod";
import { PermissionMode, PlanApproval } from "../plan-mode.ts";
import { PlanNote } from "./review.ts";

export const PLAN_PATCH_FIELDS = {
  planApproval: PlanApproval,
  planNote: PlanNote,
  planMode: z.enum(["plan", "normal"]).nullable(),
  permissionMode: PermissionMode,
} as const;
