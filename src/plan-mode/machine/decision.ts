/** The type of every decision of the plan-mode slice. */
import type { PlanModeEvent } from "../protocol/event.ts";
import type { SliceDecision } from "../../plugins/sdk.ts";

export type PlanDecision = SliceDecision<PlanModeEvent>;
