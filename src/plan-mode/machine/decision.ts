import type { PlanModeEvent } from "../../protocol/plan-mode.ts";
import type { SliceDecision } from "../../plugins/sdk.ts";

export type PlanDecision = SliceDecision<PlanModeEvent>;
